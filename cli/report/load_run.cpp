// The result of one run of a workload -> a target of a report.
#include <fmt/format.h>

#include <algorithm>

#include "cli/report/load_parts.h"
#include "common/base/quantity.h"
#include "common/base/text.h"

namespace ethio::report {
namespace {

constexpr double kCurvePercents[] = {1,  5,  10, 20,   30,   40,    50,    60,     70,    80,
                                     90, 95, 99, 99.5, 99.9, 99.95, 99.99, 99.995, 99.999};

constexpr const char* kAskCheck = "ethio check records one; this is a single run.";

void add_run_facts(const SessionResult& run, std::vector<FactLine>& facts) {
  facts = {{"run", "definition digest", run.definition_digest},
           {"run", "seed", fmt::format("{}", run.seed)},
           {"run", "target", format_bytes(run.target_bytes)},
           {"run", "jobs", fmt::format("{} of {}", run.streams.size(), run.jobs)}};
  for (const auto& [key, value] : run.harness) facts.push_back({"harness", key, value});
  for (const StreamIdentity& stream : run.streams) {
    facts.push_back({"stream", fmt::format("digest of job {}", stream.job), stream.digest});
  }
}

// Reads stand for a run that has any: they are what its units wait for.
void time_accesses(const Metrics& metrics, WorkloadLine& line) {
  constexpr std::pair<AccessKind, const char*> kKinds[] = {
      {AccessKind::kRead, "reads"}, {AccessKind::kWrite, "writes"}, {AccessKind::kSync, "syncs"}};
  for (const auto& [kind, name] : kKinds) {
    const Histogram& latency = metrics.access[static_cast<int>(kind)].latency;
    if (latency.count() == 0) continue;
    line.access = curve_of(line.name, latency);
    line.timed = name;
    return;
  }
}

void explain_run(const SessionResult& run, ReportTarget& target) {
  target.set_absent(Part::kRoles,
                    "A single run gives no verdict by role; ethio check runs all that one needs.");
  explain(target, Part::kBlocks, target.strips.empty(),
          fmt::format("{} counts in {}, not in blocks.", run.workload, plural(run.metrics.unit)));
  target.set_absent(Part::kTimeline, fmt::format("No timeline: {}", kAskCheck));
  target.set_absent(Part::kTemperature, fmt::format("No temperature: {}", kAskCheck));
  const std::string background = background_of(run.metrics);
  target.set_absent(
      Part::kBackground,
      background.empty()
          ? fmt::format("{} has no compaction or other work in the background.", run.workload)
          : fmt::format("{}; a result says how much, not when.", background));
  target.set_absent(Part::kDrives,
                    "The reference drives were measured with a stock profile of fio, which ethio "
                    "check runs beside the workloads; this run is of another kind.");
  target.set_absent(Part::kCommands,
                    "A result holds definition, seed, size and stream digests, by which the run "
                    "can be repeated, not the command line.");
}

}  // namespace

Curve curve_of(const std::string& name, const Histogram& latency) {
  Curve curve{name, {}};
  for (const double percent : kCurvePercents) {
    if (static_cast<double>(latency.count()) * (100 - percent) < 100 && percent > 50) break;
    curve.points.push_back({percent, static_cast<double>(latency.percentile(percent))});
  }
  if (latency.count() == 0) curve.points.clear();
  if (latency.count() > 0) curve.points.push_back({100, static_cast<double>(latency.max())});
  return curve;
}

BlockStrip strip_of(const std::string& name, const Histogram& latency) {
  BlockStrip strip{name, {}};
  latency.for_each_bucket([&](uint32_t bucket, uint64_t count) {
    const auto high = static_cast<double>(std::min(Histogram::bucket_high(bucket), latency.max()));
    strip.steps.push_back({high, count});
  });
  return strip;
}

void describe_session(const SessionResult& session, const Metrics& merged, WorkloadLine& line) {
  line.unit = session.metrics.unit;
  line.units = merged.units;
  line.unit_time = curve_of(line.name, merged.unit_latency);
  const double seconds = seconds_of(session.metrics);
  // Jobs stall each for themselves.
  const auto jobs = static_cast<double>(std::max<size_t>(session.streams.size(), 1));
  if (seconds > 0) {
    line.stall_share = static_cast<double>(session.metrics.stall_ns) * 1e-9 / seconds / jobs;
  }
  line.read_amplification = read_amplification(session.metrics);
  line.write_amplification = write_amplification(session.metrics);
}

std::string background_of(const Metrics& metrics) {
  std::vector<std::string> streams;
  for (const StageMetrics& stage : metrics.stages) {
    if (!stage.background || stage.accesses == 0) continue;
    streams.push_back(fmt::format("{}: {} accesses", stage.name,
                                  format_count(static_cast<double>(stage.accesses))));
  }
  return joined(streams);
}

void add_run(const SessionResult& run, std::string_view origin, Report& report) {
  const Metrics& metrics = run.metrics;
  ReportTarget target;
  target.name = origin;
  WorkloadLine line;
  line.name = run.workload;
  describe_session(run, metrics, line);
  time_accesses(metrics, line);
  const double seconds = seconds_of(metrics);
  const auto rate = [&](AccessKind kind) {
    const auto count = static_cast<double>(metrics.access[static_cast<int>(kind)].count);
    return seconds > 0 ? count / seconds : 0;
  };
  line.reads_per_second = rate(AccessKind::kRead);
  line.writes_per_second = rate(AccessKind::kWrite);
  line.remark = run.notes;
  if (line.unit == "block" && metrics.units > 0) {
    target.strips.push_back(strip_of(line.name, metrics.unit_latency));
  }
  add_run_facts(run, target.facts);
  explain_run(run, target);
  target.headline =
      metrics.units == 0
          ? fmt::format("{}: no {} was completed.", run.workload, line.unit)
          : fmt::format(
                "{}: {} {}, half of them within {}, 99 % within {}.", run.workload, metrics.units,
                plural(line.unit),
                format_duration_ns(static_cast<double>(metrics.unit_latency.percentile(50))),
                format_duration_ns(static_cast<double>(metrics.unit_latency.percentile(99))));
  target.workloads.push_back(std::move(line));
  report.targets.push_back(std::move(target));
  if (report.ethio_version.empty()) report.ethio_version = run.ethio_version;
}

}  // namespace ethio::report
