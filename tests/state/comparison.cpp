#include "tests/state/comparison.h"

#include <algorithm>

#include "tests/oracle/bytes.h"

namespace ethio::test {
namespace {

std::string eight_bytes(uint64_t value) {
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(value >> shift));
  return bytes;
}

std::vector<oracle::Entry> entries_of(const std::vector<oracle::Hash>& keys,
                                      std::string_view value) {
  std::vector<oracle::Entry> entries;
  entries.reserve(keys.size());
  for (const oracle::Hash& key : keys) entries.push_back({key.view(), value});
  return entries;
}

NodeKind kind_of(oracle::NodeKind kind) {
  switch (kind) {
    case oracle::NodeKind::kBranch:
      return NodeKind::kBranch;
    case oracle::NodeKind::kExtension:
      return NodeKind::kExtension;
    case oracle::NodeKind::kLeaf:
      break;
  }
  return NodeKind::kLeaf;
}

double mean(const Histogram& histogram) {
  double sum = 0;
  double total = 0;
  for (const auto& [value, count] : histogram) {
    sum += static_cast<double>(value) * static_cast<double>(count);
    total += static_cast<double>(count);
  }
  return sum / total;
}

// A label for what stands at a place of the trie.
int64_t label_of(const TrieNode& node) {
  switch (node.kind) {
    case NodeKind::kBranch:
      return node.children;  // 2 .. 16
    case NodeKind::kExtension:
      return 1;
    case NodeKind::kLeaf:
      break;
  }
  return 0;
}

}  // namespace

std::vector<oracle::Hash> hashed_keys(uint64_t seed, uint64_t count) {
  std::vector<oracle::Hash> keys;
  keys.reserve(count);
  for (uint64_t i = 0; i < count; ++i) {
    keys.push_back(oracle::keccak256(eight_bytes(seed) + eight_bytes(i)));
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

std::vector<TrieKey> keys_in_bucket(const TrieShape& shape, uint64_t id, uint64_t bucket) {
  std::vector<TrieKey> keys;
  const uint32_t count = shape.bucket_keys(id, bucket);
  keys.reserve(count);
  for (uint32_t i = 0; i < count; ++i) keys.push_back(shape.key_at(id, bucket, i));
  std::sort(keys.begin(), keys.end(),
            [](const TrieKey& a, const TrieKey& b) { return a.nibbles < b.nibbles; });
  return keys;
}

std::vector<TrieKey> keys_of(const TrieShape& shape, uint64_t id) {
  std::vector<TrieKey> keys;
  const uint64_t buckets = uint64_t{1} << (4 * shape.bucket_depth());
  for (uint64_t bucket = 0; bucket < buckets; ++bucket) {
    const auto more = keys_in_bucket(shape, id, bucket);
    keys.insert(keys.end(), more.begin(), more.end());
  }
  return keys;
}

oracle::Hash full_key(const TrieKey& key) {
  const std::string drawn = eight_bytes(key.nibbles);
  oracle::Hash full = oracle::keccak256(drawn);
  std::copy(drawn.begin(), drawn.end(), full.bytes.begin());
  return full;
}

RealTrie::RealTrie(std::vector<oracle::Hash> keys, uint32_t value_bytes)
    : keys_(std::move(keys)), value_(value_bytes, '\xee'), trie_(entries_of(keys_, value_)) {}

std::vector<TrieNode> RealTrie::walk(size_t i) const {
  return nodes_of(trie_.walk_entry(i));
}

std::vector<TrieNode> RealTrie::walk(const oracle::Hash& key) const {
  return nodes_of(trie_.walk(key.view()));
}

std::vector<TrieNode> RealTrie::nodes_of(std::span<const oracle::Node* const> walk) const {
  std::vector<TrieNode> nodes;
  nodes.reserve(walk.size());
  for (const oracle::Node* real : walk) {
    TrieNode node;
    for (size_t i = 0; i < real->depth; ++i) {
      const uint64_t nibble = oracle::nibble_at(keys_[real->entry].view(), i);
      node.prefix |= nibble << (60 - 4 * i);
    }
    node.depth = real->depth;
    node.kind = kind_of(real->kind);
    node.children = static_cast<uint8_t>(real->children());
    node.bytes = static_cast<uint16_t>(real->encoded_size);
    nodes.push_back(node);
  }
  return nodes;
}

void LeafStatistics::add(std::span<const TrieNode> walk) {
  const auto is_branch = [](const TrieNode& node) { return node.kind == NodeKind::kBranch; };
  ++levels_[std::count_if(walk.begin(), walk.end(), is_branch)];
  ++depths_[walk.back().depth];
  ++lengths_[static_cast<int64_t>(walk.size())];
}

double LeafStatistics::mean_level() const {
  return mean(levels_);
}

std::vector<Facet> LeafStatistics::compare(const LeafStatistics& a, const LeafStatistics& b) {
  return {{"levels of leaves", two_sample(a.levels_, b.levels_).p},
          {"depths of leaves", two_sample(a.depths_, b.depths_).p},
          {"lengths of walks", two_sample(a.lengths_, b.lengths_).p}};
}

// In key order the nodes of a walk that the walk before did not have are new.
void NodeStatistics::add(std::span<const TrieNode> walk) {
  ++keys_;
  for (size_t i = 0; i < walk.size(); ++i) {
    const TrieNode& node = walk[i];
    const bool seen = i < previous_.size() && previous_[i].depth == node.depth &&
                      previous_[i].prefix == node.prefix;
    if (!seen) count(node);
  }
  previous_.assign(walk.begin(), walk.end());
}

void NodeStatistics::count(const TrieNode& node) {
  const int64_t bytes = kStorageKeyBytes + node.depth + node.bytes;
  ++nodes_;
  ++kinds_[node.depth][label_of(node)];
  ++bytes_[node.depth][bytes];
}

uint64_t NodeStatistics::nodes_at(uint32_t depth) const {
  uint64_t nodes = 0;
  const auto kinds = kinds_.find(depth);
  if (kinds == kinds_.end()) return 0;
  for (const auto& [label, count] : kinds->second) nodes += count;
  return nodes;
}

double NodeStatistics::mean_bytes(uint32_t depth) const {
  return mean(bytes_.at(depth));
}

std::vector<Facet> NodeStatistics::compare(const NodeStatistics& a, const NodeStatistics& b) {
  std::vector<Facet> facets;
  const auto add = [&](const std::string& name, const std::map<uint32_t, Histogram>& of_a,
                       const std::map<uint32_t, Histogram>& of_b) {
    for (const auto& [place, histogram] : of_a) {
      const auto other = of_b.find(place);
      if (other == of_b.end()) continue;  // so deep that only one has a node there
      facets.push_back({name + std::to_string(place), two_sample(histogram, other->second).p});
    }
  };
  add("nodes at depth ", a.kinds_, b.kinds_);
  add("bytes at depth ", a.bytes_, b.bytes_);
  return facets;
}

}  // namespace ethio::test
