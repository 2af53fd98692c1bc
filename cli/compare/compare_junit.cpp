#include <fmt/format.h>

#include "cli/compare/writers.h"
#include "common/report/markup.h"

namespace ethio {
namespace {

std::string test_case(std::string_view benchmark, std::string_view name, std::string_view outcome) {
  return fmt::format("    <testcase classname=\"{}\" name=\"{}\"{}\n", escape_xml(benchmark),
                     escape_xml(name),
                     outcome.empty() ? "/>" : fmt::format(">{}</testcase>", outcome));
}

std::string outcome(const char* element, std::string_view message) {
  return fmt::format("<{} message=\"{}\"/>", element, escape_xml(message));
}

std::string outcome_of(const MetricComparison& row) {
  if (row.change == Change::kInconclusive) return outcome("skipped", "inconclusive: " + row.reason);
  if (row.change != Change::kRegressed) return "";
  return outcome("failure",
                 fmt::format("{} -> {}, slower by {}, limit {}", value_text(row, row.base),
                             value_text(row, row.next), change_text(row), limit_text(row)));
}

std::string outcome_of(const CounterComparison& row) {
  return row.change == Change::kRegressed ? outcome("failure", counter_change_text(row)) : "";
}

}  // namespace

std::string comparison_junit(const Comparison& comparison) {
  std::string cases;
  size_t tests = 0;
  const auto add = [&](std::string_view benchmark, std::string_view name,
                       const std::string& result) {
    cases += test_case(benchmark, name, result);
    ++tests;
  };
  for (const MetricComparison& row : comparison.metrics) {
    if (row.gates) add(row.benchmark, row.metric, outcome_of(row));
  }
  for (const CounterComparison& row : comparison.counters)
    add(row.benchmark, row.counter, outcome_of(row));
  for (const std::string& failure : comparison.failures)
    add("ethio compare", "ran", outcome("error", failure));
  for (const std::string& reason : comparison.voids)
    add("ethio compare", "comparable", outcome("error", reason));

  const std::string counts = fmt::format(
      "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"", tests,
      comparison.count(Change::kRegressed), comparison.failures.size() + comparison.voids.size(),
      comparison.count(Change::kInconclusive));
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n<testsuites {}>\n  <testsuite name=\"ethio "
      "compare\" {}>\n{}"
      "  </testsuite>\n</testsuites>\n",
      document_mark("compare"), counts, counts, cases);
}

}  // namespace ethio
