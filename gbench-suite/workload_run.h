// A workload on an executor, ready to run: the Session, its Executor, the buffers and the loop
// between them.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "common/exec/executor.h"
#include "common/report/session_json.h"
#include "common/stream/session.h"
#include "gbench-suite/lane_buffers.h"
#include "gbench-suite/run_loop.h"

namespace ethio {

class WorkloadRun {
 public:
  // `executor` as for make_executor; of `wanted` count fd, the open target of config.target_bytes
  // or -1, and what is to be polled. Throws Error.
  WorkloadRun(const SessionConfig& config, std::string_view executor, const ExecutorConfig& wanted);

  RunLoop& loop() { return loop_; }
  Session& session() { return session_; }
  const Executor& executor() const { return *executor_; }
  SessionResult result() const { return result_of(session_, facts_); }
  void annotate(const std::string& name, const std::string& value) { facts_.harness[name] = value; }

 private:
  Session session_;
  LaneBuffers buffers_;
  std::unique_ptr<Executor> executor_;
  RunLoop loop_;
  RunFacts facts_;
};

}  // namespace ethio
