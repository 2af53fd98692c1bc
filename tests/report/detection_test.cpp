// The proof of compare: on the simulated drive, one that is 10 % slower is found every time and one
// that only draws other luck never is. The way of the data is the real one: session, executor,
// result document, reader, comparison.
#include <gmock/gmock.h>

#include "common/exec/executor.h"
#include "common/report/comparison.h"
#include "common/report/session_json.h"
#include "common/spec/knobs.h"
#include "gbench-suite/run_loop.h"

namespace ethio {
namespace {

constexpr uint64_t kTargetBytes = uint64_t{256} << 20;
// Few enough that repetitions differ by some per cent, as on a real drive.
constexpr uint64_t kUnits = 2000;
constexpr int kRepetitions = 15;
constexpr uint64_t kTrials = 20;

SimDrive slower_by(double factor, SimDrive drive) {
  const auto longer = [factor](uint64_t& ns) {
    ns = static_cast<uint64_t>(static_cast<double>(ns) * factor);
  };
  const auto fewer = [factor](uint64_t& rate) {
    rate = static_cast<uint64_t>(static_cast<double>(rate) / factor);
  };
  longer(drive.read_median_ns);
  longer(drive.read_tail_ns);
  longer(drive.write_ns);
  longer(drive.sync_ns);
  fewer(drive.link_bytes_per_s);
  fewer(drive.drain_bytes_per_s);
  return drive;
}

// The result document of one run, as a harness writes it.
std::string run_on(const SimDrive& drive) {
  Knobs knobs;
  knobs.workload = "uniform-read";
  knobs.units = kUnits;
  SessionConfig config;
  config.spec = effective_spec(knobs);
  config.target_bytes = kTargetBytes;
  Session session(config);
  ExecutorConfig executor_config;
  executor_config.depth = session.lanes();
  executor_config.target_bytes = kTargetBytes;
  executor_config.sim = drive;
  const std::unique_ptr<Executor> executor = make_executor("sim", executor_config);
  LaneBuffers buffers(session.lanes(), session.max_access_bytes());
  RunLoop loop(session, *executor, buffers);
  loop.run_units(kUnits);
  loop.settle();
  RunFacts facts = run_facts(config);
  facts.harness = {{"name", "bench"}, {"executor", "sim"}};
  return to_json(result_of(session, facts));
}

// Repetitions that differ in what the drive does by chance: `first_seed`, first_seed + 1, ...
Measurements repetitions(const std::string& name, double slowdown, uint64_t first_seed) {
  Measurements all;
  all.origin = name;
  for (int i = 0; i < kRepetitions; ++i) {
    SimDrive drive = slower_by(slowdown, SimDrive{});
    drive.seed = first_seed + static_cast<uint64_t>(i);
    add_repetitions(all, parse_measurements(run_on(drive), name));
  }
  return all;
}

TEST(Detection, FindsTenPerCentEveryTimeAndNothingInTheSame) {
  uint64_t found = 0;
  uint64_t false_alarms = 0;
  double spread = 0;
  for (uint64_t trial = 0; trial < kTrials; ++trial) {
    const uint64_t seed = 1 + trial * 100;
    const Measurements base = repetitions("base", 1.0, seed);
    const Comparison same = compare(base, repetitions("same", 1.0, seed + 30), {});
    const Comparison slower = compare(base, repetitions("slower", 1.1, seed + 60), {});
    ASSERT_THAT(same.voids, testing::IsEmpty());
    false_alarms += verdict_of(same) == Verdict::kRegression ? 1 : 0;
    found += verdict_of(slower) == Verdict::kRegression ? 1 : 0;
    EXPECT_GT(slower.counters.size(), 0u);
    for (const CounterComparison& counter : slower.counters)
      EXPECT_EQ(counter.change, Change::kUnchanged);
    const MetricComparison& time = same.metrics.front();
    spread += time.slowdown.high - time.slowdown.low;
  }
  EXPECT_EQ(found, kTrials);
  EXPECT_EQ(false_alarms, 0u);
  // The test is worth something only if the repetitions do differ.
  EXPECT_GT(spread / kTrials, 0.002);
  RecordProperty("mean_interval_width", std::to_string(spread / kTrials));
}

}  // namespace
}  // namespace ethio
