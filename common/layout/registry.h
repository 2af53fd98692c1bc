// The makers of the layouts, one a file (layout.cpp lists them), and what all of them do alike: ops
// that name no key. Private to layout/.
#pragma once

#include "common/layout/layout.h"
#include "common/layout/target_map.h"

namespace ethio {

std::unique_ptr<Layout> make_raw_layout(const LayoutConfig& config);
std::unique_ptr<Layout> make_lsm_layout(const LayoutConfig& config);
std::unique_ptr<Layout> make_btree_layout(const LayoutConfig& config);
std::unique_ptr<Layout> make_page_table_layout(const LayoutConfig& config);
std::unique_ptr<Layout> make_append_layout(const LayoutConfig& config);

// Of what needs no tables.
bool is_common(OpKind kind);

// uniform_read, uniform_write, append, sync and compact mean the same in every layout.
void expand_common(const TargetMap& map, const Op& op, uint32_t write_chunk, StreamMemory& memory,
                   Plan& plan) noexcept;
// Place of a trie node in its table: in key order under the path scheme, anywhere under the hash
// scheme.
inline uint64_t node_place(const StateModel& state, KeyScheme scheme, const Walk& walk,
                           const TrieNode& node) {
  if (scheme == KeyScheme::kHash) return mix64(walk.trie, node.prefix, node.depth);
  return state.node_position(walk, node);
}
inline Table node_table(const Walk& walk) {
  return walk.in_storage ? Table::kStorageTrie : Table::kAccountTrie;
}
inline Table flat_table(const Walk& walk) {
  return walk.in_storage ? Table::kSlots : Table::kAccounts;
}

// Largest code of a contract: EIP-170.
inline constexpr uint32_t kLargestCode = 24576;

uint32_t max_common_bytes(const TargetMap& map, const OpSpec& op, uint32_t write_chunk);

}  // namespace ethio
