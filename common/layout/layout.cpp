#include "common/layout/layout.h"

#include <bit>
#include <cerrno>

#include "common/base/error.h"
#include "common/layout/registry.h"

namespace ethio {
namespace {

constexpr LayoutInfo kLayouts[] = {
    {LayoutType::kRaw, "no tables: uniform accesses, appends and syncs", make_raw_layout},
    {LayoutType::kLsm, "log-structured merge tree: Pebble, RocksDB", make_lsm_layout},
    {LayoutType::kBtree, "copy-on-write B+tree: MDBX", make_btree_layout},
    {LayoutType::kPageTable, "hash table of trie pages beside a B-tree of values: NOMT",
     make_page_table_layout},
    {LayoutType::kAppend, "files that only grow: freezers, static files, logs", make_append_layout},
};

// A sequential run of a merge: as long as an L0 file of geth's Pebble (2 MiB,
// ethdb/pebble/pebble.go).
constexpr uint32_t kRunBytes = 2 << 20;

}  // namespace

std::span<const LayoutInfo> layouts() {
  return kLayouts;
}

std::unique_ptr<Layout> make_layout(const LayoutConfig& config) {
  for (const LayoutInfo& info : kLayouts) {
    if (info.type == config.spec->type) return info.create(config);
  }
  throw Error(EINVAL, "layout.type: no such layout is built in");
}

void expand_common(const TargetMap& map, const Op& op, uint32_t write_chunk, StreamMemory& memory,
                   Plan& plan) noexcept {
  switch (op.kind) {
    case OpKind::kUniformRead:
    case OpKind::kUniformWrite:
      map.uniform(op, plan);
      break;
    case OpKind::kAppend:
      map.append(op.bytes, write_chunk, memory, plan);
      plan.useful_written += op.bytes;
      break;
    case OpKind::kSync:
      if (memory.pending_bytes > 0) map.flush(write_chunk, memory, plan);
      plan.add(AccessKind::kSync, 0, 0);
      break;
    case OpKind::kCompact:
      map.compact(op, kRunBytes, 1, memory, plan);
      break;
    default:
      break;  // Session refuses ops that the layout does not support
  }
}

bool is_common(OpKind kind) {
  return kind == OpKind::kUniformRead || kind == OpKind::kUniformWrite || kind == OpKind::kAppend ||
         kind == OpKind::kSync || kind == OpKind::kCompact;
}

namespace {

// An LSM tree keeps all of a trie in its trie table, and a commit goes to the log alone.
void mark_tables(OpKind kind, bool lsm, std::array<bool, kTables>& used) {
  const auto mark = [&](Table table) { used[static_cast<size_t>(table)] = true; };
  switch (kind) {
    case OpKind::kAccountGet:
      return mark(Table::kAccounts);
    case OpKind::kSlotGet:
      return mark(Table::kSlots);
    case OpKind::kCodeGet:
      return mark(Table::kCode);
    case OpKind::kHistoryGet:
      mark(Table::kHistoryIndex);
      mark(Table::kHistory);
      return mark(Table::kSlots);
    case OpKind::kAccountCommit:
    case OpKind::kAccountWalk:
      if (!lsm || kind == OpKind::kAccountWalk) mark(Table::kAccountTrie);
      if (!lsm) mark(Table::kAccounts);
      return;
    case OpKind::kSlotCommit:
    case OpKind::kSlotWalk:
      if (!lsm || kind == OpKind::kSlotWalk) mark(Table::kStorageTrie);
      if (!lsm) mark(Table::kSlots);
      return;
    default:
      return;
  }
}

}  // namespace

std::array<bool, kTables> tables_used(const WorkloadSpec& spec) {
  std::array<bool, kTables> used{};
  const bool lsm = spec.layout.type == LayoutType::kLsm;
  const auto mark_all = [&](const StreamSpec& stream) {
    for (const OpSpec& op : stream.ops) mark_tables(op.kind, lsm, used);
  };
  for (const StageSpec& stage : spec.stages) mark_all(stage);
  for (const BackgroundSpec& background : spec.background) mark_all(background);
  return used;
}

DirtyNodes dirty_nodes(const Walk& walk, StreamMemory& memory) noexcept {
  uint32_t first = 0;
  if (memory.last_trie == walk.trie) {
    const uint64_t differ = memory.last_nibbles ^ walk.nibbles;
    const auto shared = static_cast<uint32_t>(std::countl_zero(differ | 1)) / 4;
    while (first < walk.path.count && walk.path.nodes[first].depth <= shared) ++first;
  }
  memory.last_trie = walk.trie;
  memory.last_nibbles = walk.nibbles;
  const TrieNode* nodes = walk.path.nodes.data();
  return {nodes + first, nodes + walk.path.count};
}

uint32_t max_common_bytes(const TargetMap& map, const OpSpec& op, uint32_t write_chunk) {
  switch (op.kind) {
    case OpKind::kAppend:
    case OpKind::kSync:
      return map.align_up(write_chunk);
    case OpKind::kCompact:
      return map.align_up(static_cast<uint32_t>(op.bytes)) + map.alignment();
    default:
      return map.align_up(static_cast<uint32_t>(op.bytes));
  }
}

}  // namespace ethio
