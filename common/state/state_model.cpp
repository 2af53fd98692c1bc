#include "common/state/state_model.h"

#include <algorithm>

#include "common/base/exact_math.h"

namespace ethio {
namespace {

// RLP of an account (nonce, balance, storage root, code hash) and of a slot's value.
constexpr uint32_t kAccountValueBytes =
    76;  // assumed: 2 + 66 for the two hashes, 8 for nonce and balance
constexpr uint32_t kSlotValueBytes =
    8;  // 7.4 B mean of a 127 M slot contract, go-ethereum PR #33721

// DB key bytes above the path: geth core/rawdb/schema.go.
constexpr uint32_t kAccountNodeKeyBytes = 1;   // `A`
constexpr uint32_t kStorageNodeKeyBytes = 33;  // `O` + account hash

constexpr double kLog16 = 4 * kLn2;
constexpr uint32_t kMaxDepth = 16;
constexpr double kEverything = 12;  // log16 of more keys than any trie has

// Code sizes at cumulative shares: median 45 B, mean 676 B, 99th percentile 11,293 B, largest
// 24,576 B over all accounts with code, block 22,284,325 (stateless.fyi "Tree shape"). Between the
// knots the size grows geometrically; the knots below the median and at 0.85 are assumed, the
// latter so that the mean comes out.
struct CodeKnot {
  double share;
  double bytes;
};
constexpr CodeKnot kCodeKnots[] = {{0, 23}, {0.5, 45}, {0.85, 343}, {0.99, 11293}, {1, 24576}};

// The distribution as evenly spaced quantiles.
std::vector<uint32_t> code_quantiles(uint32_t count) {
  std::vector<uint32_t> sizes;
  size_t knot = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const double share = (i + 0.5) / count;
    while (share >= kCodeKnots[knot + 1].share) ++knot;
    const CodeKnot& from = kCodeKnots[knot];
    const CodeKnot& to = kCodeKnots[knot + 1];
    const double part = (share - from.share) / (to.share - from.share);
    sizes.push_back(static_cast<uint32_t>(from.bytes * exact_pow(to.bytes / from.bytes, part)));
  }
  return sizes;
}

}  // namespace

StateModel::StateModel(const StateSpec& spec, uint64_t seed)
    : seed_(mix64(seed, 0x7374617465)),
      account_trie_(spec.accounts, kAccountValueBytes),
      contracts_({spec.contracts, spec.storage_tries, spec.slots, spec.p99_contract_slots,
                  spec.max_contract_slots}),
      code_sizes_(code_quantiles(1u << kCodeQuantileBits)) {
  double account_nodes = 0;
  double storage_nodes = 0;
  for (uint32_t depth = 0; depth < kMaxDepth; ++depth)
    account_nodes += account_trie_.expected_nodes(depth);
  for (const SizeClass& c : contracts_.classes()) {
    const TrieShape& shape = storage_tries_.emplace_back(c.slots, kSlotValueBytes);
    for (uint32_t depth = 0; depth < kMaxDepth; ++depth) {
      storage_nodes += shape.expected_nodes(depth) * static_cast<double>(c.contracts);
    }
  }
  const auto set_bytes = [this](Table table, double bytes) {
    table_bytes_[static_cast<int>(table)] = std::max<uint64_t>(1, static_cast<uint64_t>(bytes));
  };
  const auto bytes_of = [](uint64_t items, uint64_t each) {
    return static_cast<double>(items) * static_cast<double>(each);
  };
  set_bytes(Table::kAccounts, bytes_of(spec.accounts, spec.account_bytes));
  set_bytes(Table::kSlots, bytes_of(contracts_.total_slots(), spec.slot_bytes));
  set_bytes(Table::kAccountTrie, account_nodes * static_cast<double>(spec.node_bytes));
  set_bytes(Table::kStorageTrie, storage_nodes * static_cast<double>(spec.node_bytes));
  set_bytes(Table::kCode, static_cast<double>(spec.code_bytes));
  entry_bytes_[static_cast<int>(Table::kAccounts)] = static_cast<uint32_t>(spec.account_bytes);
  entry_bytes_[static_cast<int>(Table::kSlots)] = static_cast<uint32_t>(spec.slot_bytes);
  fit_cache(spec.cache);
}

// The cache holds the hottest nodes. A node is as hot as the number of keys below it, so one cut
// through all tries, "at least so many keys below", says what is held (assumed: all keys equally
// likely below the cut).
double StateModel::bytes_cached_above(double log16_keys_below) const {
  const auto bytes_of_trie = [&](const TrieShape& shape, uint32_t key_bytes) {
    double bytes = 0;
    const double top = exact_log(static_cast<double>(shape.keys())) / kLog16;
    for (uint32_t depth = 0; depth < kMaxDepth; ++depth) {
      const double share = top - depth - log16_keys_below;  // of this depth: 1 full, < 0 none
      if (share <= 0) break;
      const double of_nodes = std::min(share, 1.0);
      bytes += of_nodes * (shape.expected_node_bytes(depth) +
                           shape.expected_nodes(depth) * (key_bytes + depth));
    }
    return bytes;
  };
  double bytes = bytes_of_trie(account_trie_, kAccountNodeKeyBytes);
  for (size_t i = 0; i < storage_tries_.size(); ++i) {
    bytes += bytes_of_trie(storage_tries_[i], kStorageNodeKeyBytes) *
             static_cast<double>(contracts_.classes()[i].contracts);
  }
  return bytes;
}

void StateModel::fit_cache(uint64_t cache_bytes) {
  double low = -kEverything;  // every node is held
  double high = kEverything;  // none is
  const auto budget = static_cast<double>(cache_bytes);
  for (int i = 0; i < 50; ++i) {
    const double middle = (low + high) / 2;
    (bytes_cached_above(middle) > budget ? low : high) = middle;
  }
  cut_ = high;
  account_cut_ = cut_of(account_trie_);
  for (const TrieShape& shape : storage_tries_) storage_cuts_.push_back(cut_of(shape));
}

StateModel::CacheCut StateModel::cut_of(const TrieShape& shape) const {
  const double levels = exact_log(static_cast<double>(shape.keys())) / kLog16 - cut_;
  if (levels <= 0) return {0, 0};
  const auto whole = std::min(static_cast<uint32_t>(levels), kMaxDepth);
  return {whole, probability(levels - whole)};
}

double StateModel::cached_share(const TrieShape& shape, uint32_t depth) const {
  const double levels = exact_log(static_cast<double>(shape.keys())) / kLog16 - cut_;
  return std::clamp(levels - depth, 0.0, 1.0);
}

void StateModel::drop_cached_boundary(uint64_t trie, const CacheCut& cut, TriePath& path) const {
  if (path.count == 0 || path.nodes[0].depth != cut.first_cold) return;
  const uint64_t lot = mix64(trie ^ 0x6361636865, path.nodes[0].prefix, cut.first_cold);
  if (lot >= cut.cached_share) return;
  std::copy(path.nodes.begin() + 1, path.nodes.begin() + path.count, path.nodes.begin());
  --path.count;
}

void StateModel::account_walk(Rng& rng, uint64_t near, Nodes nodes, Walk& out) const {
  const TrieKey key = near == kAnywhere ? account_trie_.draw(seed_, rng)
                                        : account_trie_.draw_near(seed_, near, rng);
  out.trie = seed_;
  out.in_storage = false;
  out.nibbles = key.nibbles;
  out.position = key.nibbles;
  if (nodes == Nodes::kAll) return account_trie_.path(seed_, key, 0, out.path);
  account_trie_.path(seed_, key, account_cut_.first_cold, out.path);
  drop_cached_boundary(seed_, account_cut_, out.path);
}

void StateModel::slot_walk(Rng& rng, uint64_t near, Nodes nodes, Walk& out) const {
  out.place = contracts_.find(near == kAnywhere ? rng.next() : near);
  out.in_storage = true;
  out.trie = mix64(seed_, out.place.size_class, out.place.contract);
  const TrieShape& shape = storage_tries_[out.place.size_class];
  const TrieKey key =
      near == kAnywhere ? shape.draw(out.trie, rng) : shape.draw_near(out.trie, out.place.key, rng);
  out.nibbles = key.nibbles;
  out.position = contracts_.position(out.place.size_class, out.place.contract, key.nibbles);
  if (nodes == Nodes::kAll) return shape.path(out.trie, key, 0, out.path);
  const CacheCut& cut = storage_cuts_[out.place.size_class];
  shape.path(out.trie, key, cut.first_cold, out.path);
  drop_cached_boundary(out.trie, cut, out.path);
}

uint32_t StateModel::node_key_bytes(const Walk& walk, const TrieNode& node) {
  return (walk.in_storage ? kStorageNodeKeyBytes : kAccountNodeKeyBytes) + node.depth;
}

}  // namespace ethio
