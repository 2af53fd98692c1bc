#include <nlohmann/json.hpp>

#include "cli/rank/ranking.h"

namespace ethio {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;

Json or_null(const std::optional<bool>& flag) {
  return flag ? Json(*flag) : Json();
}

Json direction_json(const fio::Direction& direction) {
  if (!direction.active()) return nullptr;
  Json json;
  json["iops"] = direction.iops ? Json(*direction.iops) : Json();
  json["bytes_per_second"] = direction.bandwidth;
  json["block_bytes"] = direction.block_bytes;
  json["total_ios"] = direction.total_ios;
  json["total_bytes"] = direction.total_bytes;
  json["runtime_ms"] = direction.runtime_ms;
  Json percentiles = Json::array();
  for (const fio::Percentile& percentile : direction.completion.percentiles) {
    percentiles.push_back({percentile.percent, percentile.latency_ns});
  }
  json["latency_percentiles_ns"] = std::move(percentiles);
  return json;
}

Json drive_json(const ReferenceDrive* drive) {
  if (drive == nullptr) return nullptr;
  const Rates rates = drive->figure();
  return {
      {"name", drive->name}, {"tier", drive->tier}, {"read", rates.read}, {"write", rates.write}};
}

Json rank_json(const std::optional<Placement::Rank>& rank) {
  if (!rank) return nullptr;
  Json alike = Json::array();
  for (const ReferenceDrive* drive : rank->alike) alike.push_back(drive_json(drive));
  return {{"position", rank->position},       {"of", rank->drives + 1},
          {"faster_than", rank->faster_than}, {"above", drive_json(rank->above)},
          {"below", drive_json(rank->below)}, {"alike", std::move(alike)}};
}

Json result_json(const RankedResult& ranked) {
  const fio::Result& result = ranked.result;
  Json json = {{"file", result.origin},
               {"line", result.line},
               {"job", result.job_name},
               {"rw", result.rw},
               {"ioengine", result.ioengine},
               {"fio_version", result.fio_version},
               {"iodepth", result.iodepth},
               {"jobs", result.jobs},
               {"size_bytes", result.size_bytes},
               {"direct", or_null(result.direct)},
               {"gtod_reduce", or_null(result.gtod_reduce)},
               {"error", result.error},
               {"interrupted", result.interrupted},
               {"remarks", result.remarks},
               {"repeats", ranked.repeats ? Json(*ranked.repeats) : Json()},
               {"read", direction_json(result.read)},
               {"write", direction_json(result.write)}};
  json["comparable"] = ranked.placement.comparable();
  json["differences"] = ranked.placement.differences;
  json["unstated"] = ranked.placement.unstated;
  json["rank"] = rank_json(ranked.placement.rank);
  return json;
}

}  // namespace

std::string ranking_json(const std::vector<RankedResult>& ranking, const Reference& reference) {
  Json results = Json::array();
  for (const RankedResult& ranked : ranking) results.push_back(result_json(ranked));
  const Json json = {{"schema", "ethio-rank"},
                     {"version", kVersion},
                     {"reference",
                      {{"title", reference.title},
                       {"url", reference.url},
                       {"profile", reference.profile.command},
                       {"drives", ranked_drives(reference).size()}}},
                     {"results", std::move(results)},
                     {"limits", limits_of_the_profile(reference)}};
  return json.dump(1) + "\n";
}

}  // namespace ethio
