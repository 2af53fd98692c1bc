// Bytes that no file system can compress or deduplicate: ZFS and btrfs would otherwise measure the
// CPU. Used for the target's first contents and for write buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "common/base/hash.h"

namespace ethio {

inline void fill_incompressible(std::span<std::byte> bytes, Rng& rng) {
  while (!bytes.empty()) {
    const uint64_t word = rng.next();
    const size_t length = bytes.size() < sizeof(word) ? bytes.size() : sizeof(word);
    std::memcpy(bytes.data(), &word, length);
    bytes = bytes.subspan(length);
  }
}

}  // namespace ethio
