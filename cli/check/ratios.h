// Several directories against the first: for the figures that count of each phase the ratio of the
// medians over the repeats, with its confidence interval, and whether a difference has been shown
// at all.
#pragma once

#include <string>
#include <vector>

#include "cli/check/figures.h"
#include "common/report/stats.h"

namespace ethio {

struct Ratio {
  std::string phase;
  Figure figure = kP50;
  Interval interval;  // of the other directory's figure over the first one's, 95 %
  bool is_shown =
      false;  // the interval leaves out 1, and a rank test, corrected over all comparisons, agrees
  bool is_better = false;
};

// `other` against `base`. The time of a unit, or else the latency, or else the rate: the middle and
// the tail.
std::vector<Ratio> ratios_between(const TargetResult& base, const TargetResult& other);

// The fewest repeats with which anything can be shown over so many comparisons.
size_t fewest_repeats(size_t comparisons);

}  // namespace ethio
