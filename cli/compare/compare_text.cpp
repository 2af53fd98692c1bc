#include <fmt/format.h>

#include "cli/compare/writers.h"
#include "cli/screen/text_table.h"
#include "common/base/quantity.h"

namespace ethio {
namespace {

void add_rows(TextTable& table, const Comparison& comparison, bool gates) {
  for (const MetricComparison& row : comparison.metrics) {
    if (row.gates != gates) continue;
    table.add_row({row.benchmark, row.metric, value_text(row, row.base), value_text(row, row.next),
                   change_text(row), limit_text(row), fmt::format("{:.2g}", row.p_value),
                   fmt::format("{}/{}", row.base_count, row.next_count), name_of(row.change)});
  }
}

std::string metrics_text(const Comparison& comparison) {
  TextTable table(
      {"benchmark", "metric", "base", "new", "slower by (95 %)", "limit", "p", "runs", "state"});
  add_rows(table, comparison, true);
  table.add_heading("for information, never failing:");
  add_rows(table, comparison, false);
  return table.text();
}

std::string counters_text(const Comparison& comparison) {
  size_t equal = 0;
  std::string changed;
  for (const CounterComparison& row : comparison.counters) {
    if (row.change == Change::kUnchanged) {
      ++equal;
    } else {
      changed += fmt::format("  {}: {}: {}: {}\n", row.benchmark, row.counter,
                             counter_change_text(row), name_of(row.change));
    }
  }
  if (comparison.counters.empty()) return "";
  return fmt::format("exact counters: {} equal, {} changed\n{}", equal,
                     comparison.counters.size() - equal, changed);
}

std::string list_text(const char* heading, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += fmt::format("{}: {}\n", heading, line);
  return text;
}

std::string reasons_text(const Comparison& comparison) {
  std::string text;
  for (const MetricComparison& row : comparison.metrics) {
    if (!row.gates || row.reason.empty()) continue;
    text += fmt::format("inconclusive: {} {}: {}\n", row.benchmark, row.metric, row.reason);
  }
  return text;
}

std::string signed_percent(double ratio) {
  return fmt::format("{:+.1f}", 100 * (ratio - 1));
}

}  // namespace

std::string value_text(const MetricComparison& row, double value) {
  return row.kind == MetricKind::kDurationNs ? format_duration_ns(value) : format_count(value);
}

std::string change_text(const MetricComparison& row) {
  if (row.slowdown.estimate == 0) return "-";
  return fmt::format("{} % ({} to {})", signed_percent(row.slowdown.estimate),
                     signed_percent(row.slowdown.low), signed_percent(row.slowdown.high));
}

std::string limit_text(const MetricComparison& row) {
  const bool by_noise = row.floor > 0 && row.limit == 2 * row.floor;
  return fmt::format("{:.3g} %{}", 100 * row.limit, by_noise ? " (noise)" : "");
}

std::string counter_change_text(const CounterComparison& row) {
  return fmt::format("{:.12g} -> {:.12g}", row.base, row.next);
}

std::string comparison_text(const Comparison& comparison) {
  std::string text = sentence_of(comparison) + "\n";
  if (!comparison.voids.empty()) return text + list_text("void", comparison.voids);
  return text + "\n" + metrics_text(comparison) + counters_text(comparison) +
         reasons_text(comparison) + list_text("failed", comparison.failures) +
         list_text("note", comparison.notes);
}

}  // namespace ethio
