// Chi-square tests for the statistical properties in tests/: a sample against expected counts, and
// two samples against each other. Test code only; common/ has no use for libm.
//
// Cells are given in a natural order (depths, sizes). Cells that are too thin for the chi-square
// distribution to hold are merged with their neighbours, so a caller may pass sparse tails as they
// come.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace ethio::test {

struct ChiSquare {
  double statistic = 0;
  unsigned degrees = 0;  // of freedom; 0 when a single cell is left: nothing to test, p is 1
  double p = 1;          // chance of a statistic at least this large when the hypothesis is true
};

// Are `observed` counts a sample from `expected`? Expected may be counts or shares: it is scaled to
// the total observed. An observation where nothing is expected gives p = 0.
ChiSquare goodness_of_fit(const std::vector<uint64_t>& observed,
                          const std::vector<double>& expected);

// Do two histograms (value -> count) come from one distribution?
using Histogram = std::map<int64_t, uint64_t>;
ChiSquare two_sample(const Histogram& a, const Histogram& b);

// The regularised upper incomplete gamma function Q(a, x), and from it the upper tail of chi-square
// and the statistic above which a test at significance alpha rejects.
double gamma_q(double a, double x);
double chi_square_p(double statistic, unsigned degrees);
double chi_square_critical(double alpha, unsigned degrees);

}  // namespace ethio::test
