// The mmap executor: the target mapped whole, with MADV_RANDOM, as MDBX maps its database. A read
// faults its pages by copying them out, a write copies into the map, a sync is msync. At depth the
// faults of several threads run at once, as those of a node's reader threads do.
//
// A page that the device cannot read raises SIGBUS, as in every program that maps its data;
// accesses beyond the map are errors.
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "common/base/error.h"
#include "common/exec/blocking.h"
#include "common/exec/registry.h"

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

// A page of the map past the end of the file would be a SIGBUS.
uint64_t checked_bytes(const ExecutorConfig& config) {
  const uint64_t have = size_of(config.fd);
  if (config.target_bytes == 0 || config.target_bytes > have) {
    throw Error(EINVAL, fmt::format("the target holds {} bytes; {} cannot be mapped", have,
                                    config.target_bytes));
  }
  return config.target_bytes;
}

class MappedTarget final : public BlockingTarget {
 public:
  explicit MappedTarget(const ExecutorConfig& config)
      : bytes_(checked_bytes(config)),
        writable_((fcntl(config.fd, F_GETFL) & O_ACCMODE) == O_RDWR) {
    const int protection = writable_ ? PROT_READ | PROT_WRITE : PROT_READ;
    void* const map = mmap(nullptr, bytes_, protection, MAP_SHARED, config.fd, 0);
    if (map == MAP_FAILED) {
      throw Error(errno, fmt::format("the target cannot be mapped ({})", errno_text(errno)));
    }
    map_ = static_cast<std::byte*>(map);
    if (!config.readahead) madvise(map_, bytes_, MADV_RANDOM);
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
  const uint64_t bytes_;
  const bool writable_;
  std::byte* map_ = nullptr;
};

}  // namespace

std::unique_ptr<Executor> make_mmap_executor(const ExecutorConfig& config) {
  const bool direct = (fcntl(config.fd, F_GETFL) & O_DIRECT) != 0;
  return make_blocking_executor("mmap",
                                direct ? "mmap: goes through the page cache, O_DIRECT or not" : "",
                                std::make_unique<MappedTarget>(config), config.depth);
}

}  // namespace ethio
