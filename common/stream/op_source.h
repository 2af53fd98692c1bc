// Which op comes next in a stage: its kinds in proportion, each op's key drawn from a sequence of
// its own. Ops are taken in order, and op k of an entry is a pure function of (seed, unit, stage,
// entry, k) and, for sorted batches, of the ops before it. Used by Session.
#pragma once

#include <cstdint>
#include <vector>

#include "common/layout/layout.h"
#include "common/spec/workload_spec.h"
#include "common/state/state_model.h"

namespace ethio {

class OpSource {
 public:
  // `state` may be null where no op needs a key of it. `first_class`: index of the first entry
  // among all entries of the session, for metrics.
  OpSource(const StreamSpec& stream, const WorkloadSpec& spec, const StateModel* state,
           uint64_t seed, uint32_t first_class);

  uint64_t ops_per_unit() const { return ops_per_unit_; }
  void begin_unit(uint64_t unit) noexcept;
  bool exhausted() const { return left_ == 0; }
  // Goes on in an endless stage, where `round` stands for the unit if that means anything.
  void begin_round(uint64_t round) noexcept {
    if (depends_on_unit_) return begin_unit(round);
    left_ = ~uint64_t{0};
  }

  // The next op and its class. `op` and what it points to live until the next call.
  const Op& take(uint32_t& op_class) noexcept {
    Entry& entry = entries_.size() == 1 ? entries_[0] : entry_in_turn();
    op_class = entry.op_class;
    --left_;
    if (entry.uniform) {
      op_.kind = entry.kind;
      op_.bytes = entry.bytes;
      op_.position = sequence_seed(entry);  // a sequence of one
    } else {
      draw(entry);
    }
    ++entry.next;
    return op_;
  }

 private:
  struct Entry {
    OpKind kind;
    bool sorted;
    bool uniform;  // reads or writes anywhere: all that is drawn is a position
    uint32_t op_class;
    uint32_t bytes;
    uint64_t count;   // a unit
    uint64_t absent;  // probabilities
    uint64_t repeat;
    uint64_t recent;
    double gap;         // mean distance of sorted keys, in units of 2^kGapBits
    uint64_t base;      // of the seeds of all units
    uint64_t seed;      // of the unit's sequence
    uint64_t next;      // index of the next op
    uint64_t position;  // of the sorted batch
    int64_t credit;     // for taking turns
  };

  Entry& entry_in_turn() noexcept;
  static uint64_t sequence_seed(const Entry& entry) {
    return mix64(entry.seed ^ entry.next * kGolden);
  }
  void draw(Entry& entry) noexcept;
  void walk(OpKind kind, StateModel::WalkTo to, Rng& rng) noexcept;
  uint64_t place(OpKind kind, const StateModel::WalkTo& to, Rng& rng) noexcept;

  const StateModel* state_;
  bool depends_on_unit_;  // beyond counting
  bool in_order_;
  uint64_t ops_per_unit_ = 0;
  uint64_t left_ = 0;
  std::vector<Entry> entries_;
  Op op_;
  Walk walk_;
};

}  // namespace ethio
