// One physical I/O and its end. An Access is what a Session hands out and an Executor does; one
// Access is one fio io_u. Fed by stream/, consumed by exec/ and the front doors; knows nothing of
// ops.
#pragma once

#include <cstdint>

namespace ethio {

enum class AccessKind : uint8_t { kRead = 0, kWrite = 1, kSync = 2 };
inline constexpr int kAccessKinds = 3;

constexpr const char* name_of(AccessKind kind) {
  constexpr const char* kNames[] = {"read", "write", "sync"};
  return kNames[static_cast<int>(kind)];
}

struct Access {
  uint64_t offset = 0;  // bytes from the start of the target
  uint32_t length = 0;  // bytes; 0 for a sync
  uint32_t lane = 0;    // the chain it belongs to; at most one access of a lane is in flight
  AccessKind kind = AccessKind::kRead;
};

struct Completion {
  uint32_t slot = 0;   // as given to Executor::queue
  int64_t result = 0;  // bytes moved (0 for a sync), or -errno
};

}  // namespace ethio
