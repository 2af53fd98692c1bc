// A mergeable log-linear histogram of durations in nanoseconds: 64 sub-buckets an octave, so a
// reported value is within 1/64 (1.6 %) of the recorded one; 0 .. 2^40 ns (18 minutes), larger
// values count as the largest. Recording is a few instructions: no allocation, no division. Fed by
// stream/ and the front doors.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

namespace ethio {

class Histogram {
 public:
  static constexpr uint32_t kSubBits = 6;
  static constexpr uint32_t kMaxBits = 40;
  static constexpr uint32_t kBuckets = (kMaxBits - kSubBits + 1) << kSubBits;

  void record(uint64_t value_ns) noexcept {
    ++counts_[bucket_of(value_ns)];
    ++count_;
    sum_ += value_ns;
    if (value_ns < min_) min_ = value_ns;
    if (value_ns > max_) max_ = value_ns;
  }
  void merge(const Histogram& other) noexcept;
  void reset() noexcept { *this = Histogram(); }

  uint64_t count() const { return count_; }
  uint64_t min() const { return count_ == 0 ? 0 : min_; }  // exact
  uint64_t max() const { return max_; }                    // exact
  double mean() const;                                     // exact
  // The value below or at which `percent` per cent of the recorded values lie (nearest rank, upper
  // edge of its bucket, never above max()); 0 when empty. percentile(100) is max().
  uint64_t percentile(double percent) const;
  // How many recorded values were certainly above `limit_ns` (by whole buckets).
  uint64_t count_above(uint64_t limit_ns) const;

  // For storing and merging: visit(bucket, count) for each non-empty bucket, in order; and back
  // again.
  template <typename Visit>
  void for_each_bucket(Visit visit) const {
    for (uint32_t i = 0; i < kBuckets; ++i) {
      if (counts_[i] != 0) visit(i, counts_[i]);
    }
  }
  void add_bucket(uint32_t bucket, uint64_t count) noexcept;  // when reading back; then set_range
  void set_range(uint64_t min, uint64_t max, uint64_t sum) noexcept;
  uint64_t sum() const { return sum_; }

  static uint32_t bucket_of(uint64_t value_ns) noexcept;
  static uint64_t bucket_low(uint32_t bucket) noexcept;   // smallest value of the bucket
  static uint64_t bucket_high(uint32_t bucket) noexcept;  // largest value of the bucket

 private:
  std::array<uint64_t, kBuckets> counts_{};
  uint64_t count_ = 0;
  uint64_t sum_ = 0;
  uint64_t min_ = std::numeric_limits<uint64_t>::max();
  uint64_t max_ = 0;
};

inline uint32_t Histogram::bucket_of(uint64_t value_ns) noexcept {
  constexpr uint64_t kLimit = (uint64_t{1} << kMaxBits) - 1;
  if (value_ns > kLimit) value_ns = kLimit;
  if (value_ns < (1u << kSubBits)) return static_cast<uint32_t>(value_ns);
  const uint32_t octave = 63u - static_cast<uint32_t>(__builtin_clzll(value_ns)) - kSubBits;
  return ((octave + 1) << kSubBits) +
         static_cast<uint32_t>((value_ns >> octave) & ((1u << kSubBits) - 1));
}

}  // namespace ethio
