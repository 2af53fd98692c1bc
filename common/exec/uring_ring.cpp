#include "common/exec/uring_ring.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <vector>

#include "common/base/error.h"

namespace ethio {
namespace {

// What makes a ring cheap, best first; each row is what a generation of kernels knows.
// DEFER_TASKRUN runs completion work when this thread asks for completions instead of interrupting
// it; TASKRUN_FLAG tells user space that there is such work, so that polling needs no system call.
struct Generation {
  unsigned flags;
  const char* lacks;
};
constexpr unsigned kCooperative =
    IORING_SETUP_SUBMIT_ALL | IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG;
constexpr Generation kGenerations[] = {
    {kCooperative | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN, ""},
    {kCooperative | IORING_SETUP_SINGLE_ISSUER, "DEFER_TASKRUN (Linux 6.1)"},
    {kCooperative, "SINGLE_ISSUER and DEFER_TASKRUN (Linux 6.1)"},
    {0, "COOP_TASKRUN, SINGLE_ISSUER and DEFER_TASKRUN (Linux 6.1)"},
};
// A kernel thread submits: there is no task of ours whose work could be deferred.
constexpr unsigned kNotWithSqpoll =
    IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG | IORING_SETUP_DEFER_TASKRUN;

std::string memlock_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0) return "unknown";
  if (limit.rlim_cur == RLIM_INFINITY) return "unlimited";
  return fmt::format("{}", limit.rlim_cur);
}

// Why there is no io_uring, as far as the machine says.
std::string refusal(int code) {
  const std::string text = errno_text(code);
  switch (code) {
    case EPERM:
    case EACCES: {
      int disabled = 0;
      std::ifstream("/proc/sys/kernel/io_uring_disabled") >> disabled;
      return fmt::format("io_uring is forbidden here ({}, {})", text,
                         disabled != 0 ? fmt::format("kernel.io_uring_disabled={}", disabled)
                                       : "by a seccomp filter or security policy");
    }
    case ENOSYS:
      return fmt::format("this kernel or sandbox has no io_uring ({})", text);
    case ENOMEM:
      return fmt::format("io_uring gets no memory here ({}, RLIMIT_MEMLOCK={})", text,
                         memlock_limit());
    default:
      return fmt::format("io_uring cannot be set up here ({})", text);
  }
}

// 0 when a file can be polled for completions, or the errno of trying to read its first page so.
int try_iopoll(int fd) {
  constexpr size_t kPage = 4096;
  const std::unique_ptr<void, decltype(&std::free)> page(std::aligned_alloc(kPage, kPage),
                                                         &std::free);
  io_uring ring{};
  int answer = io_uring_queue_init(1, &ring, IORING_SETUP_IOPOLL);
  if (answer < 0) return -answer;
  io_uring_prep_read(io_uring_get_sqe(&ring), fd, page.get(), kPage, 0);
  answer = io_uring_submit(&ring);
  io_uring_cqe* cqe = nullptr;
  if (answer >= 0) answer = io_uring_wait_cqe(&ring, &cqe);
  if (answer == 0) answer = cqe->res;
  io_uring_queue_exit(&ring);
  return answer < 0 ? -answer : 0;
}

}  // namespace

UringRing::UringRing(const ExecutorConfig& config, const std::vector<FileExtent>& files) {
  unsigned wanted = IORING_SETUP_R_DISABLED;
  if (config.sqpoll) wanted |= IORING_SETUP_SQPOLL;
  if (config.iopoll) {
    int error = 0;
    for (const FileExtent& file : files) {
      if (error == 0) error = try_iopoll(file.fd);
    }
    if (error == 0) wanted |= IORING_SETUP_IOPOLL;
    if (error != 0) {
      drop(fmt::format("IOPOLL ({}): it takes O_DIRECT and a driver with poll queues",
                       errno_text(error)));
    }
  }
  open(config, wanted);
  // What is queued is in the ring in order: the indirection that the kernel asks for never changes.
  for (uint32_t i = 0; i < params_.sq_entries; ++i) ring_.sq.array[i] = i;
  register_files(files);
  if (!config.buffers.empty()) register_buffers(config.buffers);
}

// liburing 2.0 to 2.3 declare io_uring_enable_rings without exporting it.
int UringRing::enable() noexcept {
  const long answer =
      syscall(__NR_io_uring_register, ring_.ring_fd, IORING_REGISTER_ENABLE_RINGS, nullptr, 0);
  return answer < 0 ? -errno : 0;
}

void UringRing::open(const ExecutorConfig& config, unsigned wanted) {
  const bool sqpoll = (wanted & IORING_SETUP_SQPOLL) != 0;
  int error = 0;
  for (const Generation& generation : kGenerations) {
    params_ = {};
    params_.flags = wanted | (sqpoll ? generation.flags & ~kNotWithSqpoll : generation.flags);
    error = -io_uring_queue_init_params(config.depth, &ring_, &params_);
    if (error == 0) {
      if (*generation.lacks != 0 && !sqpoll) drop(generation.lacks);
      break;
    }
    if (error != EINVAL) break;  // not a flag that the kernel does not know
  }
  if (error != 0 && sqpoll) {
    drop(fmt::format("SQPOLL ({})", errno_text(error)));
    return open(config, wanted & ~static_cast<unsigned>(IORING_SETUP_SQPOLL));
  }
  // EINVAL for no flag but R_DISABLED is a kernel before 5.10; waiting with a timeout came
  // with 5.11.
  if (error == EINVAL) throw Error(ENOSYS, "the io_uring of this kernel is too old (5.11 will do)");
  if (error != 0) throw Error(error, refusal(error));
  if ((params_.features & IORING_FEAT_EXT_ARG) == 0) {
    io_uring_queue_exit(&ring_);
    throw Error(ENOSYS, "the io_uring of this kernel is too old (5.11 will do)");
  }
}

void UringRing::register_files(const std::vector<FileExtent>& files) {
  std::vector<int> descriptors;
  descriptors.reserve(files.size());
  for (const FileExtent& file : files) descriptors.push_back(file.fd);
  const int error = -io_uring_register_files(&ring_, descriptors.data(),
                                             static_cast<unsigned>(descriptors.size()));
  has_files_ = error == 0;
  if (!has_files_) drop(fmt::format("the registered file ({})", errno_text(error)));
}

void UringRing::register_buffers(std::span<const Buffer> buffers) {
  std::vector<iovec> vectors;
  vectors.reserve(buffers.size());
  for (const Buffer& buffer : buffers) vectors.push_back({buffer.data, buffer.bytes});
  const int error =
      -io_uring_register_buffers(&ring_, vectors.data(), static_cast<unsigned>(vectors.size()));
  has_buffers_ = error == 0;
  if (!has_buffers_) {
    drop(fmt::format("fixed buffers ({}, RLIMIT_MEMLOCK={})", errno_text(error), memlock_limit()));
  }
}

void UringRing::drop(const std::string& what) {
  notice_ += fmt::format("{}{}", notice_.empty() ? "uring: goes without " : "; without ", what);
}

}  // namespace ethio
