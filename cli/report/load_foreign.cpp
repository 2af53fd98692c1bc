// What Google Benchmark and stock fio wrote -> targets of a report. They know less than a check:
// every part that they cannot fill says so.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "cli/report/load_parts.h"
#include "common/base/quantity.h"
#include "common/base/text.h"
#include "common/report/fio_reader.h"
#include "common/report/measurement.h"
#include "common/report/stats.h"

namespace ethio::report {
namespace {

using nlohmann::json;

constexpr const char* kNoRoles =
    "{} gives no verdict by role; ethio check runs all that one needs.";

void explain_foreign(const char* who, ReportTarget& target) {
  target.set_absent(Part::kRoles, fmt::format(kNoRoles, who));
  target.set_absent(Part::kTimeline, fmt::format("{} records no timeline; ethio check does.", who));
  target.set_absent(Part::kTemperature,
                    fmt::format("{} records no temperature; ethio check does.", who));
  target.set_absent(Part::kBackground,
                    fmt::format("{} does not say what ran in the background.", who));
}

// ---- Google Benchmark

// "read p99.9" -> "read" and 99.9.
std::optional<std::pair<std::string, double>> percentile_of(const std::string& metric) {
  const size_t at = metric.rfind(" p");
  if (at == std::string::npos) return std::nullopt;
  double percent = 0;
  const char* end = metric.data() + metric.size();
  if (std::from_chars(metric.data() + at + 2, end, percent).ptr != end) return std::nullopt;
  return std::pair{metric.substr(0, at), percent};
}

void add_point(Curve& curve, double percent, double latency_ns) {
  curve.points.push_back({percent, latency_ns});
  std::sort(curve.points.begin(), curve.points.end(),
            [](const CurvePoint& a, const CurvePoint& b) { return a.percent < b.percent; });
}

// Medians over the repetitions.
WorkloadLine line_of(const Benchmark& benchmark) {
  WorkloadLine line;
  line.name = benchmark.name;
  line.units = benchmark.units;
  for (const Metric& metric : benchmark.metrics) {
    line.runs = metric.samples.size();
    const double middle = median(metric.samples);
    const auto percentile = percentile_of(metric.name);
    if (metric.name == "time") {
      line.remark = fmt::format("{} an iteration{}", format_duration_ns(middle),
                                line.runs > 1 ? fmt::format(", median of {} runs", line.runs) : "");
    } else if (!percentile) {
      continue;
    } else if (percentile->first == "read") {
      line.timed = "reads";
      add_point(line.access, percentile->second, middle);
    } else if (percentile->first != "write" && percentile->first != "sync" &&
               (line.unit.empty() || line.unit == percentile->first || line.unit == "op")) {
      // The unit is what its ops add up to: a block, a batch; an op where there is nothing larger.
      if (line.unit != percentile->first) line.unit_time.points.clear();
      line.unit = percentile->first;
      add_point(line.unit_time, percentile->second, middle);
    }
  }
  if (!benchmark.failure.empty()) line.problems.push_back("failed: " + benchmark.failure);
  return line;
}

void add_context(const json& context, std::vector<FactLine>& facts) {
  for (const auto& [key, value] : context.items()) {
    if (!value.is_string() && !value.is_number() && !value.is_boolean()) continue;
    facts.push_back({"context", key, value.is_string() ? value.get<std::string>() : value.dump()});
  }
}

// ---- fio

Curve curve_of(const std::string& name, const fio::Latency& latency) {
  Curve curve{name, {}};
  for (const fio::Percentile& percentile : latency.percentiles) {
    curve.points.push_back({percentile.percent, percentile.latency_ns});
  }
  if (latency.max_ns > 0) curve.points.push_back({100, latency.max_ns});
  return curve;
}

std::string name_of(const fio::Result& result) {
  return result.job_name.empty() ? "fio" : result.job_name;
}

void time_accesses(const fio::Result& result, WorkloadLine& line) {
  const std::pair<const fio::Latency*, const char*> kinds[] = {{&result.read.completion, "reads"},
                                                               {&result.write.completion, "writes"},
                                                               {&result.sync, "syncs"}};
  for (const auto& [latency, name] : kinds) {
    line.access = curve_of(line.name, *latency);
    line.timed = name;
    if (!line.access.points.empty()) return;
  }
  line.timed = "-";
}

WorkloadLine line_of(const fio::Result& result) {
  WorkloadLine line;
  line.name = name_of(result);
  line.stock = true;
  line.reads_per_second = result.read.iops.value_or(0);
  line.writes_per_second = result.write.iops.value_or(0);
  time_accesses(result, line);
  line.remark = joined(result.remarks);
  if (const std::string why = fio::why_void(result); !why.empty()) {
    line.problems.push_back("VOID: " + why);
  }
  return line;
}

std::string why_untimed(const std::vector<fio::Result>& results) {
  const bool reduced = std::any_of(results.begin(), results.end(), [](const fio::Result& result) {
    return result.gtod_reduce.value_or(false);
  });
  return reduced ? "gtod_reduce=1 switched fio's latencies off."
                 : "The output holds no percentiles of latency.";
}

// Where the first result of the table's own profile stands; the others cannot stand there.
void place_first(const std::vector<fio::Result>& results, ReportTarget& target) {
  const Reference& reference = hall_of_blame();
  std::string why = "There is no result.";
  for (const fio::Result& result : results) {
    Placement placement = place(result, reference);
    if (placement.comparable() && placement.rank) {
      target.stock_rates = Rates{result.read.iops.value_or(0), result.write.iops.value_or(0)};
      target.placement = std::move(placement);
      return;
    }
    why = placement.comparable()
              ? "Without IOPS it has no place among the reference drives."
              : fmt::format("The reference drives were measured with another profile: here {}.",
                            joined(placement.differences));
  }
  target.set_absent(Part::kDrives, why);
}

std::string headline_of(const std::vector<fio::Result>& results, const Placement& placement) {
  for (const fio::Result& result : results) {
    const std::string why = fio::why_void(result);
    if (!why.empty()) return fmt::format("VOID: {}: {}.", name_of(result), why);
  }
  if (placement.rank) {
    return fmt::format("No verdict, but place {} of {} by reads among the reference drives.",
                       placement.rank->position, placement.rank->drives + 1);
  }
  return fmt::format("No verdict: {} result{} of fio.", results.size(),
                     results.size() == 1 ? "" : "s");
}

}  // namespace

void add_google_benchmark(std::string_view text, std::string_view origin, Report& report) {
  const Measurements measurements = parse_measurements(text, origin);
  const json context = json::parse(text).value("context", json::object());
  ReportTarget target;
  target.name = origin;
  for (const Benchmark& benchmark : measurements.benchmarks) {
    target.workloads.push_back(line_of(benchmark));
  }
  const bool timed =
      std::any_of(target.workloads.begin(), target.workloads.end(), [](const WorkloadLine& line) {
        return !line.access.points.empty() || !line.unit_time.points.empty();
      });
  explain_foreign("Google Benchmark", target);
  explain(target, Part::kLatency, !timed, "Google Benchmark reports means, no percentiles.");
  target.set_absent(Part::kBlocks,
                    "Google Benchmark's JSON holds percentiles of a block's time, not the blocks; "
                    "what bench --ethio_out wrote holds them.");
  target.set_absent(Part::kDrives,
                    "The reference drives were measured with a stock profile of fio.");
  target.set_absent(Part::kCommands,
                    "Google Benchmark's JSON names the program, not its arguments.");
  add_context(context, target.facts);
  explain(target, Part::kStorage, target.facts.empty(), "The JSON has no context.");
  target.headline =
      fmt::format("No verdict: {} benchmark{} of {}.", measurements.benchmarks.size(),
                  measurements.benchmarks.size() == 1 ? "" : "s",
                  context.value("executable", std::string("a program that is not named")));
  if (report.started.empty()) report.started = context.value("date", "");
  report.targets.push_back(std::move(target));
}

void add_fio(std::string_view text, std::string_view origin, Report& report) {
  const std::vector<fio::Result> results = fio::merge_groups(fio::read(text, origin));
  ReportTarget target;
  target.name = origin;
  bool timed = false;
  for (const fio::Result& result : results) {
    target.workloads.push_back(line_of(result));
    timed = timed || !target.workloads.back().access.points.empty();
  }
  explain_foreign("fio", target);
  target.set_absent(Part::kWorkloads,
                    "fio times accesses and knows no blocks; of ethio's engine, give the file that "
                    "ethio_out= wrote.");
  explain(target, Part::kLatency, !timed, why_untimed(results));
  target.set_absent(Part::kBlocks, "fio times accesses and knows no blocks.");
  target.set_absent(Part::kStorage, "fio's output does not describe the storage.");
  target.set_absent(Part::kCommands, "fio's output does not hold its command line.");
  place_first(results, target);
  target.headline = headline_of(results, target.placement);
  if (report.fio_version.empty() && !results.front().fio_version.empty()) {
    report.fio_version = "fio-" + results.front().fio_version;
  }
  report.targets.push_back(std::move(target));
}

}  // namespace ethio::report
