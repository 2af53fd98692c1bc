// What a benchmark reports besides time per iteration: rates, percentiles and the exact counts of
// its units, from the Session's Metrics to Google Benchmark's counters.
#pragma once

#include <benchmark/benchmark.h>

#include "common/metrics/metrics.h"

namespace ethio {

// Rates are over the time that `state` has measured. Units completed: metrics.units.
void set_counters(benchmark::State& state, const Metrics& metrics);

}  // namespace ethio
