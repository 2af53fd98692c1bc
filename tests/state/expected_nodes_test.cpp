// What the model says of whole tries without visiting them, against real tries that were visited:
// tables and caches are sized by it, from contracts of one slot to the account trie.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/state/comparison.h"

namespace ethio::test {
namespace {

constexpr uint32_t kValueBytes = 33;

struct Tries {
  uint64_t keys;
  uint64_t tries;
};

class ExpectedNodesOf : public testing::TestWithParam<Tries> {};

TEST_P(ExpectedNodesOf, AreThoseOfRealTries) {
  const auto [keys, tries] = GetParam();
  NodeStatistics real;
  for (uint64_t i = 0; i < tries; ++i) {
    const RealTrie trie(hashed_keys(mix64(1, keys, i), keys), kValueBytes);
    real.begin_trie();
    for (size_t key = 0; key < trie.size(); ++key) real.add(trie.walk(key));
  }
  const TrieShape shape(keys, kValueBytes);
  // The number of keys is Poisson above 16, and of real tries it is not: off by a share of about 1
  // / keys.
  const double bias = keys <= 16 ? 0 : 1 / static_cast<double>(keys);
  double all = 0;
  for (uint32_t depth = 0; depth < 16; ++depth) {
    const double nodes = shape.expected_nodes(depth) * static_cast<double>(tries);
    const double bytes = shape.expected_node_bytes(depth) * static_cast<double>(tries);
    EXPECT_NEAR(static_cast<double>(real.nodes_at(depth)), nodes,
                5 * std::sqrt(nodes) + bias * nodes + 1e-6)
        << "at depth " << depth;
    if (nodes > 200) {
      const double key_bytes = kStorageKeyBytes + depth;
      EXPECT_NEAR(real.mean_bytes(depth) - key_bytes, bytes / nodes,
                  (0.01 + 2 / std::sqrt(nodes)) * bytes / nodes)
          << "at depth " << depth;
    }
    all += nodes;
  }
  const double real_keys = static_cast<double>(real.keys());
  EXPECT_NEAR(real.nodes_per_key(), all / real_keys, 2 / std::sqrt(real_keys) + bias);
}

INSTANTIATE_TEST_SUITE_P(Keys, ExpectedNodesOf,
                         testing::Values(Tries{1, 10}, Tries{2, 20'000}, Tries{3, 20'000},
                                         Tries{16, 5'000}, Tries{17, 5'000}, Tries{300, 300},
                                         Tries{100'000, 2}),
                         [](const auto& info) { return std::to_string(info.param.keys) + "Keys"; });

// No size may give nonsense: neither the exponential of a huge mean nor the cancellation of tiny
// ones.
TEST(ExpectedNodes, AreSoundForEverySize) {
  for (double size = 1; size < 1e12; size = size * 1.3 + 1) {
    size = std::floor(size);
    const auto keys = static_cast<uint64_t>(size);
    const TrieShape shape(keys, kValueBytes);
    double nodes = 0;
    double children = 1;  // the root
    double leaves = 0;
    for (uint32_t depth = 0; depth < 16; ++depth) {
      const ExpectedNodes expected = shape.expected(depth);
      for (const double part :
           {expected.branches, expected.extensions, expected.leaves, expected.children}) {
        ASSERT_GE(part, -1e-6 * size) << keys << " keys, depth " << depth;
        ASSERT_LE(part, 16 * std::min(size, std::pow(16, depth)) + 1e-6)
            << keys << " keys, depth " << depth;
      }
      ASSERT_GE(expected.children, 2 * expected.branches - 1e-6 * size)
          << keys << " keys, depth " << depth;
      ASSERT_GE(shape.expected_node_bytes(depth), 0) << keys << " keys, depth " << depth;
      nodes += expected.all();
      children += expected.children + expected.extensions;
      leaves += expected.leaves;
    }
    // Every node but the root is the child of a branch or of an extension; every key has a leaf.
    ASSERT_NEAR(children / nodes, 1, 1e-5) << keys;
    ASSERT_NEAR(leaves / size, 1, 1e-5) << keys;
  }
}

}  // namespace
}  // namespace ethio::test
