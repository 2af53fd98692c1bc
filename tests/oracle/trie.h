// A real Merkle-Patricia trie: the oracle that the implicit trie of common/state/ is tested
// against. Built in one pass from sorted entries, with real hashes, so that its root can be checked
// against Ethereum's published vectors and its nodes can then be trusted. The shape of such a trie
// depends on its entries alone, hence deletion needs no code: leave the entry out.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/oracle/keccak.h"

namespace ethio::oracle {

// Keys and values are the caller's and outlive the trie.
struct Entry {
  std::string_view key;
  std::string_view value;
};

enum class NodeKind : uint8_t { kBranch, kExtension, kLeaf };

struct Node {
  uint32_t parent = 0;  // index into nodes(); kNoParent for the root
  uint32_t entry =
      0;  // an entry at or below the node: the first `depth` nibbles of its key are the path
  uint32_t encoded_size = 0;  // bytes of RLP
  uint16_t child_mask = 0;    // branch: bit n set when nibble n leads on
  uint8_t depth = 0;          // nibbles of the path from the root to the node
  uint8_t level = 0;          // branch nodes above it
  uint8_t own_nibbles = 0;    // leaf, extension: nibbles that it holds itself
  NodeKind kind = NodeKind::kLeaf;
  bool embedded =
      false;  // shorter than a hash, so it lies inside its parent and is not stored on its own

  unsigned children() const;

  static constexpr uint32_t kNoParent = ~uint32_t{0};
};

class Trie {
 public:
  // Entries in ascending order of key, no key twice, no empty value; else std::invalid_argument.
  explicit Trie(std::vector<Entry> entries);

  const Hash& root() const { return root_; }
  std::span<const Node> nodes() const { return nodes_; }  // a node stands before its children
  std::span<const Entry> entries() const { return entries_; }

  // The nibbles from the root to the node, one a byte.
  std::string path(const Node& node) const;

  // The nodes that a lookup of `key` visits, root first, whether or not the key exists.
  std::vector<const Node*> walk(std::string_view key) const;
  // The same for entry i, without a search.
  std::vector<const Node*> walk_entry(size_t i) const;

 private:
  class Builder;

  std::vector<Entry> entries_;
  std::vector<Node> nodes_;
  std::vector<uint32_t> node_of_entry_;  // the leaf, or the branch that holds the value
  Hash root_;
};

// The root over a map; `secure` hashes the keys first, as the state and the storage tries do.
enum class Keys { kPlain, kSecure };
Hash root_of(const std::map<std::string, std::string>& content, Keys keys);

}  // namespace ethio::oracle
