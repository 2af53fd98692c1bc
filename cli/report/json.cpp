#include <nlohmann/json.hpp>

#include "cli/report/formats.h"

namespace ethio::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;

Json json_of(const Curve& curve) {
  Json points = Json::array();
  for (const CurvePoint& point : curve.points) points.push_back({point.percent, point.latency_ns});
  return points;
}

Json json_of(const RoleLine& role) {
  return {{"role", role.role},         {"summary", role.summary},   {"grade", role.grade},
          {"headroom", role.headroom}, {"deciding", role.deciding}, {"cause", role.cause}};
}

Json json_of(const WorkloadLine& line) {
  return {{"name", line.name},
          {"kind", line.stock ? "stock" : "ethio"},
          {"runs", line.runs},
          {"reads_per_second", line.reads_per_second},
          {"writes_per_second", line.writes_per_second},
          {"latency_of", line.timed},
          {"latency_ns", json_of(line.access)},
          {"unit", line.unit},
          {"units", line.units},
          {"unit_latency_ns", json_of(line.unit_time)},
          {"stall_share", line.stall_share ? Json(*line.stall_share) : Json()},
          {"read_amplification", line.read_amplification},
          {"write_amplification", line.write_amplification},
          {"remark", line.remark},
          {"problems", line.problems}};
}

Json json_of(const BlockStrip& strip) {
  Json steps = Json::array();
  for (const BlockStrip::Step& step : strip.steps) steps.push_back({step.latency_ns, step.count});
  return {{"name", strip.name}, {"blocks", steps}};
}

Json json_of(const Timeline& timeline) {
  Json points = Json::array();
  for (const Timeline::Point& point : timeline.points) {
    points.push_back({point.seconds, point.read_bytes, point.written_bytes,
                      point.celsius ? Json(*point.celsius) : Json()});
  }
  return {{"name", timeline.name}, {"background", timeline.background}, {"points", points}};
}

Json json_of(const FactLine& fact) {
  return {{"group", fact.group}, {"name", fact.name}, {"value", fact.value}};
}

Json json_of(const Budget& budget) {
  return {{"role", budget.role}, {"block_ns", budget.block_ns}};
}

Json json_of(const ReportTarget& target);

template <typename T>
Json list_of(const std::vector<T>& items) {
  Json list = Json::array();
  for (const T& item : items) list.push_back(json_of(item));
  return list;
}

Json stock_json(const ReportTarget& target) {
  if (!target.stock_rates) return nullptr;
  Json json = {{"reads_per_second", target.stock_rates->read},
               {"writes_per_second", target.stock_rates->write},
               {"differences", target.placement.differences}};
  json["place"] = target.placement.rank ? Json(target.placement.rank->position) : Json();
  json["of"] = target.placement.rank ? Json(target.placement.rank->drives + 1) : Json();
  return json;
}

// Part -> why it has nothing to show.
Json absent_json(const ReportTarget& target) {
  Json absent = Json::object();
  for (size_t i = 0; i < kParts; ++i) {
    const auto part = static_cast<Part>(i);
    if (!target.why_absent(part).empty()) absent[name_of(part)] = target.why_absent(part);
  }
  return absent;
}

Json json_of(const ReportTarget& target) {
  return {{"name", target.name},
          {"headline", target.headline},
          {"roles", list_of(target.roles)},
          {"workloads", list_of(target.workloads)},
          {"strips", list_of(target.strips)},
          {"timelines", list_of(target.timelines)},
          {"hall_of_blame", stock_json(target)},
          {"problems", target.problems},
          {"facts", list_of(target.facts)},
          {"commands", target.commands},
          {"absent", absent_json(target)}};
}

}  // namespace

std::string json_report(const Report& report) {
  const Json json = {{"schema", "ethio-report"},
                     {"version", kVersion},
                     {"title", report.title},
                     {"started", report.started},
                     {"ethio_version", report.ethio_version},
                     {"fio_version", report.fio_version},
                     {"command", report.command},
                     {"voids", report.voids},
                     {"advice", report.advice},
                     {"budgets", list_of(report.budgets)},
                     {"targets", list_of(report.targets)},
                     {"facts", list_of(report.facts)}};
  return json.dump(1) + "\n";
}

}  // namespace ethio::report
