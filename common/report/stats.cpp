#include "common/report/stats.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <numeric>

#include "common/base/error.h"
#include "common/base/hash.h"

namespace ethio {
namespace {

// Above so many pairs the exact distribution is no better than its approximation and costs more.
constexpr size_t kExactPairs = 400;

double median_of_scratch(std::vector<double>& values) {
  const size_t half = values.size() / 2;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(half);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

double resampled_median(std::span<const double> sample, Rng& rng, std::vector<double>& scratch) {
  scratch.resize(sample.size());
  for (double& value : scratch) value = sample[rng.below(sample.size())];
  return median_of_scratch(scratch);
}

// The value below which `share` of the sorted values lie, between neighbours by distance.
double quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(at);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - std::floor(at)) * (sorted[above] - sorted[below]);
}

void require_positive(std::span<const double> sample) {
  if (sample.empty()) throw Error(EINVAL, "a sample without values has no median");
  for (const double value : sample) {
    if (!(value > 0) || !std::isfinite(value)) {
      throw Error(EINVAL, "a ratio of medians needs values above zero");
    }
  }
}

// In how many of the arrangements of a + b distinct values the first sample's ranks exceed their
// least possible sum by u, for each u.
std::vector<double> arrangements(size_t a, size_t b) {
  const size_t most = a * b;
  // ways[i][u]: i ranks chosen so far, u above the least sum of i ranks.
  std::vector<std::vector<double>> ways(a + 1, std::vector<double>(most + 1, 0.0));
  ways[0][0] = 1;
  for (size_t rank = 1; rank <= a + b; ++rank) {
    for (size_t i = std::min(rank, a); i >= 1; --i) {
      // As the i-th chosen rank it lies rank - i above the least possible.
      for (size_t u = rank - i; u <= most; ++u) ways[i][u] += ways[i - 1][u - (rank - i)];
    }
  }
  return ways[a];
}

double exact_p_value(double u, size_t a, size_t b) {
  const std::vector<double> ways = arrangements(a, b);
  const double all = std::accumulate(ways.begin(), ways.end(), 0.0);
  const auto pairs = static_cast<double>(a * b);
  const auto larger = static_cast<size_t>(std::max(u, pairs - u));
  const double tail =
      std::accumulate(ways.begin() + static_cast<std::ptrdiff_t>(larger), ways.end(), 0.0);
  return std::min(1.0, 2 * tail / all);
}

// `ties`: sum of t^3 - t over groups of t equal values.
double approximate_p_value(double u, size_t a, size_t b, double ties) {
  const auto n1 = static_cast<double>(a);
  const auto n2 = static_cast<double>(b);
  const double n = n1 + n2;
  const double variance = n1 * n2 / 12 * (n + 1 - ties / (n * (n - 1)));
  if (variance <= 0) return 1;
  const double distance = std::max(u, n1 * n2 - u) - n1 * n2 / 2 - 0.5;
  return std::min(1.0, std::erfc(distance / std::sqrt(variance) / std::sqrt(2.0)));
}

}  // namespace

double median(std::span<const double> sample) {
  if (sample.empty()) return 0;
  std::vector<double> scratch(sample.begin(), sample.end());
  return median_of_scratch(scratch);
}

Interval ratio_of_medians(std::span<const double> base, std::span<const double> next,
                          const BootstrapOptions& options) {
  require_positive(base);
  require_positive(next);
  Rng rng(options.seed);
  std::vector<double> scratch;
  std::vector<double> logs(options.resamples);
  for (double& log : logs) {
    const double denominator = resampled_median(base, rng, scratch);
    log = std::log(resampled_median(next, rng, scratch) / denominator);
  }
  std::sort(logs.begin(), logs.end());
  const double tail = 0.5 * (1 - options.confidence);
  return {std::exp(quantile(logs, tail)), median(next) / median(base),
          std::exp(quantile(logs, 1 - tail))};
}

RankTest mann_whitney(std::span<const double> a, std::span<const double> b) {
  RankTest test;
  if (a.empty() || b.empty()) return test;
  struct Ranked {
    double value;
    bool first;
  };
  std::vector<Ranked> all;
  for (const double value : a) all.push_back({value, true});
  for (const double value : b) all.push_back({value, false});
  std::sort(all.begin(), all.end(),
            [](const Ranked& x, const Ranked& y) { return x.value < y.value; });

  double rank_sum = 0;
  double ties = 0;
  for (size_t i = 0; i < all.size();) {
    size_t end = i;
    size_t firsts = 0;
    for (; end < all.size() && all[end].value == all[i].value; ++end)
      firsts += all[end].first ? 1 : 0;
    const auto equal = static_cast<double>(end - i);
    // Ranks i+1 .. end share their mean.
    rank_sum += static_cast<double>(firsts) * 0.5 * static_cast<double>(i + 1 + end);
    ties += equal * equal * equal - equal;
    i = end;
  }
  const auto n1 = static_cast<double>(a.size());
  test.u = rank_sum - n1 * (n1 + 1) / 2;
  test.exact = ties == 0 && a.size() * b.size() <= kExactPairs;
  test.p_value = test.exact ? exact_p_value(test.u, a.size(), b.size())
                            : approximate_p_value(test.u, a.size(), b.size(), ties);
  return test;
}

std::vector<double> holm(std::span<const double> p_values) {
  std::vector<size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t x, size_t y) { return p_values[x] < p_values[y]; });
  std::vector<double> adjusted(p_values.size());
  double running = 0;
  for (size_t k = 0; k < order.size(); ++k) {
    const double scaled = static_cast<double>(order.size() - k) * p_values[order[k]];
    running = std::max(running, std::min(1.0, scaled));
    adjusted[order[k]] = running;
  }
  return adjusted;
}

double smallest_p_value(size_t a, size_t b) {
  if (a == 0 || b == 0) return 1;
  double arrangements_count = 1;  // (a + b) choose a
  for (size_t i = 1; i <= a; ++i) {
    arrangements_count *= static_cast<double>(b + i) / static_cast<double>(i);
  }
  return std::min(1.0, 2 / arrangements_count);
}

}  // namespace ethio
