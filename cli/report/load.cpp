// Which loader a document is for; and what is the same for all.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/check/thresholds.h"
#include "cli/report/load_parts.h"
#include "common/base/error.h"
#include "common/report/measurement.h"
#include "common/report/output_file.h"
#include "common/report/run_files.h"

namespace ethio::report {
namespace {

using nlohmann::json;

void add_budgets(Report& report) {
  for (const Role& role : built_in_roles()) {
    for (const Limit& limit : role.limits) {
      if (limit.measure == Measure::kShareOver)
        report.budgets.push_back({role.name, limit.limit_ns});
    }
  }
}

// A document of ethio other than the result of a run.
void add_own(const InputDocument& document, Report& report) {
  const std::string schema = schema_of(document.text);
  if (schema != "ethio-check") {
    throw Error(EINVAL, fmt::format("{}: is of schema {}; report reads ethio-check, ethio-result, "
                                    "fio's output and Google Benchmark's JSON",
                                    document.origin, schema));
  }
  try {
    add_check(json::parse(document.text), document.origin, report);
  } catch (const json::parse_error& error) {
    throw Error(EINVAL, fmt::format("{}: is not JSON, or not all of it: byte {}", document.origin,
                                    error.byte));
  } catch (const json::exception& error) {
    throw Error(EINVAL, fmt::format("{}: is not a whole result of ethio: {}", document.origin,
                                    error.what()));
  }
}

void add_document(const InputDocument& document, Report& report) {
  if (document.text.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw Error(EINVAL, fmt::format("{}: is empty; expected results of ethio, fio or Google "
                                    "Benchmark",
                                    document.origin));
  }
  if (is_ethio_document(document.text)) return add_own(document, report);
  if (is_google_benchmark(document.text)) {
    return add_google_benchmark(document.text, document.origin, report);
  }
  add_fio(document.text, document.origin, report);
}

}  // namespace

const char* name_of(Part part) {
  constexpr const char* kNames[] = {"roles",       "workloads",  "latency", "blocks",  "timeline",
                                    "temperature", "background", "drives",  "storage", "commands"};
  return kNames[static_cast<int>(part)];
}

void explain(ReportTarget& target, Part part, bool is_empty, std::string_view why) {
  if (is_empty) target.set_absent(part, std::string(why));
}

double Curve::at(double percent) const {
  for (const CurvePoint& point : points) {
    if (std::abs(point.percent - percent) < 1e-9) return point.latency_ns;
  }
  return 0;
}

uint64_t BlockStrip::blocks() const {
  uint64_t count = 0;
  for (const Step& step : steps) count += step.count;
  return count;
}

uint64_t BlockStrip::over(double budget_ns) const {
  uint64_t count = 0;
  for (const Step& step : steps) count += step.latency_ns > budget_ns ? step.count : 0;
  return count;
}

bool ReportTarget::has_celsius() const {
  const auto shows = [](const Timeline::Point& point) { return point.celsius.has_value(); };
  return std::any_of(timelines.begin(), timelines.end(), [&](const Timeline& timeline) {
    return std::any_of(timeline.points.begin(), timeline.points.end(), shows);
  });
}

bool ReportTarget::has_background() const {
  return std::any_of(timelines.begin(), timelines.end(),
                     [](const Timeline& timeline) { return !timeline.background.empty(); });
}

Report load_report(const std::vector<std::string>& paths) {
  Report report;
  report.title = "ethio: storage for an Ethereum node";
  RunCollector runs;
  for (const std::string& path : paths) {
    for (const InputDocument& document : read_run_files(path)) {
      if (schema_of(document.text) == kResultSchema) {
        runs.add(parse_result(document.text, document.origin), document.origin);
      } else {
        add_document(document, report);
      }
    }
  }
  for (const CollectedRun& run : std::move(runs).finish()) add_run(run.result, run.origin, report);
  if (report.facts.empty()) {
    report.facts_absent = "Only ethio check records the machine; these results are not of it.";
  }
  add_budgets(report);
  return report;
}

}  // namespace ethio::report
