#include "gbench-suite/workload_run.h"

#include <string>

namespace ethio {
namespace {

std::unique_ptr<Executor> executor_for(const Session& session, const SessionConfig& config,
                                       std::string_view executor, const LaneBuffers& buffers,
                                       const ExecutorConfig& wanted) {
  ExecutorConfig executor_config = wanted;
  executor_config.depth = session.lanes();
  executor_config.target_bytes = config.target_bytes;
  executor_config.buffers = buffers.to_register();
  return make_executor(executor, executor_config);
}

}  // namespace

WorkloadRun::WorkloadRun(const SessionConfig& config, std::string_view executor,
                         const ExecutorConfig& wanted)
    : session_(config),
      buffers_(session_.lanes(), session_.max_access_bytes()),
      executor_(executor_for(session_, config, executor, buffers_, wanted)),
      loop_(session_, *executor_, buffers_),
      facts_(run_facts(config)) {
  annotate("executor", std::string(executor_->name()));
  if (!executor_->notice().empty()) annotate("notice", std::string(executor_->notice()));
}

}  // namespace ethio
