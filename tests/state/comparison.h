// What it takes to hold the implicit trie of common/state/ against a real one: real tries over
// hashed keys and over the implicit trie's own keys, walks in a common form, and the facets by
// which two sets of walks are compared.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/state/trie.h"
#include "tests/oracle/trie.h"
#include "tests/support/chi_square.h"

namespace ethio::test {

// Keys as the state has them: the Keccak-256 of a counter, sorted. Other seeds give other keys.
std::vector<oracle::Hash> hashed_keys(uint64_t seed, uint64_t count);

// The keys of one bucket of the implicit trie `id`, or all of them, in key order. The model draws
// 16 nibbles; the 48 below are filled in.
std::vector<TrieKey> keys_in_bucket(const TrieShape& shape, uint64_t id, uint64_t bucket);
std::vector<TrieKey> keys_of(const TrieShape& shape, uint64_t id);
oracle::Hash full_key(const TrieKey& key);

// A real trie that owns its keys; each value is `value_bytes` long.
class RealTrie {
 public:
  RealTrie(std::vector<oracle::Hash> keys, uint32_t value_bytes);
  RealTrie(const RealTrie&) = delete;
  RealTrie& operator=(const RealTrie&) = delete;

  size_t size() const { return keys_.size(); }
  // The walk to key i in order, and to any key, as the implicit trie would give it.
  std::vector<TrieNode> walk(size_t i) const;
  std::vector<TrieNode> walk(const oracle::Hash& key) const;

 private:
  std::vector<TrieNode> nodes_of(std::span<const oracle::Node* const> walk) const;

  std::vector<oracle::Hash> keys_;
  std::string value_;
  oracle::Trie trie_;
};

// The p of a test, and of what.
struct Facet {
  std::string name;
  double p = 1;
};

// Over walks to random keys: how far down the leaves are.
class LeafStatistics {
 public:
  void add(std::span<const TrieNode> walk);
  const Histogram& levels() const { return levels_; }
  double mean_level() const;

  static std::vector<Facet> compare(const LeafStatistics& a, const LeafStatistics& b);

 private:
  Histogram levels_;   // branch nodes above the leaf
  Histogram depths_;   // nibbles above the leaf
  Histogram lengths_;  // nodes on the walk, extensions included
};

// Over all nodes of whole tries, each counted once: what the nodes are and how long.
class NodeStatistics {
 public:
  void begin_trie() { previous_.clear(); }
  // Walks to all keys of a trie in key order.
  void add(std::span<const TrieNode> walk);

  uint64_t keys() const { return keys_; }
  uint64_t nodes() const { return nodes_; }
  double nodes_per_key() const { return static_cast<double>(nodes_) / static_cast<double>(keys_); }
  // Of the nodes whose path has `depth` nibbles: how many, and how long on average.
  uint64_t nodes_at(uint32_t depth) const;
  double mean_bytes(uint32_t depth) const;

  static std::vector<Facet> compare(const NodeStatistics& a, const NodeStatistics& b);

 private:
  void count(const TrieNode& node);

  std::vector<TrieNode> previous_;
  uint64_t keys_ = 0;
  uint64_t nodes_ = 0;
  std::map<uint32_t, Histogram> kinds_;  // by depth: leaf, extension, branch of n children
  std::map<uint32_t, Histogram> bytes_;  // by depth: database key and node
};

// Bytes of a storage node's key in the path scheme: 'O', the owner's hash, one byte a nibble.
// Source: https://github.com/ethereum/go-ethereum/blob/master/core/rawdb/schema.go
inline constexpr uint32_t kStorageKeyBytes = 33;

// Runs over a path of the model, as a span.
inline std::span<const TrieNode> span_of(const TriePath& path) {
  return {path.nodes.data(), path.count};
}

}  // namespace ethio::test
