// What a walk hands to the layouts: the nodes that memory does not hold, all of them on request, in
// an order of keys that is the same for every table.
#include "common/state/state_model.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "common/spec/catalogue.h"
#include "tests/state/comparison.h"

namespace ethio::test {
namespace {

constexpr uint64_t kSeed = 5;

StateSpec mainnet(uint64_t cache) {
  StateSpec spec = load_workload("trie-read").state;
  spec.cache = cache;
  return spec;
}

bool same(const TrieNode& a, const TrieNode& b) {
  return a.prefix == b.prefix && a.depth == b.depth && a.kind == b.kind && a.bytes == b.bytes;
}

// The same key with all its nodes and with the cold ones alone.
struct Pair {
  Walk all;
  Walk cold;
};

Pair walk_twice(const StateModel& model, bool in_storage, uint64_t lot) {
  Pair pair;
  for (const auto nodes : {StateModel::Nodes::kAll, StateModel::Nodes::kCold}) {
    Walk& walk = nodes == StateModel::Nodes::kAll ? pair.all : pair.cold;
    Rng rng(lot);
    if (in_storage) {
      model.slot_walk(rng, {.nodes = nodes}, walk);
    } else {
      model.account_walk(rng, {.nodes = nodes}, walk);
    }
  }
  return pair;
}

double mean_cold_nodes(const StateModel& model, bool in_storage) {
  constexpr uint64_t kWalks = 5'000;
  uint64_t nodes = 0;
  for (uint64_t lot = 0; lot < kWalks; ++lot) {
    nodes += walk_twice(model, in_storage, lot).cold.path.count;
  }
  return static_cast<double>(nodes) / kWalks;
}

class Walks : public testing::TestWithParam<bool> {};

TEST_P(Walks, LeadFromTheRootToALeaf) {
  const StateModel model(mainnet(614u << 20), kSeed);
  for (uint64_t lot = 0; lot < 2'000; ++lot) {
    const Pair pair = walk_twice(model, GetParam(), lot);
    const auto nodes = span_of(pair.all.path);
    ASSERT_FALSE(nodes.empty());
    EXPECT_EQ(nodes.front().depth, 0);
    EXPECT_EQ(nodes.back().kind, NodeKind::kLeaf);
    EXPECT_TRUE(
        std::is_sorted(nodes.begin(), nodes.end(),
                       [](const TrieNode& a, const TrieNode& b) { return a.depth < b.depth; }));
  }
}

TEST_P(Walks, LeaveOutFromTheTopWhatIsCached) {
  const StateModel model(mainnet(614u << 20), kSeed);
  for (uint64_t lot = 0; lot < 2'000; ++lot) {
    const Pair pair = walk_twice(model, GetParam(), lot);
    const auto cold = span_of(pair.cold.path);
    ASSERT_LE(cold.size(), pair.all.path.count);
    const auto below = span_of(pair.all.path).last(cold.size());
    EXPECT_TRUE(std::equal(cold.begin(), cold.end(), below.begin(), same));
    EXPECT_EQ(pair.cold.nibbles, pair.all.nibbles);
  }
}

TEST_P(Walks, ReadLessTheMoreIsCached) {
  const StateModel none(mainnet(0), kSeed);
  EXPECT_EQ(walk_twice(none, GetParam(), 1).cold.path.count,
            walk_twice(none, GetParam(), 1).all.path.count);
  double before = mean_cold_nodes(none, GetParam());
  for (const uint64_t megabytes : {64, 614, 4'096, 65'536}) {
    const double now = mean_cold_nodes(StateModel(mainnet(megabytes << 20), kSeed), GetParam());
    EXPECT_LT(now, before) << megabytes << " MiB";
    before = now;
  }
  const StateModel all(mainnet(uint64_t{1} << 42), kSeed);
  EXPECT_EQ(mean_cold_nodes(all, GetParam()), 0);
}

// A node keeps its place whoever comes by, and children lie behind their parents in key order.
TEST_P(Walks, PlaceNodesInKeyOrder) {
  const StateModel model(mainnet(0), kSeed);
  for (uint64_t lot = 0; lot < 2'000; ++lot) {
    const Walk walk = walk_twice(model, GetParam(), lot).all;
    uint64_t before = 0;
    for (const TrieNode& node : span_of(walk.path)) {
      const uint64_t position = model.node_position(walk, node);
      EXPECT_GE(position, before);
      EXPECT_LE(position, walk.position);
      before = position;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(State, Walks, testing::Bool(), [](const auto& info) {
  return std::string(info.param ? "InStorage" : "OfAccounts");
});

// The cached nodes fit the cache: counted level by level over the account trie alone they stay
// below it, and most of it is used for the two kinds of tries together.
TEST(Cache, HoldsTheTopOfTheAccountTrie) {
  const uint64_t cache = 614u << 20;
  const StateModel model(mainnet(cache), kSeed);
  double bytes = 0;
  for (uint32_t depth = 0; depth < 16; ++depth) {
    bytes += model.cached_share(model.account_trie(), depth) *
             model.account_trie().expected_node_bytes(depth);
  }
  EXPECT_GT(bytes, 0.02 * static_cast<double>(cache));
  EXPECT_LT(bytes, static_cast<double>(cache));
  EXPECT_EQ(model.cached_share(model.account_trie(), 0), 1);
}

// https://stateless.fyi/development/mainnet-analysis/tree-shape.html
TEST(Code, SizesAreThoseOfMainnet) {
  const StateModel model(mainnet(0), kSeed);
  Rng rng(6);
  std::vector<uint32_t> sizes(200'000);
  double sum = 0;
  for (uint32_t& size : sizes) sum += size = model.code_size(rng);
  std::sort(sizes.begin(), sizes.end());
  EXPECT_NEAR(sizes[sizes.size() / 2], 45, 2);
  EXPECT_NEAR(sizes[sizes.size() * 99 / 100], 11'293, 800);
  EXPECT_LE(sizes.back(), 24'576u);
  EXPECT_NEAR(sum / static_cast<double>(sizes.size()), 676, 30);
}

// 467,961,098 and 1,968,481,249 nodes: https://github.com/ethereum/go-ethereum/pull/33721. The
// preset infers accounts and slots from them by the nodes a leaf of other tries, which the ratio
// here repays.
TEST(Tables, HoldAsManyNodesAsMainnet) {
  const StateSpec spec = mainnet(0);
  const StateModel model(spec, kSeed);
  const auto nodes = [&](Table table) {
    return static_cast<double>(model.table_bytes(table)) / static_cast<double>(spec.node_bytes);
  };
  EXPECT_NEAR(nodes(Table::kAccountTrie) / 467'961'098, 1, 0.025);
  EXPECT_NEAR(nodes(Table::kStorageTrie) / 1'968'481'249, 1, 0.08);
}

}  // namespace
}  // namespace ethio::test
