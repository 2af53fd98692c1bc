#include "common/stream/op_source.h"

#include <algorithm>

#include "common/base/exact_math.h"

namespace ethio {
namespace {

constexpr uint32_t kGapBits = 8;  // gaps are kept in units of 2^8: a long one must not overflow

uint64_t scaled_count(const OpSpec& op, const WorkloadSpec& spec) {
  if (!op.per_gas) return op.count;
  const double scale = static_cast<double>(spec.gas) / static_cast<double>(spec.reference_gas);
  const double scaled = static_cast<double>(op.count) * scale;
  const auto whole = static_cast<uint64_t>(scaled);
  const bool round_up = scaled - static_cast<double>(whole) >= 0.5;
  return std::max<uint64_t>(1, whole + (round_up ? 1 : 0));
}

}  // namespace

OpSource::OpSource(const StreamSpec& stream, const WorkloadSpec& spec, const StateModel* state,
                   uint64_t seed, uint32_t first_class)
    : state_(state), depends_on_unit_(stream.in_order), in_order_(stream.in_order) {
  for (const OpSpec& op : stream.ops) {
    Entry entry{};
    entry.kind = op.kind;
    entry.uniform = is_uniform(op.kind);
    entry.op_class = first_class + static_cast<uint32_t>(entries_.size());
    entry.base = mix64(seed, entries_.size());
    entry.sorted = op.order == Order::kSorted;
    entry.bytes = static_cast<uint32_t>(op.bytes);
    entry.count = scaled_count(op, spec);
    entry.absent = probability(op.absent);
    entry.repeat = probability(op.repeat);
    entry.recent = probability(op.recent);
    entry.gap =
        kTwo64 / static_cast<double>(uint64_t{1} << kGapBits) / static_cast<double>(entry.count);
    entries_.push_back(entry);
    ops_per_unit_ += entry.count;
    depends_on_unit_ |= !entry.uniform;
  }
  begin_unit(0);
}

void OpSource::begin_unit(uint64_t unit) noexcept {
  left_ = ops_per_unit_;
  for (Entry& entry : entries_) {
    entry.seed = mix64(entry.base + unit * kGolden);
    entry.next = 0;
    if (entry.sorted) entry.position = mix64(entry.seed);  // a walk around the circle of keys
    entry.credit = 0;
  }
}

// Entries take turns in proportion to their counts: each gains its count, the richest pays the sum.
OpSource::Entry& OpSource::entry_in_turn() noexcept {
  if (in_order_) {
    return *std::find_if(entries_.begin(), entries_.end(),
                         [](const Entry& entry) { return entry.next < entry.count; });
  }
  Entry* richest = &entries_[0];
  for (Entry& entry : entries_) {
    entry.credit += static_cast<int64_t>(entry.count);
    if (entry.credit > richest->credit) richest = &entry;
  }
  richest->credit -= static_cast<int64_t>(ops_per_unit_);
  return *richest;
}

void OpSource::walk(OpKind kind, StateModel::WalkTo to, Rng& rng) noexcept {
  const bool commits = kind == OpKind::kAccountCommit || kind == OpKind::kSlotCommit;
  to.nodes = commits ? StateModel::Nodes::kAll : StateModel::Nodes::kCold;
  if (kind == OpKind::kAccountWalk || kind == OpKind::kAccountCommit) {
    state_->account_walk(rng, to, walk_);
  } else {
    state_->slot_walk(rng, to, walk_);
  }
  op_.walk = &walk_;
}

// Of a flat entry.
uint64_t OpSource::place(OpKind kind, const StateModel::WalkTo& to, Rng& rng) noexcept {
  if (to.recent) {
    return kind == OpKind::kAccountGet ? state_->recent_account(rng, to.near)
                                       : state_->recent_slot(rng, to.near);
  }
  return to.near == StateModel::kAnywhere ? rng.next() : to.near;
}

void OpSource::draw(Entry& entry) noexcept {
  Rng rng(sequence_seed(entry));
  if (entry.repeat != 0 && rng.chance(entry.repeat) && entry.next > 0) {
    rng =
        Rng(mix64(entry.seed ^ rng.below(entry.next) * kGolden));  // the sequence of an earlier op
    rng.next();  // which spent one draw on the same question
  }
  op_.kind = entry.kind;
  op_.bytes = entry.bytes;
  op_.absent = entry.absent != 0 && rng.chance(entry.absent);
  StateModel::WalkTo to;
  to.absent = op_.absent;
  to.recent = entry.recent != 0 && rng.chance(entry.recent);
  if (entry.sorted) {
    entry.position += static_cast<uint64_t>(exponential_from_bits(rng.next()) * entry.gap)
                      << kGapBits;
    to.near = entry.position;
  }
  switch (entry.kind) {
    case OpKind::kAccountWalk:
    case OpKind::kAccountCommit:
    case OpKind::kSlotWalk:
    case OpKind::kSlotCommit:
      walk(entry.kind, to, rng);
      break;
    case OpKind::kAccountGet:
    case OpKind::kSlotGet:
      op_.position = place(entry.kind, to, rng);
      break;
    case OpKind::kCodeGet:
      op_.position = rng.next();
      if (entry.bytes == 0) op_.bytes = state_->code_size(rng);
      break;
    default:
      op_.position = entry.sorted ? to.near : rng.next();
      break;
  }
  op_.lot = rng.next();
}

}  // namespace ethio
