// The page table: NOMT's hash table of trie pages ("bitbox") beside a B-tree of values ("beatree").
//
// A binary trie is cut into pages of six levels. Each page has a place of its own in a hash table,
// so that any page takes one read, whatever its depth; the upper ones are in memory. Values lie in
// the leaf pages of a B-tree whose inner pages are in memory. A commit writes every page on the way
// to a changed key, and the key's leaf page; pages that neighbouring keys of a sorted batch share
// are written once. Collisions of the hash table cost no extra reads here: NOMT keeps a byte of
// each slot's hash in memory.
#include <algorithm>
#include <bit>

#include "common/layout/table_layout.h"

namespace ethio {
namespace {

// Levels of the binary trie in a page of 4 KiB: 126 nodes of 32 bytes (NOMT, core/src/page.rs).
constexpr uint32_t kLevelsAPage = 6;

class PageTableLayout final : public PagedLayout {
 public:
  explicit PageTableLayout(const LayoutConfig& config);

  void expand(const Op& op, StreamMemory& memory, Plan& plan) const noexcept override;
  uint32_t max_access_bytes(const OpSpec& op) const override;

 private:
  void value(AccessKind kind, Table table, uint64_t position, StreamMemory& memory,
             Plan& plan) const noexcept;
  void trie_pages(AccessKind kind, const Walk& walk, uint32_t first_level, StreamMemory& memory,
                  Plan& plan) const noexcept;
  void history(const Op& op, StreamMemory& memory, Plan& plan) const noexcept;
  // Pages from the root to a key, by kind of trie.
  uint32_t page_levels(const Walk& walk) const {
    return walk.in_storage ? slot_levels_ : account_levels_;
  }

  uint32_t cold_pages_;
  uint32_t account_levels_;
  uint32_t slot_levels_;
};

// Pages hold what the state model counts as nodes, at the mean fill of the definition.
std::array<uint64_t, kTables> disk_bytes_of(const LayoutConfig& config) {
  std::array<uint64_t, kTables> bytes{};
  for (uint32_t i = 0; i < kTables; ++i) {
    const double logical = config.logical_bytes(static_cast<Table>(i));
    bytes[i] = static_cast<uint64_t>(logical / std::max(0.1, config.spec->page_fill));
  }
  return bytes;
}

// A key's leaf in a binary trie of random keys is about 1.3 levels below log2 of their number.
uint32_t page_levels_of(uint64_t keys) {
  const auto depth = static_cast<uint32_t>(std::bit_width(keys)) + 1;
  return std::min(depth / kLevelsAPage + 1, StreamMemory::kMaxPageLevels);
}

PageTableLayout::PageTableLayout(const LayoutConfig& config)
    : PagedLayout(config, disk_bytes_of(config)),
      cold_pages_(static_cast<uint32_t>(spec_.cold_pages)),
      account_levels_(page_levels_of(state_.account_trie().keys())),
      slot_levels_(page_levels_of(state_.contracts().total_slots())) {}

void PageTableLayout::expand(const Op& op, StreamMemory& memory, Plan& plan) const noexcept {
  switch (op.kind) {
    case OpKind::kAccountGet:
      plan.useful_read += state_.entry_bytes(Table::kAccounts);
      return value(AccessKind::kRead, Table::kAccounts, op.position, memory, plan);
    case OpKind::kSlotGet:
      plan.useful_read += state_.entry_bytes(Table::kSlots);
      return value(AccessKind::kRead, Table::kSlots, op.position, memory, plan);
    case OpKind::kCodeGet:
      plan.useful_read += op.bytes;
      value(AccessKind::kRead, Table::kCode, op.position, memory, plan);
      return read_overflow(op, plan);
    case OpKind::kHistoryGet:
      return history(op, memory, plan);
    case OpKind::kAccountWalk:
    case OpKind::kSlotWalk: {
      const uint32_t levels = page_levels(*op.walk);
      trie_pages(AccessKind::kRead, *op.walk, levels - std::min(levels, cold_pages_), memory, plan);
      plan.useful_read += state_.entry_bytes(flat_table(*op.walk));
      return value(AccessKind::kRead, flat_table(*op.walk), op.walk->position, memory, plan);
    }
    case OpKind::kAccountCommit:
    case OpKind::kSlotCommit:
      trie_pages(AccessKind::kWrite, *op.walk, 0, memory, plan);
      plan.useful_written += state_.entry_bytes(flat_table(*op.walk));
      return value(AccessKind::kWrite, flat_table(*op.walk), op.walk->position, memory, plan);
    default:
      return expand_common(map_, op, write_chunk_, memory, plan);
  }
}

// A leaf page of the B-tree, unless this stream has just touched it. New versions go anywhere.
void PageTableLayout::value(AccessKind kind, Table table, uint64_t position, StreamMemory& memory,
                            Plan& plan) const noexcept {
  const Pages& pages = pages_of(table);
  const uint64_t leaf = mul_high(position, pages.leaves);
  uint64_t& last = memory.last_block[static_cast<size_t>(table)];
  if (last == leaf + 1) return;
  last = leaf + 1;
  const uint64_t place = mix64((leaf + 1) * pages.leaf_step, static_cast<uint64_t>(table));
  plan.add(kind, pages.region.first + mul_high(place, pages.count) * page_bytes_, page_bytes_);
}

// The pages on the way to a key from `first_level` down, each where its hash puts it.
void PageTableLayout::trie_pages(AccessKind kind, const Walk& walk, uint32_t first_level,
                                 StreamMemory& memory, Plan& plan) const noexcept {
  const Pages& pages = pages_of(node_table(walk));
  for (uint32_t level = first_level; level < page_levels(walk); ++level) {
    const uint32_t bits = level * kLevelsAPage;
    const uint64_t prefix = bits == 0 ? 0 : walk.position >> (64 - std::min(bits, 63u));
    const uint64_t id = mix64(prefix, level, walk.in_storage ? 1 : 0) | 1;
    if (memory.last_page[level] == id) continue;
    memory.last_page[level] = id;
    constexpr uint32_t kNodeBytes = 32;
    (kind == AccessKind::kRead ? plan.useful_read : plan.useful_written) +=
        kLevelsAPage * kNodeBytes;
    plan.add(kind, pages.region.first + mul_high(mix64(id), pages.count) * page_bytes_,
             page_bytes_);
  }
}

void PageTableLayout::history(const Op& op, StreamMemory& memory, Plan& plan) const noexcept {
  plan.useful_read += state_.entry_bytes(Table::kSlots);
  value(AccessKind::kRead, Table::kHistoryIndex, op.position, memory, plan);
  if (op.absent) return value(AccessKind::kRead, Table::kSlots, op.position, memory, plan);
  value(AccessKind::kRead, Table::kHistory, mix64(op.position, op.lot), memory, plan);
}

uint32_t PageTableLayout::max_access_bytes(const OpSpec& op) const {
  if (is_common(op.kind)) return max_common_bytes(map_, op, write_chunk_);
  return op.kind == OpKind::kCodeGet ? max_code_bytes(op) : page_bytes_;
}

}  // namespace

std::unique_ptr<Layout> make_page_table_layout(const LayoutConfig& config) {
  return std::make_unique<PageTableLayout>(config);
}

}  // namespace ethio
