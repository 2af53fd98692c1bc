// The implicit trie against a real one built over its very own keys: every node on every walk must
// be the same. What is left to prove by statistics is then only that these keys are spread as
// hashes are (trie_distribution_test).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/state/comparison.h"

namespace ethio::test {
namespace {

constexpr uint32_t kValueBytes = 70;  // RLP of a contract's account, about

bool same(const TrieNode& a, const TrieNode& b) {
  return a.prefix == b.prefix && a.depth == b.depth && a.kind == b.kind &&
         a.children == b.children && a.bytes == b.bytes;
}

RealTrie real_over(const std::vector<TrieKey>& keys) {
  std::vector<oracle::Hash> full;
  full.reserve(keys.size());
  for (const TrieKey& key : keys) full.push_back(full_key(key));
  return {std::move(full), kValueBytes};
}

class ExactTrie : public testing::TestWithParam<uint64_t> {};

TEST_P(ExactTrie, WalksAreThoseOfARealTrie) {
  const TrieShape shape(GetParam(), kValueBytes);
  for (const uint64_t id : {uint64_t{1}, mix64(2)}) {
    const std::vector<TrieKey> keys = keys_of(shape, id);
    const RealTrie real = real_over(keys);
    uint64_t wrong = 0;
    for (const TrieKey& key : keys) {
      TriePath path;
      shape.path(id, key, 0, path);
      const auto expected = real.walk(full_key(key));
      const auto walk = span_of(path);
      wrong += !std::equal(walk.begin(), walk.end(), expected.begin(), expected.end(), same);
    }
    EXPECT_EQ(wrong, 0u) << "of " << keys.size() << " walks in trie " << id;
    if (GetParam() > 100'000) break;  // one is enough
  }
}

TEST_P(ExactTrie, HoldsAsManyKeysAsAskedFor) {
  const TrieShape shape(GetParam(), kValueBytes);
  const auto expected = static_cast<double>(GetParam());
  const auto keys = static_cast<double>(keys_of(shape, 7).size());
  // Poisson above 16 keys: 4.5 standard deviations.
  EXPECT_NEAR(keys, expected, GetParam() <= 16 ? 0 : 4.5 * std::sqrt(expected));
}

TEST_P(ExactTrie, DrawGivesExistingKeys) {
  const TrieShape shape(GetParam(), kValueBytes);
  Rng rng(3);
  for (int i = 0; i < 1'000; ++i) {
    const TrieKey key = i % 2 == 0 ? shape.draw(9, rng) : shape.draw_near(9, rng.next(), rng);
    ASSERT_LT(key.index, shape.bucket_keys(9, key.bucket));
    ASSERT_EQ(key.nibbles, shape.key_at(9, key.bucket, key.index).nibbles);
  }
}

TEST_P(ExactTrie, PathCanBeginBelowTheRoot) {
  const TrieShape shape(GetParam(), kValueBytes);
  Rng rng(4);
  for (int i = 0; i < 200; ++i) {
    const TrieKey key = shape.draw(9, rng);
    TriePath whole;
    shape.path(9, key, 0, whole);
    for (uint32_t first = 0; first <= whole.nodes[whole.count - 1].depth + 1u; ++first) {
      TriePath part;
      shape.path(9, key, first, part);
      const auto below = span_of(whole).subspan(whole.count - part.count);
      EXPECT_TRUE(std::equal(below.begin(), below.end(), span_of(part).begin(), same));
      EXPECT_TRUE(part.count == 0 || part.nodes[0].depth >= first);
      EXPECT_TRUE(part.count == whole.count ||
                  whole.nodes[whole.count - part.count - 1].depth < first);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Keys, ExactTrie,
                         testing::Values(1, 2, 3, 16, 17, 200, 256, 257, 1'000, 4'097, 100'000,
                                         1'000'000));

TEST(TrieShape, OtherIdentitiesAreOtherTries) {
  const TrieShape shape(1'000, kValueBytes);
  const auto nibbles = [&](uint64_t id) {
    std::vector<uint64_t> all;
    for (const TrieKey& key : keys_of(shape, id)) all.push_back(key.nibbles);
    return all;
  };
  EXPECT_EQ(nibbles(5), nibbles(5));
  std::vector<uint64_t> both = nibbles(5);
  for (const uint64_t n : nibbles(6)) both.push_back(n);
  std::sort(both.begin(), both.end());
  EXPECT_EQ(std::adjacent_find(both.begin(), both.end()), both.end());
}

// A trie of few keys, and a neighbourhood of a large one, can come out without any. These did; a
// draw there has to end, and its walk to be one.
TEST(TrieShape, DrawsEndWhereThereIsNoKey) {
  struct Empty {
    uint64_t keys, id, first_bucket;
  };
  for (const auto& [keys, id, first] :
       {Empty{17, 2'403'292, 0}, Empty{346'000'000, 2, 16 * 1'204'644}}) {
    const TrieShape shape(keys, kValueBytes);
    for (uint64_t bucket = first; bucket < first + 16; ++bucket) {
      ASSERT_EQ(shape.bucket_keys(id, bucket), 0u);
    }
    Rng rng(1);
    const uint64_t position = first << (64 - 4 * shape.bucket_depth());
    TriePath path;
    shape.path(id, shape.draw_near(id, position, rng), 0, path);
    EXPECT_EQ(path.nodes[path.count - 1].kind, NodeKind::kLeaf);
    shape.path(id, shape.draw(id, rng), 0, path);
    EXPECT_EQ(path.nodes[path.count - 1].kind, NodeKind::kLeaf);
  }
}

// The work of a walk is that of one bucket: it does not grow with the state. 10^12 is past any
// chain.
TEST(TrieShape, WorkDoesNotGrowWithKeys) {
  Rng rng(5);
  for (uint64_t keys = 1; keys < 1'000'000'000'000; keys += keys / 3 + 1) {
    const TrieShape shape(keys, kValueBytes);
    for (int i = 0; i < 1'000; ++i) {
      const TrieKey key = shape.draw(11, rng);
      ASSERT_LE(shape.bucket_keys(11, key.bucket), 64u) << keys;
      TriePath path;
      shape.path(11, key, 0, path);
      ASSERT_LE(path.count, 24u) << keys;
      ASSERT_EQ(path.nodes[path.count - 1].kind, NodeKind::kLeaf) << keys;
    }
  }
}

}  // namespace
}  // namespace ethio::test
