// The simulated drive: equal to the bit on every machine, and shaped as its configuration says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <map>

#include "common/base/error.h"
#include "common/base/hash.h"
#include "common/exec/executor.h"

namespace ethio {
namespace {

using ::testing::HasSubstr;

constexpr uint32_t kBlock = 4096;

std::unique_ptr<Executor> make_sim(uint32_t depth, const SimDrive& drive = {}) {
  ExecutorConfig config;
  config.depth = depth;
  config.sim = drive;
  return make_executor("sim", config);
}

// Virtual time that one access at depth 1 takes.
uint64_t time_of(Executor& sim, const Access& access) {
  const uint64_t before = sim.now_ns();
  Completion done;
  EXPECT_EQ(sim.queue(access, nullptr, 0), 0);
  EXPECT_EQ(sim.reap({&done, 1}, 1, Executor::kForever), 1);
  return sim.now_ns() - before;
}

Access read_block(uint64_t number) {
  return {number * kBlock, kBlock, 0, AccessKind::kRead};
}
Access write(uint64_t bytes) {
  return {0, static_cast<uint32_t>(bytes), 0, AccessKind::kWrite};
}
constexpr Access kSync{0, 0, 0, AccessKind::kSync};

// Mixed accesses at full depth; a hash of every slot, result and time in order of completion.
uint64_t digest_of_run(const SimDrive& drive, uint32_t accesses) {
  constexpr uint32_t kDepth = 16;
  const auto sim = make_sim(kDepth, drive);
  Rng rng(5);
  uint64_t digest = 0;
  uint32_t started = 0;
  uint32_t finished = 0;
  std::vector<uint32_t> free(kDepth);
  for (uint32_t slot = 0; slot < kDepth; ++slot) free[slot] = slot;
  std::vector<Completion> done(kDepth);
  while (finished < accesses) {
    while (started < accesses && !free.empty()) {
      Access access = read_block(rng.below(1 << 20));
      const uint64_t dice = rng.below(32);
      if (dice < 8) access.kind = AccessKind::kWrite;
      if (dice == 31) access = kSync;
      EXPECT_EQ(sim->queue(access, nullptr, free.back()), 0);
      free.pop_back();
      ++started;
    }
    const int count = sim->reap(done, 1, Executor::kForever);
    for (int i = 0; i < count; ++i) {
      const Completion& completion = done[static_cast<size_t>(i)];
      digest = mix64(digest, completion.slot, static_cast<uint64_t>(completion.result));
      digest = mix64(digest, sim->now_ns());
      free.push_back(completion.slot);
      ++finished;
    }
  }
  return digest;
}

TEST(Sim, IsTheSameToTheBitOnEveryMachine) {
  EXPECT_EQ(digest_of_run({}, 20'000), 0xf9afce0682eff27fu);
}

TEST(Sim, TheSeedMakesAnotherDrive) {
  SimDrive other;
  other.seed = 2;
  EXPECT_NE(digest_of_run({}, 1000), digest_of_run(other, 1000));
}

TEST(Sim, ReadsAtDepthOneFollowTheConfiguredDistribution) {
  const SimDrive drive;
  const auto sim = make_sim(1, drive);
  const uint64_t link_ns = uint64_t{kBlock} * 1'000'000'000 / drive.link_bytes_per_s;
  std::vector<uint64_t> times(100'000);
  for (uint64_t i = 0; i < times.size(); ++i)
    times[i] = time_of(*sim, read_block(i * 977)) - link_ns;
  // Shares below the knots of the curve, within four standard deviations of a binomial.
  const auto below = [&](uint64_t limit_ns) {
    return std::count_if(times.begin(), times.end(), [&](uint64_t t) { return t <= limit_ns; });
  };
  EXPECT_NEAR(static_cast<double>(below(drive.read_median_ns)), 50'000, 4 * 158);
  EXPECT_NEAR(static_cast<double>(below(drive.read_tail_ns)), 99'900, 4 * 10);
  EXPECT_GE(*std::min_element(times.begin(), times.end()), drive.read_median_ns * 4 / 5);
  EXPECT_LE(*std::max_element(times.begin(), times.end()),
            drive.read_tail_ns + (drive.read_tail_ns - drive.read_median_ns) / 2 + 1);
}

// Virtual time of 4,000 random reads at a depth.
uint64_t time_of_reads(uint32_t depth, const SimDrive& drive) {
  const auto sim = make_sim(depth, drive);
  Rng rng(9);
  std::vector<Completion> done(depth);
  const uint64_t before = sim->now_ns();
  for (uint32_t round = 0; round < 4000 / depth; ++round) {
    for (uint32_t slot = 0; slot < depth; ++slot) {
      EXPECT_EQ(sim->queue(read_block(rng.below(1 << 20)), nullptr, slot), 0);
    }
    EXPECT_EQ(sim->reap(done, depth, Executor::kForever), static_cast<int>(depth));
  }
  return sim->now_ns() - before;
}

TEST(Sim, DepthHelpsAsFarAsThereAreUnits) {
  SimDrive even;  // no tail: what is left is queueing
  even.read_tail_ns = even.read_median_ns;
  const uint64_t alone = time_of_reads(1, even);
  EXPECT_LT(time_of_reads(16, even), alone / 4);
  even.parallel_units = 1;
  EXPECT_GT(time_of_reads(16, even), alone * 8 / 10);
}

TEST(Sim, WritesRunAtCacheSpeedUntilItIsFullAndRecoverWhenIdle) {
  SimDrive drive;
  drive.cache_bytes = uint64_t{64} << 20;
  drive.drain_bytes_per_s = 500'000'000;
  drive.link_bytes_per_s = 4'000'000'000;
  constexpr uint64_t kChunk = 1 << 20;
  const uint64_t fast_ns = drive.write_ns + kChunk * 1'000'000'000 / drive.link_bytes_per_s;
  const uint64_t slow_ns = kChunk * 1'000'000'000 / drive.drain_bytes_per_s;
  const auto sim = make_sim(1, drive);

  EXPECT_NEAR(static_cast<double>(time_of(*sim, write(kChunk))), static_cast<double>(fast_ns), 2);
  for (int i = 0; i < 200; ++i) time_of(*sim, write(kChunk));
  EXPECT_NEAR(static_cast<double>(time_of(*sim, write(kChunk))), static_cast<double>(slow_ns), 2);

  sim->idle_until(sim->now_ns() + 1'000'000'000);  // drains all of it
  EXPECT_NEAR(static_cast<double>(time_of(*sim, write(kChunk))), static_cast<double>(fast_ns), 2);
}

TEST(Sim, ReadsAreSlowerWhileTheCacheDrains) {
  SimDrive drive;
  drive.read_tail_ns = drive.read_median_ns;  // a read takes 64 to 80 us
  drive.drain_bytes_per_s = 100'000'000;
  drive.drain_percent = 60;
  SimDrive alone = drive;
  alone.drain_percent = 0;
  const auto shared = make_sim(1, drive);
  const auto undisturbed = make_sim(1, alone);
  const uint64_t link_ns = uint64_t{kBlock} * 1'000'000'000 / drive.link_bytes_per_s;
  for (Executor* sim : {shared.get(), undisturbed.get()}) time_of(*sim, write(1 << 20));

  // Drains for 10 ms, of which 40 reads that take two and a half times as long are a part.
  for (uint64_t i = 0; i < 40; ++i) {
    const uint64_t service_ns = time_of(*undisturbed, read_block(i * 977)) - link_ns;
    const uint64_t shared_ns = time_of(*shared, read_block(i * 977)) - link_ns;
    EXPECT_NEAR(static_cast<double>(shared_ns), 2.5 * static_cast<double>(service_ns), 2);
  }
  for (Executor* sim : {shared.get(), undisturbed.get()}) {
    sim->idle_until(sim->now_ns() + 20'000'000);
    EXPECT_LE(time_of(*sim, read_block(1)), drive.read_median_ns + link_ns + 1);
  }
}

TEST(Sim, AReadThatOutlastsTheDrainIsSlowerForItsTimeOnly) {
  SimDrive drive;
  drive.read_median_ns = drive.read_tail_ns = 1'000'000;
  drive.drain_bytes_per_s = 1'000'000'000;
  drive.drain_percent = 50;
  SimDrive alone = drive;
  alone.drain_percent = 0;
  const auto shared = make_sim(1, drive);
  const auto undisturbed = make_sim(1, alone);
  // 200 us of draining, some of which pass with the write: half of the rest is lost to the read.
  const uint64_t write_ns = time_of(*shared, write(200'000));
  time_of(*undisturbed, write(200'000));
  const uint64_t lost_ns = time_of(*shared, read_block(7)) - time_of(*undisturbed, read_block(7));
  EXPECT_NEAR(static_cast<double>(lost_ns), static_cast<double>(200'000 - write_ns) / 2, 2);
}

TEST(Sim, ASyncWaitsForTheWritesBeforeIt) {
  SimDrive drive;
  drive.cache_bytes = 0;  // a write takes as long as it drains
  drive.drain_bytes_per_s = 100'000'000;
  const auto sim = make_sim(2, drive);
  const uint64_t before = sim->now_ns();
  ASSERT_EQ(sim->queue(write(1 << 20), nullptr, 0), 0);
  ASSERT_EQ(sim->queue(kSync, nullptr, 1), 0);
  Completion done[2];
  ASSERT_EQ(sim->reap(done, 2, Executor::kForever), 2);
  EXPECT_EQ(done[0].slot, 0u);
  EXPECT_EQ(done[1].slot, 1u);
  const uint64_t write_ns = (uint64_t{1} << 20) * 10;
  EXPECT_NEAR(static_cast<double>(sim->now_ns() - before),
              static_cast<double>(write_ns + drive.sync_ns), 2);
}

TEST(Sim, TheClockMovesOnlyWhileOneWaits) {
  const auto sim = make_sim(1);
  const uint64_t start = sim->now_ns();
  ASSERT_EQ(sim->queue(read_block(1), nullptr, 0), 0);
  ASSERT_EQ(sim->submit(), 0);
  Completion done;
  EXPECT_EQ(sim->reap({&done, 1}, 0, Executor::kForever), 0);
  EXPECT_EQ(sim->now_ns(), start);
  EXPECT_EQ(sim->reap({&done, 1}, 1, 1000), 0);  // too short for a read
  EXPECT_EQ(sim->now_ns(), start + 1000);
  sim->idle_until(start + 1'000'000'000);
  EXPECT_EQ(sim->now_ns(), start + 1'000'000'000);
  EXPECT_EQ(sim->reap({&done, 1}, 0, 0), 1);  // it ended meanwhile
  EXPECT_EQ(sim->now_ns(), start + 1'000'000'000);
}

TEST(Sim, RefusesADriveThatCannotBe) {
  const auto message = [](const SimDrive& drive) -> std::string {
    try {
      make_sim(1, drive);
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), EINVAL);
      return error.what();
    }
  };
  SimDrive drive;
  drive.parallel_units = 3;
  EXPECT_EQ(message(drive), "executor: sim: parallel_units must be a power of two");
  drive = {};
  drive.read_tail_ns = drive.read_median_ns - 1;
  EXPECT_THAT(message(drive), HasSubstr("read_tail_ns is below read_median_ns"));
  drive = {};
  drive.link_bytes_per_s = 0;
  EXPECT_THAT(message(drive), HasSubstr("link_bytes_per_s must be above 0"));
  drive = {};
  drive.drain_bytes_per_s = 0;
  EXPECT_THAT(message(drive), HasSubstr("drain_bytes_per_s must be above 0"));
  drive = {};
  drive.drain_percent = 100;
  EXPECT_THAT(message(drive), HasSubstr("drain_percent must be below 100"));
}

}  // namespace
}  // namespace ethio
