// Mainnet's tries, as measured and published, against the implicit trie of the same number of keys.
// Nothing is fitted: the number of keys is all that goes in. Two steps, so that a failure says
// where: the closed form reproduces what was published, and the model samples the closed form.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/state/closed_form.h"
#include "tests/state/comparison.h"

namespace ethio::test {
namespace {

// January 2024. https://github.com/ethereum/go-ethereum/pull/28892
constexpr uint64_t kAccounts = 228'000'000;
constexpr double kShareOfLevel7 = 0.428;
constexpr double kShareOfLevel8 = 0.544;
constexpr double kShareOfLevel9 = 0.028;
constexpr double kMeanLevel = 7.60;
constexpr double kNodesPerAccount = 1.351;

// The largest contract, January 2026. https://github.com/ethereum/go-ethereum/pull/33721
constexpr uint64_t kSlots = 127'623'837;
constexpr double kNodesPerSlot = 169'564'729.0 / 127'623'837.0;
constexpr double kBytesAtDepth6 = 252;
constexpr double kBytesAtDepth7 = 89;
constexpr double kBytesBelow[] = {81, 82};
constexpr uint32_t kSlotValueBytes = 7;  // RLP, from the size of the flat entries there

constexpr uint32_t kAccountBytes = 70;
constexpr uint64_t kTrie = 42;

TEST(MainnetClosedForm, ReproducesThePublishedShape) {
  const auto shares = leaf_level_shares(kAccounts);
  EXPECT_NEAR(shares[7], kShareOfLevel7, 5e-4);
  EXPECT_NEAR(shares[8], kShareOfLevel8, 5e-4);
  EXPECT_NEAR(shares[9], kShareOfLevel9, 5e-4);
  double mean = 0;
  for (size_t level = 0; level < shares.size(); ++level)
    mean += static_cast<double>(level) * shares[level];
  EXPECT_NEAR(mean, kMeanLevel, 5e-3);
  EXPECT_NEAR(nodes_per_key(kAccounts), kNodesPerAccount, 5e-4);
  EXPECT_NEAR(nodes_per_key(kSlots), kNodesPerSlot, 5e-4);
  // Levels 0 to 5 complete, 16.78 million branches at level 6.
  for (uint32_t depth = 0; depth < 6; ++depth) {
    EXPECT_NEAR(nodes_at_depth(kAccounts, depth).branches / std::pow(16, depth), 1, 1e-9);
  }
  EXPECT_NEAR(nodes_at_depth(kAccounts, 6).branches, 16.78e6, 0.005e6);

  const auto uncompressed = uncompressed_leaf_level_shares(kAccounts);
  EXPECT_GT(std::fabs(uncompressed[8] - kShareOfLevel8), 0.02);
  EXPECT_GT(std::fabs(uncompressed[9] - kShareOfLevel9), 0.02);
}

LeafStatistics draw(const TrieShape& shape, int walks) {
  LeafStatistics leaves;
  Rng rng(1);
  TriePath path;
  for (int i = 0; i < walks; ++i) {
    shape.path(kTrie, shape.draw(kTrie, rng), 0, path);
    leaves.add(span_of(path));
  }
  return leaves;
}

TEST(Mainnet, LeavesLieAsDeepAsMeasured) {
  for (const uint64_t keys : {kAccounts, kSlots, uint64_t{346'000'000}}) {
    constexpr int kWalks = 400'000;
    const LeafStatistics leaves = draw(TrieShape(keys, kAccountBytes), kWalks);
    const auto expected = leaf_level_shares(static_cast<double>(keys));
    std::vector<uint64_t> observed(expected.size());
    for (const auto& [level, count] : leaves.levels())
      observed.at(static_cast<size_t>(level)) = count;
    EXPECT_GT(goodness_of_fit(observed, expected).p, 0.001) << keys;
    if (keys != kAccounts) continue;
    EXPECT_NEAR(static_cast<double>(observed[7]) / kWalks, kShareOfLevel7, 0.003);
    EXPECT_NEAR(static_cast<double>(observed[8]) / kWalks, kShareOfLevel8, 0.003);
    EXPECT_NEAR(static_cast<double>(observed[9]) / kWalks, kShareOfLevel9, 0.001);
    EXPECT_NEAR(leaves.mean_level(), kMeanLevel, 0.01);
  }
}

// All nodes of some buckets; what stands above the buckets is complete and known.
NodeStatistics nodes_in_buckets(const TrieShape& shape, int buckets) {
  NodeStatistics nodes;
  Rng rng(2);
  TriePath path;
  for (int i = 0; i < buckets; ++i) {
    const uint64_t bucket = rng.next() >> (64 - 4 * shape.bucket_depth());
    nodes.begin_trie();
    for (const TrieKey& key : keys_in_bucket(shape, kTrie, bucket)) {
      shape.path(kTrie, key, shape.bucket_depth(), path);
      nodes.add(span_of(path));
    }
  }
  return nodes;
}

double nodes_per_key(const TrieShape& shape, const NodeStatistics& in_buckets) {
  const double above = (std::pow(16, shape.bucket_depth()) - 1) / 15;
  return in_buckets.nodes_per_key() + above / static_cast<double>(shape.keys());
}

TEST(Mainnet, HasAsManyNodesAsMeasured) {
  const TrieShape accounts(kAccounts, kAccountBytes);
  EXPECT_NEAR(nodes_per_key(accounts, nodes_in_buckets(accounts, 30'000)), kNodesPerAccount, 0.003);
  const TrieShape slots(kSlots, kSlotValueBytes);
  EXPECT_NEAR(nodes_per_key(slots, nodes_in_buckets(slots, 50'000)), kNodesPerSlot, 0.003);
}

TEST(Mainnet, NodesAreAsLongAsMeasured) {
  const TrieShape slots(kSlots, kSlotValueBytes);
  const NodeStatistics nodes = nodes_in_buckets(slots, 200'000);
  ASSERT_EQ(slots.bucket_depth(), 6u);
  EXPECT_NEAR(nodes.mean_bytes(6), kBytesAtDepth6, 0.5);
  EXPECT_NEAR(nodes.mean_bytes(7), kBytesAtDepth7, 0.5);
  for (const uint32_t depth : {8, 9}) {
    EXPECT_GT(nodes.mean_bytes(depth), kBytesBelow[0] - 0.5);
    EXPECT_LT(nodes.mean_bytes(depth), kBytesBelow[1] + 0.5);
  }
  // Levels 0 to 5: full branches of 532 bytes under keys of 33 bytes and the path, 565 to 570
  // bytes.
  Rng rng(3);
  TriePath path;
  slots.path(kTrie, slots.draw(kTrie, rng), 0, path);
  for (uint32_t depth = 0; depth < 6; ++depth) {
    EXPECT_NEAR(slots.expected_nodes(depth) / std::pow(16, depth), 1, 1e-9);
    EXPECT_EQ(path.nodes[depth].kind, NodeKind::kBranch);
    EXPECT_GE(kStorageKeyBytes + depth + path.nodes[depth].bytes, depth < 5 ? 565 + depth : 500);
    EXPECT_LE(kStorageKeyBytes + depth + path.nodes[depth].bytes, 565 + depth);
  }
}

}  // namespace
}  // namespace ethio::test
