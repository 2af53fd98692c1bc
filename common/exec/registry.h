// The makers of the executors, one a file; executor.cpp lists them. Private to exec/.
#pragma once

#include <string>

#include "common/exec/executor.h"

namespace ethio {

std::unique_ptr<Executor> make_uring_executor(const ExecutorConfig& config);
std::unique_ptr<Executor> make_psync_executor(const ExecutorConfig& config);
std::unique_ptr<Executor> make_mmap_executor(const ExecutorConfig& config);
std::unique_ptr<Executor> make_null_executor(const ExecutorConfig& config);
std::unique_ptr<Executor> make_sim_executor(const ExecutorConfig& config);

// psync in place of what could not be had; `why` is a clause that its notice begins with.
std::unique_ptr<Executor> make_psync_fallback(const ExecutorConfig& config, const std::string& why);

}  // namespace ethio
