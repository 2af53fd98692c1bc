// The psync executor: pread, pwrite and fdatasync. The fallback where io_uring is forbidden, and
// the shape of a node that reads with blocking calls from its own threads.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "common/exec/blocking.h"
#include "common/exec/registry.h"
#include "common/exec/target.h"
#include "common/exec/transfer.h"

namespace ethio {
namespace {

class FileTarget final : public BlockingTarget {
 public:
  explicit FileTarget(const ExecutorConfig& config) : target_(config) {}

  int64_t perform(const Access& access, void* buffer) noexcept override {
    Transfer transfer(access, buffer, 0, target_.count());
    int64_t result = 0;
    while (!transfer.advance(call(transfer), result)) continue;
    return result;
  }

 private:
  int64_t call(const Transfer& transfer) const noexcept {
    const Target::Part part = target_.next_part(transfer);
    const auto at = static_cast<off_t>(part.offset);
    std::byte* const data = transfer.buffer + transfer.done;
    ssize_t moved = -1;
    switch (transfer.kind) {
      case AccessKind::kRead:
        moved = pread(part.fd, data, part.bytes, at);
        break;
      case AccessKind::kWrite:
        moved = pwrite(part.fd, data, part.bytes, at);
        break;
      case AccessKind::kSync:
        moved = fdatasync(part.fd);
        break;
    }
    return moved < 0 ? -errno : moved;
  }

  const Target target_;
};

std::unique_ptr<Executor> make_psync(const ExecutorConfig& config, std::string notice) {
  return make_blocking_executor("psync", std::move(notice), std::make_unique<FileTarget>(config),
                                config.depth);
}

}  // namespace

std::unique_ptr<Executor> make_psync_executor(const ExecutorConfig& config) {
  return make_psync(config, "");
}

std::unique_ptr<Executor> make_psync_fallback(const ExecutorConfig& config,
                                              const std::string& why) {
  if (config.depth == 1) return make_psync(config, why + "; using psync");
  const uint32_t threads = std::min(config.depth, kMaxWorkers);
  return make_psync(config, fmt::format("{}; using psync with {} threads", why, threads));
}

}  // namespace ethio
