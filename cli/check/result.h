// What `ethio check` found, as plain data: per directory its facts and its phases with fio's own
// numbers and the engine's, and what follows from them. Filled by check.cpp and the judges
// (validity, verdict, advice), printed by table.cpp, written by check_json.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/check/options.h"
#include "cli/check/phase.h"
#include "cli/check/timeline.h"
#include "cli/facts/block_device.h"
#include "cli/facts/drive_health.h"
#include "cli/facts/fact.h"
#include "cli/facts/file_system.h"
#include "common/report/fio_result.h"
#include "common/report/session_json.h"

namespace ethio {

// One run of fio.
struct PhaseRun {
  std::string command;  // exactly what was run, as typed in a shell, in the test directory
  double seconds = 0;   // wall clock
  fio::Result fio;
  std::optional<SessionResult> session;      // of the ethio phases
  std::optional<DeviceCounters> top_did;     // the device under the file system, over the run
  std::optional<DeviceCounters> drives_did;  // the drives at the bottom, together
  std::vector<Sample> timeline;
};

// A reason to distrust a row.
struct Problem {
  std::string text;
  bool voids = false;  // the verdict rests on it, so the whole result is void
};

struct Row {
  Phase phase;
  std::vector<PhaseRun> runs;  // one a repeat
  std::vector<Problem> problems;
};

struct TargetResult {
  std::string directory;
  uint64_t size_bytes = 0;
  bool direct = true;  // whether the file system does O_DIRECT
  Mount mount;
  Space space;  // before the test file was written
  std::vector<BlockDevice> devices;
  std::vector<FactGroup> facts;
  std::vector<DriveHealth> health_before, health_after;  // of the drives, in the order of `devices`
  std::vector<Row> rows;
  std::vector<Problem> problems;  // of the whole
};

// Whether a node of one role can live on a target.
enum class Grade { kGood, kGoodLikely, kUgly, kBad, kUnknown };

struct RoleVerdict {
  std::string role;
  std::string summary;  // of the role
  Grade grade = Grade::kUnknown;
  double headroom = 0;   // how many times better than its limit the worst measure is
  std::string deciding;  // the measure that decided, in words
  std::string cause;     // what it waits for, in words; "" when it is good
};

struct CheckResult {
  CheckOptions options;
  std::string started;  // "2026-08-01T12:00:00Z"
  std::string fio_version;
  uint64_t memory_bytes = 0;
  std::vector<FactGroup> facts;  // of the machine and the software
  std::vector<TargetResult> targets;
  std::vector<std::vector<RoleVerdict>> verdicts;  // one list a target
  std::vector<std::string> advice;

  // Why the whole means nothing; empty when it is valid.
  std::vector<std::string> void_reasons() const;
};

}  // namespace ethio
