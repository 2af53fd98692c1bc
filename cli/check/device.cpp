#include "cli/check/device.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "cli/facts/block_device.h"
#include "cli/process/process.h"
#include "cli/subcommand.h"

namespace ethio {
namespace {

namespace fs = std::filesystem;

// Partitions and holders, from /sys.
void require_unused(const std::string& path) {
  std::string why_not;
  const std::vector<BlockDevice> chain = device_chain(path, why_not);
  if (chain.empty()) throw UsageError(fmt::format("check: {}: {}", path, why_not));
  const fs::path& sysfs = chain.front().sysfs;
  for (const auto& entry : fs::directory_iterator(sysfs)) {
    if (!fs::exists(entry.path() / "partition")) continue;
    throw UsageError(fmt::format("check: {} has partitions ({}); nothing was written", path,
                                 entry.path().filename().string()));
  }
  std::error_code ignored;
  for (const auto& holder : fs::directory_iterator(sysfs / "holders", ignored)) {
    throw UsageError(fmt::format("check: {} is held by {}; nothing was written", path,
                                 holder.path().filename().string()));
  }
}

// blkid -p looks at the device itself, not at a cache, and exits with 2 when it finds nothing.
void require_unlabelled(const std::string& path, Interrupt& interrupt) {
  constexpr int kNothingFound = 2;
  ProcessResult found;
  try {
    found = run_process({{"blkid", "-p", path}, "", {}, std::chrono::seconds(60)}, interrupt);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    throw UsageError(
        fmt::format("check: {}: whether anything is on it cannot be told: {}", path, error.what()));
  }
  if (found.exit_code == kNothingFound) return;
  const std::string what = found.exit_code == 0 ? found.out : found.err;
  throw UsageError(fmt::format("check: {}: something is on it: {}; nothing was written", path,
                               what.substr(0, what.find('\n'))));
}

}  // namespace

bool is_block_device(const std::string& path) {
  std::error_code ignored;
  return fs::is_block_file(fs::status(path, ignored));
}

DeviceHold::DeviceHold(const std::string& path, Interrupt& interrupt) {
  require_unused(path);
  // On a block device O_EXCL fails while anything in the kernel, a mount for one, has claimed it.
  fd_ = open(path.c_str(), O_RDWR | O_EXCL | O_CLOEXEC);
  if (fd_ < 0) {
    throw UsageError(fmt::format("check: {}: {}; nothing was written", path,
                                 errno == EBUSY ? "it is mounted or in use" : errno_text(errno)));
  }
  try {
    require_unlabelled(path, interrupt);
  } catch (...) {
    close(fd_);
    throw;
  }
  if (ioctl(fd_, BLKGETSIZE64, &bytes_) != 0) {
    const int code = errno;
    close(fd_);
    throw Error(code, fmt::format("{}: its size cannot be read: {}", path, errno_text(code)));
  }
}

DeviceHold::~DeviceHold() {
  close(fd_);
}

}  // namespace ethio
