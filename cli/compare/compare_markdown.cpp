#include <fmt/format.h>

#include "cli/compare/writers.h"
#include "common/report/markup.h"

namespace ethio {
namespace {

// Symbol and word: a colour alone would be lost on some readers.
const char* badge_of(Change change) {
  switch (change) {
    case Change::kRegressed:
      return "❌ regressed";
    case Change::kInconclusive:
      return "❔ inconclusive";
    case Change::kBetter:
      return "⬆️ better";
    case Change::kUnchanged:
      break;
  }
  return "✅ unchanged";
}

std::string row_text(const MetricComparison& row) {
  return fmt::format("| {} | {} | {} | {} | {} | {} | {:.2g} | {} |\n",
                     escape_markdown(row.benchmark), escape_markdown(row.metric),
                     value_text(row, row.base), value_text(row, row.next), change_text(row),
                     limit_text(row), row.p_value,
                     row.gates ? badge_of(row.change) : name_of(row.change));
}

std::string rows_text(const Comparison& comparison, bool gates) {
  std::string text =
      "| benchmark | metric | base | new | slower by (95 %) | limit | p | state |\n"
      "|---|---|--:|--:|--:|--:|--:|---|\n";
  for (const MetricComparison& row : comparison.metrics) {
    if (row.gates == gates) text += row_text(row);
  }
  return text;
}

std::string counters_text(const Comparison& comparison) {
  std::string text;
  for (const CounterComparison& row : comparison.counters) {
    if (row.change == Change::kUnchanged) continue;
    text +=
        fmt::format("| {} | {} | {} | {} |\n", escape_markdown(row.benchmark),
                    escape_markdown(row.counter), counter_change_text(row), badge_of(row.change));
  }
  if (comparison.counters.empty()) return "";
  if (text.empty())
    return fmt::format("\nAll {} exact counters are equal.\n", comparison.counters.size());
  return "\n| benchmark | exact counter | change | state |\n|---|---|--:|---|\n" + text;
}

std::string list_text(const char* heading, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines)
    text += fmt::format("- {}: {}\n", heading, escape_markdown(line));
  return text;
}

}  // namespace

std::string comparison_markdown(const Comparison& comparison) {
  std::string text =
      fmt::format("{}\n### Storage benchmarks\n\n**{}**\n\n", document_mark("compare"),
                  escape_markdown(sentence_of(comparison)));
  if (!comparison.voids.empty()) return text + list_text("void", comparison.voids);
  text += rows_text(comparison, true) + counters_text(comparison);
  text += "\n<details><summary>For information, never failing</summary>\n\n" +
          rows_text(comparison, false) + "\n</details>\n\n";
  for (const MetricComparison& row : comparison.metrics) {
    if (!row.gates || row.reason.empty()) continue;
    text += fmt::format("- inconclusive: {} {}: {}\n", escape_markdown(row.benchmark),
                        escape_markdown(row.metric), escape_markdown(row.reason));
  }
  return text + list_text("failed", comparison.failures) + list_text("note", comparison.notes);
}

}  // namespace ethio
