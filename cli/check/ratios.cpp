#include "cli/check/ratios.h"

#include <algorithm>

namespace ethio {
namespace {

constexpr double kLevel = 0.05;

bool are_positive(const std::vector<double>& values) {
  return !values.empty() &&
         std::all_of(values.begin(), values.end(), [](double value) { return value > 0; });
}

// Few, since each further one asks for more repeats.
std::vector<Figure> figures_that_count(const Row& row) {
  const Figures figures = typical(row);
  if (figures[kUnitP50] > 0) return {kUnitP50, kUnitP99};
  if (figures[kP50] > 0) return {kP50, kP99};
  return {figures[kReadsPerSecond] > 0 ? kReadsPerSecond : kWritesPerSecond};
}

}  // namespace

std::vector<Ratio> ratios_between(const TargetResult& base, const TargetResult& other) {
  std::vector<Ratio> ratios;
  std::vector<double> p_values;
  for (const Row& row : base.rows) {
    const Row* twin = find_row(other, row.phase.name);
    if (row.phase.kind == PhaseKind::kLayout || twin == nullptr) continue;
    for (const Figure figure : figures_that_count(row)) {
      const std::vector<double> before = values_of(row, figure);
      const std::vector<double> after = values_of(*twin, figure);
      if (!are_positive(before) || !are_positive(after)) continue;
      Ratio ratio{row.phase.name, figure, ratio_of_medians(before, after), false, false};
      ratio.is_better = (ratio.interval.estimate < 1) == kFigureInfos[figure].is_time;
      ratios.push_back(std::move(ratio));
      p_values.push_back(mann_whitney(before, after).p_value);
    }
  }
  const std::vector<double> adjusted = holm(p_values);
  for (size_t i = 0; i < ratios.size(); ++i) {
    const Interval& interval = ratios[i].interval;
    ratios[i].is_shown = adjusted[i] < kLevel && (interval.low > 1 || interval.high < 1);
  }
  return ratios;
}

size_t fewest_repeats(size_t comparisons) {
  size_t repeats = 2;
  while (smallest_p_value(repeats, repeats) * static_cast<double>(comparisons) >= kLevel) ++repeats;
  return repeats;
}

}  // namespace ethio
