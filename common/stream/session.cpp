// A session at work: the state machine of the data plane. Nothing here allocates, throws or divides
// by a variable.
#include "common/stream/session.h"

#include <algorithm>

#include "common/stream/session_impl.h"

namespace ethio {

Next Session::Impl::next(uint64_t now_ns, Access& out) noexcept {
  if (idle_since_ns_ != kNever) {
    metrics.idle_ns += now_ns - std::min(now_ns, idle_since_ns_);
    idle_since_ns_ = kNever;
  }
  if (!ready_->empty()) return issue(ready_->pop(), now_ns, out);
  if (streams_.size() > stage_count_) {
    if (const auto lane = dispatch_background(now_ns)) return issue(*lane, now_ns, out);
  }
  if (const auto lane = dispatch_foreground(now_ns)) return issue(*lane, now_ns, out);
  return blocked(now_ns, out);
}

Next Session::Impl::issue(uint32_t index, uint64_t now_ns, Access& out) noexcept {
  Lane& lane = lanes_[index];
  const Step& step = lane.plan.steps[lane.step];
  out.offset = step.offset;
  out.length = step.length;
  out.kind = step.kind;
  out.lane = index;
  lane.issued_ns = now_ns;
  lane.in_flight = true;
  ++in_flight_;
  if (metrics.first_ns == 0) metrics.first_ns = now_ns;
  return Next::kAccess;
}

std::optional<uint32_t> Session::Impl::dispatch(uint32_t index, Digest& digest,
                                                uint64_t now_ns) noexcept {
  Stream& stream = streams_[index];
  const uint32_t lane_index = stream.free.pop();
  Lane& lane = lanes_[lane_index];
  lane.plan.clear();
  layout_->expand(stream.source.take(lane.op_class), *stream.memory, lane.plan);
  digest.add(lane.plan);
  metrics.useful_bytes_read += lane.plan.useful_read;
  metrics.useful_bytes_written += lane.plan.useful_written;
  ++stream.outstanding;
  if (continuous_ && !is_background(index)) ++units_taken_;
  if (lane.plan.count == 0) {
    stream.free.push(lane_index);
    finish_op(index, lane.op_class, now_ns, 0, now_ns);
    return std::nullopt;
  }
  lane.step = 0;
  lane.stream = index;
  lane.dispatched_ns = now_ns;
  return lane_index;
}

std::optional<uint32_t> Session::Impl::dispatch_background(uint64_t now_ns) noexcept {
  for (uint32_t i = stage_count_; i < streams_.size(); ++i) {
    Stream& stream = streams_[i];
    stream.free.wake(now_ns);
    while (!stream.free.empty() && stream.next_due_ns <= now_ns) {
      if (stream.source.exhausted() || stream.units_begun == 0) {
        if (stream.units_due == 0) break;
        --stream.units_due;
        stream.source.begin_unit(stream.units_begun++);
      }
      const auto lane = dispatch(i, stream.digest, now_ns);
      if (!lane) continue;
      if (stream.ns_per_byte > 0) {
        uint64_t bytes = 0;
        const Plan& plan = lanes_[*lane].plan;
        for (uint32_t s = 0; s < plan.count; ++s) bytes += plan.steps[s].length;
        const auto pause = static_cast<uint64_t>(static_cast<double>(bytes) * stream.ns_per_byte);
        stream.next_due_ns = std::max(stream.next_due_ns, now_ns) + pause;
      }
      return lane;
    }
  }
  return std::nullopt;
}

std::optional<uint32_t> Session::Impl::dispatch_foreground(uint64_t now_ns) noexcept {
  for (;;) {
    if (!in_unit_) {
      if (!unit_is_due(now_ns)) return std::nullopt;
      begin_unit(now_ns);
    }
    if (running_stages_ == 0 && !begin_group(now_ns)) {
      finish_unit(now_ns);  // no stage of this unit was due
      continue;
    }
    if (background_behind()) return std::nullopt;
    const auto stage = stage_in_turn(now_ns);
    if (!stage) return std::nullopt;
    Digest& digest = in_group(*stage) ? streams_[*stage].digest : digest_;
    if (const auto lane = dispatch(*stage, digest, now_ns)) return lane;
  }
}

bool Session::Impl::has_op(Stream& stage) noexcept {
  if (!stage.running) return false;
  if (!continuous_) return !stage.source.exhausted();
  if (all_units_taken()) return false;
  if (stage.source.exhausted()) stage.source.begin_unit(units_taken_);
  return true;
}

// The stages of a group take turns, so that none has to wait for the others where a harness keeps
// fewer accesses in flight than there are lanes.
std::optional<uint32_t> Session::Impl::stage_in_turn(uint64_t now_ns) noexcept {
  for (uint32_t i = group_first_; i < group_end_; ++i) {
    const uint32_t index = turn_;
    turn_ = index + 1 < group_end_ ? index + 1 : group_first_;
    Stream& stage = streams_[index];
    if (!has_op(stage)) continue;
    stage.free.wake(now_ns);
    if (!stage.free.empty()) return index;
  }
  return std::nullopt;
}

bool Session::Impl::unit_is_due(uint64_t now_ns) const noexcept {
  if (all_units_taken()) return false;
  const uint64_t slot_ns = config.spec.slot_time;
  return slot_ns == 0 || first_unit_ns_ == kNever ||
         now_ns >= first_unit_ns_ + units_taken_ * slot_ns;
}

void Session::Impl::begin_unit(uint64_t now_ns) noexcept {
  const uint64_t slot_ns = config.spec.slot_time;
  if (first_unit_ns_ == kNever) first_unit_ns_ = now_ns;
  unit_begun_ns_ = now_ns;
  if (slot_ns > 0) {  // from when it was due, so that a late start counts
    unit_begun_ns_ = first_unit_ns_ + units_taken_ * slot_ns;
    if (now_ns >= unit_begun_ns_ + slot_ns) ++metrics.missed_slots;
  }
  for (Stream& stream : streams_) {
    stream.due = stream.until_due == 0;
    stream.until_due = (stream.due ? stream.every : stream.until_due) - 1;
  }
  for (uint32_t i = stage_count_; i < streams_.size(); ++i) {
    if (streams_[i].due) ++streams_[i].units_due;
  }
  in_unit_ = true;
  group_end_ = 0;
  if (!continuous_) ++units_taken_;
}

// Begins the next stages that are due in this unit and run together; false if there are none.
bool Session::Impl::begin_group(uint64_t now_ns) noexcept {
  while (running_stages_ == 0 && group_end_ < stage_count_) {
    group_first_ = turn_ = group_end_;
    group_end_ = streams_[group_first_].group_end;
    for (uint32_t i = group_first_; i < group_end_; ++i) {
      if (streams_[i].due) begin_stage(streams_[i], now_ns);
    }
  }
  return running_stages_ > 0;
}

void Session::Impl::begin_stage(Stream& stage, uint64_t now_ns) noexcept {
  stage.source.begin_unit(continuous_ ? 0 : units_taken_ - 1);
  stage.free.refill();
  stage.begun_ns = now_ns;
  stage.memory->forget_neighbours();
  stage.digest = {};
  stage.running = true;
  ++running_stages_;
}

bool Session::Impl::background_behind() const noexcept {
  for (uint32_t i = stage_count_; i < streams_.size(); ++i) {
    if (streams_[i].units_due > streams_[i].max_debt) return true;
  }
  return false;
}

void Session::Impl::complete(uint32_t index, int64_t result, uint64_t now_ns) noexcept {
  if (index >= lanes_.size() || !lanes_[index].in_flight) return;  // nothing was in flight there
  Lane& lane = lanes_[index];
  lane.in_flight = false;
  --in_flight_;
  if (stalled_since_ns_ != kNever) {
    metrics.stall_ns += now_ns - std::min(now_ns, stalled_since_ns_);
    stalled_since_ns_ = kNever;
  }
  AccessMetrics& access = metrics.access[static_cast<int>(lane.plan.steps[lane.step].kind)];
  ++access.count;
  if (result < 0) {
    ++access.errors;
  } else {
    access.bytes += static_cast<uint64_t>(result);
  }
  access.latency.record(now_ns - std::min(now_ns, lane.issued_ns));
  ++metrics.stages[lane.stream].accesses;
  metrics.last_ns = now_ns;
  if (++lane.step < lane.plan.count) return ready_->push(index);
  streams_[lane.stream].free.release(index, now_ns);
  finish_op(lane.stream, lane.op_class, lane.dispatched_ns, lane.plan.count, now_ns);
}

void Session::Impl::finish_op(uint32_t index, uint32_t op_class, uint64_t dispatched_ns,
                              uint32_t accesses, uint64_t now_ns) noexcept {
  OpMetrics& op = metrics.ops[op_class];
  ++op.count;
  op.accesses += accesses;
  if (accesses == 0) {
    ++op.cached;
  } else {
    op.latency.record(now_ns - std::min(now_ns, dispatched_ns));
  }
  --streams_[index].outstanding;
  if (is_background(index)) return;
  if (!continuous_) return finish_stage_if_done(index, now_ns);
  ++metrics.units;
  metrics.unit_latency.record(now_ns - std::min(now_ns, dispatched_ns));
  completed_digest_ = digest_;
}

// The last stage of a group that is done is its barrier.
void Session::Impl::finish_stage_if_done(uint32_t index, uint64_t now_ns) noexcept {
  Stream& stage = streams_[index];
  if (!stage.source.exhausted() || stage.outstanding > 0) return;
  metrics.stages[index].latency.record(now_ns - std::min(now_ns, stage.begun_ns));
  stage.running = false;
  if (--running_stages_ > 0) return;
  if (in_group(index)) {
    // Their ops were dispatched in an order that depends on time; so each has a digest of its own.
    for (uint32_t i = group_first_; i < group_end_; ++i) {
      if (streams_[i].due) digest_.add(streams_[i].digest);
    }
  }
  uint32_t rest = group_end_;
  while (rest < stage_count_ && !streams_[rest].due) ++rest;
  if (rest == stage_count_) finish_unit(now_ns);
}

void Session::Impl::finish_unit(uint64_t now_ns) noexcept {
  in_unit_ = false;
  ++metrics.units;
  metrics.unit_latency.record(now_ns - std::min(now_ns, unit_begun_ns_));
  completed_digest_ = digest_;
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
uint64_t Session::Impl::next_due_ns() noexcept {
  uint64_t due = kNever;
  for (uint32_t i = stage_count_; i < streams_.size(); ++i) {
    const Stream& stream = streams_[i];
    const bool has_work =
        stream.units_due > 0 || (stream.units_begun > 0 && !stream.source.exhausted());
    if (has_work) due = std::min(due, std::max(stream.next_due_ns, stream.free.next_free_ns()));
  }
  if (!in_unit_ && !all_units_taken()) {
    due = std::min(due, first_unit_ns_ + units_taken_ * config.spec.slot_time);
  }
  if (!in_unit_ || background_behind()) return due;
  for (uint32_t i = group_first_; i < group_end_; ++i) {
    if (has_op(streams_[i])) due = std::min(due, streams_[i].free.next_free_ns());
  }
  return due;
}

Digest Session::Impl::digest() const noexcept {
  Digest whole = completed_digest_;
  for (uint32_t i = stage_count_; i < streams_.size(); ++i) whole.add(streams_[i].digest);
  return whole;
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
const WorkloadSpec& Session::spec() const {
  return impl_->config.spec;
}
const Metrics& Session::metrics() const {
  return impl_->metrics;
}
void Session::reset_metrics() noexcept {
  impl_->metrics.reset();
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
