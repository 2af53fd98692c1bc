// What a Session counts and times, as plain data: per op class, per stage, per unit, per access
// kind. Owned by the Session, read by report/. All sums and histograms merge, so jobs and runs add
// up.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "common/base/access.h"
#include "common/metrics/histogram.h"

namespace ethio {

struct AccessMetrics {
  uint64_t count = 0;   // completed
  uint64_t bytes = 0;   // moved
  uint64_t errors = 0;  // completed with -errno
  Histogram latency;    // from handed out to completed
};

struct OpMetrics {
  std::string name;       // "slot_get"
  uint64_t count = 0;     // completed, those without I/O included
  uint64_t cached = 0;    // needed no access: every node or block was in the cache model
  uint64_t accesses = 0;  // reads, writes and syncs they took
  Histogram latency;      // of those with I/O, from dispatch to the last completion
};

struct StageMetrics {
  std::string name;
  bool background = false;
  uint64_t accesses = 0;
  Histogram latency;  // foreground: from the stage's start to its barrier, one value a unit
};

struct Metrics {
  std::array<AccessMetrics, kAccessKinds> access;
  std::vector<OpMetrics> ops;         // one per entry of a stage's `ops`, in order of definition
  std::vector<StageMetrics> stages;   // foreground stages in order, then backgrounds
  Histogram unit_latency;             // one value a unit
  std::string unit;                   // "block", "batch" or "op"
  uint64_t units = 0;                 // completed
  uint64_t useful_bytes_read = 0;     // what the ops needed, for read amplification
  uint64_t useful_bytes_written = 0;  // likewise for writes
  uint64_t missed_slots = 0;          // slots that began while an earlier unit was still running
  uint64_t stall_ns = 0;              // nothing could be started until an access in flight ended
  uint64_t idle_ns = 0;   // nothing in flight, waiting for the next slot or for resting lanes
  uint64_t first_ns = 0;  // clock of the first access since the last reset
  uint64_t last_ns = 0;   // clock of the last completion

  void merge(const Metrics& other);  // other must come from the same definition
  void reset();                      // zeroes; names stay
};

}  // namespace ethio
