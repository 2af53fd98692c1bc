// What comes next and what waits for what: a state machine without I/O, clock or thread.
//
// A unit runs its stages in order; stages that belong together run at the same time. A stage hands
// its ops to up to `lanes` lanes; a lane runs the accesses of its op one after the other (each
// depends on the last); the next stage begins when all ops of those before it are done (the
// barrier). Background streams run beside the stages on lanes of their own. The op number k of a
// stage in unit u is a pure function of (definition, seed, job, u, stage, k) and a stream's ops are
// dispatched in order, so the stream, and its digest, do not depend on the order in which accesses
// complete.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "common/base/access.h"
#include "common/metrics/metrics.h"
#include "common/spec/workload_spec.h"
#include "common/stream/digest.h"

namespace ethio {

struct SessionConfig {
  WorkloadSpec spec;          // after the knobs have been applied
  uint64_t target_bytes = 0;  // size of the target
  uint32_t alignment = 4096;  // accesses start and end on multiples of this; a power of two
  uint32_t job = 0;
  uint32_t jobs = 1;
  uint32_t depth = 0;  // most accesses that the harness keeps in flight; 0: one for each lane
};

enum class Next { kAccess, kStall, kIdle, kEnd };

class Session {
 public:
  explicit Session(
      const SessionConfig& config);  // throws Error: target too small, bad alignment, ...
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  // kAccess: `out` is the access to start now. kStall: only complete() can unblock. kIdle: nothing
  // before out.offset nanoseconds. kEnd: the requested number of units is done, nothing is in
  // flight.
  Next next(uint64_t now_ns, Access& out) noexcept;
  void complete(uint32_t lane, int64_t result, uint64_t now_ns) noexcept;
  // The harness held back the access in flight on `lane` and begins it only now: latencies count
  // from here.
  void restart(uint32_t lane, uint64_t now_ns) noexcept;

  const WorkloadSpec& spec() const;
  // Made whole when it is asked for; not for the data plane, for which there is units().
  const Metrics& metrics() const;
  uint64_t units() const noexcept;  // completed since the last reset
  void reset_metrics() noexcept;
  Digest digest() const noexcept;

  uint32_t lanes() const;             // most accesses in flight at once
  uint32_t max_access_bytes() const;  // largest length of any access
  bool does(AccessKind kind) const;   // whether the definition ever issues this kind
  // How the state was fitted to the target, in sentences for a person; "" if nothing was scaled.
  const std::string& scaling_note() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ethio
