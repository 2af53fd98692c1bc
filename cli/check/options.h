// What the user asked `ethio check` to do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ethio {

enum class Pace { kQuick, kNormal, kFull };

constexpr const char* name_of(Pace pace) {
  constexpr const char* kNames[] = {"quick", "normal", "full"};
  return kNames[static_cast<int>(pace)];
}

struct CheckOptions {
  std::vector<std::string> directories;
  Pace pace = Pace::kNormal;
  uint64_t size_bytes = 0;  // of the test file; 0 = chosen from the free space
  uint64_t runtime_ns = 0;  // of every timed phase; 0 = by pace
  uint32_t repeat = 0;  // of every timed phase; 0 = 1, or 6 when several directories are compared
  std::string client;   // whose chain-head workload; "" = the general one, "all"
  std::string role = "validator";    // whose verdict stands first
  std::string json_path;             // "" = none
  std::string device;                // a block device to overwrite: the DIR typed again; "" = none
  bool force = false;                // also on file systems that say nothing about a drive
  bool beside_node = false;          // also where a node's database is open
  std::vector<std::string> command;  // as typed, for the record

  uint32_t repeats() const {
    if (repeat > 0) return repeat;
    return directories.size() > 1 ? 6 : 1;
  }
};

}  // namespace ethio
