// An access on its way: how far it has got, and whether what the kernel answered ends it. Shared by
// the executors that move real bytes, so that short transfers and errors mean the same in all of
// them. Private to exec/.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "common/base/access.h"

namespace ethio {

struct Transfer {
  uint64_t offset = 0;
  std::byte* buffer = nullptr;
  uint32_t length = 0;
  uint32_t done = 0;
  uint32_t slot = 0;
  uint32_t syncs_after = 0;  // of a sync of several files: those after the one that is under way
  AccessKind kind = AccessKind::kRead;

  Transfer() = default;
  Transfer(const Access& access, void* data, uint32_t in_slot, uint32_t files)
      : offset(access.offset),
        buffer(static_cast<std::byte*>(data)),
        length(access.kind == AccessKind::kSync ? 0 : access.length),
        slot(in_slot),
        syncs_after(access.kind == AccessKind::kSync ? files - 1 : 0),
        kind(access.kind) {}

  // Takes the kernel's answer (bytes moved or -errno). True when the access has ended; `result` is
  // then what its Completion says. False: go on with what is left.
  bool advance(int64_t answer, int64_t& result) noexcept {
    if (answer > 0) done += static_cast<uint32_t>(answer);
    if (answer >= 0 && done == length) {
      if (syncs_after > 0) [[unlikely]] {
        --syncs_after;
        return false;
      }
      result = length;
      return true;
    }
    if (answer > 0 || answer == -EINTR || answer == -EAGAIN) return false;
    const bool reads = kind == AccessKind::kRead;
    if (answer == 0) {
      result = reads ? -ENODATA : -ENOSPC;
    } else {
      // Direct I/O cannot go on from the odd byte at which a file ends.
      const bool met_end = reads && done > 0 && answer == -EINVAL;
      result = met_end ? -ENODATA : answer;
    }
    return true;
  }
};

}  // namespace ethio
