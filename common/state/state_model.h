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
enum class Table : uint8_t {
  kAccounts,
  kSlots,
  kAccountTrie,
  kStorageTrie,
  kCode,
  kHistoryIndex,
  kHistory
};
inline constexpr uint32_t kTables = 7;

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

  static constexpr uint64_t kAnywhere = ~uint64_t{0};
  // kCold gives the nodes that memory does not hold, kAll every node from the root: what a change
  // makes dirty.
  enum class Nodes { kCold, kAll };
  // Which key to walk to: uniformly drawn over those that exist, unless told otherwise.
  struct WalkTo {
    uint64_t near = kAnywhere;  // a place in key order to stay close to, for sorted batches
    Nodes nodes = Nodes::kCold;
    bool absent = false;  // a key that does not exist
    bool recent = false;  // one of the recent keys
  };
  void account_walk(Rng& rng, const WalkTo& to, Walk& out) const;
  void slot_walk(Rng& rng, const WalkTo& to, Walk& out) const;

  // A recent key's place in key order, near a place or anywhere. Recent keys are spread evenly: one
  // in each of as many equal parts of the key order, where a hash puts it.
  uint64_t recent_account(Rng& rng, uint64_t near) const {
    return recent_place(recent_accounts_, rng, near);
  }
  uint64_t recent_slot(Rng& rng, uint64_t near) const {
    return recent_place(recent_slots_, rng, near);
  }

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

  // Of the trie tables of a store that keeps the branches above another branch only (reth).
  uint64_t branch_table_bytes(Table table) const { return branch_bytes_[static_cast<int>(table)]; }

  const TrieShape& account_trie() const { return account_trie_; }
  const ContractSizes& contracts() const { return contracts_; }
  const TrieShape& storage_trie(uint32_t size_class) const { return storage_tries_[size_class]; }
  // Share of the nodes of a trie at `depth` that the cache holds, of those above no recent key.
  double cached_share(const TrieShape& shape, uint32_t depth) const;

 private:
  // From which depth on a trie's nodes are cold, and which share of those at that depth still is
  // cached.
  struct CacheCut {
    uint32_t first_cold = 0;
    uint64_t cached_share = 0;  // at first_cold, as probability()
  };
  // Cuts for the way to any key and to a recent one, whose nodes are hotter.
  struct CacheCuts {
    CacheCut any;
    CacheCut recent;
  };
  CacheCut cut_of(const TrieShape& shape, double log16_keys_below) const;
  CacheCuts cuts_of(const TrieShape& shape) const;
  double bytes_cached_above(double log16_heat) const;
  void fit_cache(uint64_t cache_bytes);
  void cut_path(uint64_t trie, const TrieShape& shape, const TrieKey& key, const CacheCuts& cuts,
                const WalkTo& to, TriePath& path) const;

  struct RecentKeys {
    uint64_t count = 1;
    uint64_t step = 0;  // 2^64 / count
    uint64_t salt = 0;
  };
  static RecentKeys recent_keys(uint64_t keys, double share, uint64_t salt);
  static uint64_t recent_place(const RecentKeys& keys, Rng& rng, uint64_t near) {
    const uint64_t part = mul_high(near == kAnywhere ? rng.next() : near, keys.count);
    return part * keys.step + mul_high(mix64(keys.salt, part), keys.step);
  }

  static constexpr uint32_t kCodeQuantileBits = 12;

  uint64_t seed_;
  TrieShape account_trie_;
  ContractSizes contracts_;
  std::vector<TrieShape> storage_tries_;  // by size class
  // A node's heat is the number of keys below it, each weighted by how often it is asked for.
  double recent_share_ = 0;
  double recent_heat_ = 1;  // of a recent key, when the mean is 1
  double other_heat_ = 1;
  double cut_ = -1;  // log16 of the heat of a node that is just cached; < 0: nothing is
  CacheCuts account_cuts_;
  std::vector<CacheCuts> storage_cuts_;
  RecentKeys recent_accounts_;
  RecentKeys recent_slots_;
  uint64_t table_bytes_[kTables] = {};
  uint64_t branch_bytes_[kTables] = {};
  uint32_t entry_bytes_[kTables] = {};
  std::vector<uint32_t> code_sizes_;  // quantiles, evenly spaced
};

}  // namespace ethio
