#include "common/report/run_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "common/report/input_file.h"

namespace ethio {
namespace {

bool has(const std::vector<SessionResult>& jobs, const StreamIdentity& stream) {
  return std::any_of(jobs.begin(), jobs.end(), [&](const SessionResult& result) {
    return std::any_of(result.streams.begin(), result.streams.end(),
                       [&](const StreamIdentity& known) { return known.job == stream.job; });
  });
}

bool belongs_to(const std::vector<SessionResult>& jobs, const SessionResult& result) {
  const SessionResult& first = jobs.front();
  return first.definition_digest == result.definition_digest && first.seed == result.seed &&
         first.jobs == result.jobs && first.target_bytes == result.target_bytes &&
         first.alignment == result.alignment && first.harness == result.harness &&
         std::none_of(result.streams.begin(), result.streams.end(),
                      [&](const StreamIdentity& stream) { return has(jobs, stream); });
}

}  // namespace

std::vector<InputDocument> read_run_files(const std::string& path) {
  const auto job_file = [&](size_t job) { return fmt::format("{}.{}", path, job); };
  std::error_code ignored;
  if (path == "-" || std::filesystem::exists(path, ignored) ||
      !std::filesystem::exists(job_file(0), ignored)) {
    return {{read_input(path), input_name(path)}};
  }
  std::vector<InputDocument> documents;
  for (size_t job = 0; std::filesystem::exists(job_file(job), ignored); ++job) {
    documents.push_back({read_input(job_file(job)), job_file(job)});
  }
  return documents;
}

void RunCollector::add(SessionResult result, const std::string& origin) {
  const auto run = std::find_if(runs_.begin(), runs_.end(),
                                [&](const Open& open) { return belongs_to(open.jobs, result); });
  if (run == runs_.end()) {
    runs_.push_back({{}, origin, origin});
    runs_.back().jobs.push_back(std::move(result));
  } else {
    run->jobs.push_back(std::move(result));
    run->last = origin;
  }
}

std::vector<CollectedRun> RunCollector::finish() && {
  std::vector<CollectedRun> collected;
  for (const Open& run : runs_) {
    collected.push_back(
        {merge_results(run.jobs),
         run.first == run.last ? run.first : fmt::format("{} .. {}", run.first, run.last)});
  }
  return collected;
}

}  // namespace ethio
