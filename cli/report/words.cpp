#include "cli/report/words.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/quantity.h"
#include "common/base/text.h"

namespace ethio::report {

std::string latency_text(const Curve& curve, double percent) {
  const double latency = curve.at(percent);
  return latency > 0 ? format_duration_ns(latency) : "-";
}

std::string rate_text(double per_second) {
  return per_second > 0 ? format_count(per_second) : "-";
}

std::string ratio_text(double ratio) {
  return ratio > 0 ? fmt::format("{:.3g}x", ratio) : "-";
}

std::string share_text(double share) {
  return fmt::format("{:.3g} %", 100 * share);
}

std::string headroom_text(const RoleLine& role) {
  return role.grade == "unknown" ? "-" : fmt::format("{:.2g}x", role.headroom);
}

std::string units_text(const WorkloadLine& line) {
  if (line.units == 0) return "-";
  return fmt::format("{} {}", line.units, line.units == 1 ? line.unit : plural(line.unit));
}

const char* heading_of(Part part) {
  constexpr const char* kHeadings[] = {"By role",
                                       "Workloads",
                                       "Latency",
                                       "Blocks against their budget",
                                       "What the device did",
                                       "Temperature",
                                       "Compaction and other background work",
                                       "Among known drives",
                                       "Storage",
                                       "Exact commands"};
  return kHeadings[static_cast<int>(part)];
}

const char* class_of(const std::string& grade) {
  if (grade.starts_with("GOOD") || grade == "good") return "good";
  if (grade == "UGLY" || grade == "ugly") return "ugly";
  if (grade == "BAD" || grade == "bad" || grade == "VOID") return "bad";
  return "unknown";
}

const char* symbol_of(const std::string& grade) {
  switch (class_of(grade)[0]) {
    case 'g':
      return "●";
    case 'b':
      return "✖";
    default:
      return class_of(grade)[1] == 'g' ? "▲" : "◌";
  }
}

std::string over_budget_text(const BlockStrip& strip, const std::vector<Budget>& budgets) {
  const auto tightest =
      std::min_element(budgets.begin(), budgets.end(),
                       [](const Budget& a, const Budget& b) { return a.block_ns < b.block_ns; });
  if (tightest == budgets.end() || strip.blocks() == 0) return "";
  const uint64_t over = strip.over(tightest->block_ns);
  return fmt::format("{} of {} blocks over {} ({})", over, strip.blocks(),
                     format_duration_ns(tightest->block_ns),
                     share_text(static_cast<double>(over) / static_cast<double>(strip.blocks())));
}

std::vector<std::string> remarks_of(const ReportTarget& target) {
  std::vector<std::string> remarks;
  for (const WorkloadLine& line : target.workloads) {
    if (!line.remark.empty()) remarks.push_back(fmt::format("{}: {}", line.name, line.remark));
    for (const std::string& problem : line.problems) {
      remarks.push_back(fmt::format("{}: {}", line.name, problem));
    }
  }
  remarks.insert(remarks.end(), target.problems.begin(), target.problems.end());
  return remarks;
}

std::string phases_text(std::span<const Timeline> timelines) {
  std::vector<std::string> names;
  for (const Timeline& timeline : timelines) {
    names.push_back(fmt::format("{} {}", names.size() + 1, timeline.name));
  }
  return joined(names);
}

std::string commands_of(const ReportTarget& target) {
  std::string commands;
  for (const std::string& command : target.commands) commands += command + "\n";
  return commands;
}

std::string origin_text(const Report& report) {
  std::string text = "ethio";
  if (!report.ethio_version.empty()) text += " " + report.ethio_version;
  for (const std::string* part : {&report.fio_version, &report.started, &report.command}) {
    if (!part->empty()) text += " · " + *part;
  }
  return text;
}

}  // namespace ethio::report
