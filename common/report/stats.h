// Statistics of small samples of repeated measurements: is the new one really slower? A bootstrap
// interval says by how much, a rank test says whether at all, and the correction for many
// comparisons keeps one bad draw among fifty from failing a build. Feeds compare. Deterministic:
// the same samples give the same answer on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ethio {

double median(std::span<const double> sample);  // 0 when empty

struct Interval {
  double low = 0;
  double estimate = 0;
  double high = 0;
};

struct BootstrapOptions {
  double confidence = 0.95;
  uint32_t resamples = 10'000;
  uint64_t seed = 1;
};

// median(next) / median(base) with its percentile bootstrap interval, taken on the logarithm so
// that a ratio and its inverse are judged alike. All values must be positive and both samples
// non-empty; throws Error(EINVAL) otherwise.
Interval ratio_of_medians(std::span<const double> base, std::span<const double> next,
                          const BootstrapOptions& options = {});

struct RankTest {
  double u = 0;        // of the first sample: pairs in which it is the larger, ties half
  double p_value = 1;  // two-sided
  bool exact = false;
};

// Mann-Whitney U. Exact where nothing is tied and the samples are small, else the normal
// approximation with corrections for ties and continuity. An empty sample gives p = 1.
RankTest mann_whitney(std::span<const double> a, std::span<const double> b);

// Holm's step-down adjustment, in the order of the input: compare the results with the level
// itself.
std::vector<double> holm(std::span<const double> p_values);

// The smallest p that mann_whitney can give for samples of these sizes.
double smallest_p_value(size_t a, size_t b);

}  // namespace ethio
