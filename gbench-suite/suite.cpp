#include "gbench-suite/suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "common/base/error.h"
#include "common/base/quantity.h"
#include "common/base/version.h"
#include "common/report/output_file.h"
#include "common/report/session_json.h"
#include "common/spec/catalogue.h"
#include "gbench-suite/result_counters.h"

namespace ethio {
namespace {

constexpr uint64_t kDefaultTargetBytes = uint64_t{256} << 20;
constexpr std::string_view kNamePlaceholder = "{name}";

// The spec with all knobs applied. Pacing is for those who ask for it: a benchmark that sleeps
// measures little.
WorkloadSpec spec_for(Knobs knobs, const std::string& workload) {
  knobs.workload = workload;
  if (!knobs.slot_time_ns) knobs.slot_time_ns = 0;
  return effective_spec(knobs);
}

std::vector<const ExecutorInfo*> chosen_executors(const std::string& name) {
  std::vector<const ExecutorInfo*> chosen;
  std::string known;
  for (const ExecutorInfo& info : executors()) {
    if (name.empty() || info.name == name) chosen.push_back(&info);
    known += fmt::format("{}{}", known.empty() ? "" : ", ", info.name);
  }
  if (chosen.empty())
    throw Error(EINVAL, fmt::format("executor: '{}' is not one of {}", name, known));
  return chosen;
}

}  // namespace

Suite::Suite(Knobs knobs)
    : knobs_(std::move(knobs)), target_bytes_(knobs_.size_bytes.value_or(kDefaultTargetBytes)) {
  if (!knobs_.workload.empty()) {
    add_workload(knobs_.workload);
    return;
  }
  for (const std::string& workload : workload_names()) add_workload(workload);
  add_state_size("10k", 10'000, 5'000);
  add_state_size("350M", 350'000'000, 1'400'000'000);
}

// The state is never built, so a lookup costs the same in one of any size. A lookup in flat state,
// because a larger trie has longer ways, and these are accesses.
void Suite::add_state_size(const std::string& size, uint64_t accounts, uint64_t slots) {
  Knobs knobs = knobs_;
  knobs.accounts = accounts;
  knobs.slots = slots;
  const WorkloadSpec spec = spec_for(knobs, "flat-read");
  for (const ExecutorInfo* executor : chosen_executors(knobs_.executor)) {
    if (executor->name == "null")
      add_benchmark(fmt::format("state-size/{}", size), spec, *executor);
  }
}

void Suite::add_workload(const std::string& workload) {
  const WorkloadSpec spec = spec_for(knobs_, workload);
  for (const ExecutorInfo* executor : chosen_executors(knobs_.executor)) {
    add_benchmark(spec.name, spec, *executor);
  }
  streams_.push_back({fmt::format("stream/{}", spec.name), spec});
}

void Suite::add_benchmark(const std::string& name, const WorkloadSpec& spec,
                          const ExecutorInfo& executor) {
  WorkloadBenchmark benchmark{fmt::format("{}/{}", name, executor.name), "", spec, &executor};
  benchmark.full_name = benchmark.name;
  if (knobs_.units > 0) benchmark.full_name += fmt::format("/iterations:{}", knobs_.units);
  benchmark.full_name += executor.virtual_clock ? "/manual_time" : "/real_time";
  workloads_.push_back(std::move(benchmark));
}

std::vector<std::string> Suite::names() const {
  std::vector<std::string> names;
  for (const WorkloadBenchmark& benchmark : workloads_) names.push_back(benchmark.full_name);
  for (const StreamBenchmark& benchmark : streams_) names.push_back(benchmark.name);
  return names;
}

void Suite::register_all() {
  for (const WorkloadBenchmark& workload : workloads_) {
    auto* benchmark = benchmark::RegisterBenchmark(
        workload.name.c_str(),
        [this, &workload](benchmark::State& state) { run_workload(state, workload); });
    benchmark->Unit(workload.spec.unit == UnitKind::kOp ? benchmark::kMicrosecond
                                                        : benchmark::kMillisecond);
    if (workload.executor->virtual_clock) {
      benchmark->UseManualTime();
    } else {
      benchmark->UseRealTime();
    }
    if (knobs_.units > 0)
      benchmark->Iterations(static_cast<benchmark::IterationCount>(knobs_.units));
  }
  for (const StreamBenchmark& stream : streams_) {
    benchmark::RegisterBenchmark(stream.name.c_str(), [this, &stream](benchmark::State& state) {
      run_stream(state, stream);
    });
  }
}

// ---- before the run ----

void Suite::prepare(const std::vector<std::string>& selected) {
  const auto is_selected = [&](const WorkloadBenchmark& benchmark) {
    return std::find(selected.begin(), selected.end(), benchmark.full_name) != selected.end();
  };
  size_t results = 0;
  bool needs_target = false;
  for (const WorkloadBenchmark& benchmark : workloads_) {
    if (!is_selected(benchmark)) continue;
    ++results;
    needs_target |= benchmark.executor->needs_target;
    if (!knobs_.out.empty()) check_output_file(out_path(benchmark));
  }
  if (results > 1 && !knobs_.out.empty() &&
      knobs_.out.find(kNamePlaceholder) == std::string::npos) {
    throw Error(
        EINVAL,
        fmt::format("out: {} benchmarks are selected and a file holds the result of one; narrow "
                    "--benchmark_filter, or write {} in the path",
                    results, kNamePlaceholder));
  }
  if (needs_target)
    target_ = std::make_unique<TargetFile>(knobs_.dir, target_bytes_, knobs_.direct);
  describe_target();
}

void Suite::describe_target() const {
  benchmark::AddCustomContext("ethio_version", kVersion);
  benchmark::AddCustomContext("ethio_seed", fmt::format("{}", knobs_.seed));
  // What `ethio compare` holds two results against each other by.
  benchmark::AddCustomContext("ethio_target_bytes", fmt::format("{}", target_bytes_));
  for (const StreamBenchmark& stream : streams_) {
    benchmark::AddCustomContext("ethio_definition." + stream.spec.name,
                                definition_digest(stream.spec));
  }
  if (!target_) {
    benchmark::AddCustomContext(
        "ethio_target", fmt::format("none needed; sizes as for {}", format_bytes(target_bytes_)));
    return;
  }
  benchmark::AddCustomContext(
      "ethio_target",
      fmt::format("{} ({}, a fresh file of incompressible bytes, removed afterwards)",
                  target_->path(), format_bytes(target_->bytes())));
  benchmark::AddCustomContext("ethio_filesystem", target_->file_system());
  benchmark::AddCustomContext("ethio_direct", target_->direct()
                                                  ? "yes (O_DIRECT)"
                                                  : fmt::format("no: {}", target_->direct_note()));
}

// ---- a workload on an executor ----

WorkloadRun& Suite::run_for(const WorkloadBenchmark& benchmark) {
  if (current_benchmark_ == &benchmark && knobs_.units == 0) return *current_;
  current_.reset();
  current_benchmark_ = nullptr;
  if (benchmark.executor->needs_target) target_->fill();
  SessionConfig config;
  config.spec = benchmark.spec;
  config.target_bytes = target_bytes_;
  ExecutorConfig wanted;
  if (benchmark.executor->needs_target) wanted.fd = target_->fd();
  // Among all executors polling is for the one that knows it.
  const bool may_poll = benchmark.executor->name == "uring" || !knobs_.executor.empty();
  wanted.sqpoll = may_poll && knobs_.sqpoll;
  wanted.iopoll = may_poll && knobs_.iopoll;
  current_ = std::make_unique<WorkloadRun>(config, benchmark.executor->name, wanted);
  current_->annotate("name", "bench");
  if (benchmark.executor->needs_target)
    current_->annotate("direct", target_->direct() ? "yes" : "no");
  current_benchmark_ = &benchmark;
  const std::string notice(current_->executor().notice());
  if (!notice.empty() && notices_said_.insert(notice).second)
    fmt::print(stderr, "ethio: {}\n", notice);
  return *current_;
}

void Suite::run_workload(benchmark::State& state, const WorkloadBenchmark& benchmark) {
  try {
    WorkloadRun& run = run_for(benchmark);
    run.session().reset_metrics();
    // All iterations are one batch: the framework's own loop costs nothing, and the time is that of
    // the units.
    while (state.KeepRunningBatch(state.max_iterations)) {
      const uint64_t begin_ns = run.loop().now_ns();
      run.loop().run_units(static_cast<uint64_t>(state.max_iterations));
      if (benchmark.executor->virtual_clock) {
        state.SetIterationTime(static_cast<double>(run.loop().now_ns() - begin_ns) * 1e-9);
      }
    }
    run.loop().settle();
    set_counters(state, run.session().metrics());
    if (knobs_.units > 0) state.SetLabel("digest " + to_hex(run.session().digest()));
    write_result(benchmark, run);
  } catch (const Error& error) {
    current_.reset();
    current_benchmark_ = nullptr;
    failed_ = true;
    state.SkipWithError(error.what());
  }
}

std::string Suite::out_path(const WorkloadBenchmark& benchmark) const {
  std::string path = knobs_.out;
  std::string name = benchmark.name;
  std::replace(name.begin(), name.end(), '/', '.');
  if (const size_t at = path.find(kNamePlaceholder); at != std::string::npos) {
    path.replace(at, kNamePlaceholder.size(), name);
  }
  return path;
}

void Suite::write_result(const WorkloadBenchmark& benchmark, const WorkloadRun& run) const {
  if (!knobs_.out.empty()) write_output_file(out_path(benchmark), to_json(run.result()));
}

// ---- a generator alone ----

void Suite::run_stream(benchmark::State& state, const StreamBenchmark& benchmark) const {
  try {
    SessionConfig config;
    config.spec = benchmark.spec;
    config.spec.units = 0;  // however many the framework asks for
    config.target_bytes = target_bytes_;
    Session session(config);
    Access access;
    uint64_t now_ns = 1;
    uint64_t bytes = 0;
    while (state.KeepRunningBatch(state.max_iterations)) {
      for (benchmark::IterationCount left = state.max_iterations; left > 0;) {
        const Next next = session.next(now_ns, access);
        if (next == Next::kIdle) {
          now_ns = access.offset;
          continue;
        }
        if (next != Next::kAccess)
          throw Error(EPROTO, "the stream has stopped with nothing in flight");
        session.complete(access.lane, access.length, ++now_ns);
        bytes += access.length;
        --left;
      }
    }
    state.counters["accesses/s"] =
        benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
    state.counters["bytes/access"] =
        benchmark::Counter(static_cast<double>(bytes) / static_cast<double>(state.iterations()));
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

}  // namespace ethio
