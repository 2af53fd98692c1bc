// The figures of a row, the same for every phase, so that the table, the ratios between directories
// and the verdict name and read them in one way.
#pragma once

#include <array>
#include <vector>

#include "cli/check/result.h"

namespace ethio {

enum Figure { kReadsPerSecond, kWritesPerSecond, kP50, kP99, kP999, kUnitP50, kUnitP99, kFigures };

struct FigureInfo {
  const char* name;
  bool is_time;  // nanoseconds, less is better; else a rate, more is better
};
inline constexpr std::array<FigureInfo, kFigures> kFigureInfos = {{{"reads/s", false},
                                                                   {"writes/s", false},
                                                                   {"p50", true},
                                                                   {"p99", true},
                                                                   {"p99.9", true},
                                                                   {"unit p50", true},
                                                                   {"unit p99", true}}};

// 0 where a phase has no such figure.
using Figures = std::array<double, kFigures>;

Figures figures_of(const Phase& phase, const PhaseRun& run);
// The median of each figure over the runs.
Figures typical(const Row& row);
// One figure of every run.
std::vector<double> values_of(const Row& row, Figure figure);

// The latency that stands for the phase.
const fio::Latency& timed_latency(const Phase& phase, const PhaseRun& run);

// The row of a phase; nullptr when it was not run.
const Row* find_row(const TargetResult& target, const std::string& phase);

// Units over all runs, and how many of them took longer than so many nanoseconds.
struct UnitCount {
  uint64_t units = 0;
  uint64_t over = 0;
};
UnitCount units_above(const Row& row, uint64_t limit_ns);

}  // namespace ethio
