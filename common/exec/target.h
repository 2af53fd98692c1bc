// Where the bytes of a target lie: in one file, in a part of one, or in several files one after the
// other, as on a volume that is made of several drives. Shared by the executors that move real
// bytes; a session knows only the whole. What one call to the kernel can do of a transfer ends with
// a file, so that an access across a boundary is a short transfer that goes on. Private to exec/.
#pragma once

#include <cstdint>
#include <vector>

#include "common/exec/executor.h"
#include "common/exec/transfer.h"

namespace ethio {

class Target {
 public:
  explicit Target(const ExecutorConfig& config);

  struct Part {
    uint32_t file;  // its place in files()
    int fd;
    uint64_t offset;  // in the file
    uint32_t bytes;
  };

  // What is to be done next of a transfer. The last file has no end but its own: what lies beyond
  // is for the kernel to answer.
  Part next_part(const Transfer& transfer) const noexcept {
    if (count_ > 1) [[unlikely]]
      return find_part(transfer);
    return {0, only_.fd, only_.offset + transfer.offset + transfer.done,
            transfer.length - transfer.done};
  }

  // Syncs every file, one after the other as a program does: 0, or the first -errno.
  int sync() const noexcept;

  const std::vector<FileExtent>& files() const { return files_; }
  uint32_t count() const { return count_; }

 private:
  Part find_part(const Transfer& transfer) const noexcept;

  const std::vector<FileExtent> files_;  // at least one
  const uint32_t count_;
  const FileExtent only_;             // the first
  std::vector<uint64_t> boundaries_;  // where the second, third, ... file begin in the target
};

}  // namespace ethio
