#include "gbench-suite/run_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <vector>

#include "common/base/error.h"
#include "common/spec/catalogue.h"
#include "gbench-suite/workload_run.h"

namespace ethio {
namespace {

using ::testing::HasSubstr;

constexpr uint64_t kTargetBytes = uint64_t{64} << 20;

SessionConfig config_of(const std::string& workload, uint64_t units, uint64_t lanes = 4) {
  SessionConfig config;
  config.spec = load_workload(workload);
  config.spec.units = units;
  config.spec.slot_time = 0;
  for (StageSpec& stage : config.spec.stages) stage.lanes = lanes;
  config.target_bytes = kTargetBytes;
  return config;
}

// What the session says when each access is done at once.
Digest digest_of(const SessionConfig& config) {
  Session session(config);
  Access access;
  uint64_t now_ns = 1;
  for (;;) {
    const Next next = session.next(now_ns, access);
    if (next == Next::kEnd) return session.digest();
    if (next == Next::kIdle) {
      now_ns = access.offset;
    } else {
      session.complete(access.lane, access.length, ++now_ns);
    }
  }
}

// A drive with a virtual clock whose accesses take a microsecond each, last come first served, and
// fail from the chosen one on.
class OddDrive final : public Executor {
 public:
  explicit OddDrive(uint64_t fails_from) : fails_from_(fails_from) {}

  int queue(const Access& access, void* buffer, uint32_t slot) noexcept override {
    EXPECT_NE(buffer, nullptr);
    EXPECT_LE(access.offset + access.length, kTargetBytes);
    const bool fails = ++taken_ >= fails_from_;
    in_flight_.push_back({slot, fails ? -EIO : static_cast<int64_t>(access.length)});
    return 0;
  }
  int submit() noexcept override { return 0; }
  int reap(std::span<Completion> out, uint32_t, uint64_t) noexcept override {
    if (in_flight_.empty()) return 0;
    out[0] = in_flight_.back();
    in_flight_.pop_back();
    now_ns_ += 1'000;
    return 1;
  }
  uint64_t now_ns() const noexcept override { return now_ns_; }
  void idle_until(uint64_t t_ns) noexcept override {
    if (t_ns > now_ns_) now_ns_ = t_ns;
  }
  std::string_view notice() const override { return ""; }
  std::string_view name() const override { return "odd"; }

  size_t in_flight() const { return in_flight_.size(); }
  void pass(uint64_t ns) { now_ns_ += ns; }

 private:
  uint64_t fails_from_;
  uint64_t taken_ = 0;
  uint64_t now_ns_ = 5'000'000'000;
  std::vector<Completion> in_flight_;
};

constexpr uint64_t kNever = ~uint64_t{0};

// A session and a loop on the odd drive.
struct Rig {
  explicit Rig(const SessionConfig& config, uint64_t fails_from = kNever)
      : session(config),
        drive(fails_from),
        buffers(session.lanes(), session.max_access_bytes()),
        loop(session, drive, buffers) {}

  Session session;
  OddDrive drive;
  LaneBuffers buffers;
  RunLoop loop;
};

TEST(RunLoop, EndsWithTheSession) {
  const SessionConfig config = config_of("uniform-read", 1000);
  Rig rig(config);
  EXPECT_FALSE(rig.loop.run_units(5000));
  EXPECT_EQ(rig.session.metrics().units, 1000U);
  EXPECT_EQ(rig.session.digest(), digest_of(config));
}

TEST(RunLoop, StopsAfterSoManyUnitsAndGoesOn) {
  Rig rig(config_of("uniform-read", 0));
  EXPECT_TRUE(rig.loop.run_units(100));
  EXPECT_GE(rig.session.metrics().units, 100U);
  EXPECT_LT(rig.session.metrics().units, 100U + rig.session.lanes());
  rig.session.reset_metrics();
  EXPECT_TRUE(rig.loop.run_units(100));
  EXPECT_GE(rig.session.metrics().units, 100U);
  rig.loop.settle();
  EXPECT_EQ(rig.drive.in_flight(), 0U);
}

TEST(RunLoop, ItsClockStandsStillBetweenRuns) {
  Rig rig(config_of("uniform-read", 0));
  rig.loop.run_units(10);
  const uint64_t before_ns = rig.loop.now_ns();
  rig.drive.pass(3'000'000'000);
  rig.loop.run_units(10);
  EXPECT_LT(rig.loop.now_ns() - before_ns, 100'000U);
  EXPECT_LT(rig.session.metrics().unit_latency.max(), 100'000U);
}

TEST(RunLoop, AFailedAccessEndsTheRun) {
  Rig rig(config_of("uniform-read", 0), 50);
  try {
    rig.loop.run_units(1000);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), EIO);
    EXPECT_THAT(error.what(), HasSubstr("read of 4096 bytes at offset "));
  }
  EXPECT_EQ(rig.drive.in_flight(), 0U);
  EXPECT_LT(rig.session.metrics().units, 60U);
}

TEST(RunLoop, WaitsForSlotsOnTheExecutorsClock) {
  SessionConfig config = config_of("uniform-read", 0);
  config.spec.unit = UnitKind::kBatch;
  config.spec.slot_time = 12'000'000'000;
  Rig rig(config);
  const uint64_t before_ns = rig.loop.now_ns();
  rig.loop.run_units(10);
  EXPECT_GE(rig.loop.now_ns() - before_ns, 9 * config.spec.slot_time);
  EXPECT_LT(rig.loop.now_ns() - before_ns, 10 * config.spec.slot_time);
  EXPECT_EQ(rig.session.metrics().missed_slots, 0U);
}

TEST(WorkloadRun, RunsTheSameStreamWhateverTheExecutor) {
  for (const std::string& name : workload_names()) {
    const SessionConfig config = config_of(name, 5, 8);
    const Digest expected = digest_of(config);
    for (const char* executor : {"null", "sim"}) {
      WorkloadRun run(config, executor, ExecutorConfig{});
      run.loop().run_units(5);
      EXPECT_EQ(run.session().digest(), expected) << name << " on " << executor;
      EXPECT_EQ(run.result().harness.at("executor"), executor);
    }
  }
}

TEST(LaneBuffers, WriteWhatCannotBeCompressed) {
  LaneBuffers buffers(3, 5000);
  const auto* bytes = static_cast<const unsigned char*>(buffers.for_write(1, 5000));
  std::vector<int> count(256);
  for (int i = 0; i < 5000; ++i) ++count[bytes[i]];
  for (const int n : count) EXPECT_LT(n, 60);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(bytes) % 4096, 0U);
  EXPECT_NE(buffers.for_read(0), buffers.for_read(1));
}

TEST(LaneBuffers, OfferOnlyFewBytesForRegistration) {
  EXPECT_EQ(LaneBuffers(4, 4096).to_register().size(), 4U);
  EXPECT_TRUE(LaneBuffers(4096, 1 << 20).to_register().empty());
}

}  // namespace
}  // namespace ethio
