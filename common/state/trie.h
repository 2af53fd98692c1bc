// The implicit trie: a Merkle-Patricia trie of n keys that is never built.
//
// Keys are Keccak outputs, hence uniform, so below a certain depth the trie is a random object that
// a hash can draw when it is asked for. The first `bucket_depth` nibbles of a key name its bucket.
// Above the buckets the trie is complete (a bucket's parent covers more than 16 keys). How many
// keys a bucket holds is Poisson with mean 1 < lambda <= 16, drawn from a hash of the bucket; each
// key's remaining nibbles come from a hash of (bucket, index). So a handful of hashes gives every
// node on the way to a key, and two keys that share a prefix agree on every node above, whatever n
// is. Feeds layout/ with nodes; knows nothing of bytes on disk.
//
// Invariant: pure functions of (shape, identity, arguments); no allocation after construction.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "common/base/hash.h"

namespace ethio {

enum class NodeKind : uint8_t { kBranch, kExtension, kLeaf };

struct TrieNode {
  uint64_t prefix = 0;  // the nibbles above it, left-aligned: its place in key order
  uint8_t depth = 0;    // number of those nibbles: the length of its path
  NodeKind kind = NodeKind::kLeaf;
  uint8_t children = 0;       // of a branch
  bool above_branch = false;  // a branch with a child that is none of a leaf
  uint16_t bytes = 0;         // RLP
};

struct TriePath {
  static constexpr uint32_t kMaxNodes = 32;
  uint32_t count = 0;
  std::array<TrieNode, kMaxNodes> nodes;  // from the first depth asked for, down to the leaf

  uint32_t branches() const {
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; ++i) n += nodes[i].kind == NodeKind::kBranch ? 1 : 0;
    return n;
  }
};

// One key: its bucket, its index in the bucket, and its first 16 nibbles.
struct TrieKey {
  static constexpr uint32_t kAbsent = ~uint32_t{0};
  uint64_t bucket = 0;
  uint32_t index = 0;
  uint64_t nibbles = 0;
};

// RLP sizes of the three kinds; exact for keys of 64 nibbles and children that are hashes.
uint16_t branch_bytes(uint32_t children);
uint16_t extension_bytes(uint32_t nibbles);
uint16_t leaf_bytes(uint32_t depth, uint32_t value_bytes);

// Of the nodes whose path has a given length.
struct ExpectedNodes {
  double branches = 0;
  double extensions = 0;
  double leaves = 0;
  double children = 0;  // of all those branches

  double all() const { return branches + extensions + leaves; }
};

// What all tries of n keys have in common.
class TrieShape {
 public:
  // value_bytes: RLP of a leaf's value, before it is wrapped as a string.
  TrieShape(uint64_t keys, uint32_t value_bytes);

  uint64_t keys() const { return keys_; }
  uint32_t bucket_depth() const { return bucket_depth_; }

  // Keys in a bucket of the trie `id`.
  uint32_t bucket_keys(uint64_t id, uint64_t bucket) const {
    if (bucket_depth_ == 0) return static_cast<uint32_t>(keys_);
    return poisson(mix64(id, bucket));
  }

  // A uniformly random existing key.
  TrieKey draw(uint64_t id, Rng& rng) const;
  // An existing key near a place in key order (a fraction of 2^64): for batches in key order.
  TrieKey draw_near(uint64_t id, uint64_t position, Rng& rng) const;
  TrieKey key_at(uint64_t id, uint64_t bucket, uint32_t index) const;

  // The key with these nibbles, which does not exist (one in 2^36 does at mainnet's size).
  TrieKey absent_key(uint64_t nibbles) const {
    const uint64_t bucket = bucket_depth_ == 0 ? 0 : nibbles >> (64 - 4 * bucket_depth_);
    return {bucket, TrieKey::kAbsent, nibbles};
  }

  // The nodes on the way to `key` whose depth is at least `first_depth`, top down. To a
  // key that does not exist: those that prove it, the last a branch without its nibble, or a leaf
  // or extension that leads elsewhere.
  void path(uint64_t id, const TrieKey& key, uint32_t first_depth, TriePath& out) const;

  // Expected numbers at a depth, and bytes of RLP: what a table or a cache of the top levels takes.
  ExpectedNodes expected(uint32_t depth) const;
  double expected_nodes(uint32_t depth) const { return expected(depth).all(); }
  double expected_node_bytes(uint32_t depth) const;
  // Of the branches above another branch: what reth stores of a trie. `hashes`: of such children.
  struct StoredBranches {
    double nodes = 0;
    double hashes = 0;
  };
  StoredBranches expected_stored(uint32_t depth) const;

 private:
  uint32_t poisson(uint64_t hash) const;
  double none_in(double part, uint64_t keys) const;
  uint64_t suffix(uint64_t id, uint64_t bucket, uint32_t index) const;
  bool has_key(uint64_t id, uint64_t bucket, uint32_t index) const;
  // What the sixteen buckets below a branch make of it.
  struct BucketParent {
    uint8_t children = 0;
    bool above_branch = false;
  };
  BucketParent bucket_parent(uint64_t id, uint64_t bucket) const;

  static constexpr uint32_t kGuideBits = 8;

  uint64_t keys_;
  uint32_t value_bytes_;
  uint32_t bucket_depth_ = 0;
  uint32_t max_keys_ = 0;                         // most keys of a bucket
  std::vector<uint64_t> thresholds_;              // Poisson CDF * 2^64; one per count
  std::array<uint8_t, 1 << kGuideBits> guide_{};  // where to start in thresholds_
};

}  // namespace ethio
