// How accesses are done: one Executor a worker thread. Fed with Access by the front doors, gives
// back Completion; knows nothing of ops, lanes' order or workloads. Data-plane calls neither throw
// nor allocate.
//
// An access completes in full or with an error: executors go on after a short transfer and an
// interruption, so a result is the access's length, 0 for a sync, or -errno. A read that meets the
// end of the target is -ENODATA. Of a target in several files, an access may lie across a boundary,
// and a sync is one of every file.
//
// The harness takes its clock from the executor (now_ns, idle_until): for most it is
// CLOCK_MONOTONIC; a simulated drive has a virtual one that moves only while the harness waits.
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

// A file, or the part of one, that holds bytes of a target.
struct FileExtent {
  int fd = -1;
  uint64_t offset = 0;  // where the part begins in the file
  uint64_t bytes = 0;
};

// The drive that `sim` plays. The defaults are assumed: a mid-range NVMe drive of 2024 without
// power-loss protection, a typical 4 KiB read of 80 us at depth 1, SLC-cached writes.
struct SimDrive {
  uint64_t read_median_ns = 80'000;  // service time of a small read: half are faster
  uint64_t read_tail_ns = 600'000;   // one in a thousand is slower
  uint32_t parallel_units = 32;      // dies: a power of two; reads of one die wait for each other
  uint64_t link_bytes_per_s = 3'500'000'000;  // what moves over the link, added to each access
  uint64_t write_ns = 15'000;                 // service time of a write that fits the cache
  uint64_t cache_bytes = uint64_t{16} << 30;  // written at link speed until full; 0 = no cache
  uint64_t drain_bytes_per_s =
      900'000'000;  // what the cache drains at, and what writes run at when full
  // Of a die's time while the cache drains, what programming takes from reads.
  uint32_t drain_percent = 50;
  uint64_t sync_ns = 900'000;  // a flush, after the writes before it are done
  uint64_t seed = 1;
};

struct ExecutorConfig {
  int fd = -1;                // the open target; unused by null and sim
  uint32_t depth = 1;         // most accesses in flight; slots are 0 .. depth-1
  uint64_t target_bytes = 0;  // for mmap
  // In place of `fd` and `target_bytes`: the target is these files one after the other.
  std::span<const FileExtent> files;
  std::span<const Buffer> buffers;  // one per slot, registered where that helps; may be empty
  // uring: how many queued accesses a reap may leave for the next one while it has completions to
  // give; more are submitted in one system call then. 0 for a harness that may pause in between.
  uint32_t hold = 0;
  bool sqpoll = false;     // uring: submission by a kernel thread
  bool iopoll = false;     // uring: busy-poll for completions (needs O_DIRECT and a polling driver)
  bool readahead = false;  // mmap: leave the kernel's readahead on, as without MADV_RANDOM
  SimDrive sim;
};

class Executor {
 public:
  virtual ~Executor() = default;

  // Takes an access; `buffer` must hold access.length bytes and stay until `slot` completes. The
  // slot must be free. 0, or -EAGAIN when depth accesses are in flight.
  virtual int queue(const Access& access, void* buffer, uint32_t slot) noexcept = 0;
  // Starts what was queued. 0 or -errno.
  virtual int submit() noexcept = 0;
  // Collects between `min` and out.size() completions; waits for `min` at most timeout_ns
  // (kForever: no limit). Returns how many, or -errno. Queued but unsubmitted accesses are
  // submitted first (but for `hold` of them), in the same system call where that can be. A `min`
  // above what is in flight means all of it; 0 does not wait.
  virtual int reap(std::span<Completion> out, uint32_t min, uint64_t timeout_ns) noexcept = 0;

  // The harness's clock, and how it waits when nothing is due: until t_ns on it, or a signal.
  virtual uint64_t now_ns() const noexcept;
  virtual void idle_until(uint64_t t_ns) noexcept;

  // One line on what the machine could not give ("" if nothing), for the user, once.
  virtual std::string_view notice() const = 0;
  virtual std::string_view name() const = 0;

  static constexpr uint64_t kForever = ~uint64_t{0};
};

struct ExecutorInfo {
  std::string_view name;
  std::string_view summary;
  bool needs_target;   // ExecutorConfig::fd must be open
  bool virtual_clock;  // now_ns() moves only while the harness waits
  std::unique_ptr<Executor> (*create)(const ExecutorConfig&);  // throws Error
};

// Every executor that this build knows, in order of preference.
std::span<const ExecutorInfo> executors();

// By name; "" gives uring, or psync (with a notice) where io_uring is forbidden. Throws
// Error(EINVAL) with the names for an unknown one.
std::unique_ptr<Executor> make_executor(std::string_view name, const ExecutorConfig& config);

}  // namespace ethio
