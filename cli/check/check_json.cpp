#include "cli/check/check_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/check/verdict.h"
#include "common/base/version.h"

namespace ethio {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json list_of(const std::vector<T>& items);

Json json_of(const fio::Latency& latency) {
  if (latency.count == 0) return nullptr;  // fio did not time it
  Json json = {{"count", latency.count}, {"mean", latency.mean_ns}};
  for (const fio::Percentile& percentile : latency.percentiles) {
    json[fmt::format("p{:g}", percentile.percent)] = percentile.latency_ns;
  }
  json["max"] = latency.max_ns;
  return json;
}

Json json_of(const fio::Direction& direction) {
  return {{"count", direction.total_ios},
          {"bytes", direction.total_bytes},
          {"iops", direction.iops.value_or(0)},
          {"bytes_per_second", direction.bandwidth},
          {"latency_ns", json_of(direction.completion)}};
}

Json json_of(const FactGroup& group) {
  Json facts = Json::object();
  Json missing = Json::object();
  for (const Fact& fact : group.facts) {
    if (fact.missing.empty()) {
      facts[fact.name] = fact.value;
    } else {
      missing[fact.name] = fact.missing;
    }
  }
  return {{"name", group.name}, {"facts", facts}, {"missing", missing}};
}

Json json_of(const DeviceCounters& counters) {
  return {{"reads", counters.reads},
          {"read_bytes", counters.read_bytes},
          {"writes", counters.writes},
          {"written_bytes", counters.written_bytes},
          {"busy_ms", counters.busy_ms}};
}

Json json_of(const std::optional<DeviceCounters>& counters) {
  return counters.has_value() ? json_of(*counters) : Json();
}

// Cumulative since the run began, a row a sample: a compact form, since there are many.
Json json_of(const std::vector<Sample>& timeline) {
  Json rows = Json::array();
  for (const Sample& sample : timeline) {
    rows.push_back({sample.seconds, sample.did.reads, sample.did.read_bytes, sample.did.writes,
                    sample.did.written_bytes,
                    sample.celsius.has_value() ? Json(*sample.celsius) : Json()});
  }
  return {{"columns", {"seconds", "reads", "read_bytes", "writes", "written_bytes", "celsius"}},
          {"rows", rows}};
}

Json json_of(const Problem& problem) {
  return {{"text", problem.text}, {"voids", problem.voids}};
}

Json json_of(const PhaseRun& run) {
  Json json = {{"command", run.command},
               {"seconds", run.seconds},
               {"read", json_of(run.fio.read)},
               {"write", json_of(run.fio.write)},
               {"sync", {{"count", run.fio.sync.count}, {"latency_ns", json_of(run.fio.sync)}}},
               {"cpu_percent", {{"user", run.fio.user_cpu}, {"system", run.fio.system_cpu}}},
               {"device", json_of(run.top_did)},
               {"drives", json_of(run.drives_did)},
               {"timeline", json_of(run.timeline)}};
  json["result"] = run.session.has_value() ? Json::parse(to_json(*run.session)) : Json();
  return json;
}

Json json_of(const Row& row) {
  const Phase& phase = row.phase;
  return {{"name", phase.name},
          {"kind", name_of(phase.kind)},
          {"summary", phase.summary},
          {"sources", phase.sources},
          {"remark", phase.remark},
          {"latency_of", name_of(phase.timed)},
          {"direct", phase.direct},
          {"planned",
           {{"seconds", phase.seconds},
            {"written_bytes", phase.written_bytes},
            {"read_bytes", phase.read_bytes}}},
          {"problems", list_of(row.problems)},
          {"runs", list_of(row.runs)}};
}

Json json_of(const RoleVerdict& verdict) {
  return {{"role", verdict.role},
          {"summary", verdict.summary},
          {"grade", name_of(verdict.grade)},
          {"headroom", verdict.headroom},
          {"deciding", verdict.deciding},
          {"cause", verdict.cause}};
}

template <typename T>
Json list_of(const std::vector<T>& items) {
  Json list = Json::array();
  for (const T& item : items) list.push_back(json_of(item));
  return list;
}

Json target_json(const TargetResult& target, const std::vector<RoleVerdict>& verdicts) {
  return {{"directory", target.directory},
          {"size_bytes", target.size_bytes},
          {"direct", target.direct},
          {"facts", list_of(target.facts)},
          {"problems", list_of(target.problems)},
          {"verdicts", list_of(verdicts)},
          {"phases", list_of(target.rows)}};
}

}  // namespace

std::string check_json(const CheckResult& result) {
  Json json = {{"schema", kCheckSchema},
               {"version", kCheckVersion},
               {"ethio_version", kVersion},
               {"fio_version", result.fio_version},
               {"started", result.started},
               {"command", result.options.command},
               {"pace", name_of(result.options.pace)},
               {"role", result.options.role},
               {"repeats", result.options.repeats()},
               {"void_reasons", result.void_reasons()},
               {"advice", result.advice},
               {"facts", list_of(result.facts)}};
  Json targets = Json::array();
  for (size_t i = 0; i < result.targets.size(); ++i) {
    targets.push_back(target_json(result.targets[i], result.verdicts[i]));
  }
  json["targets"] = std::move(targets);
  return json.dump(1) + "\n";
}

}  // namespace ethio
