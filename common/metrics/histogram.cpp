#include "common/metrics/histogram.h"

#include <algorithm>
#include <cmath>

namespace ethio {

void Histogram::merge(const Histogram& other) noexcept {
  for (uint32_t i = 0; i < kBuckets; ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  sum_ += other.sum_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

double Histogram::mean() const {
  return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_);
}

uint64_t Histogram::percentile(double percent) const {
  if (count_ == 0) return 0;
  // The rank in integers, to a millionth of a per cent: 99.9 % of 1000 values is the 999th,
  // although 99.9 has no exact double.
  constexpr uint64_t kWhole = 100'000'000;
  const double clamped = std::clamp(percent, 0.0, 100.0);
  const auto share = static_cast<uint64_t>(std::llround(clamped * 1e6));
  const auto product = static_cast<unsigned __int128>(share) * count_;
  const auto rank = std::max<uint64_t>(1, static_cast<uint64_t>((product + kWhole - 1) / kWhole));

  uint64_t seen = 0;
  for (uint32_t i = 0; i < kBuckets; ++i) {
    seen += counts_[i];
    // All the rest lies in this bucket: its upper edge is the maximum, also where larger values
    // were clipped.
    if (seen == count_) break;
    if (seen >= rank) return bucket_high(i);
  }
  return max_;
}

uint64_t Histogram::count_above(uint64_t limit_ns) const {
  if (count_ == 0 || limit_ns >= max_) return 0;
  if (limit_ns < min_) return count_;
  uint64_t above = 0;
  for (uint32_t i = kBuckets - 1; i > 0 && bucket_low(i) > limit_ns; --i) above += counts_[i];
  return above;
}

void Histogram::add_bucket(uint32_t bucket, uint64_t count) noexcept {
  counts_[std::min(bucket, kBuckets - 1)] += count;
  count_ += count;
}

void Histogram::set_range(uint64_t min, uint64_t max, uint64_t sum) noexcept {
  if (count_ == 0) return;  // an empty histogram is written with zeroes, which are no minimum
  min_ = min;
  max_ = max;
  sum_ = sum;
}

uint64_t Histogram::bucket_low(uint32_t bucket) noexcept {
  const uint32_t group = bucket >> kSubBits;
  if (group == 0) return bucket;
  const uint64_t sub = bucket & ((1u << kSubBits) - 1);
  return ((uint64_t{1} << kSubBits) + sub) << (group - 1);
}

uint64_t Histogram::bucket_high(uint32_t bucket) noexcept {
  return bucket_low(bucket + 1) - 1;
}

}  // namespace ethio
