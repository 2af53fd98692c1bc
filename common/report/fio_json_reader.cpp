// fio's --output-format=json and json+: one object a run, with "fio version" and "jobs".
#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/base/error.h"
#include "common/report/fio_parts.h"

namespace ethio::fio {
namespace {

using nlohmann::json;

// A number, or nothing where the key is missing or of another type: fio's fields come and go with
// its versions.
double number(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : 0;
}

uint64_t count(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_unsigned() ? found->get<uint64_t>() : 0;
}

std::string text(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Latency read_latency(const json& direction, const char* key) {
  Latency latency;
  const auto found = direction.find(key);
  if (found == direction.end() || !found->is_object()) return latency;
  latency.count = count(*found, "N");
  latency.mean_ns = number(*found, "mean");
  latency.max_ns = number(*found, "max");
  const auto percentiles = found->find("percentile");
  if (latency.count == 0 || percentiles == found->end()) return latency;
  for (const auto& [percent, value] : percentiles->items()) {
    const auto parsed = parse_rate(percent);
    if (parsed && value.is_number()) latency.percentiles.push_back({*parsed, value.get<double>()});
  }
  std::sort(latency.percentiles.begin(), latency.percentiles.end(),
            [](const auto& a, const auto& b) { return a.percent < b.percent; });
  return latency;
}

Direction read_direction(const json& job, const char* key) {
  Direction direction;
  const auto found = job.find(key);
  if (found == job.end() || !found->is_object() || count(*found, "total_ios") == 0)
    return direction;
  direction.total_ios = count(*found, "total_ios");
  direction.total_bytes = count(*found, "io_bytes");
  direction.runtime_ms = count(*found, "runtime");
  direction.iops = number(*found, "iops");
  // fio 2 has no bw_bytes; its bw is in KiB.
  direction.bandwidth =
      found->contains("bw_bytes") ? number(*found, "bw_bytes") : 1024 * number(*found, "bw");
  direction.completion = read_latency(*found, "clat_ns");
  if (direction.completion.percentiles.empty()) {
    Latency total = read_latency(*found, "lat_ns");
    if (!total.percentiles.empty()) direction.completion = std::move(total);
  }
  return direction;
}

void take_options(const json& object, const char* key, Options& options) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_object()) return;
  for (const auto& [name, value] : found->items()) {
    if (value.is_string()) set_option(options, name, value.get<std::string>());
  }
}

Result read_job(const json& job, Options options) {
  Result result;
  result.form = Form::kJson;
  result.job_name = text(job, "jobname");
  result.group = static_cast<uint32_t>(count(job, "groupid"));
  result.error = static_cast<int>(number(job, "error"));
  result.read = read_direction(job, "read");
  result.write = read_direction(job, "write");
  result.sync = read_latency(job.value("sync", json::object()), "lat_ns");
  result.user_cpu = number(job, "usr_cpu");
  result.system_cpu = number(job, "sys_cpu");
  take_options(job, "job options", options);
  apply_options(options, result);
  // What fio takes where nothing is said.
  if (result.iodepth == 0) result.iodepth = 1;
  if (!result.gtod_reduce) result.gtod_reduce = false;
  if (!result.direct) result.direct = false;
  complete(result);
  return result;
}

std::string version_of(const json& run) {
  const std::string version = text(run, "fio version");
  return version.rfind("fio-", 0) == 0 ? version.substr(4) : version;
}

}  // namespace

std::vector<Result> read_json(std::string_view text, std::string_view origin, uint32_t first_line,
                              uint32_t first_run) {
  const std::string where = std::string(origin) + ": line " + std::to_string(first_line) + ": ";
  const json run = json::parse(text, nullptr, false);
  if (run.is_discarded()) throw Error(EINVAL, where + "is not valid JSON");
  // Client and server mode has the jobs of every client, then their sum.
  const auto jobs = run.contains("jobs") ? run.find("jobs") : run.find("client_stats");
  if (!run.contains("fio version") || jobs == run.end() || !jobs->is_array()) {
    throw Error(EINVAL,
                where + "is JSON, but not of fio: \"fio version\" and \"jobs\" are missing");
  }
  Options globals;
  take_options(run, "global options", globals);
  std::vector<Result> results;
  for (const json& job : *jobs) {
    if (!job.is_object() || job.value("jobname", json()) == "All clients") continue;
    Result result = read_job(job, globals);
    if (!result.read.active() && !result.write.active() && result.error == 0) continue;
    result.fio_version = version_of(run);
    result.origin = origin;
    result.line = first_line;
    result.run = first_run;
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace ethio::fio
