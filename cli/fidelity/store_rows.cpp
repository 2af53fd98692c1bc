// Accesses of the stores: reads a lookup, device pages a block, pages an item.
#include "cli/fidelity/row.h"
#include "cli/walk.h"
#include "common/spec/catalogue.h"
#include "common/stream/session.h"

namespace ethio {
namespace {

constexpr std::string_view kPebble = "https://github.com/QuarkChain/bench_kvdb";
constexpr std::string_view kBesu = "https://github.com/hyperledger/besu/pull/9834";
constexpr std::string_view kNomt = "https://github.com/thrumdev/nomt (slides)";
constexpr uint64_t kTargetBytes = uint64_t{1} << 30;
constexpr double kPage = 4096;

Metrics run(const WorkloadSpec& spec, uint64_t units) {
  SessionConfig config;
  config.spec = spec;
  config.spec.units = units;
  config.target_bytes = kTargetBytes;
  Session session(config);
  walk(session, [](const Access&) {});
  return session.metrics();
}

double count(const Metrics& metrics, AccessKind kind) {
  return static_cast<double>(metrics.access[static_cast<size_t>(kind)].count);
}
double bytes(const Metrics& metrics, AccessKind kind) {
  return static_cast<double>(metrics.access[static_cast<size_t>(kind)].bytes);
}

double reads_a_lookup(const WorkloadSpec& spec) {
  constexpr uint64_t kLookups = 50'000;
  return count(run(spec, kLookups), AccessKind::kRead) / kLookups;
}

WorkloadSpec flat_read(double index_cached, double absent) {
  WorkloadSpec spec = load_workload("flat-read");
  spec.layout.index_cached = index_cached;
  for (OpSpec& op : spec.stages[0].ops) op.absent = absent;
  return spec;
}

// The same lookups in Besu's store.
WorkloadSpec in_besu(WorkloadSpec spec) {
  spec.layout = load_workload("chain-head-besu").layout;
  return spec;
}

void add_lookups(std::vector<FidelityRow>& rows) {
  rows.push_back(in_range("Pebble: reads a Get, filters and top index in memory", "", 2.2, 2.4,
                          reads_a_lookup(flat_read(0, 0)), kPebble));
  rows.push_back(in_range("Pebble: reads a Get, all of the index in memory", "", 1.0, 1.3,
                          reads_a_lookup(flat_read(1, 0)), kPebble));
  rows.push_back(in_range("Pebble: data blocks read for an absent key (no filter on L6)", "", 1.0,
                          1.3, reads_a_lookup(flat_read(1, 1)),
                          "go-ethereum ethdb/pebble/pebble.go"));
  rows.push_back(in_range("Besu: reads for an absent key (a filter on every level)", "", 0, 0.3,
                          reads_a_lookup(in_besu(flat_read(1, 1))),
                          "Besu RocksDBColumnarKeyValueStorage.java"));
  const Metrics reads = run(flat_read(0, 0), 50'000);
  const double pages = bytes(reads, AccessKind::kRead) / count(reads, AccessKind::kRead) / kPage;
  rows.push_back(near_fact("device pages of 4 KiB a Pebble block of 2,983 B, unaligned", "",
                           1 + (2983 - 1) / kPage, 0.02, pages, kPebble));
}

void add_page_table(std::vector<FidelityRow>& rows) {
  constexpr double kItems = 2'000;  // a batch
  constexpr uint64_t kBatches = 8;
  const Metrics metrics = run(load_workload("page-table"), kBatches);
  const auto accesses_of = [&](size_t op_class) {
    return static_cast<double>(metrics.ops.at(op_class).accesses) / kBatches / kItems;
  };
  rows.push_back(near_fact("NOMT: reads an item, 10^9 items", "", 3, 0.05, accesses_of(0), kNomt));
  rows.push_back(near_fact("NOMT: page writes an item", "", 5, 0.1,
                           accesses_of(metrics.ops.size() - 2), kNomt));
}

void add_device_ratios(std::vector<FidelityRow>& rows) {
  const Metrics heal = run(load_workload("trie-heal"), 12);
  constexpr std::string_view kHeal = "https://github.com/bnb-chain/bsc/issues/530";
  rows.push_back(near_fact("healing: reads a write", "", 4137.0 / 240, 0.1,
                           count(heal, AccessKind::kRead) / count(heal, AccessKind::kWrite),
                           kHeal));
  rows.push_back(near_fact("healing: bytes a read", "KiB", 12.4, 0.05,
                           bytes(heal, AccessKind::kRead) / count(heal, AccessKind::kRead) / 1024,
                           kHeal));
  const Metrics reexec = run(load_workload("reexec-mmap"), 6);
  constexpr std::string_view kReexec = "https://github.com/erigontech/erigon/issues/9466";
  rows.push_back(near_fact("re-execution: reads a write", "", 1755.0 / 15, 0.1,
                           count(reexec, AccessKind::kRead) / count(reexec, AccessKind::kWrite),
                           kReexec));
  rows.push_back(near_fact(
      "re-execution: bytes a write", "KiB", 82, 0.1,
      bytes(reexec, AccessKind::kWrite) / count(reexec, AccessKind::kWrite) / 1024, kReexec));
}

void add_block(std::vector<FidelityRow>& rows) {
  WorkloadSpec spec = load_workload("exec-serial");
  spec.gas = spec.reference_gas;
  constexpr uint64_t kBlocks = 20;
  const Metrics metrics = run(spec, kBlocks);
  double lookups = 0;
  for (const OpMetrics& op : metrics.ops) lookups += static_cast<double>(op.count) / kBlocks;
  rows.push_back(
      near_fact("lookups past the caches in a block of 59.0 Mgas", "", 1970, 0, lookups, kBesu));
  rows.push_back(in_range("device reads of these lookups in geth's store", "", 1970 * 2.2,
                          1970 * 2.4, count(metrics, AccessKind::kRead) / kBlocks,
                          "Besu pull request 9834 and bench_kvdb"));
}

}  // namespace

std::vector<FidelityRow> store_rows() {
  std::vector<FidelityRow> rows;
  add_lookups(rows);
  add_block(rows);
  add_page_table(rows);
  add_device_ratios(rows);
  return rows;
}

}  // namespace ethio
