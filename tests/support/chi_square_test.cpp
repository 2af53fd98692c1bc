// The statistics that other tests rest on, against printed tables and against samples of known
// origin.
#include "tests/support/chi_square.h"

#include <gtest/gtest.h>

#include <cmath>

#include "common/base/hash.h"

namespace ethio::test {
namespace {

TEST(GammaQ, MatchesClosedForms) {
  for (const double x : {0.01, 0.5, 1.0, 3.0, 20.0, 100.0}) {
    EXPECT_NEAR(gamma_q(1, x) / std::exp(-x), 1, 1e-12) << x;
    EXPECT_NEAR(gamma_q(0.5, x) / std::erfc(std::sqrt(x)), 1, 1e-11) << x;
    EXPECT_NEAR(gamma_q(3, x) / (std::exp(-x) * (1 + x + x * x / 2)), 1, 1e-11) << x;
  }
  EXPECT_EQ(gamma_q(2, 0), 1);
  EXPECT_THROW(gamma_q(0, 1), std::invalid_argument);
}

// https://www.itl.nist.gov/div898/handbook/eda/section3/eda3674.htm
TEST(ChiSquareCritical, MatchesThePublishedTable) {
  struct Row {
    unsigned degrees;
    double at_0_10, at_0_05, at_0_01, at_0_001;
  };
  constexpr Row kTable[] = {
      {1, 2.706, 3.841, 6.635, 10.828},     {2, 4.605, 5.991, 9.210, 13.816},
      {5, 9.236, 11.070, 15.086, 20.515},   {10, 15.987, 18.307, 23.209, 29.588},
      {30, 40.256, 43.773, 50.892, 59.703}, {100, 118.498, 124.342, 135.807, 149.449}};
  for (const Row& row : kTable) {
    EXPECT_NEAR(chi_square_critical(0.10, row.degrees), row.at_0_10, 6e-4);
    EXPECT_NEAR(chi_square_critical(0.05, row.degrees), row.at_0_05, 6e-4);
    EXPECT_NEAR(chi_square_critical(0.01, row.degrees), row.at_0_01, 6e-4);
    EXPECT_NEAR(chi_square_critical(0.001, row.degrees), row.at_0_001, 6e-4);
  }
}

TEST(GoodnessOfFit, ComputesTheStatistic) {
  // Mendel's peas, 315:101:108:32 against 9:3:3:1: the textbook value is 0.470.
  const ChiSquare peas = goodness_of_fit({315, 101, 108, 32}, {9, 3, 3, 1});
  EXPECT_NEAR(peas.statistic, 0.470, 5e-4);
  EXPECT_EQ(peas.degrees, 3u);
  EXPECT_NEAR(peas.p, 0.925, 1e-3);
}

TEST(GoodnessOfFit, MergesThinCells) {
  const ChiSquare chi = goodness_of_fit({1, 2, 50, 47, 0}, {0.5, 1.5, 50, 47, 1});
  EXPECT_EQ(chi.degrees, 1u);  // {1+2+50}, {47+0}
  EXPECT_GT(chi.p, 0.5);
  EXPECT_EQ(goodness_of_fit({10}, {1}).p, 1);
}

TEST(GoodnessOfFit, RejectsWhatCannotBe) {
  EXPECT_EQ(goodness_of_fit({100, 1}, {1, 0}).p, 0);
  EXPECT_THROW(goodness_of_fit({1, 2}, {1}), std::invalid_argument);
  EXPECT_THROW(goodness_of_fit({0, 0}, {1, 1}), std::invalid_argument);
}

Histogram geometric(uint64_t seed, int count, double p) {
  Rng rng(seed);
  Histogram histogram;
  for (int i = 0; i < count; ++i) {
    int64_t value = 0;
    while (!rng.chance(probability(p))) ++value;
    ++histogram[value];
  }
  return histogram;
}

// By definition p is uniform when the hypothesis holds. Over 2,000 pairs this fails for a wrong
// number of degrees of freedom, a wrong weight between samples of different size, or a wrong merge
// of the tail.
TEST(TwoSample, GivesUniformPWhenTheHypothesisHolds) {
  std::vector<uint64_t> deciles(10);
  for (uint64_t i = 0; i < 2'000; ++i) {
    const double p = two_sample(geometric(2 * i, 1'000, 0.3), geometric(2 * i + 1, 400, 0.3)).p;
    ++deciles[std::min<size_t>(9, static_cast<size_t>(p * 10))];
  }
  EXPECT_GT(goodness_of_fit(deciles, std::vector<double>(10, 1)).p, 0.001);
}

TEST(TwoSample, RejectsAnotherDistribution) {
  EXPECT_LT(two_sample(geometric(1, 20'000, 0.30), geometric(2, 20'000, 0.32)).p, 0.001);
  EXPECT_LT(two_sample({{0, 100}}, {{1, 100}}).p, 1e-9);
  EXPECT_EQ(two_sample({{3, 100}}, {{3, 50}}).p, 1);
  EXPECT_THROW(two_sample({}, {{1, 1}}), std::invalid_argument);
}

}  // namespace
}  // namespace ethio::test
