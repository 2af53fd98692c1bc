// Executors over calls that block (psync, mmap). At depth 1 the caller's own thread does the access
// in submit(); deeper, a bounded pool of threads does as many at once, which is how a program
// without asynchronous I/O gets depth. The pool is the one place on the data plane that locks: one
// short critical section to hand over a batch, and one to take it. Private to exec/.
#pragma once

#include <memory>
#include <string>

#include "common/exec/executor.h"

namespace ethio {

// Does one access and waits for it; called by several threads at once.
class BlockingTarget {
 public:
  virtual ~BlockingTarget() = default;
  virtual int64_t perform(const Access& access, void* buffer) noexcept = 0;  // length, 0, or -errno
};

inline constexpr uint32_t kMaxWorkers = 128;  // deeper than this, accesses wait for a thread

// `notice` is what the target wants said; the pool adds what it could not give. Throws Error when
// no thread can be started.
std::unique_ptr<Executor> make_blocking_executor(std::string_view name, std::string notice,
                                                 std::unique_ptr<BlockingTarget> target,
                                                 uint32_t depth);

}  // namespace ethio
