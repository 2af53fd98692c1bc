// Shape and size of tries against counts of mainnet's.
#include <fmt/format.h>

#include <array>

#include "cli/fidelity/row.h"
#include "common/spec/preset.h"
#include "common/state/state_model.h"

namespace ethio {
namespace {

constexpr std::string_view kLevels = "https://github.com/ethereum/go-ethereum/pull/28892";
constexpr std::string_view kInspect = "https://github.com/ethereum/go-ethereum/pull/33721";
constexpr uint64_t kAccounts2024 = 228'000'000;
constexpr uint64_t kLargeContractSlots = 127'623'837;
constexpr uint32_t kAccountValueBytes = 76;
constexpr uint32_t kSlotValueBytes = 8;
constexpr uint32_t kDepths = 16;
constexpr uint32_t kStorageKeyBytes = 33;  // `O` and the account's hash, before the path

struct Levels {
  std::array<double, 64> share{};  // of leaves, by the branches above them
  double mean = 0;
  double nodes = 0;  // on the way to a leaf, the leaf included
};

Levels sampled_levels(const TrieShape& trie) {
  constexpr uint32_t kSamples = 200'000;
  Levels levels;
  TriePath path;
  for (uint32_t i = 0; i < kSamples; ++i) {
    Rng rng(mix64(7, i));
    trie.path(1, trie.draw(1, rng), 0, path);
    const uint32_t level = path.branches();
    levels.share[level] += 1.0 / kSamples;
    levels.mean += static_cast<double>(level) / kSamples;
    levels.nodes += static_cast<double>(path.count) / kSamples;
  }
  return levels;
}

double nodes_of(const TrieShape& trie) {
  double nodes = 0;
  for (uint32_t depth = 0; depth < kDepths; ++depth) nodes += trie.expected_nodes(depth);
  return nodes;
}

// Mean size of the entries from one depth to another, keys included.
double entry_bytes(const TrieShape& trie, uint32_t first, uint32_t last) {
  double bytes = 0;
  double nodes = 0;
  for (uint32_t depth = first; depth <= last; ++depth) {
    bytes += trie.expected_node_bytes(depth) +
             trie.expected_nodes(depth) * static_cast<double>(kStorageKeyBytes + depth);
    nodes += trie.expected_nodes(depth);
  }
  return bytes / nodes;
}

}  // namespace

std::vector<FidelityRow> trie_rows() {
  const TrieShape accounts(kAccounts2024, kAccountValueBytes);
  const TrieShape large(kLargeContractSlots, kSlotValueBytes);
  const Levels levels = sampled_levels(accounts);
  std::vector<FidelityRow> rows = {
      near_fact("account leaves on level 7, 228.0 M accounts", "%", 42.8, 0.02,
                100 * levels.share[7], kLevels),
      near_fact("account leaves on level 8", "%", 54.4, 0.02, 100 * levels.share[8], kLevels),
      near_fact("account leaves on level 9", "%", 2.8, 0.08, 100 * levels.share[9], kLevels),
      near_fact("mean level of account leaves", "", 7.60, 0.01, levels.mean, kLevels),
      near_fact("nodes from root to leaf in a proof", "", 8.6, 0.02, levels.nodes, kLevels),
      near_fact("account-trie nodes an account", "", 1.351, 0.01,
                nodes_of(accounts) / static_cast<double>(kAccounts2024), kLevels),
      near_fact("storage-trie nodes a slot, contract of 127.6 M slots", "", 1.329, 0.01,
                nodes_of(large) / static_cast<double>(kLargeContractSlots), kInspect),
      in_range("bytes of a node with key, levels 0 to 5", "B", 565, 570, entry_bytes(large, 5, 5),
               kInspect),
      near_fact("bytes of a node with key, level 6", "B", 252, 0.03, entry_bytes(large, 6, 6),
                kInspect),
      near_fact("bytes of a node with key, level 7", "B", 89, 0.03, entry_bytes(large, 7, 7),
                kInspect),
      in_range("bytes of a node with key, levels 8 to 11", "B", 80, 83, entry_bytes(large, 8, 11),
               kInspect),
      near_fact("mean bytes of a trie entry with key", "B", 106.4, 0.03,
                entry_bytes(large, 0, kDepths - 1), kInspect)};
  const StateModel now(state_preset("mainnet-2026")->state, 1);
  double storage = 0;
  for (uint32_t i = 0; i < now.contracts().classes().size(); ++i) {
    storage +=
        nodes_of(now.storage_trie(i)) * static_cast<double>(now.contracts().classes()[i].contracts);
  }
  rows.push_back(near_fact("account-trie nodes, January 2026", "M", 467.961, 0.01,
                           nodes_of(now.account_trie()) / 1e6, kInspect));
  rows.push_back(
      near_fact("storage-trie nodes, January 2026", "M", 1968.481, 0.03, storage / 1e6, kInspect));
  return rows;
}

}  // namespace ethio
