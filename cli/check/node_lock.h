// Whether a node's database is open somewhere below a directory: a benchmark beside it would
// disturb the node and be disturbed by it.
#pragma once

#include <optional>
#include <string>

namespace ethio {

// The lock file (LOCK of LevelDB, Pebble and RocksDB; mdbx.lck of MDBX; nodekey's LOCK of geth)
// that some process holds at most five folders below `directory`; nothing when none is held.
std::optional<std::string> held_lock_below(const std::string& directory);

}  // namespace ethio
