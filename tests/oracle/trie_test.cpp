// The oracle itself: its roots against Ethereum's published vectors, its nodes against a count of
// prefixes.
#include "tests/oracle/trie.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "tests/oracle/bytes.h"
#include "tests/oracle/rlp.h"
#include "tests/oracle/trie_vectors.h"

namespace ethio::oracle {
namespace {

using Entries = std::vector<Entry>;

std::string decode(std::string_view text) {
  return text.substr(0, 2) == "0x" ? from_hex(text) : std::string(text);
}

std::map<std::string, std::string> apply(std::span<const Put> puts) {
  std::map<std::string, std::string> content;
  for (const Put& put : puts) {
    if (put.value.empty()) {
      content.erase(decode(put.key));
    } else {
      content[decode(put.key)] = decode(put.value);
    }
  }
  return content;
}

class PublishedRoots : public testing::TestWithParam<TrieVector> {};

TEST_P(PublishedRoots, Match) {
  const TrieVector& vector = GetParam();
  const auto content = apply(vector.puts);
  if (!vector.plain_root.empty()) {
    EXPECT_EQ(to_hex(root_of(content, Keys::kPlain).view()), vector.plain_root);
  }
  if (!vector.secure_root.empty()) {
    EXPECT_EQ(to_hex(root_of(content, Keys::kSecure).view()), vector.secure_root);
  }
}

INSTANTIATE_TEST_SUITE_P(EthereumTests, PublishedRoots,
                         testing::ValuesIn(trie_vectors().begin(), trie_vectors().end()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Trie, EmptyHasThePublishedRootAndNoNodes) {
  const Trie trie({});
  EXPECT_EQ(to_hex(trie.root().view()), kEmptyRoot);
  EXPECT_TRUE(trie.nodes().empty());
  EXPECT_TRUE(trie.walk("dog").empty());
}

TEST(Trie, RefusesWhatHasNoTrie) {
  EXPECT_THROW(Trie(Entries{{"b", "1"}, {"a", "1"}}), std::invalid_argument);
  EXPECT_THROW(Trie(Entries{{"a", "1"}, {"a", "2"}}), std::invalid_argument);
  EXPECT_THROW(Trie(Entries{{"a", ""}}), std::invalid_argument);
}

// dog (646f67), doge (646f6765), horse (686f727365): the root is an extension 6, then a branch on 4
// and 8.
TEST(Trie, NodesOfAKnownTrie) {
  const Trie trie({{"dog", "puppy"},
                   {"doge", "a coin that is longer than a hash in its leaf"},
                   {"horse", "x"}});
  const auto nodes = trie.nodes();
  ASSERT_EQ(nodes.size(), 6u);
  const auto expect = [&](size_t i, NodeKind kind, unsigned depth, unsigned level, unsigned own,
                          unsigned children, bool embedded) {
    EXPECT_EQ(nodes[i].kind, kind) << i;
    EXPECT_EQ(nodes[i].depth, depth) << i;
    EXPECT_EQ(nodes[i].level, level) << i;
    EXPECT_EQ(nodes[i].own_nibbles, own) << i;
    EXPECT_EQ(nodes[i].children(), children) << i;
    EXPECT_EQ(nodes[i].embedded, embedded) << i;
  };
  expect(0, NodeKind::kExtension, 0, 0, 1, 0, false);
  expect(1, NodeKind::kBranch, 1, 0, 0, 2, false);
  expect(2, NodeKind::kExtension, 2, 1, 4, 0, false);
  expect(3, NodeKind::kBranch, 6, 1, 0, 1, false);
  expect(4, NodeKind::kLeaf, 7, 2, 1, 0, false);
  expect(5, NodeKind::kLeaf, 2, 1, 8, 0, true);
  EXPECT_EQ(trie.path(nodes[3]), std::string("\6\4\6\17\6\7", 6));
  // 0x20 and the value, each with its header: what the encoding of a leaf is made of.
  EXPECT_EQ(nodes[4].encoded_size, 1 + 1 + 1 + trie.entries()[1].value.size());

  EXPECT_EQ(trie.walk("dog").back(), &nodes[3]);  // the value lies in a branch
  EXPECT_EQ(trie.walk("doge").size(), 5u);
  EXPECT_EQ(trie.walk("cat").size(), 2u);    // 63...: ends in the branch, which has no child 3
  EXPECT_EQ(trie.walk("zebra").size(), 1u);  // 7a...: the root extension says no
  EXPECT_EQ(trie.walk("do").size(), 3u);     // ends within the second extension
}

// Small values are the only way to embedded nodes: with 32-byte keys and 32-byte values none can
// occur.
TEST(Trie, ThirtyTwoBytesIsTheBoundOfEmbedding) {
  const auto leaf_of = [](size_t value_bytes) {
    const std::string value(value_bytes, 'z');
    const Trie trie({{"a", value}, {"b", value}});
    return trie.nodes().back();
  };
  EXPECT_EQ(leaf_of(28).encoded_size, 31u);
  EXPECT_TRUE(leaf_of(28).embedded);
  EXPECT_EQ(leaf_of(29).encoded_size, 32u);
  EXPECT_FALSE(leaf_of(29).embedded);
}

std::vector<Hash> random_keys(size_t count) {
  std::vector<Hash> keys;
  keys.reserve(count);
  for (uint64_t i = 0; i < count; ++i) keys.push_back(keccak256(integer(i)));
  std::sort(keys.begin(), keys.end());
  return keys;
}

// A trie in which every key is its own value.
Trie trie_over(const std::vector<Hash>& keys, size_t stride = 1) {
  Entries entries;
  entries.reserve(keys.size());
  for (size_t i = 0; i < keys.size(); i += stride)
    entries.push_back({keys[i].view(), keys[i].view()});
  return Trie(std::move(entries));
}

// prefix (one nibble a byte) -> which nibbles follow it among the keys
std::map<std::string, unsigned> prefixes_of(const std::vector<Hash>& keys, size_t longest) {
  std::map<std::string, unsigned> masks;
  for (const Hash& key : keys) {
    std::string prefix;
    for (size_t i = 0; i < longest; ++i) {
      const unsigned nibble = nibble_at(key.view(), i);
      masks[prefix] |= 1u << nibble;
      prefix.push_back(static_cast<char>(nibble));
    }
  }
  return masks;
}

// A branch stands exactly where two keys part; nothing else about the shape is needed to know every
// node.
TEST(Trie, BranchesStandWhereKeysPart) {
  const auto keys = random_keys(3'000);
  const Trie trie = trie_over(keys);

  std::map<std::string, unsigned> expected = prefixes_of(keys, 16);
  std::erase_if(expected, [](const auto& item) { return (item.second & (item.second - 1)) == 0; });
  std::map<std::string, unsigned> branches;
  size_t leaves = 0;
  for (const Node& node : trie.nodes()) {
    if (node.kind == NodeKind::kBranch) branches[trie.path(node)] = node.child_mask;
    leaves += node.kind == NodeKind::kLeaf;
  }
  EXPECT_EQ(branches, expected);
  EXPECT_EQ(leaves, keys.size());
}

TEST(Trie, SizesFollowFromTheParts) {
  const auto keys = random_keys(3'000);
  const Trie trie = trie_over(keys);
  for (const Node& node : trie.nodes()) {
    EXPECT_FALSE(node.embedded);
    if (node.kind == NodeKind::kBranch) {
      const size_t payload = 33 * node.children() + (16 - node.children()) + 1;
      EXPECT_EQ(node.encoded_size, payload + (payload < 56 ? 1 : payload < 256 ? 2 : 3));
    } else {
      const size_t path = node.own_nibbles / 2 + 1;
      const size_t payload = path + (path > 1 ? 1 : 0) + 33;
      EXPECT_EQ(node.encoded_size, payload + (payload < 56 ? 1 : 2));
    }
  }
  EXPECT_EQ(trie.nodes()[0].encoded_size, 532u);  // a full branch
}

// A walk visits the nodes whose path the key begins with, whether it ends at a leaf or in nothing.
TEST(Trie, WalksVisitTheNodesOnTheKeysPath) {
  const auto keys = random_keys(1'000);
  const Trie trie = trie_over(keys, 2);  // every other key is absent
  for (size_t i = 0; i < keys.size(); ++i) {
    std::vector<const Node*> expected;
    for (const Node& node : trie.nodes()) {
      const std::string_view below = trie.entries()[node.entry].key;
      if (common_nibbles(below, keys[i].view()) >= node.depth) expected.push_back(&node);
    }
    const auto walk = trie.walk(keys[i].view());
    EXPECT_EQ(walk, expected);
    if (i % 2 == 0) {
      EXPECT_EQ(walk, trie.walk_entry(i / 2));
    }
    EXPECT_EQ(std::count_if(walk.begin(), walk.end() - 1,
                            [](const Node* node) { return node->kind == NodeKind::kBranch; }),
              walk.back()->level);
  }
}

}  // namespace
}  // namespace ethio::oracle
