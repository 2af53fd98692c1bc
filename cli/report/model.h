// What a report shows, as plain data, whatever document it came from: made by the loaders from the
// JSON of check, of single runs, of Google Benchmark and from fio's output, printed by the writers
// (html, markdown, junit, json, action). Invariant: a part without data has a sentence that says
// why. To add a form: one writer file and a row in formats.cpp.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/report/placement.h"

namespace ethio::report {

struct CurvePoint {
  double percent = 0;
  double latency_ns = 0;
};

// Latency over percentiles of one thing: the blocks of a workload, the reads of a stock profile.
struct Curve {
  std::string name;
  std::vector<CurvePoint> points;  // ascending

  double at(double percent) const;  // 0 when there is no such point
};

// The blocks of a run from the fastest to the slowest: `count` of them took about `latency_ns`.
struct BlockStrip {
  struct Step {
    double latency_ns = 0;
    uint64_t count = 0;
  };
  std::string name;
  std::vector<Step> steps;  // ascending
  uint64_t blocks() const;
  uint64_t over(double budget_ns) const;
};

// What the device did while a phase ran.
struct Timeline {
  struct Point {
    double seconds = 0;                        // since the phase began
    double read_bytes = 0, written_bytes = 0;  // a second, since the point before
    std::optional<double> celsius;
  };
  std::string name;
  std::vector<Point> points;
  std::string background;  // what ran beside the foreground, compaction for one; "" if nothing did
};

struct RoleLine {
  std::string role, summary, grade, deciding, cause;
  double headroom = 0;
};

// One phase of a check, one result alone, one benchmark, one job of fio.
struct WorkloadLine {
  std::string name;
  bool stock = false;  // a profile of stock fio; else a workload of ethio, or somebody's benchmark
  uint64_t runs = 1;
  double reads_per_second = 0, writes_per_second = 0;  // 0 = none, or unknown
  std::string timed = "-";                             // what `access` is the latency of: "reads"
  Curve access;
  std::string unit;  // "block"; "" for stock
  uint64_t units = 0;
  Curve unit_time;
  std::optional<double> stall_share;  // of the time, waiting for I/O with nothing else to do
  double read_amplification = 0, write_amplification = 0;  // 0 = unknown
  std::string remark;
  std::vector<std::string> problems;
};

struct FactLine {
  std::string group, name, value;  // value begins with "unknown" where it is not known
};

struct Budget {
  std::string role;
  double block_ns = 0;
};

// The parts of a target's report, in the order in which they are shown.
enum class Part : uint8_t {
  kRoles,
  kWorkloads,
  kLatency,
  kBlocks,
  kTimeline,
  kTemperature,
  kBackground,
  kDrives,
  kStorage,
  kCommands,
};
inline constexpr size_t kParts = 10;
const char* name_of(Part part);  // "roles": the key in JSON

struct ReportTarget {
  std::string name;  // directory, or the file of a lone result
  std::string headline;
  std::vector<RoleLine> roles;
  std::vector<WorkloadLine> workloads;
  std::vector<BlockStrip> strips;
  std::vector<Timeline> timelines;
  std::vector<FactLine> facts;
  std::vector<std::string> problems;
  std::vector<std::string> commands;  // exactly what was run, in its order
  // The Hall of Blame's profile, when it was run: its rates and where they stand.
  std::optional<Rates> stock_rates;
  Placement placement;
  std::array<std::string, kParts> absent;  // why a part has nothing to show; "" where it has

  const std::string& why_absent(Part part) const { return absent[static_cast<size_t>(part)]; }
  void set_absent(Part part, std::string why) {
    absent[static_cast<size_t>(part)] = std::move(why);
  }
  bool has_celsius() const;
  bool has_background() const;
};

struct Report {
  std::string title;
  std::string started, ethio_version, fio_version, command;
  std::vector<std::string> voids;
  std::vector<std::string> advice;
  std::vector<ReportTarget> targets;
  std::vector<FactLine> facts;  // of the machine
  std::string facts_absent;     // why there are none; "" when there are
  std::vector<Budget> budgets;  // lines of the strips
};

// Reads results of ethio, of Google Benchmark and of fio into one report; the jobs of one run,
// which lie in a file each, become one. Throws Error with one sentence.
Report load_report(const std::vector<std::string>& paths);

}  // namespace ethio::report
