#include "common/exec/executor.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <ctime>

#include "common/base/error.h"
#include "common/exec/registry.h"

namespace ethio {

uint64_t Executor::now_ns() const noexcept {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

void Executor::idle_until(uint64_t t_ns) noexcept {
  timespec until;
  until.tv_sec = static_cast<time_t>(t_ns / 1'000'000'000);
  until.tv_nsec = static_cast<long>(t_ns % 1'000'000'000);
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
}

namespace {

constexpr ExecutorInfo kExecutors[] = {
    {"uring", "io_uring, the fast path", true, false, make_uring_executor},
    {"psync", "pread, pwrite and fdatasync, on threads where the depth is above 1", true, false,
     make_psync_executor},
    {"mmap", "page faults on a mapped target, as MDBX readers make", true, false,
     make_mmap_executor},
    {"null", "completes at once; measures the generator", false, false, make_null_executor},
    {"sim", "a deterministic drive on a virtual clock", false, true, make_sim_executor},
};

constexpr uint32_t kMostSlots = 32'768;  // the kernel's limit on a ring

// Polling is a matter of io_uring: elsewhere it would be ignored.
void refuse_polling(std::string_view name, const ExecutorConfig& config) {
  if (!config.sqpoll && !config.iopoll) return;
  throw Error(EINVAL, fmt::format("executor: {} has no {}; use executor=uring, or leave it out",
                                  name, config.sqpoll ? "sqpoll" : "iopoll"));
}

void check_open(int fd) {
  if (fcntl(fd, F_GETFD) >= 0) return;
  throw Error(EBADF, fmt::format("executor: the target (descriptor {}) is not open", fd));
}

void check_target(const ExecutorConfig& config) {
  if (config.files.empty()) check_open(config.fd);
  for (const FileExtent& file : config.files) {
    check_open(file.fd);
    if (file.bytes == 0) throw Error(EINVAL, "executor: a file of the target holds 0 bytes of it");
  }
}

void check(const ExecutorConfig& config, bool needs_target) {
  if (config.depth < 1 || config.depth > kMostSlots) {
    throw Error(EINVAL,
                fmt::format("executor: depth {} is not in 1..{}", config.depth, kMostSlots));
  }
  if (!config.buffers.empty() && config.buffers.size() < config.depth) {
    throw Error(EINVAL, fmt::format("executor: {} buffers are too few for depth {}: one per slot",
                                    config.buffers.size(), config.depth));
  }
  if (needs_target) check_target(config);
}

bool is_refusal(int code) {
  return code == EPERM || code == EACCES || code == ENOSYS || code == ENOMEM;
}

// The makers' messages are clauses; here they become sentences.
std::unique_ptr<Executor> create(const ExecutorInfo& info, const ExecutorConfig& config) {
  try {
    return info.create(config);
  } catch (const Error& error) {
    const bool refused = info.create == make_uring_executor && is_refusal(error.code());
    throw Error(error.code(), fmt::format("executor: {}: {}{}", info.name, error.what(),
                                          refused ? "; psync works without it" : ""));
  }
}

std::unique_ptr<Executor> make_best_executor(const ExecutorConfig& config) {
  check(config, true);
  try {
    return make_uring_executor(config);
  } catch (const Error& error) {
    if (!is_refusal(error.code())) throw;
    return make_psync_fallback(config, error.what());
  }
}

}  // namespace

std::span<const ExecutorInfo> executors() {
  return kExecutors;
}

std::unique_ptr<Executor> make_executor(std::string_view name, const ExecutorConfig& config) {
  if (name.empty()) return make_best_executor(config);
  std::string known;
  for (const ExecutorInfo& info : kExecutors) {
    if (info.name == name) {
      if (info.create != make_uring_executor) refuse_polling(name, config);
      check(config, info.needs_target);
      return create(info, config);
    }
    known += fmt::format("{}{}", known.empty() ? "" : ", ", info.name);
  }
  throw Error(EINVAL, fmt::format("executor: '{}' is not one of {}", name, known));
}

}  // namespace ethio
