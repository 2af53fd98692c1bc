#include "cli/check/table.h"

#include <fmt/format.h>

#include "cli/check/figures.h"
#include "cli/check/ratios.h"
#include "cli/check/verdict.h"
#include "cli/screen/text_table.h"
#include "common/base/quantity.h"
#include "common/base/text.h"

namespace ethio {
namespace {

constexpr const char* kNone = "-";
constexpr uint64_t kFewUnits = 100;  // fewer say nothing about a 99th percentile

std::string cell(Figure figure, double value) {
  if (value <= 0) return kNone;
  return kFigureInfos[figure].is_time ? format_duration_ns(value) : format_count(value);
}

const SessionResult* session_of(const Row& row) {
  for (const PhaseRun& run : row.runs) {
    if (run.session.has_value()) return &*run.session;
  }
  return nullptr;
}

std::vector<std::string> cells_of(const Row& row) {
  const Figures figures = typical(row);
  const SessionResult* session = session_of(row);
  std::vector<std::string> cells = {row.phase.name};
  const auto add = [&](Figure figure) { cells.push_back(cell(figure, figures[figure])); };
  add(kReadsPerSecond);
  add(kWritesPerSecond);
  cells.emplace_back(name_of(row.phase.timed));
  for (const Figure figure : {kP50, kP99, kP999}) add(figure);
  cells.push_back(session == nullptr ? kNone : session->metrics.unit);
  add(kUnitP50);
  add(kUnitP99);
  return cells;
}

// What a reader of the row must know.
std::vector<std::string> notes_of(const Row& row) {
  std::vector<std::string> notes;
  if (!row.phase.remark.empty()) notes.push_back(row.phase.remark);
  const SessionResult* session = session_of(row);
  const uint64_t units = units_above(row, 0).units;
  if (session != nullptr && session->metrics.unit != "op" && units < kFewUnits) {
    const std::string& unit = session->metrics.unit;
    notes.push_back(fmt::format("{} {} in the time: too few for a 99th percentile", units,
                                units == 1 ? unit : plural(unit)));
  }
  if (row.phase.name == "sustained-write") {
    const auto end = write_cache_end(row.runs.front().timeline);
    notes.push_back(end.has_value()
                        ? fmt::format("the write cache ended after {}: {}/s before, {}/s behind it",
                                      format_bytes(end->bytes),
                                      format_bytes(static_cast<uint64_t>(end->before)),
                                      format_bytes(static_cast<uint64_t>(end->after)))
                        : fmt::format("no end of a write cache within {}",
                                      format_bytes(row.runs.front().fio.write.total_bytes)));
  }
  for (const Problem& problem : row.problems) {
    notes.push_back((problem.voids ? "VOID: " : "") + problem.text);
  }
  return notes;
}

constexpr const char* kHeadings[] = {"", "stock fio profiles", "Ethereum-shaped workloads"};

std::string phases_text(const TargetResult& target) {
  TextTable table({"", "reads/s", "writes/s", "latency of", "p50", "p99", "p99.9", "unit",
                   "unit p50", "unit p99"});
  PhaseKind heading = PhaseKind::kLayout;
  for (const Row& row : target.rows) {
    if (row.phase.kind == PhaseKind::kLayout) continue;
    if (row.phase.kind != heading) {
      heading = row.phase.kind;
      table.add_heading(kHeadings[static_cast<int>(heading)]);
    }
    table.add_row(cells_of(row));
  }
  std::string text = table.text();
  for (const Row& row : target.rows) {
    for (const std::string& note : notes_of(row))
      text += fmt::format("{}: {}.\n", row.phase.name, note);
  }
  for (const Problem& problem : target.problems) {
    text += fmt::format("{}{}.\n", problem.voids ? "VOID: " : "", problem.text);
  }
  return text;
}

std::string roles_text(const std::vector<RoleVerdict>& verdicts) {
  TextTable table({"role", "verdict", "headroom", "decided by"});
  for (const RoleVerdict& verdict : verdicts) {
    const bool known = verdict.grade != Grade::kUnknown;
    table.add_row({verdict.role, name_of(verdict.grade),
                   known ? fmt::format("{:.2g}x", verdict.headroom) : kNone,
                   known ? verdict.deciding : "nothing was measured for it"});
  }
  return table.text();
}

std::string ratios_text(const CheckResult& result) {
  std::string text;
  for (size_t i = 1; i < result.targets.size(); ++i) {
    const std::vector<Ratio> ratios = ratios_between(result.targets[0], result.targets[i]);
    text += fmt::format("\n{} against {}: ratio of the medians (repeats: {}) and its 95 % interval\n",
                        result.targets[i].directory, result.targets[0].directory,
                        result.options.repeats());
    TextTable table({"", "figure", "ratio", "from", "to", "difference"});
    for (const Ratio& ratio : ratios) {
      table.add_row({ratio.phase, kFigureInfos[ratio.figure].name,
                     fmt::format("{:.3f}", ratio.interval.estimate),
                     fmt::format("{:.3f}", ratio.interval.low),
                     fmt::format("{:.3f}", ratio.interval.high),
                     !ratio.is_shown   ? "none shown"
                     : ratio.is_better ? "better"
                                       : "worse"});
    }
    text += table.text();
    const size_t needed = fewest_repeats(ratios.size());
    if (result.options.repeats() < needed) {
      text += fmt::format(
          "With --repeat {} nothing can be shown over {} comparisons; give --repeat {}.\n",
          result.options.repeats(), ratios.size(), needed);
    }
  }
  return text;
}

std::string facts_text(const std::vector<FactGroup>& groups) {
  std::string text;
  for (const FactGroup& group : groups) {
    text += group.name + "\n";
    for (const Fact& fact : group.facts) {
      const std::string value =
          fact.missing.empty() ? fact.value : fmt::format("unknown ({})", fact.missing);
      text += fmt::format("  {:<26} {}\n", fact.name, value);
    }
  }
  return text;
}

std::string commands_text(const TargetResult& target) {
  std::string text = "Commands, in the test directory\n";
  for (const Row& row : target.rows) text += fmt::format("  {}\n", row.runs.front().command);
  return text;
}

const RoleVerdict* verdict_for(const std::vector<RoleVerdict>& verdicts, const std::string& role) {
  for (const RoleVerdict& verdict : verdicts) {
    if (verdict.role == role) return &verdict;
  }
  return nullptr;
}

}  // namespace

std::string headline(const CheckResult& result, size_t target) {
  const std::vector<std::string> reasons = result.void_reasons();
  if (!reasons.empty()) return fmt::format("VOID: {}.\n", reasons.front());
  const RoleVerdict* verdict = verdict_for(result.verdicts[target], result.options.role);
  if (verdict == nullptr || verdict->grade == Grade::kUnknown) {
    return fmt::format("No verdict for {}: nothing was measured for it.\n", result.options.role);
  }
  return fmt::format(
      "{} for {}: {}{}.\n", name_of(verdict->grade), verdict->role, verdict->deciding,
      verdict->cause.empty() ? "" : fmt::format("; it waits for {}", verdict->cause));
}

std::string report_text(const CheckResult& result) {
  std::string text;
  for (size_t i = 0; i < result.targets.size(); ++i) {
    const TargetResult& target = result.targets[i];
    if (result.targets.size() > 1) text += fmt::format("== {} ==\n", target.directory);
    text += headline(result, i) + "\n";
    if (result.void_reasons().empty()) text += roles_text(result.verdicts[i]) + "\n";
    text += phases_text(target) + "\n";
  }
  text += ratios_text(result);
  if (!result.advice.empty()) text += "What would help\n";
  for (const std::string& line : result.advice) text += fmt::format("  {}\n", line);
  if (!result.advice.empty()) text += "\n";
  for (const TargetResult& target : result.targets) text += facts_text(target.facts);
  text += facts_text(result.facts) + "\n";
  for (const TargetResult& target : result.targets) text += commands_text(target);
  return text;
}

}  // namespace ethio
