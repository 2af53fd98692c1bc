// Two sets of measurements -> what became slower, what did not, and what cannot be told. Three
// states a metric, one verdict for the whole. A metric fails only if the near edge of its interval
// clears the threshold and twice the runner's own noise, and the rank test, corrected for the
// number of metrics, agrees; exact counters fail on any growth. Fed by measurement.h; printed by
// cli/compare.
#pragma once

#include <string>
#include <vector>

#include "common/report/measurement.h"
#include "common/report/noise.h"
#include "common/report/stats.h"

namespace ethio {

enum class Change : uint8_t { kRegressed, kInconclusive, kUnchanged, kBetter };

constexpr const char* name_of(Change change) {
  constexpr const char* kNames[] = {"regressed", "inconclusive", "unchanged", "better"};
  return kNames[static_cast<int>(change)];
}

struct MetricComparison {
  std::string benchmark;
  std::string metric;
  MetricKind kind = MetricKind::kDurationNs;
  bool gates = true;
  double base = 0, next = 0;  // medians
  size_t base_count = 0, next_count = 0;
  Interval slowdown{1, 1,
                    1};  // of the medians: 1.10 is 10 % slower, whichever way the metric counts
  double p_value = 1;    // corrected for the number of gating metrics
  double floor = 0;      // the runner's A/A noise, 0 when not recorded
  double limit = 0;      // max(threshold, 2 x floor): 0.05 is 5 %
  Change change = Change::kInconclusive;
  std::string reason;  // why it is inconclusive; else ""
};

struct CounterComparison {
  std::string benchmark;
  std::string counter;
  double base = 0, next = 0;
  Change change = Change::kUnchanged;  // never inconclusive
};

struct Comparison {
  std::string base, next;  // origins
  std::vector<MetricComparison> metrics;
  std::vector<CounterComparison> counters;
  std::vector<std::string> notes;     // what a reader must know: benchmarks on one side only, ...
  std::vector<std::string> failures;  // benchmarks that did not run: the comparison is incomplete
  std::vector<std::string> voids;     // why the two may not be compared

  size_t count(Change change) const;  // of gating metrics and counters
};

struct CompareOptions {
  double threshold = 0.05;
  double alpha = 0.05;       // level of the corrected rank test
  double confidence = 0.95;  // of the intervals
  const NoiseFloors* noise = nullptr;
};

Comparison compare(const Measurements& base, const Measurements& next,
                   const CompareOptions& options);

// "regression", "inconclusive", "fine", "void" or "failed", by what weighs most.
enum class Verdict : uint8_t { kFine, kInconclusive, kRegression, kFailed, kVoid };
Verdict verdict_of(const Comparison& comparison);

// The verdict as one sentence.
std::string sentence_of(const Comparison& comparison);

}  // namespace ethio
