#include "gbench-suite/result_counters.h"

#include <fmt/format.h>

#include <string>

#include "common/base/text.h"

namespace ethio {
namespace {

using benchmark::Counter;

void set_percentiles(benchmark::State& state, const std::string& what, const Histogram& latency) {
  if (latency.count() == 0) return;
  constexpr struct {
    const char* name;
    double percent;
  } kPercentiles[] = {{"p50", 50}, {"p99", 99}, {"p99.9", 99.9}};
  for (const auto& percentile : kPercentiles) {
    state.counters[fmt::format("{}_{}_us", what, percentile.name)] =
        Counter(static_cast<double>(latency.percentile(percentile.percent)) * 1e-3);
  }
}

Histogram latency_of_ops(const Metrics& metrics) {
  Histogram all;
  for (const OpMetrics& op : metrics.ops) all.merge(op.latency);
  return all;
}

}  // namespace

void set_counters(benchmark::State& state, const Metrics& metrics) {
  uint64_t accesses = 0;
  uint64_t bytes = 0;
  for (int i = 0; i < kAccessKinds; ++i) {
    const AccessMetrics& kind = metrics.access[i];
    accesses += kind.count;
    bytes += kind.bytes;
    set_percentiles(state, name_of(static_cast<AccessKind>(i)), kind.latency);
  }
  // Where the unit is an op, they are one and the same.
  if (metrics.unit != "op") set_percentiles(state, "op", latency_of_ops(metrics));
  set_percentiles(state, metrics.unit, metrics.unit_latency);

  state.counters["accesses/s"] = Counter(static_cast<double>(accesses), Counter::kIsRate);
  state.counters["bytes/s"] =
      Counter(static_cast<double>(bytes), Counter::kIsRate, Counter::kIs1024);
  state.counters[plural(metrics.unit) + "/s"] =
      Counter(static_cast<double>(metrics.units), Counter::kIsRate);
  if (metrics.units > 0) {
    const auto units = static_cast<double>(metrics.units);
    state.counters["accesses/" + metrics.unit] = Counter(static_cast<double>(accesses) / units);
    state.counters["bytes/" + metrics.unit] =
        Counter(static_cast<double>(bytes) / units, Counter::kDefaults, Counter::kIs1024);
  }
}

}  // namespace ethio
