// What exists and what memory holds: the account trie, one storage trie a contract, flat records,
// code, and the cache of trie nodes above the device. Gives the layout places in key order and
// paths of nodes; does not know where bytes lie. Hot calls neither allocate nor divide.
#pragma once

#include <cstdint>
#include <vector>

#include "common/base/hash.h"
#include "common/spec/workload_spec.h"
#include "common/state/contract_sizes.h"
#include "common/state/trie.h"

namespace ethio {

// Where each key class is kept; the order is that of the regions in the target.
enum class Table : uint8_t { kAccounts, kSlots, kAccountTrie, kStorageTrie, kCode };
inline constexpr uint32_t kTables = 5;

// A key and the nodes on its way that memory does not hold.
struct Walk {
  uint64_t trie = 0;           // identity of the trie
  bool in_storage = false;     // a storage trie, not the account trie
  ContractSizes::Place place;  // which contract, if in_storage
  uint64_t nibbles = 0;        // the key's first 16 nibbles within its trie
  uint64_t position = 0;       // of the key in its flat table, a fraction of 2^64
  TriePath path;               // cold nodes, top down
};

class StateModel {
 public:
  StateModel(const StateSpec& spec, uint64_t seed);  // throws Error when the numbers contradict

  // A leaf and its cold nodes. `near`: a place in key order to stay close to, for sorted batches;
  // kAnywhere draws uniformly over the existing keys.
  static constexpr uint64_t kAnywhere = ~uint64_t{0};
  // kCold gives the nodes that memory does not hold, kAll every node from the root: what a change
  // makes dirty.
  enum class Nodes { kCold, kAll };
  void account_walk(Rng& rng, uint64_t near, Nodes nodes, Walk& out) const;
  void slot_walk(Rng& rng, uint64_t near, Nodes nodes, Walk& out) const;

  // Place of a node of the walk in its table's key order, a fraction of 2^64: nodes by path within
  // a trie, tries by contract.
  uint64_t node_position(const Walk& walk, const TrieNode& node) const {
    if (!walk.in_storage) return node.prefix;
    return contracts_.position(walk.place.size_class, walk.place.contract, node.prefix);
  }

  // A code size drawn from the measured distribution.
  uint32_t code_size(Rng& rng) const { return code_sizes_[rng.next() >> (64 - kCodeQuantileBits)]; }

  // Mean size of an entry of a flat table, key included.
  uint32_t entry_bytes(Table table) const { return entry_bytes_[static_cast<int>(table)]; }
  // DB key bytes of a trie node above its path.
  static uint32_t node_key_bytes(const Walk& walk, const TrieNode& node);
  // Bytes of a table if it were laid out whole, before compression.
  uint64_t table_bytes(Table table) const { return table_bytes_[static_cast<int>(table)]; }

  const TrieShape& account_trie() const { return account_trie_; }
  const ContractSizes& contracts() const { return contracts_; }
  const TrieShape& storage_trie(uint32_t size_class) const { return storage_tries_[size_class]; }
  // Share of the nodes of a trie at `depth` that the cache holds.
  double cached_share(const TrieShape& shape, uint32_t depth) const;

 private:
  // From which depth on a trie's nodes are cold, and which share of those at that depth still is
  // cached.
  struct CacheCut {
    uint32_t first_cold = 0;
    uint64_t cached_share = 0;  // at first_cold, as probability()
  };
  CacheCut cut_of(const TrieShape& shape) const;
  double bytes_cached_above(double log16_keys_below) const;
  void fit_cache(uint64_t cache_bytes);
  void drop_cached_boundary(uint64_t trie, const CacheCut& cut, TriePath& path) const;

  static constexpr uint32_t kCodeQuantileBits = 12;

  uint64_t seed_;
  TrieShape account_trie_;
  ContractSizes contracts_;
  std::vector<TrieShape> storage_tries_;  // by size class
  double cut_ = -1;  // log16 of the keys below a node that is just cached; < 0: nothing is
  CacheCut account_cut_;
  std::vector<CacheCut> storage_cuts_;
  uint64_t table_bytes_[kTables] = {};
  uint32_t entry_bytes_[kTables] = {};
  std::vector<uint32_t> code_sizes_;  // quantiles, evenly spaced
};

}  // namespace ethio
