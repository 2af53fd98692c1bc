#include <fmt/format.h>

#include <algorithm>

#include "cli/report/formats.h"
#include "cli/report/words.h"
#include "common/report/markup.h"

namespace ethio::report {
namespace {

struct Suite {
  std::string cases;
  size_t tests = 0, failures = 0, errors = 0, skipped = 0;

  void add(std::string_view class_name, std::string_view name, std::string_view outcome,
           std::string_view output) {
    ++tests;
    cases += fmt::format(
        "    <testcase classname=\"{}\" name=\"{}\">{}<system-out>{}</system-out></testcase>\n",
        escape_xml(class_name), escape_xml(name), outcome, escape_xml(output));
  }
};

std::string outcome(const char* element, std::string_view message) {
  return fmt::format("<{} message=\"{}\"/>", element, escape_xml(message));
}

// A role is a test: BAD fails it. UGLY passes, as the Hall of Blame has it, and says so.
void add_role(Suite& suite, const std::string& target, const RoleLine& role) {
  std::string result;
  if (role.grade == "BAD") {
    ++suite.failures;
    result = outcome("failure", fmt::format("{}; it waits for {}", role.deciding, role.cause));
  } else if (role.grade == "unknown") {
    ++suite.skipped;
    result = outcome("skipped", "nothing was measured for it");
  }
  suite.add(target, "role " + role.role, result, fmt::format("{}: {}", role.grade, role.deciding));
}

// A workload is a test: a problem that voids it is an error.
void add_workload(Suite& suite, const std::string& target, const WorkloadLine& line) {
  const auto voids =
      std::find_if(line.problems.begin(), line.problems.end(),
                   [](const std::string& problem) { return problem.starts_with("VOID"); });
  std::string result;
  if (voids != line.problems.end()) {
    ++suite.errors;
    result = outcome("error", *voids);
  }
  const Curve& curve = line.unit.empty() ? line.access : line.unit_time;
  suite.add(
      target, line.name, result,
      fmt::format("{} reads/s, {} writes/s; {} p50 {}, p99 {}", rate_text(line.reads_per_second),
                  rate_text(line.writes_per_second), line.unit.empty() ? line.timed : line.unit,
                  latency_text(curve, 50), latency_text(curve, 99)));
}

}  // namespace

std::string junit_report(const Report& report) {
  Suite suite;
  for (const ReportTarget& target : report.targets) {
    for (const RoleLine& role : target.roles) add_role(suite, target.name, role);
    for (const WorkloadLine& line : target.workloads) add_workload(suite, target.name, line);
  }
  for (const std::string& reason : report.voids) {
    ++suite.errors;
    suite.add("ethio", "valid", outcome("error", reason), reason);
  }
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"", suite.tests,
                  suite.failures, suite.errors, suite.skipped);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n<testsuites {}>\n  <testsuite "
      "name=\"ethio\" {}>\n{}"
      "  </testsuite>\n</testsuites>\n",
      document_mark("report"), counts, counts, suite.cases);
}

}  // namespace ethio::report
