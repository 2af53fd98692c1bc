// The result of a run as plain data and as JSON (schema "ethio-result",
// workloads/schema/result.schema.json): what a sidecar file holds. Made from a Session, or read
// back; results of the jobs of one run merge into one. Everything that was counted or timed is kept
// exactly, histograms included, so that merging files loses nothing.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/metrics/metrics.h"
#include "common/stream/session.h"

namespace ethio {

inline constexpr std::string_view kResultSchema = "ethio-result";
inline constexpr uint64_t kResultVersion = 1;

// What a Session does not know of its run.
struct RunFacts {
  uint32_t job = 0;
  uint32_t jobs = 1;
  uint64_t target_bytes = 0;
  uint32_t alignment = 4096;
  std::map<std::string, std::string>
      harness;  // who ran it and how: "name" -> "fio", "executor" -> "uring"
};
RunFacts run_facts(const SessionConfig& config);

// The accesses that one job was to make, as 32 hexadecimal digits.
struct StreamIdentity {
  uint32_t job = 0;
  std::string digest;
  bool operator==(const StreamIdentity&) const = default;
};

struct SessionResult {
  std::string ethio_version;
  std::string workload;
  std::string definition;         // effective and fully expanded, as JSON
  std::string definition_digest;  // of what decides the stream in it: prose and sources left out
  uint64_t seed = 1;
  uint32_t jobs = 1;
  uint64_t target_bytes = 0;
  uint32_t alignment = 4096;
  std::string notes;
  std::map<std::string, std::string> harness;
  std::vector<StreamIdentity> streams;  // of the jobs in here, ascending
  std::vector<std::string> op_stages;   // the stage that metrics.ops[i] belongs to
  Metrics metrics;
};

// Of what decides the stream in a definition: equal for runs that may be compared, whatever their
// prose and sources.
std::string definition_digest(WorkloadSpec spec);

SessionResult result_of(const Session& session, const RunFacts& facts);

std::string to_json(const SessionResult& result);

// Throws Error(EINVAL) that begins with `origin` for what is not a result, or one of a later
// version.
SessionResult parse_result(std::string_view text, std::string_view origin);
SessionResult load_result(const std::string& path);

// The jobs of one run as one result. Throws Error(EINVAL) naming the field for results that do not
// belong together: of another definition, seed, target size, alignment or number of jobs, or of the
// same job twice.
SessionResult merge_results(std::span<const SessionResult> results);

// Derived figures; 0 where there is nothing to divide by.
double seconds_of(const Metrics& metrics);          // first access handed out .. last completion
double read_amplification(const Metrics& metrics);  // bytes read / bytes that the ops needed
double write_amplification(const Metrics& metrics);

}  // namespace ethio
