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

// A stored branch beside its hashes: key of nibbles, three masks, node header of the B-tree.
constexpr double kStoredBranchBytes = 40;  // assumed
constexpr double kHashBytes = 32;

double stored_bytes(const TrieShape& shape) {
  double bytes = 0;
  for (uint32_t depth = 0; depth < kMaxDepth; ++depth) {
    const auto stored = shape.expected_stored(depth);
    bytes += stored.nodes * kStoredBranchBytes + stored.hashes * kHashBytes;
  }
  return bytes;
}

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
  double storage_branch_bytes = 0;
  for (uint32_t depth = 0; depth < kMaxDepth; ++depth)
    account_nodes += account_trie_.expected_nodes(depth);
  for (const SizeClass& c : contracts_.classes()) {
    const TrieShape& shape = storage_tries_.emplace_back(c.slots, kSlotValueBytes);
    storage_branch_bytes += stored_bytes(shape) * static_cast<double>(c.contracts);
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
  set_bytes(Table::kHistory, static_cast<double>(spec.history_bytes));
  set_bytes(Table::kHistoryIndex, static_cast<double>(spec.history_index_bytes));
  branch_bytes_[static_cast<int>(Table::kAccountTrie)] =
      static_cast<uint64_t>(stored_bytes(account_trie_));
  branch_bytes_[static_cast<int>(Table::kStorageTrie)] =
      static_cast<uint64_t>(storage_branch_bytes);
  entry_bytes_[static_cast<int>(Table::kAccounts)] = static_cast<uint32_t>(spec.account_bytes);
  entry_bytes_[static_cast<int>(Table::kSlots)] = static_cast<uint32_t>(spec.slot_bytes);
  if (spec.recent_share > 0 && spec.recent_share < 1) {
    recent_share_ = spec.recent_share;
    recent_heat_ = spec.recent_weight / spec.recent_share;
    other_heat_ = (1 - spec.recent_weight) / (1 - spec.recent_share);
  }
  recent_accounts_ = recent_keys(spec.accounts, recent_share_, mix64(seed_, 0x61));
  recent_slots_ = recent_keys(contracts_.total_slots(), recent_share_, mix64(seed_, 0x6f));
  fit_cache(spec.cache);
}

StateModel::RecentKeys StateModel::recent_keys(uint64_t keys, double share, uint64_t salt) {
  RecentKeys recent;
  recent.count = std::max<uint64_t>(
      1, static_cast<uint64_t>(static_cast<double>(keys) * (share > 0 ? share : 1)));
  recent.step = static_cast<uint64_t>(kTwo64 / static_cast<double>(recent.count + 1));
  recent.salt = salt;
  return recent;
}

// log16 of the keys that must be below a node for it to have so much heat, when one of them is
// asked for `own` times as often as the mean and the others are like the mean.
static double log16_keys_for(double log16_heat, double own) {
  const double heat = exact_pow(16, log16_heat);
  if (own <= 0) return exact_log(heat + 1) / kLog16;
  return exact_log(heat <= own ? heat / own : heat - own + 1) / kLog16;
}

// The cache holds the hottest nodes. One cut through all tries, "at least so much heat", says what
// is held (assumed: below the cut all keys are equally likely, but for the recent ones, which are
// likelier; a node above a recent key by chance counts as any other on the way to other keys).
double StateModel::bytes_cached_above(double log16_heat) const {
  const double any_cut = log16_keys_for(log16_heat, other_heat_);
  const double recent_cut = log16_keys_for(log16_heat, recent_heat_);
  const auto bytes_of_trie = [&](const TrieShape& shape, uint32_t key_bytes) {
    double bytes = 0;
    const double top = exact_log(static_cast<double>(shape.keys())) / kLog16;
    for (uint32_t depth = 0; depth < kMaxDepth; ++depth) {
      // Of this depth: all, a part, or none.
      const double any = std::clamp(top - depth - any_cut, 0.0, 1.0);
      const double recent = std::clamp(top - depth - recent_cut, 0.0, 1.0);
      if (any <= 0 && recent <= 0) break;
      double held = any;
      if (recent_share_ > 0) {
        const double keys_below = exact_pow(16, top - depth);
        const double above_recent =
            1 - exact_exp(std::max(1.0, keys_below) * exact_log(1 - recent_share_));
        held = above_recent * recent + (1 - above_recent) * any;
      }
      bytes += held * (shape.expected_node_bytes(depth) +
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
  account_cuts_ = cuts_of(account_trie_);
  for (const TrieShape& shape : storage_tries_) storage_cuts_.push_back(cuts_of(shape));
}

StateModel::CacheCut StateModel::cut_of(const TrieShape& shape, double log16_keys_below) const {
  const double levels = exact_log(static_cast<double>(shape.keys())) / kLog16 - log16_keys_below;
  if (levels <= 0) return {0, 0};
  const auto whole = std::min(static_cast<uint32_t>(levels), kMaxDepth);
  return {whole, probability(levels - whole)};
}

StateModel::CacheCuts StateModel::cuts_of(const TrieShape& shape) const {
  return {cut_of(shape, log16_keys_for(cut_, other_heat_)),
          cut_of(shape, log16_keys_for(cut_, recent_heat_))};
}

double StateModel::cached_share(const TrieShape& shape, uint32_t depth) const {
  const double levels =
      exact_log(static_cast<double>(shape.keys())) / kLog16 - log16_keys_for(cut_, other_heat_);
  return std::clamp(levels - depth, 0.0, 1.0);
}

// The nodes that are asked for, without those that the cache holds: of the level that it holds in
// part, a hash of the node decides.
void StateModel::cut_path(uint64_t trie, const TrieShape& shape, const TrieKey& key,
                          const CacheCuts& cuts, const WalkTo& to, TriePath& path) const {
  if (to.nodes == Nodes::kAll) return shape.path(trie, key, 0, path);
  const CacheCut& cut = to.recent ? cuts.recent : cuts.any;
  shape.path(trie, key, cut.first_cold, path);
  if (path.count == 0 || path.nodes[0].depth != cut.first_cold) return;
  const uint64_t lot = mix64(trie ^ 0x6361636865, path.nodes[0].prefix, cut.first_cold);
  if (lot >= cut.cached_share) return;
  std::copy(path.nodes.begin() + 1, path.nodes.begin() + path.count, path.nodes.begin());
  --path.count;
}

// Stays near a place if there is one. A recent place always gives the same key.
static TrieKey pick_key(const TrieShape& shape, uint64_t trie, uint64_t place, bool anywhere,
                        const StateModel::WalkTo& to, Rng& rng) {
  if (to.absent) return shape.absent_key(anywhere ? rng.next() : place);
  if (to.recent) {
    Rng own(place);
    return shape.draw_near(trie, place, own);
  }
  return anywhere ? shape.draw(trie, rng) : shape.draw_near(trie, place, rng);
}

void StateModel::account_walk(Rng& rng, const WalkTo& to, Walk& out) const {
  const bool anywhere = to.near == kAnywhere && !to.recent;
  const uint64_t place = to.recent ? recent_account(rng, to.near) : to.near;
  const TrieKey key = pick_key(account_trie_, seed_, place, anywhere, to, rng);
  out.trie = seed_;
  out.in_storage = false;
  out.nibbles = key.nibbles;
  out.position = key.nibbles;
  cut_path(seed_, account_trie_, key, account_cuts_, to, out.path);
}

void StateModel::slot_walk(Rng& rng, const WalkTo& to, Walk& out) const {
  const bool anywhere = to.near == kAnywhere && !to.recent;
  out.place = contracts_.find(to.recent  ? recent_slot(rng, to.near)
                              : anywhere ? rng.next()
                                         : to.near);
  out.in_storage = true;
  out.trie = mix64(seed_, out.place.size_class, out.place.contract);
  const TrieShape& shape = storage_tries_[out.place.size_class];
  const TrieKey key = pick_key(shape, out.trie, out.place.key, anywhere, to, rng);
  out.nibbles = key.nibbles;
  out.position = contracts_.position(out.place.size_class, out.place.contract, key.nibbles);
  cut_path(out.trie, shape, key, storage_cuts_[out.place.size_class], to, out.path);
}

uint32_t StateModel::node_key_bytes(const Walk& walk, const TrieNode& node) {
  return (walk.in_storage ? kStorageNodeKeyBytes : kAccountNodeKeyBytes) + node.depth;
}

}  // namespace ethio
