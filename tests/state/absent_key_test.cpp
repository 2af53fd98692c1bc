// Proofs that a key does not exist, and keys of late, against tries that are small enough to list.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "common/spec/catalogue.h"
#include "common/state/state_model.h"

namespace ethio::test {
namespace {

constexpr uint64_t kId = 3;

uint32_t shared_nibbles(uint64_t a, uint64_t b) {
  uint32_t shared = 0;
  while (shared < 16 && ((a ^ b) >> (60 - 4 * shared) & 15) == 0) ++shared;
  return shared;
}

// All keys of a trie whose keys lie in one bucket.
std::vector<uint64_t> keys_of(const TrieShape& trie) {
  std::vector<uint64_t> keys;
  for (uint32_t i = 0; i < trie.keys(); ++i) keys.push_back(trie.key_at(kId, 0, i).nibbles);
  return keys;
}

// By the book: go down while two keys or more share the prefix; a depth with keys on two sides is a
// branch.
uint32_t branches_on_the_way(const std::vector<uint64_t>& keys, uint64_t wanted) {
  uint32_t branches = 0;
  for (uint32_t depth = 0; depth < 16; ++depth) {
    std::set<uint64_t> nibbles;
    for (const uint64_t key : keys) {
      if (shared_nibbles(key, wanted) >= depth) nibbles.insert(key >> (60 - 4 * depth) & 15);
    }
    branches += nibbles.size() > 1 ? 1 : 0;
    if (!nibbles.contains(wanted >> (60 - 4 * depth) & 15)) break;
  }
  return branches;
}

TEST(AbsentKey, IsProvenByTheBranchesAboveIt) {
  for (const uint64_t size : {1, 2, 3, 7, 16}) {
    const TrieShape trie(size, 8);
    const std::vector<uint64_t> keys = keys_of(trie);
    for (uint64_t i = 0; i < 3'000; ++i) {
      uint64_t wanted = mix64(size, i);
      // Random keys part at the root; take half of them from near a key.
      if (i % 2 == 0) wanted = keys[i % size] ^ (uint64_t{1} << (i % 50));
      TriePath path;
      trie.path(kId, trie.absent_key(wanted), 0, path);
      ASSERT_EQ(path.branches(), branches_on_the_way(keys, wanted)) << size << ": " << i;
    }
  }
}

TEST(AbsentKey, EndsInABranchOrWhereAnotherKeyLeads) {
  const TrieShape trie(100'000, 8);
  bool ended[3] = {};
  for (uint64_t i = 0; i < 20'000; ++i) {
    TriePath path;
    trie.path(kId, trie.absent_key(mix64(1, i)), 0, path);
    ASSERT_GT(path.count, 0u);
    ended[static_cast<size_t>(path.nodes[path.count - 1].kind)] = true;
    for (uint32_t n = 0; n + 1 < path.count; ++n) {
      ASSERT_NE(path.nodes[n].kind, NodeKind::kLeaf);
      ASSERT_LT(path.nodes[n].depth, path.nodes[n + 1].depth);
    }
  }
  EXPECT_TRUE(ended[static_cast<size_t>(NodeKind::kBranch)]);
  EXPECT_TRUE(ended[static_cast<size_t>(NodeKind::kLeaf)]);
}

// An existing key with so near a neighbour that both walk the same nodes.
TEST(AbsentKey, SharesTheNodesAboveAnExistingNeighbour) {
  const TrieShape trie(1'000'000, 8);
  for (uint64_t i = 0; i < 5'000; ++i) {
    Rng rng(i);
    const TrieKey key = trie.draw(kId, rng);
    TriePath there;
    TriePath absent;
    trie.path(kId, key, 0, there);
    trie.path(kId, trie.absent_key(key.nibbles ^ 1), 0, absent);
    ASSERT_EQ(absent.count, there.count);
    for (uint32_t n = 0; n < there.count; ++n) {
      EXPECT_EQ(absent.nodes[n].depth, there.nodes[n].depth);
      EXPECT_EQ(absent.nodes[n].kind, there.nodes[n].kind);
    }
  }
}

StateSpec with_recent(double share, double weight, uint64_t cache) {
  StateSpec spec = load_workload("trie-read").state;
  spec.recent_share = share;
  spec.recent_weight = weight;
  spec.cache = cache;
  return spec;
}

double cold_nodes(const StateModel& model, bool recent) {
  uint64_t nodes = 0;
  constexpr uint64_t kWalks = 4'000;
  Walk walk;
  for (uint64_t i = 0; i < kWalks; ++i) {
    Rng rng(i);
    model.slot_walk(rng, {.recent = recent}, walk);
    nodes += walk.path.count;
  }
  return static_cast<double>(nodes) / kWalks;
}

TEST(RecentKeys, AreSoManyAndAlwaysTheSame) {
  StateSpec spec = load_workload("trie-read").state;
  spec.accounts = 100'000;
  spec.recent_share = 0.03;
  spec.recent_weight = 0.9;
  const StateModel model(spec, 1);
  std::set<uint64_t> places;
  Walk walk;
  for (uint64_t i = 0; i < 60'000; ++i) {
    Rng rng(i);
    model.account_walk(rng, {.recent = true}, walk);
    places.insert(walk.nibbles);
  }
  EXPECT_LE(places.size(), 3'000u);
  EXPECT_GT(places.size(), 2'700u) << "a bucket without keys sends two places to one key";
}

TEST(RecentKeys, KeepToTheOrderOfASortedBatch) {
  const StateModel model(with_recent(0.03, 0.94, 0), 1);
  uint64_t before = 0;
  for (uint64_t i = 0; i < 1'000; ++i) {
    Rng rng(i);
    const uint64_t place = model.recent_slot(rng, ~uint64_t{0} / 1'000 * i);
    EXPECT_GE(place, before);
    before = place;
  }
}

TEST(RecentKeys, AreBetterCachedTheMoreOfAllAccessesTheyTake) {
  constexpr uint64_t kCache = uint64_t{8} << 30;
  const StateModel even(with_recent(0.03, 0.03, kCache), 1);
  const StateModel skewed(with_recent(0.03, 0.94, kCache), 1);
  EXPECT_NEAR(cold_nodes(even, true), cold_nodes(even, false), 0.05);
  EXPECT_LT(cold_nodes(skewed, true), cold_nodes(even, true));
  EXPECT_GE(cold_nodes(skewed, false), cold_nodes(even, false));
}

}  // namespace
}  // namespace ethio::test
