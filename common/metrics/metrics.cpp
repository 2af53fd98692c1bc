#include "common/metrics/metrics.h"

#include <algorithm>

namespace ethio {
namespace {

void add(AccessMetrics& to, const AccessMetrics& from) {
  to.count += from.count;
  to.bytes += from.bytes;
  to.errors += from.errors;
  to.latency.merge(from.latency);
}

void add(OpMetrics& to, const OpMetrics& from) {
  to.count += from.count;
  to.cached += from.cached;
  to.accesses += from.accesses;
  to.latency.merge(from.latency);
}

void add(StageMetrics& to, const StageMetrics& from) {
  to.accesses += from.accesses;
  to.latency.merge(from.latency);
}

// Element by element; an empty list (a fresh Metrics) takes over names and all.
template <typename T>
void add_all(std::vector<T>& to, const std::vector<T>& from) {
  if (to.empty()) {
    to = from;
    return;
  }
  const size_t common = std::min(to.size(), from.size());
  for (size_t i = 0; i < common; ++i) add(to[i], from[i]);
}

}  // namespace

void Metrics::merge(const Metrics& other) {
  // 0 means "no access yet", which is no clock reading.
  if (first_ns == 0 || (other.first_ns != 0 && other.first_ns < first_ns)) {
    first_ns = other.first_ns;
  }
  last_ns = std::max(last_ns, other.last_ns);

  for (int i = 0; i < kAccessKinds; ++i) add(access[i], other.access[i]);
  add_all(ops, other.ops);
  add_all(stages, other.stages);
  unit_latency.merge(other.unit_latency);
  if (unit.empty()) unit = other.unit;
  units += other.units;
  useful_bytes_read += other.useful_bytes_read;
  useful_bytes_written += other.useful_bytes_written;
  missed_slots += other.missed_slots;
  stall_ns += other.stall_ns;
  idle_ns += other.idle_ns;
}

void Metrics::reset() {
  for (AccessMetrics& kind : access) {
    kind.count = kind.bytes = kind.errors = 0;
    kind.latency.reset();
  }
  for (OpMetrics& op : ops) {
    op.count = op.cached = op.accesses = 0;
    op.latency.reset();
  }
  for (StageMetrics& stage : stages) {
    stage.accesses = 0;
    stage.latency.reset();
  }
  unit_latency.reset();
  units = 0;
  useful_bytes_read = useful_bytes_written = 0;
  missed_slots = 0;
  stall_ns = idle_ns = 0;
  first_ns = last_ns = 0;
}

}  // namespace ethio
