// A session at work: the state machine of the data plane. Nothing here allocates, throws or divides
// by a variable.
#include "common/stream/session.h"

#include <algorithm>

#include "common/stream/session_impl.h"

namespace ethio {

Next Session::Impl::next(uint64_t now_ns, Access& out) noexcept {
  if (idle_since_ns_ != kNever) {
    metrics_.idle_ns += now_ns - std::min(now_ns, idle_since_ns_);
    idle_since_ns_ = kNever;
  }
  if (!ready_->empty()) return issue(lanes_[ready_->pop()], now_ns, out);
  if (!backgrounds_.empty()) {
    if (Lane* const lane = dispatch_background(now_ns)) return issue(*lane, now_ns, out);
  }
  if (Lane* const lane = dispatch_foreground(now_ns)) return issue(*lane, now_ns, out);
  return blocked(now_ns, out);
}

inline Next Session::Impl::issue(Lane& lane, uint64_t now_ns, Access& out) noexcept {
  const Step& step = lane.plan.steps[lane.step];
  out.offset = step.offset;
  out.length = step.length;
  out.kind = step.kind;
  out.lane = lane.index;
  lane.issued_ns = now_ns;
  lane.in_flight = true;
  if (++in_flight_ == full_) stalled_since_ns_ = now_ns;
  if (metrics_.first_ns == 0) metrics_.first_ns = now_ns;
  return Next::kAccess;
}

inline Lane* Session::Impl::dispatch(Stream& stream, Digest& digest, uint64_t now_ns) noexcept {
  const uint32_t index = stream.free.pop();
  Lane& lane = lanes_[index];
  Plan& plan = lane.plan;
  if (stream.source.exhausted()) stream.source.begin_round(++stream.rounds);
  const Op& op = stream.source.take(lane.op_class);
  if (is_uniform(op.kind)) {
    places_->uniform(op, plan);
  } else {
    plan.clear();
    layout_->expand(op, *stream.memory, plan);
  }
  digest.add(plan);
  metrics_.useful_bytes_read += plan.useful_read;
  metrics_.useful_bytes_written += plan.useful_written;
  --stream.ops_left;
  ++stream.outstanding;
  if (plan.count == 0) {
    stream.free.push(index);
    finish_cached_op(stream, lane.op_class, now_ns);
    return nullptr;
  }
  lane.step = 0;
  lane.stream = &stream;
  lane.dispatched_ns = now_ns;
  SingleOps& single = singles_[lane.op_class];
  lane.single = plan.count == 1 && plan.steps[0].kind == single.kind ? &single : nullptr;
  return &lane;
}

Lane* Session::Impl::dispatch_background(uint64_t now_ns) noexcept {
  for (Stream& stream : backgrounds_) {
    stream.free.wake(now_ns);
    while (!stream.free.empty() && stream.next_due_ns <= now_ns) {
      if (stream.ops_left == 0) {
        if (stream.units_due == 0) break;
        --stream.units_due;
        if (stream.units_begun == stream.units_owed) stream.owed_digest = stream.digest;
        stream.source.begin_unit(stream.units_begun++);
        stream.ops_left = stream.source.ops_per_unit();
      }
      Lane* const lane = dispatch(stream, stream.digest, now_ns);
      if (lane == nullptr) continue;
      if (stream.ns_per_byte > 0) {
        uint64_t bytes = 0;
        for (uint32_t s = 0; s < lane->plan.count; ++s) bytes += lane->plan.steps[s].length;
        const auto pause = static_cast<uint64_t>(static_cast<double>(bytes) * stream.ns_per_byte);
        stream.next_due_ns = std::max(stream.next_due_ns, now_ns) + pause;
      }
      return lane;
    }
  }
  return nullptr;
}

inline Lane* Session::Impl::dispatch_foreground(uint64_t now_ns) noexcept {
  for (;;) {
    if (running_stages_ == 0 && !begin_stages(now_ns)) return nullptr;
    if (!backgrounds_.empty() && background_behind()) return nullptr;
    Stream* const stage = stage_in_turn(now_ns);
    if (stage == nullptr) return nullptr;
    Digest& digest = stage->grouped ? stage->digest : digest_;
    if (Lane* const lane = dispatch(*stage, digest, now_ns)) return lane;
  }
}

// A stage of the group that has an op to run and a lane to run it. They take turns, so that none
// has to wait for the others where a harness keeps fewer accesses in flight than there are lanes.
inline Stream* Session::Impl::stage_in_turn(uint64_t now_ns) noexcept {
  if (!turn_->grouped) return turn_->can_dispatch(now_ns) ? turn_ : nullptr;
  const Stream* const first_asked = turn_;
  do {
    Stream& stage = *turn_;
    if (++turn_ == group_end_) turn_ = group_first_;
    if (stage.can_dispatch(now_ns)) return &stage;
  } while (turn_ != first_asked);
  return nullptr;
}

// Goes on to the next stages, over units in which none is due; false if it is not time yet.
bool Session::Impl::begin_stages(uint64_t now_ns) noexcept {
  for (;;) {
    if (!in_unit_) {
      if (!unit_is_due(now_ns)) return false;
      begin_unit(now_ns);
    }
    if (begin_group(now_ns)) return true;
    finish_unit(now_ns);
  }
}

bool Session::Impl::unit_is_due(uint64_t now_ns) const noexcept {
  if (units_begun_ >= max_units_) return false;
  const uint64_t slot_ns = config.spec.slot_time;
  return slot_ns == 0 || first_unit_ns_ == kNever ||
         now_ns >= first_unit_ns_ + units_begun_ * slot_ns;
}

void Session::Impl::begin_unit(uint64_t now_ns) noexcept {
  const uint64_t slot_ns = config.spec.slot_time;
  if (first_unit_ns_ == kNever) first_unit_ns_ = now_ns;
  unit_begun_ns_ = now_ns;
  if (slot_ns > 0) {  // from when it was due, so that a late start counts
    unit_begun_ns_ = first_unit_ns_ + units_begun_ * slot_ns;
    if (now_ns >= unit_begun_ns_ + slot_ns) ++metrics_.missed_slots;
  }
  for (Stream& stream : streams_) {
    stream.due = stream.until_due == 0;
    stream.until_due = (stream.due ? stream.every : stream.until_due) - 1;
  }
  for (Stream& background : backgrounds_) background.units_due += background.due ? 1 : 0;
  in_unit_ = true;
  group_end_ = stages_.data();
  ++units_begun_;
}

// Begins the next stages that are due in this unit and run together; false if there are none.
bool Session::Impl::begin_group(uint64_t now_ns) noexcept {
  while (running_stages_ == 0 && group_end_ != backgrounds_.data()) {
    group_first_ = turn_ = group_end_;
    group_end_ = group_first_ + group_first_->group_size;
    for (Stream& stage : std::span(group_first_, group_end_)) {
      if (stage.due) begin_stage(stage, now_ns);
    }
  }
  return running_stages_ > 0;
}

void Session::Impl::begin_stage(Stream& stage, uint64_t now_ns) noexcept {
  stage.source.begin_unit(units_begun_ - 1);
  stage.ops_left = stage.role == Role::kEndlessStage ? max_units_ : stage.source.ops_per_unit();
  stage.free.refill();
  stage.begun_ns = now_ns;
  stage.memory->forget_neighbours();
  stage.digest = {};
  ++running_stages_;
}

bool Session::Impl::background_behind() const noexcept {
  return std::any_of(backgrounds_.begin(), backgrounds_.end(), [](const Stream& background) {
    return background.units_due > background.max_debt;
  });
}

void Session::Impl::complete(uint32_t index, int64_t result, uint64_t now_ns) noexcept {
  if (index >= lane_count) return;
  Lane& lane = lanes_[index];
  if (!lane.in_flight) return;
  lane.in_flight = false;
  --in_flight_;
  metrics_.last_ns = now_ns;
  if (stalled_since_ns_ != kNever) end_stall(now_ns);
  if (lane.single == nullptr || result < 0) return complete_step(lane, result, now_ns);
  lane.single->bytes += static_cast<uint64_t>(result);
  lane.single->latency.record(now_ns - std::min(now_ns, lane.issued_ns));
  finish_op(lane, now_ns);
}

void Session::Impl::restart(uint32_t index, uint64_t now_ns) noexcept {
  if (index >= lane_count || !lanes_[index].in_flight) return;
  lanes_[index].issued_ns = now_ns;
  if (stalled_since_ns_ != kNever) stalled_since_ns_ = now_ns;
  if (lanes_[index].step == 0) lanes_[index].dispatched_ns = now_ns;
}

void Session::Impl::end_stall(uint64_t now_ns) noexcept {
  metrics_.stall_ns += now_ns - std::min(now_ns, stalled_since_ns_);
  stalled_since_ns_ = kNever;
}

void Session::Impl::complete_step(Lane& lane, int64_t result, uint64_t now_ns) noexcept {
  count_access(lane, result, now_ns);
  if (++lane.step < lane.plan.count) return ready_->push(lane.index);
  count_op(lane, now_ns);
  finish_op(lane, now_ns);
}

void Session::Impl::count_access(const Lane& lane, int64_t result, uint64_t now_ns) noexcept {
  AccessMetrics& access = metrics_.access[static_cast<int>(lane.plan.steps[lane.step].kind)];
  ++access.count;
  if (result < 0) {
    ++access.errors;
  } else {
    access.bytes += static_cast<uint64_t>(result);
  }
  access.latency.record(now_ns - std::min(now_ns, lane.issued_ns));
  ++metrics_.stages[lane.stream->index].accesses;
}

void Session::Impl::count_op(const Lane& lane, uint64_t now_ns) noexcept {
  OpMetrics& op = metrics_.ops[lane.op_class];
  const uint64_t latency_ns = now_ns - std::min(now_ns, lane.dispatched_ns);
  ++op.count;
  op.accesses += lane.plan.count;
  op.latency.record(latency_ns);
  if (lane.stream->role == Role::kEndlessStage) metrics_.unit_latency.record(latency_ns);
}

// Memory held all that it needed.
void Session::Impl::finish_cached_op(Stream& stream, uint32_t op_class, uint64_t now_ns) noexcept {
  OpMetrics& op = metrics_.ops[op_class];
  ++op.count;
  ++op.cached;
  if (stream.role == Role::kEndlessStage) metrics_.unit_latency.record(0);
  after_op(stream, now_ns);
}

inline void Session::Impl::finish_op(const Lane& lane, uint64_t now_ns) noexcept {
  lane.stream->free.release(lane.index, now_ns);
  after_op(*lane.stream, now_ns);
}

inline void Session::Impl::after_op(Stream& stream, uint64_t now_ns) noexcept {
  --stream.outstanding;
  if (stream.role == Role::kEndlessStage) {
    ++metrics_.units;
    completed_digest_ = digest_;
  } else if (stream.role == Role::kStage && (stream.ops_left | stream.outstanding) == 0) {
    finish_stage(stream, now_ns);
  }
}

// The last stage of a group that is done is its barrier.
void Session::Impl::finish_stage(Stream& stage, uint64_t now_ns) noexcept {
  metrics_.stages[stage.index].latency.record(now_ns - std::min(now_ns, stage.begun_ns));
  if (--running_stages_ > 0) return;
  // The ops of several were dispatched in an order that depends on time; so each has a digest of
  // its own.
  for (const Stream& member : std::span(group_first_, group_end_)) {
    if (member.grouped && member.due) digest_.add(member.digest);
  }
  const auto rest = std::span(group_end_, backgrounds_.data());
  if (std::none_of(rest.begin(), rest.end(), [](const Stream& later) { return later.due; }))
    finish_unit(now_ns);
}

void Session::Impl::finish_unit(uint64_t now_ns) noexcept {
  in_unit_ = false;
  ++metrics_.units;
  metrics_.unit_latency.record(now_ns - std::min(now_ns, unit_begun_ns_));
  completed_digest_ = digest_;
  for (Stream& background : backgrounds_) {
    background.units_owed = background.units_begun + background.units_due;
  }
}

// Nothing can start now: why, and until when.
Next Session::Impl::blocked(uint64_t now_ns, Access& out) noexcept {
  if (in_flight_ > 0) {
    if (stalled_since_ns_ == kNever) stalled_since_ns_ = now_ns;
    return Next::kStall;
  }
  const uint64_t due = next_due_ns();
  if (due == kNever) return Next::kEnd;
  out = Access{};
  out.offset = due;
  idle_since_ns_ = now_ns;
  return Next::kIdle;
}

// When something can start, with nothing in flight.
uint64_t Session::Impl::next_due_ns() const noexcept {
  uint64_t due = kNever;
  for (const Stream& background : backgrounds_) {
    if (background.units_due == 0 && background.ops_left == 0) continue;
    due = std::min(due, std::max(background.next_due_ns, background.free.next_free_ns()));
  }
  if (!in_unit_) {
    if (units_begun_ >= max_units_) return due;
    return std::min(due, first_unit_ns_ + units_begun_ * config.spec.slot_time);
  }
  if (background_behind()) return due;
  for (const Stream& stage : std::span(group_first_, group_end_)) {
    if (stage.ops_left > 0) due = std::min(due, stage.free.next_free_ns());
  }
  return due;
}

// Of all that the whole units of the foreground have released, whether it has run by now or not:
// how far a background has come is a matter of time, what it will do is not.
Digest Session::Impl::digest_when_owed(const Stream& background) const noexcept {
  if (background.units_begun > background.units_owed) return background.owed_digest;
  OpSource source = background.source;
  StreamMemory memory = *background.memory;
  Digest digest = background.digest;
  Plan plan;
  uint64_t ops = background.ops_left;
  for (uint64_t unit = background.units_begun;; ++unit) {
    for (; ops > 0; --ops) {
      uint32_t op_class = 0;
      const Op& op = source.take(op_class);
      plan.clear();
      layout_->expand(op, memory, plan);
      digest.add(plan);
    }
    if (unit == background.units_owed) return digest;
    source.begin_unit(unit);
    ops = source.ops_per_unit();
  }
}

Digest Session::Impl::digest() const noexcept {
  Digest whole = completed_digest_;
  for (const Stream& background : backgrounds_) whole.add(digest_when_owed(background));
  return whole;
}

const Metrics& Session::Impl::metrics() const {
  whole_metrics_ = metrics_;
  for (size_t i = 0; i < singles_.size(); ++i) {
    const SingleOps& single = singles_[i];
    const uint64_t count = single.latency.count();
    AccessMetrics& access = whole_metrics_.access[static_cast<int>(single.kind)];
    access.count += count;
    access.bytes += single.bytes;
    access.latency.merge(single.latency);
    OpMetrics& op = whole_metrics_.ops[i];
    op.count += count;
    op.accesses += count;
    op.latency.merge(single.latency);
    whole_metrics_.stages[single.stream].accesses += count;
    if (streams_[single.stream].role == Role::kEndlessStage)
      whole_metrics_.unit_latency.merge(single.latency);
  }
  return whole_metrics_;
}

void Session::Impl::reset_metrics() noexcept {
  metrics_.reset();
  for (SingleOps& single : singles_) {
    single.bytes = 0;
    single.latency.reset();
  }
}

Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

Next Session::next(uint64_t now_ns, Access& out) noexcept {
  return impl_->next(now_ns, out);
}
void Session::complete(uint32_t lane, int64_t result, uint64_t now_ns) noexcept {
  impl_->complete(lane, result, now_ns);
}
void Session::restart(uint32_t lane, uint64_t now_ns) noexcept {
  impl_->restart(lane, now_ns);
}
const WorkloadSpec& Session::spec() const {
  return impl_->config.spec;
}
const Metrics& Session::metrics() const {
  return impl_->metrics();
}
uint64_t Session::units() const noexcept {
  return impl_->units();
}
void Session::reset_metrics() noexcept {
  impl_->reset_metrics();
}
Digest Session::digest() const noexcept {
  return impl_->digest();
}
uint32_t Session::lanes() const {
  return impl_->lane_count;
}
uint32_t Session::max_access_bytes() const {
  return impl_->max_access_bytes;
}
const std::string& Session::scaling_note() const {
  return impl_->scaling_note;
}

}  // namespace ethio
