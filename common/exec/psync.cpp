// The psync executor: pread, pwrite and fdatasync. The fallback where io_uring is forbidden, and
// the shape of a node that reads with blocking calls from its own threads.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "common/exec/blocking.h"
#include "common/exec/registry.h"
#include "common/exec/transfer.h"

namespace ethio {
namespace {

class FileTarget final : public BlockingTarget {
 public:
  explicit FileTarget(int fd) : fd_(fd) {}

  int64_t perform(const Access& access, void* buffer) noexcept override {
    Transfer transfer(access, buffer, 0);
    int64_t result = 0;
    while (!transfer.advance(call(transfer), result)) continue;
    return result;
  }

 private:
  int64_t call(const Transfer& transfer) const noexcept {
    const auto at = static_cast<off_t>(transfer.offset + transfer.done);
    std::byte* const data = transfer.buffer + transfer.done;
    const size_t left = transfer.length - transfer.done;
    ssize_t moved = -1;
    switch (transfer.kind) {
      case AccessKind::kRead:
        moved = pread(fd_, data, left, at);
        break;
      case AccessKind::kWrite:
        moved = pwrite(fd_, data, left, at);
        break;
      case AccessKind::kSync:
        moved = fdatasync(fd_);
        break;
    }
    return moved < 0 ? -errno : moved;
  }

  const int fd_;
};

std::unique_ptr<Executor> make_psync(const ExecutorConfig& config, std::string notice) {
  return make_blocking_executor("psync", std::move(notice), std::make_unique<FileTarget>(config.fd),
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
