#include "cli/check/figures.h"

#include "common/report/stats.h"

namespace ethio {

const fio::Latency& timed_latency(const Phase& phase, const PhaseRun& run) {
  static const fio::Latency kNothing;
  switch (phase.timed) {
    case Timed::kReads:
      return run.fio.read.completion;
    case Timed::kWrites:
      return run.fio.write.completion;
    case Timed::kSyncs:
      return run.fio.sync;
    case Timed::kNothing:
      break;
  }
  return kNothing;
}

Figures figures_of(const Phase& phase, const PhaseRun& run) {
  const fio::Latency& latency = timed_latency(phase, run);
  Figures figures = {};
  figures[kReadsPerSecond] = run.fio.read.iops.value_or(0);
  figures[kWritesPerSecond] = run.fio.write.iops.value_or(0);
  figures[kP50] = latency.at(50).value_or(0);
  figures[kP99] = latency.at(99).value_or(0);
  figures[kP999] = latency.at(99.9).value_or(0);
  if (run.session.has_value()) {
    const Histogram& units = run.session->metrics.unit_latency;
    figures[kUnitP50] = static_cast<double>(units.percentile(50));
    figures[kUnitP99] = static_cast<double>(units.percentile(99));
  }
  return figures;
}

std::vector<double> values_of(const Row& row, Figure figure) {
  std::vector<double> values;
  values.reserve(row.runs.size());
  for (const PhaseRun& run : row.runs) values.push_back(figures_of(row.phase, run)[figure]);
  return values;
}

Figures typical(const Row& row) {
  Figures figures = {};
  for (int i = 0; i < kFigures; ++i) figures[i] = median(values_of(row, static_cast<Figure>(i)));
  return figures;
}

const Row* find_row(const TargetResult& target, const std::string& phase) {
  for (const Row& row : target.rows) {
    if (row.phase.name == phase) return &row;
  }
  return nullptr;
}

UnitCount units_above(const Row& row, uint64_t limit_ns) {
  UnitCount count;
  for (const PhaseRun& run : row.runs) {
    if (!run.session.has_value()) continue;
    count.units += run.session->metrics.unit_latency.count();
    count.over += run.session->metrics.unit_latency.count_above(limit_ns);
  }
  return count;
}

}  // namespace ethio
