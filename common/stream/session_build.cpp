// A session's construction: what it refuses, and how definition and target become streams and
// lanes.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>

#include "common/base/error.h"
#include "common/stream/session_impl.h"

namespace ethio {
namespace {

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
      throw Error(
          EINVAL,
          fmt::format("{}: {}.op: {} needs tables: layout.type lsm, btree or page_table, not {}",
                      config.spec.name, where, info.name,
                      enum_name(config.spec.layout.type, kLayoutTypes)));
    }
    if (is_uniform(op.kind) && (op.bytes % config.alignment != 0 || op.bytes == 0)) {
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
  const auto add = [&](const StreamSpec& stream, bool background) {
    for (const OpSpec& op : stream.ops) {
      metrics.ops.emplace_back().name = info_of(op.kind).name;
    }
    StageMetrics& row = metrics.stages.emplace_back();
    row.name = stream.name;
    row.background = background;
  };
  for (const StageSpec& stage : spec.stages) add(stage, false);
  for (const BackgroundSpec& background : spec.background) add(background, true);
  return metrics;
}

uint32_t memories_of(const WorkloadSpec& spec) {
  const auto beside = std::count_if(spec.stages.begin(), spec.stages.end(),
                                    [](const StageSpec& stage) { return stage.together; });
  return static_cast<uint32_t>(1 + static_cast<size_t>(beside) + spec.background.size());
}

}  // namespace

Session::Impl::Impl(const SessionConfig& session_config)
    : config(session_config), metrics_(named_metrics(config.spec)) {
  check(config);
  const WorkloadSpec& spec = config.spec;
  const uint64_t seed = mix64(spec.seed, config.job, config.jobs);
  if (spec.layout.type != LayoutType::kRaw && spec.layout.type != LayoutType::kAppend)
    state_ = std::make_unique<StateModel>(spec.state, spec.seed);
  const LayoutConfig layout{&spec.layout,
                            state_.get(),
                            config.target_bytes,
                            config.alignment,
                            any_appends(spec) ? config.jobs * memories_of(spec) : 0,
                            tables_used(spec)};
  layout_ = make_layout(layout);
  places_.emplace(layout, std::array<uint64_t, kTables>{});
  check(config, *layout_);
  if (spec.units > 0) max_units_ = spec.units;
  build_memories();
  build_stages(seed);
  build_backgrounds(seed);
  stages_ = std::span(streams_).first(spec.stages.size());
  backgrounds_ = std::span(streams_).subspan(spec.stages.size());
  full_ = config.depth == 0 ? lane_count : std::min(config.depth, lane_count);
  lanes_.resize(lane_count);
  for (uint32_t i = 0; i < lane_count; ++i) lanes_[i].index = i;
  ready_.emplace(lane_count);
  build_singles();
  for_each_op(spec, [&](const OpSpec& op, const std::string&) {
    max_access_bytes = std::max(max_access_bytes, layout_->max_access_bytes(op));
  });
  scaling_note = layout_->scaling_note();
  require_accesses();
}

void Session::Impl::build_memories() {
  const uint32_t count = memories_of(config.spec);
  memories_.resize(count);
  for (uint32_t i = 0; i < count; ++i) {
    layout_->assign_slice(config.job * count + i, memories_[i]);
  }
}

void Session::Impl::build_stages(uint64_t seed) {
  const bool endless = config.spec.unit == UnitKind::kOp;
  uint32_t op_class = 0;
  uint32_t group = 0;  // its first stage
  uint32_t first_lane = 0;
  size_t memory = 0;
  for (const StageSpec& stage : config.spec.stages) {
    const auto index = static_cast<uint32_t>(streams_.size());
    const bool together = stage.together && index > 0;
    if (!together) {
      group = index;
      first_lane = 0;
    }
    OpSource source(stage, config.spec, state_.get(), mix64(seed, index), op_class);
    const auto lanes =
        static_cast<uint32_t>(endless ? stage.lanes : std::min(stage.lanes, source.ops_per_unit()));
    Stream& stream = streams_.emplace_back(
        endless ? Role::kEndlessStage : Role::kStage, std::move(source),
        FreeLanes(first_lane, lanes, stage.gap), &memories_[together ? ++memory : 0], stage.every);
    stream.index = index;
    stream.grouped = together;
    streams_[group].grouped |= together;
    streams_[group].group_size = index + 1 - group;
    first_lane += lanes;
    lane_count = std::max(lane_count, first_lane);
    op_class += static_cast<uint32_t>(stage.ops.size());
  }
}

void Session::Impl::build_backgrounds(uint64_t seed) {
  auto op_class = static_cast<uint32_t>(metrics_.ops.size());
  for (const BackgroundSpec& background : config.spec.background) {
    op_class -= static_cast<uint32_t>(background.ops.size());
  }
  StreamMemory* memory = &memories_.back() - config.spec.background.size();
  for (const BackgroundSpec& background : config.spec.background) {
    const auto index = static_cast<uint32_t>(streams_.size());
    OpSource source(background, config.spec, state_.get(), mix64(seed, index), op_class);
    const auto lanes = static_cast<uint32_t>(std::min(background.lanes, source.ops_per_unit()));
    Stream& stream = streams_.emplace_back(Role::kBackground, std::move(source),
                                           FreeLanes(lane_count, lanes, background.gap), ++memory,
                                           background.every);
    stream.index = index;
    stream.max_debt = background.max_debt;
    stream.ns_per_byte = background.burst == 0 ? 0 : 1e9 / static_cast<double>(background.burst);
    lane_count += lanes;
    op_class += static_cast<uint32_t>(background.ops.size());
  }
}

void Session::Impl::build_singles() {
  const auto add = [&](const StreamSpec& stream, uint32_t index) {
    for (const OpSpec& op : stream.ops) {
      const OpKindInfo& info = info_of(op.kind);
      SingleOps& single = singles_.emplace_back();
      single.stream = index;
      single.kind = info.reads    ? AccessKind::kRead
                    : info.writes ? AccessKind::kWrite
                                  : AccessKind::kSync;
    }
  };
  uint32_t index = 0;
  for (const StageSpec& stage : config.spec.stages) add(stage, index++);
  for (const BackgroundSpec& background : config.spec.background) add(background, index++);
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

Session::Session(const SessionConfig& config) : impl_(std::make_unique<Impl>(config)) {}

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
