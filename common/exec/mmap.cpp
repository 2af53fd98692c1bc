// The mmap executor: the target mapped whole, with MADV_RANDOM, as MDBX maps its database; several
// files one after the other in one range of addresses. A read faults its pages by copying them out,
// a write copies into the map, a sync is msync. At depth the faults of several threads run at once,
// as those of a node's reader threads do.
//
// A page that the device cannot read raises SIGBUS, as in every program that maps its data;
// accesses beyond the map are errors.
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "common/base/error.h"
#include "common/exec/blocking.h"
#include "common/exec/registry.h"
#include "common/exec/target.h"

namespace ethio {
namespace {

uint64_t size_of(int fd) {
  struct stat status {};
  if (fstat(fd, &status) != 0) throw Error(errno, errno_text(errno));
  uint64_t bytes = static_cast<uint64_t>(status.st_size);
  if (S_ISBLK(status.st_mode) && ioctl(fd, BLKGETSIZE64, &bytes) != 0) {
    throw Error(errno, errno_text(errno));
  }
  return bytes;
}

// A page of the map past the end of a file would be a SIGBUS.
void check(const FileExtent& file) {
  const uint64_t have = size_of(file.fd);
  if (file.bytes == 0 || file.offset > have || file.bytes > have - file.offset) {
    throw Error(EINVAL, fmt::format("the target holds {} bytes; {} cannot be mapped", have,
                                    file.offset + file.bytes));
  }
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  if (file.offset % page != 0) {
    throw Error(EINVAL, fmt::format("a map cannot begin at offset {}; use a multiple of {}",
                                    file.offset, page));
  }
}

uint64_t checked_bytes(const Target& target) {
  uint64_t bytes = 0;
  for (const FileExtent& file : target.files()) {
    check(file);
    bytes += file.bytes;
  }
  return bytes;
}

bool is_writable(const FileExtent& file) {
  return (fcntl(file.fd, F_GETFL) & O_ACCMODE) == O_RDWR;
}

class MappedTarget final : public BlockingTarget {
 public:
  MappedTarget(const Target& target, bool readahead)
      : bytes_(checked_bytes(target)), writable_(std::ranges::all_of(target.files(), is_writable)) {
    map_ = map(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, {});
    const int protection = writable_ ? PROT_READ | PROT_WRITE : PROT_READ;
    try {
      std::byte* place = map_;
      for (const FileExtent& file : target.files()) {
        map(place, file.bytes, protection, MAP_SHARED | MAP_FIXED, file);
        place += file.bytes;
      }
    } catch (...) {
      munmap(map_, bytes_);
      throw;
    }
    if (!readahead) madvise(map_, bytes_, MADV_RANDOM);
  }
  ~MappedTarget() override { munmap(map_, bytes_); }
  MappedTarget(const MappedTarget&) = delete;
  MappedTarget& operator=(const MappedTarget&) = delete;

  int64_t perform(const Access& access, void* buffer) noexcept override {
    if (access.kind == AccessKind::kSync) return msync(map_, bytes_, MS_SYNC) == 0 ? 0 : -errno;
    const bool reads = access.kind == AccessKind::kRead;
    if (!reads && !writable_) return -EBADF;
    if (access.offset > bytes_ || access.length > bytes_ - access.offset) {
      return reads ? -ENODATA : -ENOSPC;
    }
    std::byte* const place = map_ + access.offset;
    if (reads) std::memcpy(buffer, place, access.length);
    if (!reads) std::memcpy(place, buffer, access.length);
    return access.length;
  }

 private:
  static std::byte* map(std::byte* place, uint64_t bytes, int protection, int flags,
                        const FileExtent& file) {
    void* const map =
        mmap(place, bytes, protection, flags, file.fd, static_cast<off_t>(file.offset));
    if (map == MAP_FAILED) {
      throw Error(errno, fmt::format("the target cannot be mapped ({})", errno_text(errno)));
    }
    return static_cast<std::byte*>(map);
  }

  const uint64_t bytes_;
  const bool writable_;
  std::byte* map_ = nullptr;
};

}  // namespace

std::unique_ptr<Executor> make_mmap_executor(const ExecutorConfig& config) {
  const Target target(config);
  const bool direct = std::ranges::any_of(target.files(), [](const FileExtent& file) {
    return (fcntl(file.fd, F_GETFL) & O_DIRECT) != 0;
  });
  return make_blocking_executor(
      "mmap", direct ? "mmap: goes through the page cache, O_DIRECT or not" : "",
      std::make_unique<MappedTarget>(target, config.readahead), config.depth);
}

}  // namespace ethio
