// The histogram against its promises: buckets that tile the range with a width of at most 1/64 of
// their values, nearest-rank percentiles as a sorted vector gives them, merging that equals
// recording everything.
#include "common/metrics/histogram.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "common/base/hash.h"

namespace ethio {
namespace {

constexpr uint64_t kLargest = (uint64_t{1} << Histogram::kMaxBits) - 1;

// Values spread over all magnitudes, as latencies are.
std::vector<uint64_t> log_uniform(uint64_t seed, size_t count, uint64_t max_bits) {
  Rng rng(seed);
  std::vector<uint64_t> values(count);
  for (uint64_t& value : values) value = rng.next() >> (64 - 1 - rng.below(max_bits));
  return values;
}

Histogram recorded(const std::vector<uint64_t>& values) {
  Histogram histogram;
  for (uint64_t value : values) histogram.record(value);
  return histogram;
}

// The oracle: the smallest value with at least percent_millionths / 10^8 of all values at or below
// it.
uint64_t nearest_rank(const std::vector<uint64_t>& sorted, uint64_t percent_millionths) {
  const uint64_t whole = 100'000'000;
  const uint64_t rank = (percent_millionths * sorted.size() + whole - 1) / whole;
  return sorted[std::max<uint64_t>(rank, 1) - 1];
}

void expect_equal(const Histogram& a, const Histogram& b) {
  EXPECT_EQ(a.count(), b.count());
  EXPECT_EQ(a.min(), b.min());
  EXPECT_EQ(a.max(), b.max());
  EXPECT_EQ(a.sum(), b.sum());
  std::vector<std::pair<uint32_t, uint64_t>> in_a;
  std::vector<std::pair<uint32_t, uint64_t>> in_b;
  a.for_each_bucket([&](uint32_t bucket, uint64_t count) { in_a.emplace_back(bucket, count); });
  b.for_each_bucket([&](uint32_t bucket, uint64_t count) { in_b.emplace_back(bucket, count); });
  EXPECT_EQ(in_a, in_b);
}

TEST(HistogramBuckets, TileTheRangeWithoutGapOrOverlap) {
  EXPECT_EQ(Histogram::bucket_low(0), 0u);
  for (uint32_t bucket = 0; bucket < Histogram::kBuckets; ++bucket) {
    const uint64_t low = Histogram::bucket_low(bucket);
    const uint64_t high = Histogram::bucket_high(bucket);
    ASSERT_LE(low, high);
    ASSERT_EQ(Histogram::bucket_of(low), bucket);
    ASSERT_EQ(Histogram::bucket_of(high), bucket);
    ASSERT_EQ(Histogram::bucket_of(low + (high - low) / 2), bucket);
    ASSERT_EQ(Histogram::bucket_low(bucket + 1), high + 1);
  }
  EXPECT_EQ(Histogram::bucket_high(Histogram::kBuckets - 1), kLargest);
}

TEST(HistogramBuckets, AreNoWiderThanOneSixtyFourthOfTheirValues) {
  for (uint32_t bucket = 0; bucket < Histogram::kBuckets; ++bucket) {
    const uint64_t error = Histogram::bucket_high(bucket) - Histogram::bucket_low(bucket);
    ASSERT_LE(error * 64, Histogram::bucket_low(bucket));
  }
}

TEST(HistogramBuckets, EverySmallValueIsWithinOneSixtyFourth) {
  for (uint64_t value = 0; value < (1u << 20); ++value) {
    const uint32_t bucket = Histogram::bucket_of(value);
    ASSERT_GE(value, Histogram::bucket_low(bucket));
    ASSERT_LE(value, Histogram::bucket_high(bucket));
    ASSERT_LE((Histogram::bucket_high(bucket) - value) * 64, value);
  }
}

TEST(HistogramBuckets, LargerValuesCountAsTheLargest) {
  EXPECT_EQ(Histogram::bucket_of(kLargest + 1), Histogram::kBuckets - 1);
  EXPECT_EQ(Histogram::bucket_of(~uint64_t{0}), Histogram::kBuckets - 1);
}

TEST(Histogram, EmptyGivesZeroes) {
  const Histogram histogram;
  EXPECT_EQ(histogram.count(), 0u);
  EXPECT_EQ(histogram.min(), 0u);
  EXPECT_EQ(histogram.max(), 0u);
  EXPECT_EQ(histogram.mean(), 0.0);
  EXPECT_EQ(histogram.percentile(0), 0u);
  EXPECT_EQ(histogram.percentile(50), 0u);
  EXPECT_EQ(histogram.percentile(100), 0u);
  EXPECT_EQ(histogram.count_above(0), 0u);
}

TEST(Histogram, OneValueIsEveryPercentile) {
  for (uint64_t value : {uint64_t{0}, uint64_t{1}, uint64_t{63}, uint64_t{64}, uint64_t{80'123},
                         kLargest, kLargest + 12345}) {
    Histogram histogram;
    histogram.record(value);
    for (double percent : {0.0, 1.0, 50.0, 99.9, 100.0}) {
      EXPECT_EQ(histogram.percentile(percent), value);
    }
    EXPECT_EQ(histogram.mean(), static_cast<double>(value));
  }
}

TEST(Histogram, PercentilesAreTheBucketsOfTheNearestRank) {
  constexpr uint64_t kPercentMillionths[] = {0,          1,          1'000'000,  10'000'000,
                                             50'000'000, 90'000'000, 99'000'000, 99'900'000,
                                             99'990'000, 99'999'999, 100'000'000};
  for (size_t count : {1, 2, 3, 10, 100, 1000, 1001, 20'000}) {
    std::vector<uint64_t> values = log_uniform(count, count, Histogram::kMaxBits);
    const Histogram histogram = recorded(values);
    std::sort(values.begin(), values.end());
    for (uint64_t millionths : kPercentMillionths) {
      const uint64_t exact = nearest_rank(values, millionths);
      const uint64_t expected =
          std::min(Histogram::bucket_high(Histogram::bucket_of(exact)), values.back());
      EXPECT_EQ(histogram.percentile(static_cast<double>(millionths) / 1e6), expected)
          << millionths << " millionths of " << count << " values";
    }
  }
}

TEST(Histogram, RankDoesNotSlipWhereAPercentageHasNoExactDouble) {
  Histogram histogram;  // 0..63 are exact buckets: 999 times 1, once 2
  for (int i = 0; i < 999; ++i) histogram.record(1);
  histogram.record(2);
  EXPECT_EQ(histogram.percentile(99.9), 1u);
  EXPECT_EQ(histogram.percentile(99.91), 2u);
}

TEST(Histogram, PercentileOfClippedValuesIsTheMaximum) {
  Histogram histogram;
  histogram.record(10);
  histogram.record(uint64_t{1} << 50);
  EXPECT_EQ(histogram.percentile(50), 10u);
  EXPECT_EQ(histogram.percentile(51), uint64_t{1} << 50);
}

TEST(Histogram, ExactSumMeanMinAndMax) {
  const std::vector<uint64_t> values = log_uniform(7, 5000, 45);
  const Histogram histogram = recorded(values);
  uint64_t sum = 0;
  for (uint64_t value : values) sum += value;
  EXPECT_EQ(histogram.count(), values.size());
  EXPECT_EQ(histogram.sum(), sum);
  EXPECT_EQ(histogram.mean(), static_cast<double>(sum) / 5000.0);
  EXPECT_EQ(histogram.min(), *std::min_element(values.begin(), values.end()));
  EXPECT_EQ(histogram.max(), *std::max_element(values.begin(), values.end()));
}

TEST(Histogram, CountAboveIsCertainAndWithinABucket) {
  const std::vector<uint64_t> values = log_uniform(11, 20'000, Histogram::kMaxBits);
  const Histogram histogram = recorded(values);
  for (uint64_t limit : log_uniform(12, 200, Histogram::kMaxBits)) {
    const auto above = [&](uint64_t than) {
      return static_cast<uint64_t>(
          std::count_if(values.begin(), values.end(), [&](uint64_t v) { return v > than; }));
    };
    const uint64_t counted = histogram.count_above(limit);
    EXPECT_LE(counted, above(limit));
    EXPECT_GE(counted, above(Histogram::bucket_high(Histogram::bucket_of(limit))));
  }
  EXPECT_EQ(histogram.count_above(histogram.max()), 0u);
}

TEST(Histogram, CountAboveUsesTheExactEnds) {
  Histogram histogram;
  histogram.record(1'000'003);
  histogram.record(2'000'003);
  EXPECT_EQ(histogram.count_above(1'000'002), 2u);
  EXPECT_EQ(histogram.count_above(1'500'000), 1u);
  EXPECT_EQ(histogram.count_above(2'000'002), 0u);  // in the same bucket: not certain
}

TEST(Histogram, MergingEqualsRecordingAll) {
  std::vector<uint64_t> all;
  Histogram merged;
  for (uint64_t part = 0; part < 5; ++part) {
    const std::vector<uint64_t> values = log_uniform(100 + part, 1000 * part, 42);
    merged.merge(recorded(values));  // part 0 is empty
    all.insert(all.end(), values.begin(), values.end());
  }
  expect_equal(merged, recorded(all));
}

TEST(Histogram, MergingAnEmptyOneChangesNothing) {
  Histogram histogram;
  histogram.record(5);
  histogram.merge(Histogram());
  EXPECT_EQ(histogram.min(), 5u);
  EXPECT_EQ(histogram.count(), 1u);
}

TEST(Histogram, ComesBackFromItsBuckets) {
  const Histogram original = recorded(log_uniform(3, 10'000, 45));
  Histogram copy;
  original.for_each_bucket(
      [&](uint32_t bucket, uint64_t count) { copy.add_bucket(bucket, count); });
  copy.set_range(original.min(), original.max(), original.sum());
  expect_equal(original, copy);
  EXPECT_EQ(original.percentile(99), copy.percentile(99));
}

TEST(Histogram, AnEmptyOneComesBackEmpty) {
  Histogram copy;
  copy.set_range(0, 0, 0);
  copy.record(9);
  EXPECT_EQ(copy.min(), 9u);  // the zero that was written for "no minimum" is not one
}

TEST(Histogram, BucketsPastTheEndCountAsTheLargest) {
  Histogram histogram;
  histogram.add_bucket(Histogram::kBuckets + 7, 3);
  histogram.for_each_bucket([](uint32_t bucket, uint64_t count) {
    EXPECT_EQ(bucket, Histogram::kBuckets - 1);
    EXPECT_EQ(count, 3u);
  });
}

TEST(Histogram, ResetForgetsEverything) {
  Histogram histogram = recorded(log_uniform(1, 100, 40));
  histogram.reset();
  expect_equal(histogram, Histogram());
}

}  // namespace
}  // namespace ethio
