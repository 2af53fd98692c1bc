#include "cli/check/validity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/check/figures.h"
#include "common/base/quantity.h"

namespace ethio {
namespace {

// A reading that is served above the device never reaches it: this much of what fio read must have.
constexpr double kColdShare = 0.98;
// I/O of others, against that of fio; and a rate and an amount below which it does not matter, for
// in a short run the file system's own reads are already a large share.
constexpr double kOthersShare = 0.05;
constexpr double kOthersBytesPerSecond = 1e6;
constexpr double kOthersBytes = 8 << 20;
constexpr double kBusyPercent = 90;  // of one core
constexpr double kDrift = 0.25;
// Without O_DIRECT, a file of this many times the memory cannot be cached to a degree that matters.
constexpr uint64_t kMemories = 4;

using Reason = std::optional<std::string>;

double ratio(uint64_t part, uint64_t whole) {
  return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
}

Reason warm_reads(const Phase& phase, const PhaseRun& run) {
  if (!phase.direct) return std::nullopt;
  for (const auto& did : {run.top_did, run.drives_did}) {
    if (!did.has_value()) continue;
    const double share = ratio(did->read_bytes, run.fio.read.total_bytes);
    if (share < kColdShare) {
      return fmt::format(
          "only {:.0f} % of what was read came from the drive: a cache answered, O_DIRECT or not",
          100 * share);
    }
  }
  return std::nullopt;
}

// Reads of others show everywhere, writes only beside phases that write nothing: file systems write
// more than they are asked to.
Reason others_io(const Phase&, const PhaseRun& run) {
  if (!run.drives_did.has_value()) return std::nullopt;
  const double own = static_cast<double>(run.fio.total_bytes());
  double others = static_cast<double>(run.drives_did->read_bytes) -
                  static_cast<double>(run.fio.read.total_bytes);
  if (run.fio.write.total_bytes == 0) others += static_cast<double>(run.drives_did->written_bytes);
  if (others < std::max({kOthersShare * own, kOthersBytesPerSecond * run.seconds, kOthersBytes})) {
    return std::nullopt;
  }
  return fmt::format("others used the drive meanwhile: {} beside {} of the test's own",
                     format_bytes(static_cast<uint64_t>(others)),
                     format_bytes(run.fio.total_bytes()));
}

Reason busy_processor(const Phase&, const PhaseRun& run) {
  const double busy = run.fio.user_cpu + run.fio.system_cpu;
  if (busy < kBusyPercent) return std::nullopt;
  return fmt::format("the processor was the limit: fio's one thread was busy {:.0f} % of the time",
                     busy);
}

Reason drifting(const Phase&, const PhaseRun& run) {
  const double drift = drift_of(rates_of(run.timeline), kDrift);
  if (drift == 0) return std::nullopt;
  return fmt::format(
      "not steady yet: {:.0f} % {} in the last third than in the middle one; run it longer",
      100 * std::abs(drift), drift > 0 ? "faster" : "slower");
}

Reason counts_differ(const Phase&, const PhaseRun& run) {
  if (!run.session.has_value()) return std::nullopt;
  const auto& access = run.session->metrics.access;
  const uint64_t reads = access[static_cast<int>(AccessKind::kRead)].count;
  const uint64_t writes = access[static_cast<int>(AccessKind::kWrite)].count;
  if (reads == run.fio.read.total_ios && writes == run.fio.write.total_ios) return std::nullopt;
  return fmt::format("fio counts {} reads and {} writes, the engine {} and {}",
                     run.fio.read.total_ios, run.fio.write.total_ios, reads, writes);
}

constexpr Reason (*kRules[])(const Phase&, const PhaseRun&) = {
    warm_reads, others_io, busy_processor, drifting, counts_differ};

bool bears_the_verdict(const Phase& phase) {
  return phase.kind == PhaseKind::kEthio || phase.timed == Timed::kSyncs;
}

void judge(Row& row) {
  if (row.phase.kind == PhaseKind::kLayout) return;
  for (const auto rule : kRules) {
    // Said once, however many runs it befell.
    for (const PhaseRun& run : row.runs) {
      Reason reason = rule(row.phase, run);
      if (!reason.has_value()) continue;
      row.problems.push_back({*std::move(reason), bears_the_verdict(row.phase)});
      break;
    }
  }
}

}  // namespace

void judge_validity(TargetResult& target, uint64_t memory_bytes) {
  if (!target.direct && target.size_bytes < kMemories * memory_bytes) {
    target.problems.push_back(
        {fmt::format("{} does not do O_DIRECT, and a file of {} fits into the memory of {}: these "
                     "are numbers of the "
                     "page cache; give --size {} or more",
                     target.mount.type, format_bytes(target.size_bytes), format_bytes(memory_bytes),
                     format_bytes(kMemories * memory_bytes)),
         true});
  }
  for (size_t i = 0; i < target.health_after.size(); ++i) {
    Reason hot = throttled(target.health_before[i], target.health_after[i]);
    if (hot.has_value()) target.problems.push_back({*std::move(hot), true});
  }
  for (Row& row : target.rows) judge(row);
}

std::vector<std::string> CheckResult::void_reasons() const {
  std::vector<std::string> reasons;
  for (const TargetResult& target : targets) {
    const std::string where = targets.size() > 1 ? target.directory + ": " : "";
    for (const Problem& problem : target.problems) {
      if (problem.voids) reasons.push_back(where + problem.text);
    }
    for (const Row& row : target.rows) {
      for (const Problem& problem : row.problems) {
        if (problem.voids)
          reasons.push_back(fmt::format("{}{}: {}", where, row.phase.name, problem.text));
      }
    }
  }
  return reasons;
}

}  // namespace ethio
