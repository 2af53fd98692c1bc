// The makers of the executors, one a file; executor.cpp lists them. Private to exec/.
#pragma once

#include "common/exec/executor.h"

namespace ethio {

std::unique_ptr<Executor> make_null_executor(const ExecutorConfig& config);

}  // namespace ethio
