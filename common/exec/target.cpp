#include "common/exec/target.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace ethio {
namespace {

std::vector<FileExtent> files_of(const ExecutorConfig& config) {
  if (config.files.empty()) return {{config.fd, 0, config.target_bytes}};
  return {config.files.begin(), config.files.end()};
}

}  // namespace

Target::Target(const ExecutorConfig& config)
    : files_(files_of(config)),
      count_(static_cast<uint32_t>(files_.size())),
      only_(files_.front()) {
  boundaries_.reserve(files_.size());
  uint64_t end = 0;
  for (const FileExtent& file : files_) boundaries_.push_back(end += file.bytes);
  boundaries_.pop_back();  // the end of the last is no boundary
}

Target::Part Target::find_part(const Transfer& transfer) const noexcept {
  if (transfer.kind == AccessKind::kSync) {
    const uint32_t file = count_ - 1 - transfer.syncs_after;
    return {file, files_[file].fd, 0, 0};
  }
  const uint64_t at = transfer.offset + transfer.done;
  const uint32_t left = transfer.length - transfer.done;
  const auto end = std::upper_bound(boundaries_.begin(), boundaries_.end(), at);
  const auto file = static_cast<uint32_t>(end - boundaries_.begin());
  const uint64_t begin = file == 0 ? 0 : boundaries_[file - 1];
  const uint64_t room = end == boundaries_.end() ? left : *end - at;
  return {file, files_[file].fd, files_[file].offset + at - begin,
          static_cast<uint32_t>(std::min<uint64_t>(left, room))};
}

int Target::sync() const noexcept {
  for (const FileExtent& file : files_) {
    if (fdatasync(file.fd) != 0) return -errno;
  }
  return 0;
}

}  // namespace ethio
