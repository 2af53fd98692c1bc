// The copy-on-write B+tree: MDBX in reth (and Erigon's chaindata).
//
// A lookup descends to a leaf page; the upper pages are in memory, the last `cold_pages` are not.
// Copy-on-write has spread neighbouring leaves over the file (`scattered`), but neighbours in key
// order still share a page. A commit writes each dirty page once, wherever the free list put it.
// reth's trie tables hold the branch nodes above another branch; a leaf is the flat record itself,
// and the branches right above leaves are made anew from neighbouring records.
#include <algorithm>

#include "common/layout/table_layout.h"

namespace ethio {
namespace {

// Entries of an inner page as a power of two: 4 KiB of about 60 B (key, page number, node header)
// at 0.7 fill.
constexpr uint32_t kFanoutBits = 6;  // assumed

class BtreeLayout final : public PagedLayout {
 public:
  explicit BtreeLayout(const LayoutConfig& config);

  void expand(const Op& op, StreamMemory& memory, Plan& plan) const noexcept override;
  uint32_t max_access_bytes(const OpSpec& op) const override;

 private:
  void touch(AccessKind kind, Table table, uint64_t position, uint64_t lot, StreamMemory& memory,
             Plan& plan) const noexcept;
  void add_page(AccessKind kind, const Pages& pages, uint64_t id, uint64_t place,
                Plan& plan) const noexcept;
  void walk(const Op& op, StreamMemory& memory, Plan& plan) const noexcept;
  void commit(const Op& op, StreamMemory& memory, Plan& plan) const noexcept;
  void history(const Op& op, StreamMemory& memory, Plan& plan) const noexcept;
  void add_dirty(const Pages& pages, uint64_t id, uint64_t place, StreamMemory& memory,
                 Plan& plan) const noexcept;
  void write_dirty(uint64_t lot, StreamMemory& memory, Plan& plan) const noexcept;

  uint32_t inner_pages_;  // cold ones above the leaf
  uint32_t write_run_;
};

double logical_bytes(const LayoutConfig& config, Table table) {
  const bool is_trie = table == Table::kAccountTrie || table == Table::kStorageTrie;
  if (!is_trie || config.logical_bytes(table) == 0) return config.logical_bytes(table);
  return std::max(1.0, static_cast<double>(config.state->branch_table_bytes(table)));
}

std::array<uint64_t, kTables> disk_bytes_of(const LayoutConfig& config) {
  std::array<uint64_t, kTables> bytes{};
  for (uint32_t i = 0; i < kTables; ++i) {
    const double logical = logical_bytes(config, static_cast<Table>(i));
    const double inner = 1 + 1.0 / (1 << kFanoutBits);
    bytes[i] = static_cast<uint64_t>(logical / std::max(0.1, config.spec->page_fill) * inner);
  }
  return bytes;
}

BtreeLayout::BtreeLayout(const LayoutConfig& config)
    : PagedLayout(config, disk_bytes_of(config)),
      inner_pages_(static_cast<uint32_t>(spec_.cold_pages) - 1),
      write_run_(static_cast<uint32_t>(spec_.write_run)) {}

void BtreeLayout::expand(const Op& op, StreamMemory& memory, Plan& plan) const noexcept {
  switch (op.kind) {
    case OpKind::kAccountGet:
      plan.useful_read += state_.entry_bytes(Table::kAccounts);
      return touch(AccessKind::kRead, Table::kAccounts, op.position, 0, memory, plan);
    case OpKind::kSlotGet:
      plan.useful_read += state_.entry_bytes(Table::kSlots);
      return touch(AccessKind::kRead, Table::kSlots, op.position, 0, memory, plan);
    case OpKind::kCodeGet:
      plan.useful_read += op.bytes;
      touch(AccessKind::kRead, Table::kCode, op.position, 0, memory, plan);
      return read_overflow(op, plan);
    case OpKind::kAccountWalk:
    case OpKind::kSlotWalk:
      return walk(op, memory, plan);
    case OpKind::kAccountCommit:
    case OpKind::kSlotCommit:
      return commit(op, memory, plan);
    case OpKind::kHistoryGet:
      return history(op, memory, plan);
    case OpKind::kSync:
      if (memory.dirty_pages > 0) write_dirty(op.lot, memory, plan);
      return expand_common(map_, op, write_chunk_, memory, plan);
    default:
      return expand_common(map_, op, write_chunk_, memory, plan);
  }
}

// A page's place: scattered, or in key order. `id` tells apart pages of different height.
void BtreeLayout::add_page(AccessKind kind, const Pages& pages, uint64_t id, uint64_t place,
                           Plan& plan) const noexcept {
  const uint64_t where = spec_.scattered || id != 0 ? mix64(place, id) : place;
  plan.add(kind, pages.region.first + mul_high(where, pages.count) * page_bytes_, page_bytes_);
}

// Changed pages wait until there are enough for one write, which goes anywhere.
void BtreeLayout::add_dirty(const Pages& pages, uint64_t id, uint64_t place, StreamMemory& memory,
                            Plan& plan) const noexcept {
  if (write_run_ == 1) return add_page(AccessKind::kWrite, pages, id, place, plan);
  if (++memory.dirty_pages == write_run_) write_dirty(mix64(place, id), memory, plan);
}

void BtreeLayout::write_dirty(uint64_t lot, StreamMemory& memory, Plan& plan) const noexcept {
  const uint32_t bytes = memory.dirty_pages * page_bytes_;
  const uint64_t offset = mul_high(mix64(lot), map_.data().bytes - bytes);
  plan.add(AccessKind::kWrite, offset & ~uint64_t{page_bytes_ - 1}, bytes);
  memory.dirty_pages = 0;
}

// The cold pages of a descent, top down, but for those that this stream has just touched. A write
// goes where the free list says, which changes from commit to commit: `lot`.
void BtreeLayout::touch(AccessKind kind, Table table, uint64_t position, uint64_t lot,
                        StreamMemory& memory, Plan& plan) const noexcept {
  const Pages& pages = pages_of(table);
  const uint64_t leaf = mul_high(position, pages.leaves);
  uint64_t& last_leaf = memory.last_block[static_cast<int>(table)];
  if (last_leaf == leaf + 1) return;
  const uint64_t before = last_leaf;
  last_leaf = leaf + 1;
  const auto visit = [&](uint64_t id, uint64_t place) {
    if (kind == AccessKind::kWrite) {
      add_dirty(pages, id, place, memory, plan);
    } else {
      add_page(kind, pages, id, place, plan);
    }
  };
  for (uint32_t height = inner_pages_; height > 0; --height) {
    const uint64_t inner = leaf >> (kFanoutBits * height);
    if (before != 0 && (before - 1) >> (kFanoutBits * height) == inner) continue;
    visit(height + lot, (inner + 1) * kGolden);
  }
  visit(lot, (leaf + 1) * pages.leaf_step);
}

void BtreeLayout::history(const Op& op, StreamMemory& memory, Plan& plan) const noexcept {
  plan.useful_read += state_.entry_bytes(Table::kSlots);
  touch(AccessKind::kRead, Table::kHistoryIndex, op.position, 0, memory, plan);
  if (op.absent) return touch(AccessKind::kRead, Table::kSlots, op.position, 0, memory, plan);
  touch(AccessKind::kRead, Table::kHistory, mix64(op.position, op.lot), 0, memory, plan);
}

void BtreeLayout::walk(const Op& op, StreamMemory& memory, Plan& plan) const noexcept {
  const Walk& walk = *op.walk;
  for (uint32_t i = 0; i < walk.path.count; ++i) {
    const TrieNode& node = walk.path.nodes[i];
    plan.useful_read += node.bytes;
    if (node.above_branch) {
      touch(AccessKind::kRead, node_table(walk), node_place(state_, spec_.scheme, walk, node), 0,
            memory, plan);
    } else if (node.kind != NodeKind::kExtension) {
      touch(AccessKind::kRead, flat_table(walk), walk.position, 0, memory, plan);
    }
  }
}

void BtreeLayout::commit(const Op& op, StreamMemory& memory, Plan& plan) const noexcept {
  const Walk& walk = *op.walk;
  for (const TrieNode& node : dirty_nodes(walk, memory)) {
    if (!node.above_branch) continue;
    plan.useful_written += node.bytes;
    touch(AccessKind::kWrite, node_table(walk), node_place(state_, spec_.scheme, walk, node),
          op.lot, memory, plan);
  }
  plan.useful_written += state_.entry_bytes(flat_table(walk));
  touch(AccessKind::kWrite, flat_table(walk), walk.position, op.lot, memory, plan);
}

uint32_t BtreeLayout::max_access_bytes(const OpSpec& op) const {
  switch (op.kind) {
    case OpKind::kAccountGet:
    case OpKind::kSlotGet:
    case OpKind::kAccountWalk:
    case OpKind::kSlotWalk:
    case OpKind::kHistoryGet:
      return page_bytes_;
    case OpKind::kAccountCommit:
    case OpKind::kSlotCommit:
      return page_bytes_ * write_run_;
    case OpKind::kSync:
      return std::max(page_bytes_ * write_run_, max_common_bytes(map_, op, write_chunk_));
    case OpKind::kCodeGet:
      return max_code_bytes(op);
    default:
      return max_common_bytes(map_, op, write_chunk_);
  }
}

}  // namespace

std::unique_ptr<Layout> make_btree_layout(const LayoutConfig& config) {
  return std::make_unique<BtreeLayout>(config);
}

}  // namespace ethio
