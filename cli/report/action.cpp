// The array of github-action-benchmark with tool: 'customSmallerIsBetter'. That action compares one
// number a name and knows nothing of noise: it draws the history, `ethio compare` is the gate.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/report/formats.h"

namespace ethio::report {
namespace {

using Json = nlohmann::ordered_json;

void add(Json& entries, const std::string& name, const Curve& curve, double percent) {
  const double latency = curve.at(percent);
  if (latency <= 0) return;
  entries.push_back({{"name", fmt::format("ethio/{} p{:g}", name, percent)},
                     {"unit", "us"},
                     {"value", latency / 1e3}});
}

}  // namespace

std::string action_report(const Report& report) {
  Json entries = Json::array();
  for (const ReportTarget& target : report.targets) {
    const std::string prefix = report.targets.size() > 1 ? target.name + "/" : "";
    for (const WorkloadLine& line : target.workloads) {
      const bool units = !line.unit.empty();
      const Curve& curve = units ? line.unit_time : line.access;
      const std::string name =
          fmt::format("{}{} {}", prefix, line.name, units ? line.unit : line.timed);
      for (const double percent : {50.0, 99.0}) add(entries, name, curve, percent);
    }
  }
  return entries.dump(1) + "\n";
}

}  // namespace ethio::report
