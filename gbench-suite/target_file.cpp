#include "gbench-suite/target_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <memory>

#include "common/base/error.h"
#include "common/base/quantity.h"
#include "gbench-suite/incompressible.h"

namespace ethio {
namespace {

constexpr size_t kAlignment = 4096;
constexpr size_t kChunk = size_t{1} << 20;
constexpr int kFatalSignals[] = {SIGINT, SIGTERM, SIGHUP};

[[noreturn]] void fail(const std::string& what, int code) {
  throw Error(code, fmt::format("{}: {}", what, errno_text(code)));
}

// The file's name for the signal handler. The name stays while the file is in use, instead of being
// unlinked at once, because btrfs turns the fsync of a file without a name into nothing.
std::array<char, PATH_MAX> doomed_path{};

void remove_and_die(int signal_number) {
  unlink(doomed_path.data());
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

void remove_on_signals(const std::string& path) {
  path.copy(doomed_path.data(), doomed_path.size() - 1);
  for (const int number : kFatalSignals) {
    struct sigaction old {};
    sigaction(number, nullptr, &old);
    if (old.sa_handler != SIG_IGN) std::signal(number, remove_and_die);  // nohup stays nohup
  }
}

void default_signals() {
  for (const int number : kFatalSignals) {
    struct sigaction now {};
    sigaction(number, nullptr, &now);
    if (now.sa_handler == remove_and_die) std::signal(number, SIG_DFL);
  }
}

struct Freer {
  void operator()(void* pointer) const { std::free(pointer); }
};
using Chunk = std::unique_ptr<std::byte[], Freer>;

Chunk aligned_chunk() {
  void* memory = std::aligned_alloc(kAlignment, kChunk);
  if (memory == nullptr) throw Error(ENOMEM, errno_text(ENOMEM));
  return Chunk(static_cast<std::byte*>(memory));
}

void require_space(const std::string& dir, uint64_t bytes) {
  struct statvfs status {};
  if (statvfs(dir.c_str(), &status) != 0) fail(dir, errno);
  const uint64_t free_bytes = uint64_t{status.f_bavail} * status.f_frsize;
  if (free_bytes < bytes) {
    throw Error(
        ENOSPC,
        fmt::format("dir: {} has {} free, the target needs {}; give a smaller size or another dir",
                    dir, format_bytes(free_bytes), format_bytes(bytes)));
  }
}

}  // namespace

TargetFile::TargetFile(const std::string& dir, uint64_t bytes, std::optional<bool> direct)
    : bytes_(bytes / kAlignment * kAlignment) {
  const std::string folder = dir.empty() ? "." : dir;
  require_space(folder, bytes_);
  open_fresh(folder);
  try {
    use_direct(direct);
  } catch (const Error&) {
    unlink(path_.c_str());
    default_signals();
    close(fd_);
    throw;
  }
}

TargetFile::~TargetFile() {
  unlink(path_.c_str());
  default_signals();
  close(fd_);
}

void TargetFile::open_fresh(const std::string& dir) {
  std::array<char, PATH_MAX> absolute{};
  if (realpath(dir.c_str(), absolute.data()) == nullptr) fail("dir: " + dir, errno);
  path_ = fmt::format("{}/ethio-bench-XXXXXX", absolute.data());
  fd_ = mkostemp(path_.data(), O_CLOEXEC);
  if (fd_ < 0) fail("dir: " + dir, errno);
  remove_on_signals(path_);
}

// File systems accept O_DIRECT and then refuse the first access (or the other way round), so one is
// tried.
void TargetFile::use_direct(std::optional<bool> wanted) {
  if (wanted == false) {
    direct_note_ = "switched off";
    return;
  }
  const Chunk chunk = aligned_chunk();
  Rng rng(0);
  fill_incompressible({chunk.get(), kAlignment}, rng);
  const int flags = fcntl(fd_, F_GETFL);
  direct_ = fcntl(fd_, F_SETFL, flags | O_DIRECT) == 0 &&
            pwrite(fd_, chunk.get(), kAlignment, 0) == kAlignment &&
            pread(fd_, chunk.get(), kAlignment, 0) == kAlignment;
  if (direct_) return;
  const int code = errno;
  fcntl(fd_, F_SETFL, flags);
  direct_note_ = fmt::format("{} cannot: {}", file_system(), errno_text(code));
  if (wanted == true)
    throw Error(EINVAL, fmt::format("direct: {}; use direct=auto or another dir", direct_note_));
}

void TargetFile::fill() {
  if (filled_) return;
  const Chunk chunk = aligned_chunk();
  Rng rng(mix64(bytes_));
  for (uint64_t at = 0; at < bytes_;) {
    const size_t length = bytes_ - at < kChunk ? static_cast<size_t>(bytes_ - at) : kChunk;
    fill_incompressible({chunk.get(), length}, rng);
    const ssize_t written = pwrite(fd_, chunk.get(), length, static_cast<off_t>(at));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(path_, errno);
    at += static_cast<uint64_t>(written) / kAlignment * kAlignment;
    if (static_cast<size_t>(written) < kAlignment) fail(path_, ENOSPC);
  }
  if (fdatasync(fd_) != 0) fail(path_, errno);
  // Without O_DIRECT, benchmarks would otherwise begin with a warm cache. Only a hint: tmpfs keeps
  // its pages.
  posix_fadvise(fd_, 0, 0, POSIX_FADV_DONTNEED);
  filled_ = true;
}

std::string TargetFile::file_system() const {
  struct statfs status {};
  if (fstatfs(fd_, &status) != 0) return errno_text(errno);
  constexpr struct {
    long magic;
    const char* name;
  } kKnown[] = {{EXT4_SUPER_MAGIC, "ext4"},         {XFS_SUPER_MAGIC, "xfs"},
                {BTRFS_SUPER_MAGIC, "btrfs"},       {TMPFS_MAGIC, "tmpfs"},
                {OVERLAYFS_SUPER_MAGIC, "overlay"}, {F2FS_SUPER_MAGIC, "f2fs"},
                {NFS_SUPER_MAGIC, "nfs"},           {0x2fc12fc1, "zfs"}};
  for (const auto& known : kKnown) {
    if (known.magic == status.f_type) return known.name;
  }
  return fmt::format("{:#x}", status.f_type);
}

}  // namespace ethio
