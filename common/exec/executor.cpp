#include "common/exec/executor.h"

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
    {"null", "completes at once; measures the generator", make_null_executor},
};

}  // namespace

std::span<const ExecutorInfo> executors() {
  return kExecutors;
}

std::unique_ptr<Executor> make_executor(std::string_view name, const ExecutorConfig& config) {
  std::string known;
  for (const ExecutorInfo& info : kExecutors) {
    if (name.empty() || info.name == name) return info.create(config);
    known += fmt::format("{}{}", known.empty() ? "" : ", ", info.name);
  }
  throw Error(EINVAL, fmt::format("executor: '{}' is not one of {}", name, known));
}

}  // namespace ethio
