// The statistics against values that SciPy 1.10.1 gives (scipy.stats.mannwhitneyu) or that follow
// by hand.
#include "common/report/stats.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

#include "common/base/error.h"
#include "common/base/hash.h"

namespace ethio {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using Sample = std::vector<double>;

constexpr double kTolerance = 1e-12;

TEST(Median, TakesTheMiddleOrTheMeanOfTwo) {
  EXPECT_EQ(median(Sample{}), 0);
  EXPECT_EQ(median(Sample{3}), 3);
  EXPECT_EQ(median(Sample{9, 1, 5}), 5);
  EXPECT_EQ(median(Sample{9, 1, 5, 2}), 3.5);
}

struct Case {
  const char* name;
  Sample a, b;
  double u, p_value;
  bool exact;
};

Sample scrambled(int count, int factor, int modulus, double shift) {
  Sample sample;
  for (int i = 0; i < count; ++i) sample.push_back((i * factor % modulus) / 10.0 + shift);
  return sample;
}

Sample ascending(int count, double shift) {
  Sample sample(static_cast<size_t>(count));
  std::iota(sample.begin(), sample.end(), shift);
  return sample;
}

TEST(MannWhitney, AgreesWithSciPy) {
  const Case cases[] = {
      {"exact, 4 and 5", {20, 11, 17, 12}, {19, 22, 16, 29, 24}, 3, 0.1111111111111111, true},
      {"exact, swapped", {19, 22, 16, 29, 24}, {20, 11, 17, 12}, 17, 0.1111111111111111, true},
      {"exact, 3 apart from 3", {1, 2, 3}, {4, 5, 6}, 0, 0.1, true},
      {"exact, 4 apart from 4", {1, 2, 3, 4}, {5, 6, 7, 8}, 0, 0.02857142857142857, true},
      {"exact, interleaved",
       {1, 2, 3, 4, 5},
       {1.5, 2.5, 3.5, 4.5, 5.5},
       10,
       0.6904761904761905,
       true},
      {"exact, 10 and 10", ascending(10, 0), ascending(10, 3.5), 21, 0.028805559765312086, true},
      {"ties", {1, 1, 2, 2, 3, 3, 4}, {2, 3, 3, 4, 5, 5}, 8.5, 0.0791266278767902, false},
      {"one tie among nine",
       {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30},
       {0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29},
       58,
       0.13291945818531892,
       false},
      {"approximate, 30 and 25", scrambled(30, 7919, 1009, 0), scrambled(25, 104729, 1013, 8), 350,
       0.6787821365043434, false},
      {"all equal", {5, 5, 5, 5}, {5, 5, 5, 5}, 8, 1, false},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.name);
    const RankTest result = mann_whitney(test.a, test.b);
    EXPECT_EQ(result.exact, test.exact);
    EXPECT_DOUBLE_EQ(result.u, test.u);
    EXPECT_NEAR(result.p_value, test.p_value, kTolerance);
  }
}

TEST(MannWhitney, HasNothingToSayOfNothing) {
  EXPECT_EQ(mann_whitney(Sample{}, Sample{1}).p_value, 1);
}

TEST(MannWhitney, GivesTheSmallestPValueForSamplesApart) {
  for (int n = 2; n <= 12; ++n) {
    const auto size = static_cast<size_t>(n);
    EXPECT_NEAR(mann_whitney(ascending(n, 0), ascending(n, 100)).p_value,
                smallest_p_value(size, size), kTolerance);
  }
  EXPECT_EQ(smallest_p_value(3, 3), 0.1);
  EXPECT_EQ(smallest_p_value(0, 3), 1);
}

// By hand: sorted 0.005 0.01 0.03 0.04 times 4 3 2 1 is 0.02 0.03 0.06 0.04; the last may not fall
// below 0.06.
TEST(Holm, StepsDownInOrderOfTheInput) {
  EXPECT_THAT(holm(Sample{0.01, 0.04, 0.03, 0.005}),
              ElementsAre(DoubleNear(0.03, kTolerance), DoubleNear(0.06, kTolerance),
                          DoubleNear(0.06, kTolerance), DoubleNear(0.02, kTolerance)));
  EXPECT_THAT(holm(Sample{0.9, 0.8}), ElementsAre(1.0, 1.0));
  EXPECT_THAT(holm(Sample{}), ElementsAre());
}

TEST(RatioOfMedians, IsOneForEqualSamplesAndTurnsWithThem) {
  const Sample base = {100, 101, 99, 102, 98};
  const Interval same = ratio_of_medians(base, base);
  EXPECT_EQ(same.estimate, 1);
  EXPECT_LT(same.low, 1);
  EXPECT_GT(same.high, 1);
  const Sample twice = {200, 202, 198, 204, 196};
  const Interval up = ratio_of_medians(base, twice);
  EXPECT_EQ(up.estimate, 2);
  EXPECT_GE(up.low, 196.0 / 102);
  EXPECT_LE(up.high, 204.0 / 98);
}

TEST(RatioOfMedians, IsDeterministic) {
  const Sample a = {3.1, 2.9, 3.3, 3.0}, b = {3.2, 3.4, 3.1, 3.6};
  const Interval first = ratio_of_medians(a, b), second = ratio_of_medians(a, b);
  EXPECT_EQ(first.low, second.low);
  EXPECT_EQ(first.high, second.high);
}

// A nearly normal value from twelve uniform ones: mean 0, deviation 1.
double bell(Rng& rng) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += static_cast<double>(rng.next() >> 11) * 0x1p-53;
  return sum;
}

TEST(RatioOfMedians, CoversTheTruthAboutAsOftenAsItSays) {
  Rng rng(42);
  int covered = 0;
  constexpr int kTrials = 400;
  for (int trial = 0; trial < kTrials; ++trial) {
    Sample base, next;
    for (int i = 0; i < 12; ++i) {
      base.push_back(std::exp(0.03 * bell(rng)));
      next.push_back(1.1 * std::exp(0.03 * bell(rng)));
    }
    BootstrapOptions options;
    options.resamples = 1000;
    const Interval interval = ratio_of_medians(base, next, options);
    covered += interval.low <= 1.1 && 1.1 <= interval.high ? 1 : 0;
  }
  // 95 % asked for; the percentile bootstrap of a median of twelve is known to be a little short or
  // wide of it.
  EXPECT_GE(covered, kTrials * 90 / 100);
  EXPECT_LE(covered, kTrials * 99 / 100);
}

TEST(RatioOfMedians, RefusesWhatHasNoRatio) {
  EXPECT_THROW(ratio_of_medians(Sample{}, Sample{1}), Error);
  EXPECT_THROW(ratio_of_medians(Sample{1}, Sample{0}), Error);
  EXPECT_THROW(ratio_of_medians(Sample{1}, Sample{-1}), Error);
}

}  // namespace
}  // namespace ethio
