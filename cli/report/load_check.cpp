// The JSON of check -> targets of a report.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <nlohmann/json.hpp>

#include "cli/process/process.h"
#include "cli/report/load_parts.h"
#include "common/base/error.h"
#include "common/report/stats.h"

namespace ethio::report {
namespace {

using nlohmann::json;

constexpr uint64_t kCheckVersion = 1;
constexpr const char* kStockProfile = "hall-of-blame";
constexpr const char* kUnknown = "unknown (";

Curve fio_curve(const std::string& name, const json& latency) {
  Curve curve{name, {}};
  if (!latency.is_object()) return curve;
  for (const auto& [key, value] : latency.items()) {
    double percent = 0;
    const char* end = key.data() + key.size();
    if (key.front() != 'p' || std::from_chars(key.data() + 1, end, percent).ptr != end) continue;
    curve.points.push_back({percent, value.get<double>()});
  }
  curve.points.push_back({100, latency.at("max").get<double>()});
  std::sort(curve.points.begin(), curve.points.end(),
            [](const CurvePoint& a, const CurvePoint& b) { return a.percent < b.percent; });
  return curve;
}

const json& timed_latency(const json& run, const std::string& timed) {
  if (timed == "syncs") return run.at("sync").at("latency_ns");
  return run.at(timed == "writes" ? "write" : "read").at("latency_ns");
}

// Counters are cumulative; a point holds what was done a second since the row before.
Timeline timeline_of(const std::string& name, const json& timeline) {
  Timeline result{name, {}, ""};
  double before[3] = {};  // seconds, read bytes, written bytes
  for (const json& row : timeline.at("rows")) {
    const double now[3] = {row.at(0), row.at(2), row.at(4)};
    const double passed = now[0] - before[0];
    if (passed > 0) {
      Timeline::Point point{now[0], (now[1] - before[1]) / passed, (now[2] - before[2]) / passed,
                            std::nullopt};
      if (row.at(5).is_number()) point.celsius = row.at(5).get<double>();
      result.points.push_back(point);
    }
    std::copy(std::begin(now), std::end(now), std::begin(before));
  }
  return result;
}

void add_facts(const json& groups, std::vector<FactLine>& facts) {
  for (const json& group : groups) {
    const std::string name = group.at("name");
    for (const auto& [fact, value] : group.at("facts").items()) {
      facts.push_back({name, fact, value.is_string() ? value.get<std::string>() : value.dump()});
    }
    for (const auto& [fact, why] : group.at("missing").items()) {
      facts.push_back({name, fact, fmt::format("{}{})", kUnknown, why.get<std::string>())});
    }
  }
}

double middle(const json& runs, const char* direction) {
  std::vector<double> rates;
  for (const json& run : runs) rates.push_back(run.at(direction).at("iops"));
  return median(rates);
}

// The first run stands for the phase where runs do not merge: fio's percentiles, the timeline.
WorkloadLine line_of(const json& phase, std::string_view origin, ReportTarget& target) {
  const json& runs = phase.at("runs");
  const json& first = runs.at(0);
  WorkloadLine line;
  line.name = phase.at("name");
  line.stock = phase.at("kind") == "stock";
  line.runs = runs.size();
  line.reads_per_second = middle(runs, "read");
  line.writes_per_second = middle(runs, "write");
  line.timed = phase.at("latency_of");
  if (line.timed != "-") line.access = fio_curve(line.name, timed_latency(first, line.timed));
  line.remark = phase.at("remark");
  for (const json& problem : phase.at("problems")) {
    line.problems.push_back((problem.at("voids").get<bool>() ? "VOID: " : "") +
                            problem.at("text").get<std::string>());
  }
  Timeline timeline = timeline_of(line.name, first.at("timeline"));
  if (first.at("result").is_object()) {
    const SessionResult session = parse_result(first.at("result").dump(), origin);
    Metrics merged = session.metrics;
    for (size_t i = 1; i < runs.size(); ++i) {
      if (!runs[i].at("result").is_object()) continue;
      merged.merge(parse_result(runs[i].at("result").dump(), origin).metrics);
    }
    describe_session(session, merged, line);
    if (line.unit == "block") target.strips.push_back(strip_of(line.name, merged.unit_latency));
    timeline.background = background_of(session.metrics);
  }
  if (!timeline.points.empty()) target.timelines.push_back(std::move(timeline));
  return line;
}

void place_stock(const json& phase, uint64_t size_bytes, ReportTarget& target) {
  const Reference& reference = hall_of_blame();
  fio::Result result;
  result.rw = reference.profile.rw;
  result.iodepth = reference.profile.iodepth;
  result.size_bytes = size_bytes;
  result.direct = phase.at("direct").get<bool>();
  for (const auto& [direction, key] : {std::pair{&result.read, "read"}, {&result.write, "write"}}) {
    const json& part = phase.at("runs").at(0).at(key);
    direction->iops = middle(phase.at("runs"), key);
    direction->total_ios = part.at("count");
    direction->bandwidth = part.at("bytes_per_second");
    direction->block_bytes = reference.profile.block_bytes;
  }
  target.stock_rates = Rates{result.read.iops.value_or(0), result.write.iops.value_or(0)};
  target.placement = place(result, reference);
}

RoleLine role_of(const json& verdict) {
  return {verdict.at("role"),     verdict.at("summary"), verdict.at("grade"),
          verdict.at("deciding"), verdict.at("cause"),   verdict.at("headroom")};
}

std::string headline_of(const ReportTarget& target, const std::string& role,
                        const std::vector<std::string>& voids) {
  if (!voids.empty()) return fmt::format("VOID: {}.", voids.front());
  for (const RoleLine& line : target.roles) {
    if (line.role != role || line.grade == "unknown") continue;
    return fmt::format("{} for {}: {}{}.", line.grade, line.role, line.deciding,
                       line.cause.empty() ? "" : fmt::format("; it waits for {}", line.cause));
  }
  return fmt::format("No verdict for {}: nothing was measured for it.", role);
}

// Why a fact of the storage is unknown: "the driver gives no sensor".
std::string why_unknown(const std::vector<FactLine>& facts, std::string_view name) {
  for (const FactLine& fact : facts) {
    if (fact.name != name || !fact.value.starts_with(kUnknown)) continue;
    const std::string_view prefix = kUnknown;
    return fact.value.substr(prefix.size(), fact.value.size() - prefix.size() - 1);
  }
  return "";
}

std::string reason_or(std::string reason, std::string_view otherwise) {
  return reason.empty() ? std::string(otherwise) : std::move(reason);
}

void explain_check(ReportTarget& target, bool is_void) {
  explain(target, Part::kRoles, target.roles.empty(),
          is_void ? "The result is void, so no role has a verdict." : "No role was judged.");
  const bool has_workload = std::any_of(target.workloads.begin(), target.workloads.end(),
                                        [](const WorkloadLine& line) { return !line.stock; });
  explain(target, Part::kWorkloads, !has_workload, "No workload of ethio was run.");
  explain(target, Part::kBlocks, target.strips.empty(),
          "No workload that counts in blocks was run.");
  const bool no_timeline = target.timelines.empty();
  explain(target, Part::kTimeline, no_timeline,
          fmt::format("The kernel shows no counters of the storage: {}.",
                      reason_or(why_unknown(target.facts, "devices"), "no device is known")));
  const std::string sensor =
      reason_or(why_unknown(target.facts, "temperature"), why_unknown(target.facts, "devices"));
  explain(target, Part::kTemperature, !target.has_celsius(),
          fmt::format("No temperature was recorded while the phases ran: {}.",
                      reason_or(sensor, "the kernel shows no sensor of the drive")));
  explain(target, Part::kBackground, !target.has_background(),
          "No workload that was run has compaction or other work in the background.");
  explain(target, Part::kDrives, !target.stock_rates.has_value(),
          "The profile of the reference drives (hall-of-blame) was not run.");
  explain(target, Part::kStorage, target.facts.empty(), "The check recorded no facts.");
}

ReportTarget target_of(const json& from, std::string_view origin, bool is_void) {
  ReportTarget target;
  target.name = from.at("directory");
  add_facts(from.at("facts"), target.facts);
  for (const json& problem : from.at("problems")) target.problems.push_back(problem.at("text"));
  if (!is_void) {
    for (const json& verdict : from.at("verdicts")) target.roles.push_back(role_of(verdict));
  }
  for (const json& phase : from.at("phases")) {
    if (phase.at("runs").empty()) continue;
    target.commands.push_back(phase.at("runs").at(0).at("command"));
    if (phase.at("kind") == "layout") continue;
    target.workloads.push_back(line_of(phase, origin, target));
    if (phase.at("name") == kStockProfile) place_stock(phase, from.at("size_bytes"), target);
  }
  explain_check(target, is_void);
  return target;
}

}  // namespace

void add_check(const json& check, std::string_view origin, Report& report) {
  if (check.at("version") != kCheckVersion) {
    throw Error(EINVAL, fmt::format("{}: is a check of version {}; this ethio reads version {}",
                                    origin, check.at("version").dump(), kCheckVersion));
  }
  report.started = check.at("started");
  report.ethio_version = check.at("ethio_version");
  report.fio_version = check.at("fio_version");
  report.command = shell_command(check.at("command").get<std::vector<std::string>>());
  const std::vector<std::string> voids = check.at("void_reasons");
  for (const json& from : check.at("targets")) {
    ReportTarget& target = report.targets.emplace_back(target_of(from, origin, !voids.empty()));
    target.headline = headline_of(target, check.at("role"), voids);
  }
  report.voids.insert(report.voids.end(), voids.begin(), voids.end());
  for (const json& line : check.at("advice")) report.advice.push_back(line);
  add_facts(check.at("facts"), report.facts);
}

}  // namespace ethio::report
