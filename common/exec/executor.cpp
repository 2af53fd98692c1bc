#include "common/exec/executor.h"

#include <fmt/format.h>

#include <cerrno>

#include "common/base/error.h"
#include "common/exec/registry.h"

namespace ethio {
namespace {

constexpr ExecutorInfo kExecutors[] = {
    {"null", "completes at once; measures the generator", make_null_executor},
};

}  // namespace

std::span<const ExecutorInfo> executors() { return kExecutors; }

std::unique_ptr<Executor> make_executor(std::string_view name, const ExecutorConfig& config) {
  std::string known;
  for (const ExecutorInfo& info : kExecutors) {
    if (name.empty() || info.name == name) return info.create(config);
    known += fmt::format("{}{}", known.empty() ? "" : ", ", info.name);
  }
  throw Error(EINVAL, fmt::format("executor: '{}' is not one of {}", name, known));
}

}  // namespace ethio
