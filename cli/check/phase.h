// What `ethio check` runs: a list of phases, each one run of fio over the same test file. The list
// is the plan: it is printed before anything is written, and run in its order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/check/options.h"

namespace ethio {

enum class PhaseKind { kLayout, kStock, kEthio };

constexpr const char* name_of(PhaseKind kind) {
  constexpr const char* kNames[] = {"layout", "stock", "ethio"};
  return kNames[static_cast<int>(kind)];
}

// Which of fio's latencies stands for the phase.
enum class Timed { kNothing, kReads, kWrites, kSyncs };

constexpr const char* name_of(Timed timed) {
  constexpr const char* kNames[] = {"-", "reads", "writes", "syncs"};
  return kNames[static_cast<int>(timed)];
}

struct Phase {
  std::string name;  // of the profile or the workload
  PhaseKind kind = PhaseKind::kStock;
  Timed timed = Timed::kReads;
  std::string summary;
  std::vector<std::string> sources;
  std::vector<std::string> arguments;  // for fio, run in the test directory
  double seconds = 0;                  // planned
  uint64_t written_bytes = 0;          // at most
  uint64_t read_bytes = 0;             // at most
  std::string remark;                  // how it differs from what was published; "" if it does not
  std::string sidecar;                 // file name of the engine's result; "" for stock phases
};

struct PlanSettings {
  uint64_t size_bytes = 0;
  bool direct = true;  // whether the file system does O_DIRECT
  Pace pace = Pace::kNormal;
  uint64_t runtime_ns = 0;
  std::string engine;  // absolute path of libethio.so
};

// The test file's name inside the test directory: what the published command calls it.
inline constexpr const char* kTestFile = "test";

std::vector<Phase> make_phases(const PlanSettings& settings);

double total_seconds(const std::vector<Phase>& phases);

// "8 runs of fio, about 2m 40s; writes at most 19 GiB, ...": a few lines for a person.
std::string plan_text(const std::vector<Phase>& phases, const PlanSettings& settings,
                      const std::string& directory);

}  // namespace ethio
