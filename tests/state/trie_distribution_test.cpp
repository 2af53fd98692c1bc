// Are the keys of the implicit trie spread as hashes are? Walks of implicit tries and walks of real
// tries over hashed keys must come from one distribution, at every depth and in every respect that
// the device can notice. The seeds are fixed, so a run always says the same; wrong models must be
// told from right ones at the same sample size.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/state/closed_form.h"
#include "tests/state/comparison.h"

namespace ethio::test {
namespace {

constexpr double kAlpha = 0.001;
constexpr uint32_t kValueBytes = 33;

// Walks to random keys stay few against the keys of a trie: a walk says something about the others.
// Its nodes may all be counted, for what stands at one place of a trie says nothing about its
// neighbours.
struct Sample {
  uint64_t keys;
  uint64_t tries;
  uint64_t walks;  // in each trie
};

std::ostream& operator<<(std::ostream& out, const Sample& sample) {
  return out << sample.keys;
}

struct Statistics {
  LeafStatistics leaves;
  NodeStatistics nodes;
};

Statistics of_model(const Sample& sample, uint64_t seed, uint32_t value_bytes = kValueBytes) {
  const TrieShape shape(sample.keys, value_bytes);
  Statistics statistics;
  TriePath path;
  for (uint64_t trie = 0; trie < sample.tries; ++trie) {
    const uint64_t id = mix64(seed, trie);
    Rng rng(mix64(id));
    for (uint64_t i = 0; i < sample.walks; ++i) {
      shape.path(id, shape.draw(id, rng), 0, path);
      statistics.leaves.add(span_of(path));
    }
    statistics.nodes.begin_trie();
    for (const TrieKey& key : keys_of(shape, id)) {
      shape.path(id, key, 0, path);
      statistics.nodes.add(span_of(path));
    }
  }
  return statistics;
}

uint64_t poisson(double mean, Rng& rng) {
  uint64_t count = 0;
  for (double product = 1;; ++count) {
    product *= static_cast<double>(rng.next() >> 11) * 0x1p-53;
    if (product <= std::exp(-mean)) return count;
  }
}

// Above 16 keys the model's number of keys is Poisson. That can be told from a fixed number while
// keys are few; there the real tries get the same freedom.
uint64_t keys_of_real_trie(uint64_t keys, Rng& rng) {
  if (keys <= 16 || keys >= 500) return keys;
  for (;;) {
    if (const uint64_t count = poisson(static_cast<double>(keys), rng); count > 0) return count;
  }
}

Statistics of_real(const Sample& sample, uint64_t seed) {
  Statistics statistics;
  Rng rng(seed);
  for (uint64_t i = 0; i < sample.tries; ++i) {
    const RealTrie trie(hashed_keys(mix64(seed, i), keys_of_real_trie(sample.keys, rng)),
                        kValueBytes);
    for (uint64_t walk = 0; walk < sample.walks; ++walk) {
      statistics.leaves.add(trie.walk(rng.below(trie.size())));
    }
    statistics.nodes.begin_trie();
    for (size_t key = 0; key < trie.size(); ++key) statistics.nodes.add(trie.walk(key));
  }
  return statistics;
}

std::vector<Facet> compare(const Statistics& a, const Statistics& b) {
  std::vector<Facet> facets = LeafStatistics::compare(a.leaves, b.leaves);
  for (Facet& facet : NodeStatistics::compare(a.nodes, b.nodes)) facets.push_back(std::move(facet));
  return facets;
}

double least_p(const std::vector<Facet>& facets) {
  double least = 1;
  for (const Facet& facet : facets) least = std::fmin(least, facet.p);
  return least;
}

class ImplicitTrie : public testing::TestWithParam<Sample> {};

TEST_P(ImplicitTrie, IsShapedAsARealTrie) {
  const Statistics model = of_model(GetParam(), 1);
  const Statistics real = of_real(GetParam(), 2);
  for (const Facet& facet : compare(model, real)) EXPECT_GT(facet.p, kAlpha) << facet.name;
  // Nodes a key, with extensions: the standard deviation over tries of n keys is about 0.7 /
  // sqrt(n).
  const double tolerance = 4 / std::sqrt(static_cast<double>(real.nodes.keys()));
  EXPECT_NEAR(model.nodes.nodes_per_key(), real.nodes.nodes_per_key(), tolerance);
}

INSTANTIATE_TEST_SUITE_P(Keys, ImplicitTrie,
                         testing::Values(Sample{1, 100, 1}, Sample{2, 20'000, 1},
                                         Sample{3, 20'000, 1}, Sample{17, 10'000, 1},
                                         Sample{1'000, 500, 40}, Sample{100'000, 5, 4'000},
                                         Sample{1'000'000, 1, 20'000}),
                         [](const auto& info) { return std::to_string(info.param.keys) + "Keys"; });

constexpr Sample kControl = {1'000, 300, 20};

// Two samples of real tries agree: the sizes and the independence that the tests assume are sound.
TEST(Control, RealTriesAgree) {
  EXPECT_GT(least_p(compare(of_real(kControl, 3), of_real(kControl, 4))), kAlpha);
}

// And what is not right is found out, by the same tests on the same samples.
TEST(Control, WrongModelsAreRejected) {
  const Statistics real = of_real(kControl, 3);
  EXPECT_LT(least_p(compare(of_model({1'050, 300, 20}, 4), real)), kAlpha) << "5 % more keys";
  EXPECT_LT(least_p(compare(of_model({950, 300, 20}, 4), real)), kAlpha) << "5 % fewer keys";
  EXPECT_LT(least_p(compare(of_model(kControl, 4, kValueBytes + 1), real)), kAlpha)
      << "leaves a byte longer";
}

std::vector<uint64_t> counts(const Histogram& histogram, size_t cells) {
  std::vector<uint64_t> all(cells);
  for (const auto& [value, count] : histogram) all.at(static_cast<size_t>(value)) = count;
  return all;
}

// The closed forms that mainnet_shape_test relies on, against real tries; and the formula without
// path compression, which is no description of a Merkle-Patricia trie.
TEST(Control, ClosedFormHoldsAndTheUncompressedOneDoesNot) {
  for (const Sample& sample : {Sample{1'000, 500, 40}, Sample{300'000, 1, 6'000}}) {
    const auto keys = static_cast<double>(sample.keys);
    const Statistics real = of_real(sample, 7);
    const auto right = leaf_level_shares(keys);
    const auto wrong = uncompressed_leaf_level_shares(keys);
    const Histogram& levels = real.leaves.levels();
    EXPECT_GT(goodness_of_fit(counts(levels, right.size()), right).p, kAlpha) << sample;
    EXPECT_LT(goodness_of_fit(counts(levels, wrong.size()), wrong).p, kAlpha) << sample;
    EXPECT_NEAR(real.nodes.nodes_per_key(), nodes_per_key(keys), 0.005) << sample;
    for (uint32_t depth = 0; depth < 4; ++depth) {
      const double nodes = nodes_at_depth(keys, depth).all() * static_cast<double>(sample.tries);
      EXPECT_NEAR(static_cast<double>(real.nodes.nodes_at(depth)), nodes, 5 * std::sqrt(nodes))
          << sample << " at depth " << depth;
    }
  }
}

}  // namespace
}  // namespace ethio::test
