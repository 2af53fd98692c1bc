// One name per knob: the settings that every front door takes, declared once. A knob `cache` is
// fio's ethio_cache=, bench's --ethio_cache= and ethio's --cache. To add one: a field in Knobs, a
// row in knobs.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/spec/workload_spec.h"

namespace ethio {

// What the user set; an empty optional leaves the definition's own value.
struct Knobs {
  std::string workload;  // name or path of a definition
  uint64_t seed = 1;
  std::string executor;  // "" = best that works
  bool sqpoll = false;   // of the uring executor
  bool iopoll = false;
  std::optional<uint64_t> lanes;
  std::optional<uint64_t> accounts;
  std::optional<uint64_t> slots;
  std::optional<uint64_t> cache_bytes;
  std::optional<uint64_t> years;  // of growth after the preset's date
  std::optional<uint64_t> gas;
  std::optional<uint64_t> slot_time_ns;
  std::string with;    // optional backgrounds to run, separated by commas
  uint64_t units = 0;  // stop after so many units; 0 = go on
  std::string out;     // sidecar JSON
  // Where the target lies, for the front doors that make it themselves (fio has its own options for
  // these).
  std::string dir;                     // "" = the working directory
  std::optional<uint64_t> size_bytes;  // of the target file
  std::optional<bool> direct;          // O_DIRECT; empty = where the file system can
};

struct KnobInfo {
  const char* name;
  const char* value_name;
  const char* default_value;
  const char* help;
  const char* front_doors;  // "f" fio, "b" bench, "c" cli
  void (*set)(Knobs&,
              std::string_view value);  // throws Error(EINVAL) that says what would be right
};

std::span<const KnobInfo> knob_table();

// Sets one knob by name; throws Error: "cache: '6q' is not a size; write bytes as 4096, 64k, 614m,
// 1g".
void set_knob(Knobs& knobs, std::string_view name, std::string_view value);

// Loads the definition that knobs.workload names and applies the rest to it: lanes to every stage;
// accounts, slots and years with what hangs on them, so that a state stays consistent; optional
// backgrounds stay only if `with` names them. What a knob has set is cited as such.
WorkloadSpec effective_spec(const Knobs& knobs);

}  // namespace ethio
