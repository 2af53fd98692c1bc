#include "tests/support/chi_square.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace ethio::test {
namespace {

constexpr double kThinnest = 5;  // expected count below which cells are merged (Cochran's rule)
constexpr int kIterations = 10'000;

// P(a, x) by its power series: converges fast for x < a + 1.
double lower_series(double a, double x) {
  double term = 1 / a;
  double sum = term;
  for (int n = 1; n < kIterations && term > sum * 1e-16; ++n) {
    term *= x / (a + n);
    sum += term;
  }
  return sum * std::exp(a * std::log(x) - x - std::lgamma(a));
}

// Q(a, x) by its continued fraction (modified Lentz): converges fast for x >= a + 1.
double upper_fraction(double a, double x) {
  constexpr double kTiny = 1e-300;
  double b = x + 1 - a;
  double c = 1 / kTiny;
  double d = 1 / b;
  double fraction = d;
  for (int n = 1; n < kIterations; ++n) {
    const double an = -n * (n - a);
    b += 2;
    d = an * d + b;
    if (std::fabs(d) < kTiny) d = kTiny;
    c = b + an / c;
    if (std::fabs(c) < kTiny) c = kTiny;
    d = 1 / d;
    fraction *= d * c;
    if (std::fabs(d * c - 1) < 1e-15) break;
  }
  return fraction * std::exp(a * std::log(x) - x - std::lgamma(a));
}

struct Cell {
  double a = 0;     // observed, or the first sample
  double b = 0;     // expected, or the second sample
  double thin = 0;  // the smaller of the counts that must not be thin
};

// Joins neighbours until no cell is thin; what is left over at the end joins the last full cell.
std::vector<Cell> merge_thin(const std::vector<Cell>& cells) {
  std::vector<Cell> merged;
  Cell open;
  for (const Cell& cell : cells) {
    open.a += cell.a;
    open.b += cell.b;
    open.thin += cell.thin;
    if (open.thin < kThinnest) continue;
    merged.push_back(open);
    open = {};
  }
  if (merged.empty()) return {open};
  merged.back().a += open.a;
  merged.back().b += open.b;
  return merged;
}

ChiSquare result(double statistic, size_t cells) {
  ChiSquare chi;
  chi.statistic = statistic;
  chi.degrees = cells < 2 ? 0 : static_cast<unsigned>(cells - 1);
  chi.p = chi_square_p(statistic, chi.degrees);
  return chi;
}

}  // namespace

ChiSquare goodness_of_fit(const std::vector<uint64_t>& observed,
                          const std::vector<double>& expected) {
  if (observed.size() != expected.size()) {
    throw std::invalid_argument("observed and expected differ in cells");
  }
  const double total = std::accumulate(observed.begin(), observed.end(), 0.0);
  const double shares = std::accumulate(expected.begin(), expected.end(), 0.0);
  if (!(total > 0) || !(shares > 0)) throw std::invalid_argument("nothing observed or expected");
  std::vector<Cell> cells;
  for (size_t i = 0; i < observed.size(); ++i) {
    const double count = expected[i] * total / shares;
    if (count <= 0 && observed[i] > 0) {
      return {std::numeric_limits<double>::infinity(), static_cast<unsigned>(observed.size()), 0};
    }
    cells.push_back({static_cast<double>(observed[i]), count, count});
  }
  cells = merge_thin(cells);
  double statistic = 0;
  for (const Cell& cell : cells) statistic += (cell.a - cell.b) * (cell.a - cell.b) / cell.b;
  return result(statistic, cells.size());
}

ChiSquare two_sample(const Histogram& a, const Histogram& b) {
  std::map<int64_t, Cell> by_value;
  double total_a = 0;
  double total_b = 0;
  for (const auto& [value, count] : a) {
    by_value[value].a += static_cast<double>(count);
    total_a += static_cast<double>(count);
  }
  for (const auto& [value, count] : b) {
    by_value[value].b += static_cast<double>(count);
    total_b += static_cast<double>(count);
  }
  if (!(total_a > 0) || !(total_b > 0)) throw std::invalid_argument("an empty sample");
  // Under the hypothesis a cell expects its pooled count, divided as the totals are.
  const double smaller_share = std::fmin(total_a, total_b) / (total_a + total_b);
  std::vector<Cell> cells;
  for (auto& [value, cell] : by_value) {
    cell.thin = (cell.a + cell.b) * smaller_share;
    cells.push_back(cell);
  }
  cells = merge_thin(cells);
  const double weight = std::sqrt(total_b / total_a);
  double statistic = 0;
  for (const Cell& cell : cells) {
    const double difference = weight * cell.a - cell.b / weight;
    statistic += difference * difference / (cell.a + cell.b);
  }
  return result(statistic, cells.size());
}

double gamma_q(double a, double x) {
  if (!(a > 0) || x < 0) throw std::invalid_argument("gamma_q outside its domain");
  if (x == 0) return 1;
  return x < a + 1 ? 1 - lower_series(a, x) : upper_fraction(a, x);
}

double chi_square_p(double statistic, unsigned degrees) {
  return degrees == 0 ? 1 : gamma_q(degrees / 2.0, statistic / 2);
}

double chi_square_critical(double alpha, unsigned degrees) {
  double low = 0;
  double high = 1;
  while (chi_square_p(high, degrees) > alpha) high *= 2;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (chi_square_p(middle, degrees) > alpha ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace ethio::test
