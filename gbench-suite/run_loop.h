// The loop of a front door that is not fio: asks the Session what comes next, has the Executor do
// it, and tells the Session when it is done. A lane has at most one access in flight, so the lane
// is the executor's slot.
//
// The loop's clock is the executor's, less the time between run_units() calls: the Session sees one
// run without gaps, whatever the caller does in between.
#pragma once

#include <cstdint>
#include <vector>

#include "common/exec/executor.h"
#include "common/stream/session.h"
#include "gbench-suite/lane_buffers.h"

namespace ethio {

class RunLoop {
 public:
  // The executor's depth and the buffers' number are session.lanes(). All three outlive the loop.
  RunLoop(Session& session, Executor& executor, LaneBuffers& buffers);

  // Goes on until `units` more units are complete, with later accesses left in flight; false when
  // the session has ended before. Throws Error for an access that failed, with nothing left in
  // flight.
  bool run_units(uint64_t units);

  // Waits for what is in flight and hands it to the session.
  void settle();

  // The loop's clock; it stands still outside run_units and settle.
  uint64_t now_ns() const { return now_ns_; }

 private:
  bool step();
  void start(const Access& access);
  void collect(uint32_t min, uint64_t timeout_ns);
  void wait_until(uint64_t time_ns);
  void note_failure(const Completion& completion);
  void throw_failure();
  uint64_t clock() const { return executor_.now_ns() - skipped_ns_; }

  Session& session_;
  Executor& executor_;
  LaneBuffers& buffers_;
  std::vector<Access> in_flight_access_;  // by lane
  std::vector<Completion> completions_;
  uint32_t in_flight_ = 0;
  uint64_t now_ns_ = 0;      // of the last look at the clock
  uint64_t skipped_ns_ = 0;  // what the executor's clock is ahead
  int failure_ = 0;          // errno of the first access that failed
  Access failed_access_;
};

}  // namespace ethio
