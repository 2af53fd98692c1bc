#include "cli/check/check_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "common/base/version.h"

namespace ethio {
namespace {

using Json = nlohmann::ordered_json;

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

Json planned_json(const Phase& phase) {
  return {{"seconds", phase.seconds},
          {"written_bytes", phase.written_bytes},
          {"read_bytes", phase.read_bytes}};
}

Json json_of(const PhaseResult& result) {
  const Phase& phase = result.phase;
  Json json = {
      {"name", phase.name},
      {"kind", name_of(phase.kind)},
      {"summary", phase.summary},
      {"sources", phase.sources},
      {"command", result.command},
      {"remark", phase.remark},
      {"planned", planned_json(phase)},
      {"seconds", result.seconds},
      {"latency_of", name_of(phase.timed)},
      {"read", json_of(result.fio.read)},
      {"write", json_of(result.fio.write)},
      {"sync", {{"count", result.fio.sync.count}, {"latency_ns", json_of(result.fio.sync)}}},
      {"cpu_percent", {{"user", result.fio.user_cpu}, {"system", result.fio.system_cpu}}}};
  json["device"] = result.device_did.has_value() ? json_of(*result.device_did) : Json();
  json["result"] = result.session.has_value() ? Json::parse(to_json(*result.session)) : Json();
  return json;
}

template <typename T>
Json list_of(const std::vector<T>& items) {
  Json list = Json::array();
  for (const T& item : items) list.push_back(json_of(item));
  return list;
}

}  // namespace

std::string check_json(const CheckResult& result) {
  const Json json = {{"schema", kCheckSchema},
                     {"version", kCheckVersion},
                     {"ethio_version", kVersion},
                     {"fio_version", result.fio_version},
                     {"started", result.started},
                     {"command", result.options.command},
                     {"pace", name_of(result.options.pace)},
                     {"directory", result.options.directory},
                     {"size_bytes", result.size_bytes},
                     {"direct", result.direct},
                     {"remarks", result.remarks},
                     {"facts", list_of(result.facts)},
                     {"phases", list_of(result.phases)}};
  return json.dump(1) + "\n";
}

}  // namespace ethio
