#include "cli/check/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "cli/check/figures.h"
#include "common/base/quantity.h"
#include "common/base/text.h"
#include "common/spec/parse.h"

namespace ethio {
namespace {

// One limit against one row.
struct Judged {
  Grade grade = Grade::kUnknown;
  double headroom = std::numeric_limits<double>::infinity();
  std::string words;
  const Row* row = nullptr;
};

std::string unit_of(const Row& row) {
  for (const PhaseRun& run : row.runs) {
    if (run.session.has_value()) return run.session->metrics.unit;
  }
  return "unit";
}

Grade grade_below(double value, const Limit& limit) {
  if (value <= limit.good) return Grade::kGood;
  return value <= limit.ugly ? Grade::kUgly : Grade::kBad;
}

Judged judge_share(const Row& row, const Limit& limit) {
  const UnitCount count = units_above(row, static_cast<uint64_t>(limit.limit_ns));
  if (count.units == 0) return {};
  const std::string unit = unit_of(row);
  Judged judged;
  judged.row = &row;
  judged.grade =
      grade_below(static_cast<double>(count.over) / static_cast<double>(count.units), limit);
  judged.headroom = limit.limit_ns / typical(row)[kUnitP99];
  judged.words = fmt::format(
      "{}: {} of {} {} took longer than {}, p99 {}", row.phase.name, count.over, count.units,
      plural(unit), format_duration_ns(limit.limit_ns), format_duration_ns(typical(row)[kUnitP99]));
  return judged;
}

Judged judge_rate(const Row& row, const Limit& limit) {
  double units = 0;
  double seconds = 0;
  for (const PhaseRun& run : row.runs) {
    if (!run.session.has_value()) continue;
    // Blocks that waited for their slot came at the pace of the slots, not of the drive.
    if (run.session->metrics.idle_ns > 0) return {};
    units += static_cast<double>(run.session->metrics.units);
    seconds += seconds_of(run.session->metrics);
  }
  if (seconds == 0 || units == 0) return {};
  const double rate = units / seconds;
  Judged judged;
  judged.row = &row;
  judged.grade = rate >= limit.good   ? Grade::kGood
                 : rate >= limit.ugly ? Grade::kUgly
                                      : Grade::kBad;
  judged.headroom = rate / limit.good;
  judged.words = fmt::format("{}: {:.2f} {} a second, wanted {:g}", row.phase.name, rate,
                             plural(unit_of(row)), limit.good);
  return judged;
}

struct TimeName {
  Measure measure;
  Figure figure;
  const char* words;
};
constexpr TimeName kTimes[] = {{Measure::kP50, kP50, "p50"},
                               {Measure::kP99, kP99, "p99"},
                               {Measure::kP999, kP999, "p99.9"},
                               {Measure::kUnitP50, kUnitP50, "unit p50"},
                               {Measure::kUnitP99, kUnitP99, "unit p99"}};

Judged judge_time(const Row& row, const Limit& limit) {
  for (const TimeName& time : kTimes) {
    if (time.measure != limit.measure) continue;
    const double value = typical(row)[time.figure];
    if (value == 0) return {};
    Judged judged;
    judged.row = &row;
    judged.grade = grade_below(value, limit);
    judged.headroom = limit.good / value;
    judged.words = fmt::format("{}: {} {}, wanted {}", row.phase.name, time.words,
                               format_duration_ns(value), format_duration_ns(limit.good));
    return judged;
  }
  return {};
}

Judged judge_limit(const Row& row, const Limit& limit) {
  switch (limit.measure) {
    case Measure::kShareOver:
      return judge_share(row, limit);
    case Measure::kUnitsPerSecond:
      return judge_rate(row, limit);
    default:
      return judge_time(row, limit);
  }
}

// chain-head stands for the composites of single clients, too.
bool is_meant(const Row& row, const Limit& limit) {
  return row.phase.name == limit.phase ||
         (limit.phase == "chain-head" && row.phase.name.rfind("chain-head-", 0) == 0);
}

bool is_worse(const Judged& a, const Judged& b) {
  if (a.grade != b.grade) return a.grade > b.grade;
  return a.headroom < b.headroom;
}

bool compacts(const WorkloadSpec& spec) {
  return std::any_of(spec.background.begin(), spec.background.end(), [](const auto& stream) {
    return std::any_of(stream.ops.begin(), stream.ops.end(),
                       [](const OpSpec& op) { return op.kind == OpKind::kCompact; });
  });
}

std::string what_a_stage_waits_for(const StageSpec& stage, const WorkloadSpec& spec) {
  bool reads = false, writes = false, syncs = false;
  for (const OpSpec& op : stage.ops) {
    reads = reads || info_of(op.kind).reads;
    writes = writes || info_of(op.kind).writes;
    syncs = syncs || info_of(op.kind).syncs;
  }
  if (reads && stage.lanes == 1) return "dependent reads, one at a time";
  if (reads && compacts(spec)) return "reads behind compaction";
  if (reads && !spec.background.empty()) return "reads behind writes in the background";
  if (reads) return fmt::format("dependent reads, {} chains at once", stage.lanes);
  return syncs && !writes ? "syncs" : "sustained writes";
}

RoleVerdict verdict_of(const TargetResult& target, const Role& role) {
  RoleVerdict verdict;
  verdict.role = role.name;
  verdict.summary = role.summary;
  Judged worst;
  for (const Limit& limit : role.limits) {
    for (const Row& row : target.rows) {
      if (!is_meant(row, limit)) continue;
      Judged judged = judge_limit(row, limit);
      if (judged.row == nullptr) continue;
      if (worst.row == nullptr || is_worse(judged, worst)) worst = std::move(judged);
    }
  }
  if (worst.row == nullptr) return verdict;
  verdict.grade = worst.grade;
  verdict.headroom = worst.headroom;
  verdict.deciding = worst.words;
  if (worst.grade != Grade::kGood) verdict.cause = cause_of(*worst.row);
  return verdict;
}

}  // namespace

const char* name_of(Grade grade) {
  constexpr const char* kNames[] = {"GOOD", "GOOD likely", "UGLY", "BAD", "unknown"};
  return kNames[static_cast<int>(grade)];
}

std::string cause_of(const Row& row) {
  if (row.phase.timed == Timed::kSyncs) return "syncs";
  const PhaseRun& run = row.runs.front();
  if (!run.session.has_value()) return "";
  const WorkloadSpec spec = parse_workload(run.session->definition, row.phase.name);
  const Metrics& metrics = run.session->metrics;
  // Foreground stages come first in both lists, in the same order.
  size_t slowest = 0;
  uint64_t whole = 0;
  for (size_t i = 0; i < spec.stages.size(); ++i) {
    whole += metrics.stages[i].latency.sum();
    if (metrics.stages[i].latency.sum() > metrics.stages[slowest].latency.sum()) slowest = i;
  }
  const StageSpec& stage = spec.stages[slowest];
  const double share = whole == 0 ? 1
                                  : static_cast<double>(metrics.stages[slowest].latency.sum()) /
                                        static_cast<double>(whole);
  return fmt::format("{} (stage {}, {:.0f} % of the {}'s time)",
                     what_a_stage_waits_for(stage, spec), stage.name, 100 * share, metrics.unit);
}

std::vector<RoleVerdict> judge_roles(const TargetResult& target, const std::vector<Role>& roles,
                                     Pace pace) {
  std::vector<RoleVerdict> verdicts;
  verdicts.reserve(roles.size());
  for (const Role& role : roles) {
    verdicts.push_back(verdict_of(target, role));
    Grade& grade = verdicts.back().grade;
    if (grade == Grade::kGood && pace == Pace::kQuick) grade = Grade::kGoodLikely;
  }
  return verdicts;
}

}  // namespace ethio
