#include "common/stream/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <limits>
#include <optional>
#include <utility>

#include "common/base/error.h"
#include "common/stream/lane.h"
#include "common/stream/op_source.h"

namespace ethio {
namespace {

constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();

// A stage or a background at work.
struct Stream {
  Stream(OpSource ops, FreeLanes lanes, StreamMemory* stream_memory, uint64_t every_units)
      : source(std::move(ops)), free(std::move(lanes)), memory(stream_memory), every(every_units) {}

  OpSource source;
  FreeLanes free;
  StreamMemory* memory;
  uint64_t every;
  uint32_t outstanding = 0;  // ops dispatched and not finished
  uint64_t begun_ns = 0;     // stage: start of this unit's run
  // background
  uint64_t units_due = 0;  // released, not yet begun
  uint64_t units_begun = 0;
  uint64_t max_debt = 0;
  double ns_per_byte = 0;  // 0 = no pacing
  uint64_t next_due_ns = 0;
  Digest digest;
};

bool takes_append_space(OpKind kind) {
  return info_of(kind).writes && kind != OpKind::kUniformWrite;
}

template <typename Visit>
void for_each_op(const WorkloadSpec& spec, Visit visit) {
  for (size_t s = 0; s < spec.stages.size(); ++s) {
    for (size_t i = 0; i < spec.stages[s].ops.size(); ++i) {
      visit(spec.stages[s].ops[i], fmt::format("stages[{}].ops[{}]", s, i));
    }
  }
  for (size_t b = 0; b < spec.background.size(); ++b) {
    for (size_t i = 0; i < spec.background[b].ops.size(); ++i) {
      visit(spec.background[b].ops[i], fmt::format("background[{}].ops[{}]", b, i));
    }
  }
}

bool any_appends(const WorkloadSpec& spec) {
  bool appends = false;
  for_each_op(
      spec, [&](const OpSpec& op, const std::string&) { appends |= takes_append_space(op.kind); });
  return appends;
}

void check(const SessionConfig& config, const Layout& layout) {
  for_each_op(config.spec, [&](const OpSpec& op, const std::string& where) {
    const OpKindInfo& info = info_of(op.kind);
    if (!layout.supports(op.kind)) {
      throw Error(EINVAL,
                  fmt::format("{}: {}.op: {} needs tables: layout.type lsm or btree, not {}",
                              config.spec.name, where, info.name,
                              enum_name(config.spec.layout.type, kLayoutTypes)));
    }
    const bool uniform = op.kind == OpKind::kUniformRead || op.kind == OpKind::kUniformWrite;
    if (uniform && (op.bytes % config.alignment != 0 || op.bytes == 0)) {
      throw Error(EINVAL,
                  fmt::format("{}: {}.bytes: {} is not a multiple of {}, the alignment of accesses",
                              config.spec.name, where, op.bytes, config.alignment));
    }
    if (op.bytes > config.target_bytes / 4) {
      throw Error(ENOSPC,
                  fmt::format("{}: {}.bytes: accesses of {} bytes need a target of at least {}",
                              config.spec.name, where, op.bytes, 4 * op.bytes));
    }
  });
}

void check(const SessionConfig& config) {
  if (config.alignment < 512 || !std::has_single_bit(config.alignment)) {
    throw Error(EINVAL, fmt::format("alignment: {} is not a power of two of at least 512",
                                    config.alignment));
  }
  if (config.jobs == 0 || config.job >= config.jobs) {
    throw Error(EINVAL, fmt::format("job: {} is not in 0..{}", config.job, config.jobs - 1));
  }
  if (config.spec.stages.empty()) {
    throw Error(EINVAL, fmt::format("{}: stages: at least one is needed", config.spec.name));
  }
}

Metrics named_metrics(const WorkloadSpec& spec) {
  Metrics metrics;
  metrics.unit = enum_name(spec.unit, kUnitKinds);
  const auto add = [&](const StageSpec& stage, bool background) {
    for (const OpSpec& op : stage.ops) {
      metrics.ops.emplace_back().name = info_of(op.kind).name;
    }
    StageMetrics& row = metrics.stages.emplace_back();
    row.name = stage.name;
    row.background = background;
  };
  for (const StageSpec& stage : spec.stages) add(stage, false);
  for (const BackgroundSpec& background : spec.background) add(background, true);
  return metrics;
}

}  // namespace

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
  void build_stages(uint64_t seed);
  void build_backgrounds(uint64_t seed);
  void require_accesses();

  Next issue(uint32_t lane, uint64_t now_ns, Access& out) noexcept;
  // Takes the stream's next op; the lane that runs it, or none if memory held all it needs.
  std::optional<uint32_t> dispatch(uint32_t stream, Digest& digest, uint64_t now_ns) noexcept;
  std::optional<uint32_t> dispatch_background(uint64_t now_ns) noexcept;
  std::optional<uint32_t> dispatch_foreground(uint64_t now_ns) noexcept;
  void finish_op(uint32_t stream, uint32_t op_class, uint64_t dispatched_ns, uint32_t accesses,
                 uint64_t now_ns) noexcept;
  void finish_stage_if_done(uint64_t now_ns) noexcept;
  void finish_unit(uint64_t now_ns) noexcept;
  void begin_unit(uint64_t now_ns) noexcept;
  bool advance_stage(uint64_t now_ns) noexcept;
  bool background_behind() const noexcept;
  bool all_units_taken() const noexcept {
    return config.spec.units > 0 && units_taken_ >= config.spec.units;
  }
  Next blocked(uint64_t now_ns, Access& out) noexcept;

  bool is_background(uint32_t stream) const { return stream >= stage_count_; }

  std::unique_ptr<StateModel> state_;
  std::unique_ptr<Layout> layout_;
  std::vector<StreamMemory> memories_;  // the foreground's, then one a background
  std::vector<Stream> streams_;         // stages, then backgrounds
  uint32_t stage_count_ = 0;
  std::vector<Lane> lanes_;
  std::optional<ReadyQueue> ready_;
  Plan scratch_;

  bool continuous_ = false;  // unit op: no barriers
  bool in_unit_ = false;
  bool stage_running_ = false;
  uint32_t stage_ = 0;
  uint64_t units_taken_ = 0;  // begun; for unit op: dispatched
  uint64_t unit_begun_ns_ = 0;
  uint64_t first_unit_ns_ = kNever;
  uint32_t in_flight_ = 0;
  uint64_t stalled_since_ns_ = kNever;
  uint64_t idle_since_ns_ = kNever;
  Digest digest_;            // of everything dispatched in the foreground
  Digest completed_digest_;  // at the last unit's end
};

Session::Impl::Impl(const SessionConfig& session_config)
    : config(session_config), metrics(named_metrics(config.spec)) {
  check(config);
  const WorkloadSpec& spec = config.spec;
  const uint64_t seed = mix64(spec.seed, config.job, config.jobs);
  if (spec.layout.type != LayoutType::kRaw)
    state_ = std::make_unique<StateModel>(spec.state, spec.seed);
  const auto streams_a_job = static_cast<uint32_t>(1 + spec.background.size());
  layout_ = make_layout({&spec.layout, state_.get(), config.target_bytes, config.alignment,
                         any_appends(spec) ? config.jobs * streams_a_job : 0});
  check(config, *layout_);
  memories_.resize(streams_a_job);
  for (uint32_t i = 0; i < streams_a_job; ++i) {
    layout_->assign_slice(config.job * streams_a_job + i, memories_[i]);
  }
  continuous_ = spec.unit == UnitKind::kOp;
  stage_count_ = static_cast<uint32_t>(spec.stages.size());
  build_stages(seed);
  build_backgrounds(seed);
  lanes_.resize(lane_count);
  ready_.emplace(lane_count);
  for_each_op(spec, [&](const OpSpec& op, const std::string&) {
    max_access_bytes = std::max(max_access_bytes, layout_->max_access_bytes(op));
  });
  scaling_note = layout_->scaling_note();
  require_accesses();
}

void Session::Impl::build_stages(uint64_t seed) {
  uint32_t op_class = 0;
  for (const StageSpec& stage : config.spec.stages) {
    OpSource source(stage.ops, config.spec, state_.get(), mix64(seed, streams_.size()), op_class);
    const auto lanes = static_cast<uint32_t>(std::min(stage.lanes, source.ops_per_unit()));
    const uint32_t wanted = continuous_ ? static_cast<uint32_t>(stage.lanes) : lanes;
    streams_.emplace_back(std::move(source), FreeLanes(0, wanted), &memories_[0], stage.every);
    lane_count = std::max(lane_count, wanted);
    op_class += static_cast<uint32_t>(stage.ops.size());
  }
}

void Session::Impl::build_backgrounds(uint64_t seed) {
  auto op_class = static_cast<uint32_t>(metrics.ops.size());
  for (const BackgroundSpec& background : config.spec.background) {
    op_class -= static_cast<uint32_t>(background.ops.size());
  }
  for (size_t b = 0; b < config.spec.background.size(); ++b) {
    const BackgroundSpec& background = config.spec.background[b];
    OpSource source(background.ops, config.spec, state_.get(), mix64(seed, streams_.size()),
                    op_class);
    const auto lanes = static_cast<uint32_t>(std::min(background.lanes, source.ops_per_unit()));
    Stream& stream = streams_.emplace_back(Stream{std::move(source), FreeLanes(lane_count, lanes),
                                                  &memories_[1 + b], background.every});
    stream.max_debt = background.max_debt;
    stream.ns_per_byte = background.burst == 0 ? 0 : 1e9 / static_cast<double>(background.burst);
    lane_count += lanes;
    op_class += static_cast<uint32_t>(background.ops.size());
  }
}

// A stream without accesses would never come back from next(): refuse it here.
void Session::Impl::require_accesses() {
  constexpr uint64_t kTrialOps = 4096;
  uint64_t accesses = 0;
  for (Stream& stream : streams_) {
    StreamMemory memory = *stream.memory;
    uint32_t op_class = 0;
    for (uint64_t i = 0, unit = 0; i < kTrialOps; ++i) {
      if (stream.source.exhausted()) stream.source.begin_unit(++unit);
      scratch_.clear();
      layout_->expand(stream.source.take(op_class), memory, scratch_);
      accesses += scratch_.count;
    }
    stream.source.begin_unit(0);
  }
  if (accesses == 0) {
    throw Error(
        EINVAL,
        fmt::format("{}: state.cache: {} bytes hold every node, so no access is left; make it "
                    "smaller, or the state larger",
                    config.spec.name, config.spec.state.cache));
  }
}

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
      if (all_units_taken()) return std::nullopt;
      const uint64_t slot_ns = config.spec.slot_time;
      if (slot_ns > 0 && first_unit_ns_ != kNever &&
          now_ns < first_unit_ns_ + units_taken_ * slot_ns) {
        return std::nullopt;
      }
      begin_unit(now_ns);
    }
    if (!stage_running_ && !advance_stage(now_ns)) {
      finish_unit(now_ns);  // no stage of this unit was due
      continue;
    }
    Stream& stage = streams_[stage_];
    if (stage.source.exhausted() && continuous_ && !all_units_taken()) {
      stage.source.begin_unit(units_taken_);
    }
    const bool may_take = !stage.source.exhausted() && !(continuous_ && all_units_taken());
    if (!may_take || stage.free.empty() || background_behind()) return std::nullopt;
    if (const auto lane = dispatch(stage_, digest_, now_ns)) return lane;
  }
}

void Session::Impl::begin_unit(uint64_t now_ns) noexcept {
  const uint64_t slot_ns = config.spec.slot_time;
  if (first_unit_ns_ == kNever) first_unit_ns_ = now_ns;
  unit_begun_ns_ = now_ns;
  if (slot_ns > 0) {  // from when it was due, so that a late start counts
    unit_begun_ns_ = first_unit_ns_ + units_taken_ * slot_ns;
    if (now_ns >= unit_begun_ns_ + slot_ns) ++metrics.missed_slots;
  }
  for (uint32_t i = stage_count_; i < streams_.size(); ++i) {
    if (units_taken_ % streams_[i].every == 0) ++streams_[i].units_due;
  }
  in_unit_ = true;
  stage_ = 0;
  stage_running_ = false;
  if (!continuous_) ++units_taken_;
}

// Begins the next stage that is due in this unit, from stage_ on; false if there is none.
bool Session::Impl::advance_stage(uint64_t now_ns) noexcept {
  const uint64_t unit = continuous_ ? 0 : units_taken_ - 1;
  for (; stage_ < stage_count_; ++stage_) {
    Stream& stage = streams_[stage_];
    if (unit % stage.every != 0) continue;
    stage.source.begin_unit(unit);
    stage.free.refill();
    stage.begun_ns = now_ns;
    stage.memory->forget_neighbours();
    stage_running_ = true;
    return true;
  }
  return false;
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
  streams_[lane.stream].free.push(index);
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
  if (!continuous_) return finish_stage_if_done(now_ns);
  ++metrics.units;
  metrics.unit_latency.record(now_ns - std::min(now_ns, dispatched_ns));
  completed_digest_ = digest_;
}

// The barrier.
void Session::Impl::finish_stage_if_done(uint64_t now_ns) noexcept {
  Stream& stage = streams_[stage_];
  if (!stage.source.exhausted() || stage.outstanding > 0) return;
  metrics.stages[stage_].latency.record(now_ns - std::min(now_ns, stage.begun_ns));
  stage_running_ = false;
  ++stage_;
  const uint64_t unit = units_taken_ - 1;
  uint32_t rest = stage_;
  while (rest < stage_count_ && unit % streams_[rest].every != 0) ++rest;
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
  uint64_t due = kNever;
  for (uint32_t i = stage_count_; i < streams_.size(); ++i) {
    const Stream& stream = streams_[i];
    const bool has_work =
        stream.units_due > 0 || (stream.units_begun > 0 && !stream.source.exhausted());
    if (has_work) due = std::min(due, stream.next_due_ns);
  }
  if (!in_unit_ && !all_units_taken()) {
    due = std::min(due, first_unit_ns_ + units_taken_ * config.spec.slot_time);
  }
  if (due == kNever) return Next::kEnd;
  out = Access{};
  out.offset = due;
  idle_since_ns_ = now_ns;
  return Next::kIdle;
}

Digest Session::Impl::digest() const noexcept {
  Digest whole = completed_digest_;
  for (uint32_t i = stage_count_; i < streams_.size(); ++i) whole.add(streams_[i].digest);
  return whole;
}

Session::Session(const SessionConfig& config) : impl_(std::make_unique<Impl>(config)) {}
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

bool Session::does(AccessKind kind) const {
  bool found = false;
  for_each_op(impl_->config.spec, [&](const OpSpec& op, const std::string&) {
    const OpKindInfo& info = info_of(op.kind);
    found |= kind == AccessKind::kRead    ? info.reads
             : kind == AccessKind::kWrite ? info.writes
                                          : info.syncs;
  });
  return found;
}

}  // namespace ethio
