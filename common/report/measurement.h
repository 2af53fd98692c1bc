// What compare looks at, whatever tool measured it: named benchmarks, each with repeated samples of
// a few metrics, exact counters, and everything that must be equal for two of them to be
// comparable. Made by the readers of ethio, fio and Google Benchmark results; fed to comparison.h.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/report/session_json.h"

namespace ethio {

enum class MetricKind : uint8_t { kDurationNs, kRate };  // smaller is better, larger is better

struct Metric {
  std::string name;  // "block p99", "read IOPS"
  MetricKind kind = MetricKind::kDurationNs;
  bool gates = true;            // whether a regression of it fails; the others inform
  std::vector<double> samples;  // one a repetition
};

// A count that is the same in every run of the same stream: accesses, bytes, syncs a unit.
struct ExactCounter {
  std::string name;
  double value = 0;
};

struct Benchmark {
  std::string name;
  std::map<std::string, std::string>
      identity;            // "target size" -> "256 MiB": must be equal to compare
  std::string definition;  // of an ethio workload, as JSON; "" for others
  std::vector<Metric> metrics;
  std::vector<ExactCounter> counters;  // empty when the run fixed no number of units
  uint64_t units = 0;                  // that the counters are over
  std::string digest;                  // of the stream, when the number of units was fixed
  std::string failure;                 // why it measured nothing; "" if it did
};

struct Measurements {
  std::string origin;                 // file or folder
  std::vector<Benchmark> benchmarks;  // in order of appearance, names unique
  std::vector<std::string> voids;     // why the whole means nothing; usually empty
};

// A file, "-", a folder whose files are repetitions of the same benchmarks, or what several jobs of
// one run wrote (run_files.h), in a folder too. Throws Error with one sentence.
Measurements load_measurements(const std::string& path);

// The same from a text; for one file.
Measurements parse_measurements(std::string_view text, std::string_view origin);

// Adds the benchmarks of `more` as further repetitions. Throws Error(EINVAL) naming what differs
// when a benchmark of the same name is of another identity.
void add_repetitions(Measurements& all, Measurements more);

// In what the two may not differ but do: "target size: 256 MiB and 1 GiB", "definition:
// state.accounts: 16 and 32".
std::vector<std::string> differences(const Benchmark& base, const Benchmark& next);

// ---- one reader a tool: the benchmarks of a document ----
bool is_google_benchmark(std::string_view text);
Benchmark benchmark_of_run(const SessionResult& result);
Measurements read_ethio_check(std::string_view text, std::string_view origin);
std::vector<Benchmark> read_google_benchmark(std::string_view text, std::string_view origin);
std::vector<Benchmark> read_fio_benchmarks(std::string_view text, std::string_view origin);

}  // namespace ethio
