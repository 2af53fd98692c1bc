// What `ethio check` found, as plain data: the phases with fio's own numbers and the engine's, the
// facts beside them. Made by runner.cpp, printed by table.cpp, written by check_json.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/check/options.h"
#include "cli/check/phase.h"
#include "cli/facts/block_device.h"
#include "cli/facts/fact.h"
#include "common/report/fio_result.h"
#include "common/report/session_json.h"

namespace ethio {

struct PhaseResult {
  Phase phase;
  std::string command;  // exactly what was run, as typed in a shell, in the test directory
  double seconds = 0;   // wall clock
  fio::Result fio;
  std::optional<SessionResult> session;      // of the ethio phases
  std::optional<DeviceCounters> device_did;  // the drive's counters over the phase
};

struct CheckResult {
  CheckOptions options;
  std::string started;  // "2026-08-01T12:00:00Z"
  std::string fio_version;
  std::string file_system_directory;
  uint64_t size_bytes = 0;
  bool direct = true;
  std::vector<FactGroup> facts;
  std::vector<PhaseResult> phases;
  std::vector<std::string> remarks;  // what a reader must know, in sentences
};

}  // namespace ethio
