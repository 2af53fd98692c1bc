// The shape of a Merkle-Patricia trie of n hashed keys in closed form. A key's prefixes are shared
// by Poisson numbers of others, independently for each length at which they part from it;
// everything follows from that. For n large (from 1,000 on) nothing is lost by taking the number of
// keys for Poisson itself.
#pragma once

#include <cstdint>
#include <vector>

namespace ethio::test {

// Share of keys whose leaf has l branch nodes above it, for l = 0, 1, ...
std::vector<double> leaf_level_shares(double keys);

// What the literature often gives instead: P(level <= d) = exp(-n / 16^d). It counts nibbles rather
// than nodes, and so takes each nibble of an extension for a level.
std::vector<double> uncompressed_leaf_level_shares(double keys);

// Expected numbers of nodes whose path has `depth` nibbles.
struct NodesAtDepth {
  double branches = 0;
  double extensions = 0;
  double leaves = 0;
  double children = 0;  // mean, of a branch

  double all() const { return branches + extensions + leaves; }
};
NodesAtDepth nodes_at_depth(double keys, uint32_t depth);
double nodes_per_key(double keys);

}  // namespace ethio::test
