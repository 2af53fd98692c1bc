// How accesses are done: one Executor a worker thread. Fed with Access by the front doors, gives back
// Completion; knows nothing of ops, lanes' order or workloads. Data-plane calls neither throw nor allocate.
//
// Adding an executor: one file in exec/, one row in the registry in executor.cpp; the contract test
// (tests/exec/) covers it unasked.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "common/base/access.h"

namespace ethio {

struct Buffer {
  void* data = nullptr;
  size_t bytes = 0;
};

struct ExecutorConfig {
  int fd = -1;                      // the open target; unused by null and sim
  uint32_t depth = 1;               // most accesses in flight; slots are 0 .. depth-1
  uint64_t target_bytes = 0;        // for mmap
  std::span<const Buffer> buffers;  // one per slot, registered where that helps; may be empty
  bool sqpoll = false;              // uring: submission by a kernel thread
  bool iopoll = false;              // uring: busy-poll for completions (needs O_DIRECT and a polling driver)
};

class Executor {
 public:
  virtual ~Executor() = default;

  // Takes an access; `buffer` must hold access.length bytes and stay until `slot` completes. The slot must be
  // free. 0, or -EAGAIN when depth accesses are in flight, or -errno.
  virtual int queue(const Access& access, void* buffer, uint32_t slot) noexcept = 0;
  // Starts what was queued. 0 or -errno.
  virtual int submit() noexcept = 0;
  // Collects between `min` and out.size() completions; waits for `min` at most timeout_ns (kForever: no limit).
  // Returns how many, or -errno. Queued but unsubmitted accesses are submitted first.
  virtual int reap(std::span<Completion> out, uint32_t min, uint64_t timeout_ns) noexcept = 0;

  // One line on what the machine could not give ("" if nothing), for the user, once.
  virtual std::string_view notice() const = 0;
  virtual std::string_view name() const = 0;

  static constexpr uint64_t kForever = ~uint64_t{0};
};

struct ExecutorInfo {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<Executor> (*create)(const ExecutorConfig&);  // throws Error
};

// Every executor that this build knows, in order of preference.
std::span<const ExecutorInfo> executors();

// By name; "" gives uring, or psync (with a notice) where io_uring is forbidden. Throws Error(EINVAL) with the
// names for an unknown one.
std::unique_ptr<Executor> make_executor(std::string_view name, const ExecutorConfig& config);

}  // namespace ethio
