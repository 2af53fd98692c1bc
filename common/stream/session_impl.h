// What a Session is made of: its streams (stages and backgrounds), their lanes, and where in the
// unit it stands. Built in session_build.cpp, run in session.cpp; private to these two.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/stream/lane.h"
#include "common/stream/op_source.h"
#include "common/stream/session.h"

namespace ethio {

inline constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();

// A stage or a background at work.
struct Stream {
  Stream(OpSource ops, FreeLanes lanes, StreamMemory* stream_memory, uint64_t every_units)
      : source(std::move(ops)), free(std::move(lanes)), memory(stream_memory), every(every_units) {}

  OpSource source;
  FreeLanes free;
  StreamMemory* memory;
  uint64_t every;
  uint64_t until_due = 0;    // units, counted down so that nothing is divided
  bool due = false;          // in this unit
  uint32_t outstanding = 0;  // ops dispatched and not finished
  // Of a background: all it has dispatched. Of a stage in a group: of this unit.
  Digest digest;
  // stage
  bool running = false;
  uint32_t group_end = 0;  // of the first of a group: index behind its last
  uint64_t begun_ns = 0;   // start of this unit's run
  // background
  uint64_t units_due = 0;  // released, not yet begun
  uint64_t units_begun = 0;
  uint64_t max_debt = 0;
  double ns_per_byte = 0;  // 0 = no pacing
  uint64_t next_due_ns = 0;
};

class Session::Impl {
 public:
  explicit Impl(const SessionConfig& config);

  Next next(uint64_t now_ns, Access& out) noexcept;
  void complete(uint32_t lane, int64_t result, uint64_t now_ns) noexcept;
  Digest digest() const noexcept;

  SessionConfig config;
  Metrics metrics;
  uint32_t lane_count = 0;
  uint32_t max_access_bytes = 0;
  std::string scaling_note;

 private:
  void build_memories();
  void build_stages(uint64_t seed);
  void build_backgrounds(uint64_t seed);
  void require_accesses();

  Next issue(uint32_t lane, uint64_t now_ns, Access& out) noexcept;
  // Takes the stream's next op; the lane that runs it, or none if memory held all it needs.
  std::optional<uint32_t> dispatch(uint32_t stream, Digest& digest, uint64_t now_ns) noexcept;
  std::optional<uint32_t> dispatch_background(uint64_t now_ns) noexcept;
  std::optional<uint32_t> dispatch_foreground(uint64_t now_ns) noexcept;
  bool has_op(Stream& stage) noexcept;
  std::optional<uint32_t> stage_in_turn(uint64_t now_ns) noexcept;
  void finish_op(uint32_t stream, uint32_t op_class, uint64_t dispatched_ns, uint32_t accesses,
                 uint64_t now_ns) noexcept;
  void finish_stage_if_done(uint32_t stage, uint64_t now_ns) noexcept;
  void finish_unit(uint64_t now_ns) noexcept;
  bool unit_is_due(uint64_t now_ns) const noexcept;
  void begin_unit(uint64_t now_ns) noexcept;
  bool begin_group(uint64_t now_ns) noexcept;
  void begin_stage(Stream& stage, uint64_t now_ns) noexcept;
  bool background_behind() const noexcept;
  bool all_units_taken() const noexcept {
    return config.spec.units > 0 && units_taken_ >= config.spec.units;
  }
  Next blocked(uint64_t now_ns, Access& out) noexcept;
  uint64_t next_due_ns() noexcept;

  bool is_background(uint32_t stream) const { return stream >= stage_count_; }
  bool in_group(uint32_t stage) const {
    return group_end_ - group_first_ > 1 && stage < group_end_;
  }

  std::unique_ptr<StateModel> state_;
  std::unique_ptr<Layout> layout_;
  // One for all stages that run alone or first in their group, one for each other stage and each
  // background: what runs at the same time must not share one.
  std::vector<StreamMemory> memories_;
  std::vector<Stream> streams_;  // stages, then backgrounds
  uint32_t stage_count_ = 0;
  std::vector<Lane> lanes_;
  std::optional<ReadyQueue> ready_;
  Plan scratch_;

  bool continuous_ = false;  // unit op: no barriers
  bool in_unit_ = false;
  uint32_t group_first_ = 0;     // the stages that run together now, or
  uint32_t group_end_ = 0;       // have run last
  uint32_t turn_ = 0;            // which of them is asked first
  uint32_t running_stages_ = 0;  // of the group, not yet done
  uint64_t units_taken_ = 0;     // begun; for unit op: dispatched
  uint64_t unit_begun_ns_ = 0;
  uint64_t first_unit_ns_ = kNever;
  uint32_t in_flight_ = 0;
  uint64_t stalled_since_ns_ = kNever;
  uint64_t idle_since_ns_ = kNever;
  Digest digest_;            // of everything dispatched in the foreground
  Digest completed_digest_;  // at the last unit's end
};

}  // namespace ethio
