#include "cli/check/test_directory.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "cli/facts/file_system.h"
#include "cli/subcommand.h"
#include "common/base/error.h"
#include "common/base/quantity.h"

namespace ethio {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMiB = uint64_t{1} << 20;
constexpr uint64_t kDefaultSize = 1024 * kMiB;
constexpr uint64_t kFullSize = 16 * kDefaultSize;
constexpr uint64_t kSmallestDefault = 256 * kMiB;
constexpr uint64_t kSmallest = 16 * kMiB;
constexpr uint64_t kAlignment = kMiB;

// File systems whose numbers are those of memory, or of a layer over an unknown one.
constexpr const char* kUnfit[] = {"tmpfs", "ramfs", "overlay"};

}  // namespace

void require_fit(const std::string& directory, bool force) {
  std::error_code error;
  const fs::file_status status = fs::status(directory, error);
  if (!fs::exists(status))
    throw UsageError(fmt::format("{}: no such directory; give one that exists", directory));
  if (fs::is_block_file(status)) {
    throw UsageError(
        fmt::format("{} is a block device; give a directory on its file system, since a test of "
                    "the device would destroy it",
                    directory));
  }
  if (!fs::is_directory(status))
    throw UsageError(fmt::format("{} is not a directory; give one", directory));
  if (access(directory.c_str(), R_OK | W_OK | X_OK) != 0) {
    throw UsageError(fmt::format("{}: cannot be written to: {}", directory, errno_text(errno)));
  }
  const Mount mount = mount_of(directory);
  const bool unfit =
      std::find(std::begin(kUnfit), std::end(kUnfit), mount.type) != std::end(kUnfit);
  if (unfit && !force) {
    throw UsageError(
        fmt::format("{} lies on {}, which says nothing about a drive; give a directory on one, or "
                    "--force",
                    directory, mount.type));
  }
}

uint64_t choose_size(const std::string& place, uint64_t available, uint64_t wanted, Pace pace) {
  // Half of what is free: a copy-on-write file system needs room for the old blocks too.
  uint64_t size = wanted;
  const uint64_t usual = pace == Pace::kFull ? kFullSize : kDefaultSize;
  if (size == 0) size = std::min(usual, std::max(kSmallestDefault, available / 2));
  size = size / kAlignment * kAlignment;
  if (size < kSmallest) {
    throw UsageError(fmt::format("--size {} is too small; the test file has at least {}",
                                 format_bytes(wanted), format_bytes(kSmallest)));
  }
  if (available / 2 < size) {
    throw Error(
        ENOSPC,
        fmt::format("{}: a test file of {} needs {} free, there are {}; free some or give a "
                    "smaller --size",
                    place, format_bytes(size), format_bytes(2 * size), format_bytes(available)));
  }
  return size;
}

TestDirectory::TestDirectory(const std::string& parent) {
  std::string name = (fs::canonical(parent) / "ethio-check-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    throw Error(errno,
                fmt::format("{}: a directory cannot be made in it: {}", parent, errno_text(errno)));
  }
  path_ = name;
}

TestDirectory::~TestDirectory() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

void TestDirectory::remove_all_but(const std::string& name) const {
  for (const auto& entry : fs::directory_iterator(path_)) {
    std::error_code error;
    if (entry.path().filename() != name) fs::remove_all(entry.path(), error);
    if (error)
      throw Error(error.value(),
                  fmt::format("{}: cannot be removed: {}", entry.path().string(), error.message()));
  }
}

void TestDirectory::remove() {
  std::error_code error;
  fs::remove_all(path_, error);
  if (error)
    throw Error(error.value(), fmt::format("{}: cannot be removed: {}", path_, error.message()));
  path_.clear();
}

}  // namespace ethio
