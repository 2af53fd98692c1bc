#include "tests/oracle/trie.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "tests/oracle/bytes.h"
#include "tests/oracle/rlp.h"

namespace ethio::oracle {

unsigned Node::children() const {
  return std::popcount(child_mask);
}

class Trie::Builder {
 public:
  explicit Builder(Trie& trie) : trie_(trie), entries_(trie.entries_) {}

  // The node over entries [first, last), all of which share `place.depth` nibbles. Returns its
  // encoding.
  struct Place {
    uint32_t parent = Node::kNoParent;
    size_t depth = 0;
    size_t level = 0;
  };
  std::string build(size_t first, size_t last, Place place) {
    if (last - first == 1) return leaf(first, place);
    const size_t shared = common_nibbles(entries_[first].key, entries_[last - 1].key);
    return shared > place.depth ? extension(first, last, place, shared)
                                : branch(first, last, place);
  }

 private:
  std::string leaf(size_t entry, Place place) {
    const size_t end = nibbles_of(entries_[entry].key);
    const uint32_t index = add(NodeKind::kLeaf, entry, place);
    trie_.nodes_[index].own_nibbles = static_cast<uint8_t>(end - place.depth);
    trie_.node_of_entry_[entry] = index;
    std::string payload;
    append_string(payload, hex_prefix(entries_[entry].key, place.depth, end, true));
    append_string(payload, entries_[entry].value);
    return finish(index, payload);
  }

  std::string extension(size_t first, size_t last, Place place, size_t shared) {
    const uint32_t index = add(NodeKind::kExtension, first, place);
    trie_.nodes_[index].own_nibbles = static_cast<uint8_t>(shared - place.depth);
    std::string payload;
    append_string(payload, hex_prefix(entries_[first].key, place.depth, shared, false));
    append_reference(payload, branch(first, last, {index, shared, place.level}));
    return finish(index, payload);
  }

  std::string branch(size_t first, size_t last, Place place) {
    const uint32_t index = add(NodeKind::kBranch, first, place);
    std::string_view value;
    if (nibbles_of(entries_[first].key) ==
        place.depth) {  // sorted: the key that ends here comes first
      value = entries_[first].value;
      trie_.node_of_entry_[first++] = index;
    }
    std::string payload;
    payload.reserve(16 * 33 + 1);
    for (unsigned nibble = 0; nibble < 16; ++nibble) {
      const size_t end = end_of_nibble(first, last, place.depth, nibble);
      if (end == first) {
        append_string(payload, {});
        continue;
      }
      trie_.nodes_[index].child_mask |= static_cast<uint16_t>(1u << nibble);
      append_reference(payload, build(first, end, {index, place.depth + 1, place.level + 1}));
      first = end;
    }
    append_string(payload, value);
    return finish(index, payload);
  }

  size_t end_of_nibble(size_t first, size_t last, size_t depth, unsigned nibble) const {
    const auto begin = entries_.begin();
    const auto end = std::partition_point(
        begin + static_cast<ptrdiff_t>(first), begin + static_cast<ptrdiff_t>(last),
        [&](const Entry& entry) { return nibble_at(entry.key, depth) <= nibble; });
    return static_cast<size_t>(end - begin);
  }

  // How a parent holds a child: by hash, or whole where that is shorter.
  static void append_reference(std::string& payload, const std::string& encoded) {
    if (encoded.size() < sizeof(Hash)) {
      payload += encoded;
    } else {
      append_string(payload, keccak256(encoded).view());
    }
  }

  uint32_t add(NodeKind kind, size_t entry, const Place& place) {
    Node node;
    node.parent = place.parent;
    node.entry = static_cast<uint32_t>(entry);
    node.depth = static_cast<uint8_t>(place.depth);
    node.level = static_cast<uint8_t>(place.level);
    node.kind = kind;
    trie_.nodes_.push_back(node);
    return static_cast<uint32_t>(trie_.nodes_.size() - 1);
  }

  std::string finish(uint32_t index, const std::string& payload) {
    std::string encoded = encode_list(payload);
    Node& node = trie_.nodes_[index];
    node.encoded_size = static_cast<uint32_t>(encoded.size());
    node.embedded = encoded.size() < sizeof(Hash) && node.parent != Node::kNoParent;
    return encoded;
  }

  Trie& trie_;
  const std::vector<Entry>& entries_;
};

Trie::Trie(std::vector<Entry> entries) : entries_(std::move(entries)) {
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].value.empty()) throw std::invalid_argument("an entry without a value");
    if (entries_[i].key.size() > 127) throw std::invalid_argument("a key above 127 bytes");
    if (i > 0 && entries_[i - 1].key >= entries_[i].key) {
      throw std::invalid_argument("keys not in ascending order");
    }
  }
  if (entries_.empty()) {
    std::string nothing;
    append_string(nothing, {});
    root_ = keccak256(nothing);
    return;
  }
  node_of_entry_.resize(entries_.size());
  nodes_.reserve(entries_.size() + entries_.size() / 2);
  root_ = keccak256(Builder(*this).build(0, entries_.size(), {}));
}

std::string Trie::path(const Node& node) const {
  std::string nibbles;
  for (size_t i = 0; i < node.depth; ++i) {
    nibbles.push_back(static_cast<char>(nibble_at(entries_[node.entry].key, i)));
  }
  return nibbles;
}

std::vector<const Node*> Trie::walk_entry(size_t i) const {
  std::vector<const Node*> nodes;
  for (uint32_t at = node_of_entry_[i]; at != Node::kNoParent; at = nodes_[at].parent) {
    nodes.push_back(&nodes_[at]);
  }
  std::reverse(nodes.begin(), nodes.end());
  return nodes;
}

// A lookup follows the entry that shares most nibbles with the key, as far as they are shared; that
// entry is a neighbour in key order.
std::vector<const Node*> Trie::walk(std::string_view key) const {
  if (entries_.empty()) return {};
  const auto after =
      std::lower_bound(entries_.begin(), entries_.end(), key,
                       [](const Entry& entry, std::string_view k) { return entry.key < k; });
  size_t nearest = 0;
  size_t shared = 0;
  for (const ptrdiff_t step : {-1, 0}) {
    const ptrdiff_t i = after - entries_.begin() + step;
    if (i < 0 || i >= static_cast<ptrdiff_t>(entries_.size())) continue;
    const size_t common = common_nibbles(entries_[static_cast<size_t>(i)].key, key);
    if (common < shared) continue;
    nearest = static_cast<size_t>(i);
    shared = common;
  }
  std::vector<const Node*> nodes = walk_entry(nearest);
  std::erase_if(nodes, [&](const Node* node) { return node->depth > shared; });
  return nodes;
}

Hash root_of(const std::map<std::string, std::string>& content, Keys keys) {
  std::map<std::string, std::string> by_stored_key;
  for (const auto& [key, value] : content) {
    by_stored_key.emplace(keys == Keys::kSecure ? std::string(keccak256(key).view()) : key, value);
  }
  std::vector<Entry> entries;
  entries.reserve(by_stored_key.size());
  for (const auto& [key, value] : by_stored_key) entries.push_back({key, value});
  return Trie(std::move(entries)).root();
}

}  // namespace ethio::oracle
