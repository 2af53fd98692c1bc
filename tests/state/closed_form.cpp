#include "tests/state/closed_form.h"

#include <cmath>

namespace ethio::test {
namespace {

constexpr uint32_t kDepths = 16;  // 16^16 places: no two keys of a real state share so many nibbles

double places(uint32_t depth) {
  return std::pow(16.0, depth);
}

}  // namespace

// A branch stands above the leaf at depth d when some other key shares exactly d nibbles: 15/16 of
// those that share d.
std::vector<double> leaf_level_shares(double keys) {
  std::vector<double> shares = {1};
  for (uint32_t depth = 0; depth < kDepths; ++depth) {
    const double branch = -std::expm1(-keys / places(depth) * 15 / 16);
    std::vector<double> next(shares.size() + 1);
    for (size_t level = 0; level < shares.size(); ++level) {
      next[level] += shares[level] * (1 - branch);
      next[level + 1] += shares[level] * branch;
    }
    shares = next;
  }
  return shares;
}

std::vector<double> uncompressed_leaf_level_shares(double keys) {
  std::vector<double> shares;
  for (uint32_t level = 0; level <= kDepths; ++level) {
    const double above = level == 0 ? 0 : std::exp(-keys / places(level - 1));
    shares.push_back(std::exp(-keys / places(level)) - above);
  }
  return shares;
}

NodesAtDepth nodes_at_depth(double keys, uint32_t depth) {
  const double mean = keys / places(depth);   // keys below a place
  const double empty = std::exp(-mean / 16);  // one of its sixteen children is
  const double filled = -std::expm1(-mean / 16);
  const double fifteen_empty = std::pow(empty, 15);
  // The place begins a node when its parent is a branch: some sibling has keys.
  const double begins = depth == 0 ? 1 : -std::expm1(-15 * mean);
  const double alone = mean * std::exp(-mean);  // exactly one key below
  const double one_child = 16 * filled * fifteen_empty;
  // 1 - P(no child) - P(one child); for small means the leading term, where the difference cancels.
  const double parts = mean < 1e-4 ? mean * mean / 2 * 15 / 16 : -std::expm1(-mean) - one_child;
  const double runs_on = mean < 1e-4 ? mean * mean / 2 / 16 : one_child - alone;
  NodesAtDepth nodes;
  nodes.branches = places(depth) * parts;
  nodes.extensions = places(depth) * runs_on * begins;
  nodes.leaves = places(depth) * alone * begins;
  nodes.children = mean < 1e-4 ? 2 : 16 * filled * (1 - fifteen_empty) / parts;
  return nodes;
}

double nodes_per_key(double keys) {
  double nodes = 0;
  for (uint32_t depth = 0; depth <= kDepths; ++depth) nodes += nodes_at_depth(keys, depth).all();
  return nodes / keys;
}

}  // namespace ethio::test
