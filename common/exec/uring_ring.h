// An io_uring for the files of one target with the best that this kernel, its limits and its
// policies give; each thing that was wanted and is not to be had is dropped with a sentence. The
// control plane of the uring executor. Private to exec/.
#pragma once

#include <liburing.h>

#include <string>
#include <vector>

#include "common/exec/executor.h"

// Flags younger than the liburing of Ubuntu 22.04. The kernel says at run time what it knows.
#ifndef IORING_SETUP_SUBMIT_ALL
#define IORING_SETUP_SUBMIT_ALL (1U << 7)
#endif
#ifndef IORING_SETUP_COOP_TASKRUN
#define IORING_SETUP_COOP_TASKRUN (1U << 8)
#endif
#ifndef IORING_SETUP_TASKRUN_FLAG
#define IORING_SETUP_TASKRUN_FLAG (1U << 9)
#endif
#ifndef IORING_SETUP_SINGLE_ISSUER
#define IORING_SETUP_SINGLE_ISSUER (1U << 12)
#endif
#ifndef IORING_SETUP_DEFER_TASKRUN
#define IORING_SETUP_DEFER_TASKRUN (1U << 13)
#endif
#ifndef IORING_SQ_TASKRUN
#define IORING_SQ_TASKRUN (1U << 2)
#endif

namespace ethio {

class UringRing {
 public:
  // Throws Error where there is no io_uring at all; its message is a clause that says why.
  UringRing(const ExecutorConfig& config, const std::vector<FileExtent>& files);
  ~UringRing() { io_uring_queue_exit(&ring_); }
  UringRing(const UringRing&) = delete;
  UringRing& operator=(const UringRing&) = delete;

  // The ring is created disabled, so that it may be made in one thread and used in another: the
  // thread that enables it is its single issuer. 0 or -errno.
  int enable() noexcept;

  io_uring& raw() { return ring_; }
  uint32_t sq_mask() const { return params_.sq_entries - 1; }
  uint32_t cq_mask() const { return params_.cq_entries - 1; }
  bool polls_submission() const { return (params_.flags & IORING_SETUP_SQPOLL) != 0; }
  bool polls_completion() const { return (params_.flags & IORING_SETUP_IOPOLL) != 0; }
  bool has_files() const { return has_files_; }      // the files are registered, in order
  bool has_buffers() const { return has_buffers_; }  // config.buffers are registered, by slot
  const std::string& notice() const { return notice_; }

 private:
  void open(const ExecutorConfig& config, unsigned wanted);
  void register_files(const std::vector<FileExtent>& files);
  void register_buffers(std::span<const Buffer> buffers);
  void drop(const std::string& what);

  io_uring ring_{};
  io_uring_params params_{};
  bool has_files_ = false;
  bool has_buffers_ = false;
  std::string notice_;
};

}  // namespace ethio
