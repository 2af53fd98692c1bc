#include "cli/check/table.h"

#include <fmt/format.h>

#include "cli/screen/text_table.h"
#include "common/base/quantity.h"

namespace ethio {
namespace {

constexpr const char* kNone = "-";

std::string count_cell(double value) {
  return value > 0 ? format_count(value) : kNone;
}
std::string time_cell(double ns) {
  return ns > 0 ? format_duration_ns(ns) : kNone;
}

std::string plural(const std::string& unit) {
  return unit + (unit == "batch" ? "es" : "s");
}

const fio::Latency& timed_latency(const PhaseResult& row) {
  static const fio::Latency kNothing;
  switch (row.phase.timed) {
    case Timed::kReads:
      return row.fio.read.completion;
    case Timed::kWrites:
      return row.fio.write.completion;
    case Timed::kSyncs:
      return row.fio.sync;
    case Timed::kNothing:
      break;
  }
  return kNothing;
}

std::vector<std::string> cells_of(const PhaseResult& row) {
  const fio::Latency& latency = timed_latency(row);
  std::vector<std::string> cells = {row.phase.name,
                                    count_cell(row.fio.read.iops.value_or(0)),
                                    count_cell(row.fio.write.iops.value_or(0)),
                                    name_of(row.phase.timed),
                                    time_cell(latency.at(50).value_or(0)),
                                    time_cell(latency.at(99).value_or(0)),
                                    time_cell(latency.at(99.9).value_or(0))};
  if (!row.session.has_value()) {
    cells.insert(cells.end(), {kNone, kNone, kNone});
    return cells;
  }
  const Metrics& metrics = row.session->metrics;
  cells.push_back(metrics.unit);
  cells.push_back(time_cell(static_cast<double>(metrics.unit_latency.percentile(50))));
  cells.push_back(time_cell(static_cast<double>(metrics.unit_latency.percentile(99))));
  return cells;
}

constexpr const char* kHeadings[] = {"", "stock fio profiles", "Ethereum-shaped workloads"};

// What a reader of the row must know.
std::string note_of(const PhaseResult& row) {
  std::string note = row.phase.remark;
  if (row.session.has_value() && row.session->metrics.units < 100 &&
      row.session->metrics.unit != "op") {
    const Metrics& metrics = row.session->metrics;
    note +=
        fmt::format("{}{} {} in the time: too few for a 99th percentile", note.empty() ? "" : "; ",
                    metrics.units, metrics.units == 1 ? metrics.unit : plural(metrics.unit));
  }
  return note;
}

}  // namespace

std::string table_text(const CheckResult& result) {
  TextTable table({"", "reads/s", "writes/s", "latency of", "p50", "p99", "p99.9", "unit",
                   "unit p50", "unit p99"});
  PhaseKind heading = PhaseKind::kLayout;
  for (const PhaseResult& row : result.phases) {
    if (row.phase.kind == PhaseKind::kLayout) continue;
    if (row.phase.kind != heading) {
      heading = row.phase.kind;
      table.add_heading(kHeadings[static_cast<int>(heading)]);
    }
    table.add_row(cells_of(row));
  }
  std::string text = table.text();
  for (const PhaseResult& row : result.phases) {
    const std::string note = note_of(row);
    if (!note.empty()) text += fmt::format("{}: {}.\n", row.phase.name, note);
  }
  for (const std::string& remark : result.remarks) text += remark + "\n";
  return text;
}

std::string facts_text(const CheckResult& result) {
  std::string text;
  for (const FactGroup& group : result.facts) {
    text += group.name + "\n";
    for (const Fact& fact : group.facts) {
      const std::string value =
          fact.missing.empty() ? fact.value : fmt::format("unknown ({})", fact.missing);
      text += fmt::format("  {:<26} {}\n", fact.name, value);
    }
  }
  return text;
}

std::string commands_text(const CheckResult& result) {
  std::string text = "Commands, in the test directory\n";
  for (const PhaseResult& row : result.phases) text += fmt::format("  {}\n", row.command);
  return text;
}

}  // namespace ethio
