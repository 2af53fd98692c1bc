// What a block writes.
#include "cli/fidelity/row.h"
#include "cli/walk.h"
#include "common/base/exact_math.h"
#include "common/spec/catalogue.h"
#include "common/stream/session.h"

namespace ethio {
namespace {

constexpr std::string_view kAubury = "https://aubury.org (client disk and RAM trade-off)";
constexpr uint64_t kTargetBytes = uint64_t{1} << 30;
constexpr double kBuffer = 256.0 * 1024 * 1024;

// MB that a workload writes a unit.
double written_mb(const WorkloadSpec& definition, uint64_t units) {
  SessionConfig config;
  config.spec = definition;
  config.spec.units = units;
  config.target_bytes = kTargetBytes;
  Session session(config);
  double bytes = 0;
  walk(session, [&](const Access& access) {
    if (access.kind == AccessKind::kWrite) bytes += access.length;
  });
  return bytes / static_cast<double>(units) / 1e6;
}

// The stages that write, without those that only read: quicker to walk, the same writes.
WorkloadSpec writers_of(const std::string& workload) {
  WorkloadSpec spec = load_workload(workload);
  std::erase_if(spec.background, [](const BackgroundSpec& each) { return each.optional; });
  std::erase_if(spec.stages, [](const StageSpec& stage) {
    for (const OpSpec& op : stage.ops) {
      if (info_of(op.kind).writes || info_of(op.kind).syncs) return false;
    }
    return true;
  });
  return spec;
}

// MB of nodes and records, before the store writes them anywhere.
double changed_mb() {
  WorkloadSpec spec = load_workload("rocks-batch");
  spec.gas = spec.reference_gas;
  spec.background.clear();
  std::erase_if(spec.stages[0].ops, [](const OpSpec& op) { return op.kind == OpKind::kAppend; });
  return written_mb(spec, 8);
}

// A byte passes the log, a flush, and a merge a level, in each of which it meets on average half as
// much of the level below as that is larger.
double write_amplification_of_levels(double database_bytes, double ratio) {
  const double merges = exact_log(database_bytes / kBuffer) / exact_log(ratio);
  return 2 + merges * (1 + ratio / 2);
}

}  // namespace

std::vector<FidelityRow> block_rows() {
  const WorkloadSpec geth = writers_of("chain-head-geth");
  std::vector<FidelityRow> rows = {near_fact("geth: written a block", "MB", 29, 0.05,
                                             written_mb(geth, uint64_t{2} * 57), kAubury)};
  FidelityRow besu = near_fact("Besu: written a block", "MB", 7.4, 0.1,
                               written_mb(writers_of("chain-head-besu"), 40), kAubury);
  besu.gap =
      "the log alone takes more at 60 Mgas: blocks of that week had about 29 Mgas, and the model "
      "logs every node of a path";
  rows.push_back(besu);
  FidelityRow interval =
      in_range("geth: blocks until 256 MiB are changed", "", 57, 120, kBuffer / 1e6 / changed_mb(),
               "derived from Besu 9834, op-reth 298");
  interval.gap =
      "the model changes 6.6 nodes a leaf, all of a path, and nothing twice; the definition takes "
      "the "
      "57 blocks";
  rows.push_back(interval);
  constexpr double kDatabase = 400e9;  // flat state, tries and code of mainnet-2026
  FidelityRow levels =
      near_fact("geth: bytes written a byte changed", "", 6.5, 0.2,
                write_amplification_of_levels(kDatabase, 10), "derived from aubury.org, Besu 9834");
  levels.gap =
      "levels ten times as large as the one above imply far more than was measured; the "
      "definitions "
      "take the measured bytes";
  rows.push_back(levels);
  return rows;
}

}  // namespace ethio
