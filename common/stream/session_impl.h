// What a Session is made of: its streams (stages and backgrounds), their lanes, and where in the
// unit it stands. Built in session_build.cpp, run in session.cpp; private to these two.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/layout/target_map.h"
#include "common/stream/lane.h"
#include "common/stream/op_source.h"
#include "common/stream/session.h"

namespace ethio {

inline constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();

enum class Role : uint8_t {
  kStage,
  kEndlessStage,  // of unit op: each op is a unit, and there are no barriers
  kBackground,
};

// A stage or a background at work.
struct Stream {
  Stream(Role stream_role, OpSource ops, FreeLanes lanes, StreamMemory* stream_memory,
         uint64_t every_units)
      : role(stream_role),
        source(std::move(ops)),
        free(std::move(lanes)),
        memory(stream_memory),
        every(every_units) {}

  // A stage: has an op to run and a lane to run it.
  bool can_dispatch(uint64_t now_ns) noexcept {
    if (ops_left == 0) return false;
    free.wake(now_ns);
    return !free.empty();
  }

  Role role;
  bool due = false;          // in this unit
  bool grouped = false;      // a stage of a group of several
  uint32_t index = 0;        // among all streams
  uint64_t ops_left = 0;     // to dispatch, in this unit
  uint64_t rounds = 0;       // of an endless stage: how often its source has begun anew
  uint64_t outstanding = 0;  // ops dispatched and not finished
  OpSource source;
  FreeLanes free;
  StreamMemory* memory;
  // Of a background: all it has dispatched. Of a stage in a group: of this unit.
  Digest digest;
  uint64_t every;
  uint64_t until_due = 0;  // units, counted down so that nothing is divided
  // stage
  uint32_t group_size = 1;  // of the first of a group
  uint64_t begun_ns = 0;    // start of this unit's run
  // background
  uint64_t units_due = 0;  // released, not yet begun
  uint64_t units_begun = 0;
  uint64_t units_owed = 0;  // released by whole units of the foreground
  Digest owed_digest;       // if more have begun: before the first that is not owed
  uint64_t max_debt = 0;
  double ns_per_byte = 0;  // 0 = no pacing
  uint64_t next_due_ns = 0;
};

// Of an op class: the ops that took one access, of the class's main kind, and ended well. Access
// and op are then one, and with unit op the unit too, so they are recorded once and added where
// they belong when somebody asks.
struct SingleOps {
  AccessKind kind = AccessKind::kRead;
  uint32_t stream = 0;
  uint64_t bytes = 0;
  Histogram latency;
};

class Session::Impl {
 public:
  explicit Impl(const SessionConfig& config);

  Next next(uint64_t now_ns, Access& out) noexcept;
  void complete(uint32_t lane, int64_t result, uint64_t now_ns) noexcept;
  void restart(uint32_t index, uint64_t now_ns) noexcept;
  Digest digest() const noexcept;
  const Metrics& metrics() const;
  void reset_metrics() noexcept;
  uint64_t units() const { return metrics_.units; }

  SessionConfig config;
  uint32_t lane_count = 0;
  uint32_t max_access_bytes = 0;
  std::string scaling_note;

 private:
  void build_memories();
  void build_stages(uint64_t seed);
  void build_backgrounds(uint64_t seed);
  void build_singles();
  void require_accesses();

  Next issue(Lane& lane, uint64_t now_ns, Access& out) noexcept;
  // Takes the stream's next op; the lane that runs it, or none if memory held all it needs.
  Digest digest_when_owed(const Stream& background) const noexcept;
  Lane* dispatch(Stream& stream, Digest& digest, uint64_t now_ns) noexcept;
  Lane* dispatch_background(uint64_t now_ns) noexcept;
  Lane* dispatch_foreground(uint64_t now_ns) noexcept;
  Stream* stage_in_turn(uint64_t now_ns) noexcept;
  void count_access(const Lane& lane, int64_t result, uint64_t now_ns) noexcept;
  void count_op(const Lane& lane, uint64_t now_ns) noexcept;
  void finish_cached_op(Stream& stream, uint32_t op_class, uint64_t now_ns) noexcept;
  void finish_op(const Lane& lane, uint64_t now_ns) noexcept;
  void after_op(Stream& stream, uint64_t now_ns) noexcept;
  void complete_step(Lane& lane, int64_t result, uint64_t now_ns) noexcept;
  void end_stall(uint64_t now_ns) noexcept;
  void finish_stage(Stream& stage, uint64_t now_ns) noexcept;
  void finish_unit(uint64_t now_ns) noexcept;
  bool unit_is_due(uint64_t now_ns) const noexcept;
  void begin_unit(uint64_t now_ns) noexcept;
  bool begin_group(uint64_t now_ns) noexcept;
  void begin_stage(Stream& stage, uint64_t now_ns) noexcept;
  bool begin_stages(uint64_t now_ns) noexcept;
  bool background_behind() const noexcept;
  Next blocked(uint64_t now_ns, Access& out) noexcept;
  uint64_t next_due_ns() const noexcept;

  std::unique_ptr<StateModel> state_;
  std::unique_ptr<Layout> layout_;
  std::optional<TargetMap> places_;  // of uniform accesses, the same in every layout
  // One for all stages that run alone or first in their group, one for each other stage and each
  // background: what runs at the same time must not share one.
  std::vector<StreamMemory> memories_;
  std::vector<Stream> streams_;  // stages, then backgrounds
  std::span<Stream> stages_;
  std::span<Stream> backgrounds_;
  std::vector<Lane> lanes_;
  std::optional<ReadyQueue> ready_;
  Plan scratch_;

  uint64_t max_units_ = kNever;
  bool in_unit_ = false;
  Stream* group_first_ = nullptr;  // the stages that run together now, or
  Stream* group_end_ = nullptr;    // have run last
  Stream* turn_ = nullptr;         // which of them is asked first
  uint32_t running_stages_ = 0;    // of the group, not yet done
  uint64_t units_begun_ = 0;
  uint64_t unit_begun_ns_ = 0;
  uint64_t first_unit_ns_ = kNever;
  uint32_t in_flight_ = 0;
  uint32_t full_ = 0;  // accesses in flight with which nobody asks for more
  uint64_t stalled_since_ns_ = kNever;
  uint64_t idle_since_ns_ = kNever;
  Digest digest_;            // of everything dispatched in the foreground
  Digest completed_digest_;  // at the last unit's end

  Metrics metrics_;                 // without what `singles_` holds
  std::vector<SingleOps> singles_;  // by op class
  mutable Metrics whole_metrics_;
};

}  // namespace ethio
