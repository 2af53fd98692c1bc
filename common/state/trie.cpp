#include "common/state/trie.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "common/base/exact_math.h"

namespace ethio {
namespace {

constexpr uint32_t kKeyNibbles = 64;
constexpr uint32_t kNibbles = 16;  // of a key that the model draws: 64 bits

// Sixteen neighbouring buckets can all have come out empty (about once in 4 * 10^7 at the lowest
// mean). A draw there gives up after so many buckets and takes a key that does not exist, rather
// than search for ever.
constexpr uint32_t kMaxAttempts = 1024;

uint32_t nibble_at(uint64_t nibbles, uint32_t depth) {
  return static_cast<uint32_t>(nibbles >> (60 - 4 * depth)) & 15;
}

uint64_t prefix_of(uint64_t nibbles, uint32_t depth) {
  return depth == 0 ? 0 : nibbles & (~uint64_t{0} << (64 - 4 * depth));
}

uint32_t list_header_bytes(uint32_t payload) {
  return payload <= 55 ? 1 : payload <= 255 ? 2 : 3;
}

// A byte string of more than one byte.
uint32_t string_bytes(uint32_t length) {
  return list_header_bytes(length) + length;
}

}  // namespace

uint16_t branch_bytes(uint32_t children) {
  const uint32_t payload = 33 * children + (17 - children);
  return static_cast<uint16_t>(list_header_bytes(payload) + payload);
}

uint16_t extension_bytes(uint32_t nibbles) {
  const uint32_t compact = nibbles / 2 + 1;  // hex-prefix encoding
  const uint32_t payload = (compact == 1 ? 1 : string_bytes(compact)) + 33;
  return static_cast<uint16_t>(list_header_bytes(payload) + payload);
}

uint16_t leaf_bytes(uint32_t depth, uint32_t value_bytes) {
  const uint32_t compact = (kKeyNibbles - depth) / 2 + 1;
  const uint32_t payload = string_bytes(compact) + string_bytes(value_bytes);
  return static_cast<uint16_t>(list_header_bytes(payload) + payload);
}

TrieShape::TrieShape(uint64_t keys, uint32_t value_bytes) : keys_(keys), value_bytes_(value_bytes) {
  double lambda = static_cast<double>(keys);
  while (lambda > 16) {
    lambda *= 1.0 / 16;
    ++bucket_depth_;
  }
  if (bucket_depth_ == 0) {
    max_keys_ = static_cast<uint32_t>(keys);
    return;
  }
  double probability = exact_exp(-lambda);
  double cumulative = probability;
  for (uint32_t count = 0; cumulative < 1 - 1e-12 && count < 96; ++count) {
    thresholds_.push_back(static_cast<uint64_t>(cumulative * kTwo64));
    probability *= lambda / (count + 1);
    cumulative += probability;
  }
  thresholds_.push_back(~uint64_t{0});
  max_keys_ = static_cast<uint32_t>(thresholds_.size()) - 1;
  uint8_t start = 0;
  for (size_t i = 0; i < guide_.size(); ++i) {
    while (thresholds_[start] < static_cast<uint64_t>(i) << (64 - kGuideBits)) ++start;
    guide_[i] = start;
  }
}

uint32_t TrieShape::poisson(uint64_t hash) const {
  uint32_t count = guide_[hash >> (64 - kGuideBits)];
  while (thresholds_[count] < hash) ++count;
  return count;
}

uint64_t TrieShape::suffix(uint64_t id, uint64_t bucket, uint32_t index) const {
  return mix64((id ^ bucket * kGolden) + (index + 1) * 0xd1342543de82ef95ULL);
}

TrieKey TrieShape::key_at(uint64_t id, uint64_t bucket, uint32_t index) const {
  const uint64_t below = suffix(id, bucket, index);
  if (bucket_depth_ == 0) return {bucket, index, below};
  const uint32_t bits = 4 * bucket_depth_;
  return {bucket, index, bucket << (64 - bits) | below >> bits};
}

// Buckets are found uniformly, keys must be: an index is drawn with the bucket, and the bucket is
// kept if it has so many keys, which the thresholds tell without counting them.
bool TrieShape::has_key(uint64_t id, uint64_t bucket, uint32_t index) const {
  return mix64(id, bucket) > thresholds_[index];
}

TrieKey TrieShape::draw(uint64_t id, Rng& rng) const {
  if (bucket_depth_ == 0) return key_at(id, 0, static_cast<uint32_t>(rng.below(keys_)));
  const uint32_t bits = 4 * bucket_depth_;
  uint64_t bucket = 0;
  for (uint32_t attempt = 0; attempt < kMaxAttempts; ++attempt) {
    const uint64_t lot = rng.next();
    bucket = lot >> (64 - bits);
    const auto index = static_cast<uint32_t>(mul_high(lot << bits, max_keys_));
    if (has_key(id, bucket, index)) return key_at(id, bucket, index);
  }
  return key_at(id, bucket, 0);
}

TrieKey TrieShape::draw_near(uint64_t id, uint64_t position, Rng& rng) const {
  if (bucket_depth_ == 0) {
    return key_at(id, 0, static_cast<uint32_t>(mul_high(position, keys_)));
  }
  uint64_t bucket = position >> (64 - 4 * bucket_depth_);
  for (uint32_t attempt = 0; attempt < kMaxAttempts; ++attempt) {
    const uint64_t lot = rng.next();
    const auto index = static_cast<uint32_t>(mul_high(lot << 4, max_keys_));
    if (has_key(id, bucket, index)) return key_at(id, bucket, index);
    bucket = (bucket & ~uint64_t{15}) | lot >> 60;  // a sibling: the order stays, coarsely
  }
  return key_at(id, bucket, 0);
}

TrieShape::BucketParent TrieShape::bucket_parent(uint64_t id, uint64_t bucket) const {
  const uint64_t first = bucket & ~uint64_t{15};
  BucketParent parent;
  for (uint64_t sibling = first; sibling < first + 16; ++sibling) {
    const uint64_t hash = mix64(id, sibling);
    parent.children += hash > thresholds_[0] ? 1 : 0;  // more than no key
    parent.above_branch |= hash > thresholds_[1];      // more than one
  }
  return parent;
}

namespace {

// Where the other keys of a bucket leave the path to one key: below the bucket, by depth.
struct Leaving {
  std::array<uint16_t, kNibbles> nibbles{};  // by which nibbles
  std::array<uint16_t, kNibbles> twice{};    // by which of them two keys or more
  uint32_t depths = 0;                       // a bit for each depth at which any leaves

  void add(uint32_t depth, uint32_t nibble) {
    const auto bit = static_cast<uint16_t>(1u << nibble);
    twice[depth] |= nibbles[depth] & bit;
    nibbles[depth] |= bit;
    depths |= 1u << depth;
  }
};

}  // namespace

void TrieShape::path(uint64_t id, const TrieKey& key, uint32_t first_depth, TriePath& out) const {
  out.count = 0;
  const auto add = [&](uint32_t depth, NodeKind kind, uint32_t children, bool above_branch,
                       uint16_t bytes) {
    if (depth < first_depth) return;
    out.nodes[out.count++] = {prefix_of(key.nibbles, depth),
                              static_cast<uint8_t>(depth),
                              kind,
                              static_cast<uint8_t>(children),
                              above_branch,
                              bytes};
  };
  for (uint32_t depth = first_depth; depth < bucket_depth_; ++depth) {
    BucketParent parent{16, true};
    if (depth + 1 == bucket_depth_) parent = bucket_parent(id, key.bucket);
    add(depth, NodeKind::kBranch, parent.children, parent.above_branch,
        branch_bytes(parent.children));
  }
  const uint32_t count = bucket_keys(id, key.bucket);
  const bool exists = key.index != TrieKey::kAbsent;
  if (!exists && count == 0) return;  // the bucket's parent has no such child
  Leaving leaving;
  const uint32_t bits = 4 * bucket_depth_;
  const uint64_t own = bucket_depth_ == 0 ? key.nibbles : key.nibbles << bits;
  for (uint32_t i = 0; i < count; ++i) {
    if (i == key.index) continue;
    const uint64_t other = suffix(id, key.bucket, i);
    const uint32_t shared =
        static_cast<uint32_t>(std::countl_zero((own ^ (other >> bits << bits)) | 1)) / 4;
    if (shared + bucket_depth_ >= kNibbles) continue;  // the same 64 bits: one key
    leaving.add(shared, nibble_at(other, shared));
  }
  // Of a key that does not exist, the last depth at which others leave is a branch only if they
  // leave it by two nibbles; else they share a leaf or an extension there, which leads elsewhere.
  uint32_t depth = bucket_depth_;
  while (leaving.depths != 0) {
    const uint32_t below = static_cast<uint32_t>(std::countr_zero(leaving.depths));
    leaving.depths &= leaving.depths - 1;
    const uint32_t others = static_cast<uint32_t>(std::popcount(leaving.nibbles[below]));
    const bool goes_on = exists || leaving.depths != 0;
    if (!goes_on && others == 1) {
      if (leaving.twice[below] == 0) break;
      return add(depth, NodeKind::kExtension, 0, false, extension_bytes(1));
    }
    const uint32_t branch_depth = bucket_depth_ + below;
    if (branch_depth > depth) {
      add(depth, NodeKind::kExtension, 0, false, extension_bytes(branch_depth - depth));
    }
    const uint32_t children = others + (goes_on ? 1 : 0);
    const bool above_branch = leaving.twice[below] != 0 || (leaving.depths != 0);
    add(branch_depth, NodeKind::kBranch, children, above_branch, branch_bytes(children));
    depth = branch_depth + 1;
    if (!goes_on) return;
  }
  add(depth, NodeKind::kLeaf, 0, false, leaf_bytes(depth, value_bytes_));
}

// The probability that none of so many keys lies in a part of the key space.
double TrieShape::none_in(double part, uint64_t keys) const {
  if (bucket_depth_ > 0) return exact_exp(-static_cast<double>(keys) * part);
  double none = 1;
  for (uint64_t i = 0; i < keys; ++i) none *= 1 - part;
  return none;
}

// A place at this depth (a prefix of so many nibbles) holds a branch if two of its sixteen children
// hold keys. It begins a leaf or an extension if all its keys lie in one child and its parent is a
// branch, that is, if one of its fifteen siblings holds keys as well.
ExpectedNodes TrieShape::expected(uint32_t depth) const {
  // Beside a given key there are as many others as keys when their number is Poisson.
  const uint64_t others = bucket_depth_ > 0 ? keys_ : keys_ - 1;
  const double places = exact_pow(16, depth);
  const double place = 1 / places;
  const double child = place / 16;
  const auto keys = static_cast<double>(keys_);
  ExpectedNodes nodes;
  if (keys * place < 1e-4) {  // no place has three keys; the general form would cancel out
    const double pairs = keys * static_cast<double>(others) * place / 2;  // over all places
    nodes.branches = pairs * 15 / 16;
    nodes.extensions = pairs / 16;
    nodes.leaves = pairs * 30;  // of places with a common parent
    nodes.children = 2 * nodes.branches;
    return nodes;
  }
  const double none = none_in(place, keys_);
  const double in_one_child = 16 * (none_in(15 * child, keys_) - none);
  nodes.branches = places * (1 - none - in_one_child);
  nodes.children = places * 16 * (1 - none_in(child, keys_) - none_in(15 * child, keys_) + none);
  if (depth == 0) {
    nodes.leaves = keys_ == 1 ? 1 : 0;
    nodes.extensions = in_one_child - nodes.leaves;
    return nodes;
  }
  const double none_in_parent = none_in(16 * place, keys_);
  nodes.leaves = keys * (none_in(place, others) - none_in(16 * place, others));
  const double in_one_child_of_parent =
      16 * (none_in(15 * child + 15 * place, keys_) - none_in_parent);
  nodes.extensions = places * (in_one_child - in_one_child_of_parent) - nodes.leaves;
  return nodes;
}

// As if the number of keys of a place were Poisson. A place holds such a branch if one of its
// sixteen children has two keys or more, unless all its keys are in that one.
TrieShape::StoredBranches TrieShape::expected_stored(uint32_t depth) const {
  const double places = exact_pow(16, depth);
  const double child_keys = static_cast<double>(keys_) / places / 16;
  const double empty = exact_exp(-child_keys);
  const double at_most_one = empty * (1 + child_keys);
  const double all_but_one_empty = exact_exp(-15 * child_keys);
  double none_has_two = 1;
  for (int child = 0; child < 16; ++child) none_has_two *= at_most_one;
  const double two_or_more = 1 - at_most_one;
  StoredBranches stored;
  stored.nodes = places * std::max(0.0, 1 - none_has_two - 16 * two_or_more * all_but_one_empty);
  stored.hashes = places * 16 * two_or_more * (1 - all_but_one_empty);
  return stored;
}

double TrieShape::expected_node_bytes(uint32_t depth) const {
  const ExpectedNodes nodes = expected(depth);
  if (nodes.all() <= 0) return 0;
  // A branch is 17 bytes of empty slots, 32 more a child, and a header that depends on their sum.
  const double header = nodes.children > 8 * nodes.branches ? 3 : 2;
  return nodes.branches * (17 + header) + nodes.children * 32 +
         nodes.extensions * extension_bytes(1) +
         nodes.leaves * leaf_bytes(std::min(depth, kNibbles), value_bytes_);
}

}  // namespace ethio
