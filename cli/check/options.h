// What the user asked `ethio check` to do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ethio {

enum class Pace { kQuick, kNormal };

constexpr const char* name_of(Pace pace) {
  return pace == Pace::kQuick ? "quick" : "normal";
}

struct CheckOptions {
  std::string directory;
  Pace pace = Pace::kNormal;
  uint64_t size_bytes = 0;           // of the test file; 0 = chosen from the free space
  uint64_t runtime_ns = 0;           // of every timed phase; 0 = by pace
  std::string json_path;             // "" = none
  bool force = false;                // also on file systems that say nothing about a drive
  std::vector<std::string> command;  // as typed, for the record
};

}  // namespace ethio
