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
  bool direct = true;  // past the page cache
  std::string summary;
  std::vector<std::string> sources;
  std::vector<std::string> arguments;  // for fio, run in the test directory
  double seconds = 0;                  // planned
  uint64_t written_bytes = 0;          // at most; where a profile is run as published: about
  uint64_t read_bytes = 0;             // likewise
  uint64_t file_bytes = 0;  // of files of its own, beside the test file; removed after it
  std::string remark;       // how it differs from what was published; "" if it does not
  std::string sidecar;      // file name of the engine's result; "" for stock phases
};

struct PlanSettings {
  uint64_t size_bytes = 0;
  uint64_t spare_bytes = 0;  // what files beside the test file may take
  bool direct = true;        // whether the file system does O_DIRECT
  Pace pace = Pace::kNormal;
  uint64_t runtime_ns = 0;
  std::vector<std::string> heads;  // the chain-head workloads to run
  std::string engine;              // absolute path of libethio.so
};

// The test file's name inside the test directory: what the published command calls it.
inline constexpr const char* kTestFile = "test";

std::vector<Phase> make_phases(const PlanSettings& settings);

// The chain-head workloads of the catalogue that a --client stands for: "" the general one, "geth"
// chain-head-geth, "all" every one. Throws UsageError with the clients that the catalogue knows.
std::vector<std::string> head_workloads(const std::string& client);

}  // namespace ethio
