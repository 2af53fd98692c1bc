// The Session's promises: one stream whatever completes when, barriers, lanes, pacing, backgrounds,
// disjoint jobs.
#include "common/stream/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "common/base/error.h"
#include "common/spec/catalogue.h"
#include "tests/stream/drive.h"

namespace ethio {
namespace {

using test::CompletionOrder;
using test::drive;
using test::DriveOptions;
using test::DriveResult;
using testing::HasSubstr;

constexpr uint64_t kTarget = 256u << 20;

SessionConfig config_of(const std::string& workload, uint64_t units) {
  SessionConfig config;
  config.spec = load_workload(workload);
  config.spec.units = units;
  config.target_bytes = kTarget;
  return config;
}

// Units that make some thousands of accesses.
uint64_t units_of(const WorkloadSpec& spec) {
  return spec.unit == UnitKind::kOp ? 3000 : 2;
}

OpSpec op_of(OpKind kind, uint64_t count, uint64_t bytes = 0) {
  OpSpec op;
  op.kind = kind;
  op.count = count;
  op.bytes = bytes;
  return op;
}

StageSpec stage_of(const std::string& name, uint64_t lanes, OpSpec op) {
  StageSpec stage;
  stage.name = name;
  stage.lanes = lanes;
  stage.ops = {op};
  return stage;
}

// A block of 10 reads on 4 lanes, then 6 writes on 2, then a sync.
SessionConfig raw_block(uint64_t units) {
  SessionConfig config;
  config.spec.name = "raw-block";
  config.spec.unit = UnitKind::kBlock;
  config.spec.units = units;
  config.spec.stages = {stage_of("read", 4, op_of(OpKind::kUniformRead, 10, 4096)),
                        stage_of("write", 2, op_of(OpKind::kUniformWrite, 6, 8192)),
                        stage_of("sync", 1, op_of(OpKind::kSync, 1))};
  config.target_bytes = kTarget;
  return config;
}

class EveryWorkload : public testing::TestWithParam<std::string> {};

TEST_P(EveryWorkload, StreamDoesNotDependOnTheOrderOfCompletion) {
  SessionConfig config = config_of(GetParam(), 0);
  config.spec.units = units_of(config.spec);
  Session first(config);
  const DriveResult reference = drive(first);
  ASSERT_TRUE(reference.ended);
  ASSERT_GT(reference.accesses, 0u);
  for (const CompletionOrder order : {CompletionOrder::kLastIn, CompletionOrder::kShuffled}) {
    Session again(config);
    DriveOptions options;
    options.order = order;
    const DriveResult result = drive(again, options);
    EXPECT_EQ(again.digest(), first.digest());
    EXPECT_EQ(result.accesses, reference.accesses);
    EXPECT_EQ(result.bytes, reference.bytes);
    EXPECT_EQ(result.syncs, reference.syncs);
  }
  Session narrow(config);
  DriveOptions one_at_a_time;
  one_at_a_time.max_in_flight = 1;
  EXPECT_EQ(drive(narrow, one_at_a_time).accesses, reference.accesses);
  EXPECT_EQ(narrow.digest(), first.digest());
}

TEST_P(EveryWorkload, AccessesLieInTheTargetAndAreAligned) {
  for (const uint32_t alignment : {512u, 4096u}) {
    SessionConfig config = config_of(GetParam(), 0);
    config.spec.units = units_of(config.spec);
    config.alignment = alignment;
    Session session(config);
    drive(session, {}, [&](const Access& access) {
      if (access.kind == AccessKind::kSync) {
        ASSERT_EQ(access.length, 0u);
        return;
      }
      ASSERT_GT(access.length, 0u);
      ASSERT_EQ(access.offset % alignment, 0u);
      ASSERT_EQ(access.length % alignment, 0u);
      ASSERT_LE(access.length, session.max_access_bytes());
      ASSERT_LE(access.offset + access.length, config.target_bytes);
      ASSERT_TRUE(session.does(access.kind)) << name_of(access.kind);
    });
  }
}

// Whether a seed decides anything: appends and syncs come as they come.
bool draws(const WorkloadSpec& spec) {
  const auto any = [](const StreamSpec& stream) {
    return std::any_of(stream.ops.begin(), stream.ops.end(), [](const OpSpec& op) {
      return op.kind != OpKind::kAppend && op.kind != OpKind::kSync;
    });
  };
  return std::any_of(spec.stages.begin(), spec.stages.end(), any) ||
         std::any_of(spec.background.begin(), spec.background.end(), any);
}

TEST_P(EveryWorkload, SeedJobAndSizeChangeTheStream) {
  const auto digest_with = [&](auto change) {
    SessionConfig config = config_of(GetParam(), 0);
    config.spec.units = units_of(config.spec);
    config.jobs = 2;
    change(config);
    Session session(config);
    drive(session);
    return to_hex(session.digest());
  };
  std::set<std::string> digests;
  digests.insert(digest_with([](SessionConfig&) {}));
  digests.insert(digest_with([](SessionConfig& c) { c.spec.seed = 2; }));
  digests.insert(digest_with([](SessionConfig& c) { c.job = 1; }));
  digests.insert(digest_with([](SessionConfig& c) { c.target_bytes *= 2; }));
  EXPECT_EQ(digests.size(), draws(load_workload(GetParam())) ? 4u : 3u);
}

TEST_P(EveryWorkload, MetricsCountWhatWasHandedOut) {
  SessionConfig config = config_of(GetParam(), 0);
  config.spec.units = units_of(config.spec);
  Session session(config);
  uint64_t handed_out[kAccessKinds] = {};
  const DriveResult result = drive(
      session, {}, [&](const Access& access) { ++handed_out[static_cast<int>(access.kind)]; });
  uint64_t bytes = 0;
  for (int kind = 0; kind < kAccessKinds; ++kind) {
    EXPECT_EQ(session.metrics().access[kind].count, handed_out[kind]);
    bytes += session.metrics().access[kind].bytes;
  }
  EXPECT_EQ(bytes, result.bytes);
  EXPECT_EQ(session.metrics().units, config.spec.units);
  EXPECT_EQ(session.metrics().unit_latency.count(), config.spec.units);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryWorkload, testing::ValuesIn(workload_names()),
                         [](const auto& info) {
                           std::string name = info.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

TEST(Session, StagesRunInOrderWithABarrierBetween) {
  Session session(raw_block(3));
  std::string kinds;
  const DriveResult result = drive(session, {}, [&](const Access& access) {
    kinds += name_of(access.kind)[0] == 's' ? 's' : name_of(access.kind)[0];
  });
  const std::string block = "rrrrrrrrrrwwwwwws";
  EXPECT_EQ(kinds, block + block + block);
  EXPECT_EQ(result.most_in_flight, 4u);
  EXPECT_TRUE(result.ended);
}

TEST(Session, NothingOfTheNextStageStartsWhileThisOneIsInFlight) {
  Session session(raw_block(1));
  std::vector<Access> reads;
  Access access;
  for (;;) {
    const Next next = session.next(0, access);
    if (next == Next::kStall) {
      if (session.metrics().access[0].count + reads.size() == 10 && reads.size() == 1) break;
      session.complete(reads.back().lane, 4096, 0);
      reads.pop_back();
      continue;
    }
    ASSERT_EQ(next, Next::kAccess);
    ASSERT_EQ(access.kind, AccessKind::kRead);
    reads.push_back(access);
  }
  session.complete(reads.back().lane, 4096, 0);
  ASSERT_EQ(session.next(0, access), Next::kAccess);
  EXPECT_EQ(access.kind, AccessKind::kWrite);
}

TEST(Session, LatenciesComeFromTheCallersClock) {
  Session session(raw_block(1));
  DriveOptions options;
  options.latency_ns = 1000;
  options.max_in_flight = 1;
  drive(session, options);
  // One at a time: 10 reads, 6 writes and a sync of 1 us each.
  EXPECT_EQ(session.metrics().unit_latency.max(), 17'000u);
  EXPECT_EQ(session.metrics().stages[0].latency.max(), 10'000u);
  EXPECT_EQ(session.metrics().stages[1].latency.max(), 6'000u);
  EXPECT_EQ(session.metrics().stages[2].latency.max(), 1'000u);
  EXPECT_EQ(session.metrics().access[0].latency.max(), 1'000u);
}

TEST(Session, WhatTheHarnessHeldBackCountsFromItsBeginning) {
  Session session(raw_block(1));
  Access access;
  ASSERT_EQ(session.next(1'000, access), Next::kAccess);
  session.restart(access.lane, 9'000);
  session.complete(access.lane, access.length, 9'500);
  session.restart(access.lane, 9'600);  // nothing is in flight there: nothing changes
  EXPECT_EQ(session.metrics().access[0].latency.max(), 500u);
  EXPECT_EQ(session.metrics().ops[0].latency.max(), 500u);
}

// One read, begun at 1000 ns and done at 1100, in a harness that does not ask for another meanwhile.
uint64_t stall_of_one_read(uint32_t depth, uint64_t held_until_ns) {
  SessionConfig config = raw_block(1);
  config.depth = depth;
  Session session(config);
  Access access;
  EXPECT_EQ(session.next(1000, access), Next::kAccess);
  if (held_until_ns > 0) session.restart(access.lane, held_until_ns);
  session.complete(access.lane, 4096, 1100);
  return session.metrics().stall_ns;
}

TEST(Session, AFullHarnessWaitsForIoThoughItDoesNotAsk) {
  EXPECT_EQ(stall_of_one_read(1, 0), 100u);
  EXPECT_EQ(stall_of_one_read(2, 0), 0u);
  EXPECT_EQ(stall_of_one_read(0, 0), 0u);  // four lanes could have read
}

TEST(Session, WhatTheHarnessHoldsBackIsNoWaitForIo) {
  EXPECT_EQ(stall_of_one_read(1, 1040), 60u);
}

TEST(Session, PacedBlocksBeginWithTheSlotAndCountFromIt) {
  SessionConfig config = raw_block(4);
  config.spec.slot_time = 1'000'000;
  Session session(config);
  DriveOptions options;
  options.latency_ns = 10'000;
  options.max_in_flight = 1;
  std::vector<uint64_t> starts;
  const DriveResult result = drive(session, options);
  EXPECT_TRUE(result.ended);
  EXPECT_EQ(result.now_ns, 3 * config.spec.slot_time + 170'000);
  EXPECT_EQ(session.metrics().missed_slots, 0u);
  EXPECT_EQ(session.metrics().idle_ns, 3 * (config.spec.slot_time - 170'000));
}

TEST(Session, ALateBlockIsMissedAndItsWaitCounts) {
  SessionConfig config = raw_block(3);
  config.spec.slot_time = 100'000;  // a block takes 170 us
  Session session(config);
  DriveOptions options;
  options.latency_ns = 10'000;
  options.max_in_flight = 1;
  drive(session, options);
  // Blocks end at 170, 340, 510 us; they were due at 0, 100, 200.
  EXPECT_EQ(session.metrics().unit_latency.max(), 310'000u);
  EXPECT_EQ(session.metrics().missed_slots, 1u);
}

TEST(Session, BackgroundRunsBesideTheStagesAndIsDrainedAtTheEnd) {
  SessionConfig config = raw_block(5);
  BackgroundSpec background;
  background.name = "compaction";
  background.lanes = 2;
  background.ops = {op_of(OpKind::kCompact, 7, 64 << 10)};
  config.spec.background = {background};
  Session session(config);
  const DriveResult result = drive(session);
  EXPECT_TRUE(result.ended);
  EXPECT_EQ(session.lanes(), 6u);
  EXPECT_EQ(session.metrics().stages.back().accesses, 5u * 7 * 2);
  EXPECT_EQ(result.accesses, 5u * (10 + 6 + 1) + 5 * 7 * 2);
  EXPECT_EQ(session.metrics().units, 5u);
}

// A harness stops where it likes: with the background behind, or ahead in a unit that is not whole.
TEST(Session, DigestDoesNotDependOnHowFarABackgroundHasCome) {
  const auto digest_after = [](uint64_t units, uint64_t latency_ns, uint64_t burst) {
    SessionConfig config = config_of("chain-head-geth", 0);
    config.spec.gas = 1'000'000;
    for (BackgroundSpec& background : config.spec.background) {
      background.burst = burst;
      background.max_debt = 100;
    }
    config.target_bytes = 64u << 20;
    Session session(config);
    uint64_t now_ns = 1;
    std::vector<Access> in_flight;
    while (session.metrics().units < units) {
      Access access;
      const Next next = session.next(now_ns, access);
      if (next == Next::kAccess) in_flight.push_back(access);
      if (next == Next::kIdle) now_ns = access.offset;
      if (next == Next::kStall) {
        const Access done = in_flight.front();
        in_flight.erase(in_flight.begin());
        session.complete(done.lane, done.length, now_ns += latency_ns);
      }
    }
    return to_hex(session.digest());
  };
  for (const uint64_t units : {1, 3, 6}) {
    const std::string expected = digest_after(units, 1'000, 0);
    EXPECT_EQ(digest_after(units, 1'000'000, 0), expected) << units;
    EXPECT_EQ(digest_after(units, 1'000, 1'000'000), expected) << units;
    EXPECT_EQ(digest_after(units, 50'000, 400'000'000), expected) << units;
  }
  EXPECT_NE(digest_after(3, 1'000, 0), digest_after(6, 1'000, 0));
}

TEST(Session, BackgroundBurstIsRateLimited) {
  SessionConfig config = raw_block(1);
  BackgroundSpec background;
  background.name = "compaction";
  background.ops = {op_of(OpKind::kCompact, 10, 1 << 20)};
  background.burst = 1 << 30;  // 20 MiB take 20/1024 s
  config.spec.background = {background};
  Session session(config);
  DriveOptions options;
  options.latency_ns = 1000;
  const DriveResult result = drive(session, options);
  EXPECT_TRUE(result.ended);
  const double seconds = static_cast<double>(result.now_ns) / 1e9;
  EXPECT_NEAR(seconds, 18.0 / 1024, 2.0 / 1024);
}

TEST(Session, ForegroundWaitsWhenTheBackgroundIsTooFarBehind) {
  SessionConfig config = raw_block(50);
  BackgroundSpec background;
  background.name = "compaction";
  background.ops = {op_of(OpKind::kCompact, 1, 1 << 20)};
  background.burst = 1 << 20;  // two seconds a unit
  background.max_debt = 3;
  config.spec.background = {background};
  Session session(config);
  DriveOptions options;
  options.latency_ns = 1000;
  const DriveResult result = drive(session, options);
  EXPECT_TRUE(result.ended);
  EXPECT_GT(result.now_ns, 90'000'000'000u);
  EXPECT_EQ(session.metrics().stages.back().accesses, 100u);
}

TEST(Session, EveryRunsAStageOnceInSoManyUnits) {
  SessionConfig config = raw_block(7);
  config.spec.stages[2].every = 3;
  Session session(config);
  EXPECT_EQ(drive(session).syncs, 3u);  // units 0, 3 and 6
}

// The reads of raw_block beside a second stage that appends, and the sync after both.
SessionConfig grouped_block(uint64_t units) {
  SessionConfig config = raw_block(units);
  config.spec.stages[1] =
      stage_of("log", 2, op_of(OpKind::kAppend, 6, config.spec.layout.write_chunk));
  config.spec.stages[1].together = true;
  return config;
}

TEST(Session, StagesTogetherShareTheTimeButNotTheLanes) {
  Session session(grouped_block(3));
  std::set<uint32_t> read_lanes;
  std::set<uint32_t> write_lanes;
  std::string kinds;
  const DriveResult result = drive(session, {}, [&](const Access& access) {
    kinds += name_of(access.kind)[0];
    if (access.kind == AccessKind::kRead) read_lanes.insert(access.lane);
    if (access.kind == AccessKind::kWrite) write_lanes.insert(access.lane);
  });
  EXPECT_TRUE(result.ended);
  EXPECT_EQ(session.lanes(), 6u);
  EXPECT_EQ(result.most_in_flight, 6u);
  EXPECT_THAT(read_lanes, testing::ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(write_lanes, testing::ElementsAre(4, 5));
  EXPECT_EQ(kinds.substr(0, 6), "rwrwrr");  // they take turns
  for (size_t block = 0; block < 3; ++block) {
    EXPECT_EQ(kinds[block * 17 + 16], 's');  // the barrier comes after both
  }
}

TEST(Session, StagesTogetherAreTimedEachForItself) {
  SessionConfig config = grouped_block(1);
  config.spec.stages[0].lanes = 1;
  config.spec.stages[1].lanes = 6;
  Session session(config);
  DriveOptions options;
  options.latency_ns = 1000;  // one completion after the other, first come first served
  const DriveResult result = drive(session, options);
  EXPECT_TRUE(result.ended);
  EXPECT_EQ(session.metrics().stages[1].latency.max(), 7'000u);  // a read came in second
  EXPECT_EQ(session.metrics().stages[0].latency.max(), 16'000u);
  EXPECT_EQ(session.metrics().unit_latency.max(), 17'000u);
}

TEST(Session, AGroupsStreamDoesNotDependOnTime) {
  SessionConfig config = config_of("chain-head", 6);
  ASSERT_GE(config.spec.stages.size(), 3u);
  config.spec.stages[1].together = true;
  config.spec.stages[2].together = true;
  config.spec.stages[1].every = 2;
  config.spec.stages[0].gap = 1'000;
  Session first(config);
  const DriveResult reference = drive(first);
  ASSERT_TRUE(reference.ended);
  for (const uint32_t in_flight : {1u, 3u, 4096u}) {
    for (const CompletionOrder order : {CompletionOrder::kLastIn, CompletionOrder::kShuffled}) {
      Session again(config);
      DriveOptions options;
      options.order = order;
      options.max_in_flight = in_flight;
      options.latency_ns = uint64_t{50} * in_flight;
      const DriveResult result = drive(again, options);
      EXPECT_EQ(again.digest(), first.digest());
      EXPECT_EQ(result.accesses, reference.accesses);
      EXPECT_EQ(result.bytes, reference.bytes);
    }
  }
}

TEST(Session, AStageThatIsNotDueIsMissingFromItsGroup) {
  SessionConfig config = grouped_block(6);
  config.spec.stages[0].every = 2;  // also the first of a group may be
  config.spec.stages[1].every = 3;
  Session session(config);
  std::string kinds;
  const DriveResult result =
      drive(session, {}, [&](const Access& access) { kinds += name_of(access.kind)[0]; });
  EXPECT_TRUE(result.ended);
  EXPECT_EQ(std::count(kinds.begin(), kinds.end(), 'r'), 3 * 10);
  EXPECT_EQ(std::count(kinds.begin(), kinds.end(), 'w'), 2 * 6);
  EXPECT_EQ(result.syncs, 6u);
  EXPECT_EQ(session.metrics().units, 6u);
}

TEST(Session, StagesTogetherAppendInRangesOfTheirOwn) {
  SessionConfig config = grouped_block(400);
  config.spec.stages[0] =
      stage_of("data", 1, op_of(OpKind::kAppend, 5, config.spec.layout.write_chunk));
  Session session(config);
  std::map<uint64_t, bool> by_first_stage;
  drive(session, {}, [&](const Access& access) {
    if (access.kind != AccessKind::kWrite) return;
    const bool first = access.lane == 0;
    const auto [at, fresh] = by_first_stage.emplace(access.offset, first);
    ASSERT_TRUE(fresh || at->second == first) << "offset " << access.offset;
  });
  EXPECT_GT(by_first_stage.size(), 20u);
}

TEST(Session, ALaneRestsForTheGapAfterEachOp) {
  SessionConfig config = raw_block(2);
  config.spec.stages[0].lanes = 1;
  config.spec.stages[0].gap = 5'000;
  Session session(config);
  DriveOptions options;
  options.latency_ns = 1'000;
  options.max_in_flight = 1;
  const DriveResult result = drive(session, options);
  EXPECT_TRUE(result.ended);
  // 10 reads with 9 rests between them; the last rest holds up neither the writes nor block 2.
  EXPECT_EQ(session.metrics().stages[0].latency.max(), 10'000u + 9 * 5'000u);
  EXPECT_EQ(session.metrics().unit_latency.max(), 62'000u);
  EXPECT_EQ(result.now_ns, 2 * 62'000u);
  EXPECT_EQ(session.metrics().idle_ns, 2 * 9 * 5'000u);
}

TEST(Session, AnotherLaneGoesOnWhileOneRests) {
  SessionConfig config = raw_block(1);
  config.spec.stages[0].lanes = 2;
  config.spec.stages[0].gap = 1'500;
  Session session(config);
  DriveOptions options;
  options.latency_ns = 1'000;
  drive(session, options);
  // Completions at 1, 2, then from 2.5 (when the first lane wakes) at 3.5, 4.5, ...
  EXPECT_EQ(session.metrics().stages[0].latency.max(), 2'000u + 4 * 2'500u);
}

TEST(Session, AGapDoesNotChangeTheStreamNorOutlastIt) {
  for (const UnitKind unit : {UnitKind::kOp, UnitKind::kBatch}) {
    SessionConfig config = raw_block(unit == UnitKind::kOp ? 25 : 3);
    config.spec.unit = unit;
    config.spec.stages.resize(1);
    Session plain(config);
    drive(plain);
    config.spec.stages[0].gap = 1'000'000;
    Session session(config);
    DriveOptions options;
    options.latency_ns = 0;
    const DriveResult result = drive(session, options);
    EXPECT_TRUE(result.ended);
    EXPECT_EQ(session.digest(), plain.digest());
    // 4 lanes: 25 ops take 6 rests, 10 ops two, after the last of which nothing waits.
    EXPECT_EQ(result.now_ns, 6'000'000u);
  }
}

TEST(Session, AnEndlessStageInOrderBeginsAnew) {
  SessionConfig config = raw_block(9);
  config.spec.unit = UnitKind::kOp;
  config.spec.stages.resize(1);
  config.spec.stages[0].in_order = true;
  config.spec.stages[0].ops = {op_of(OpKind::kUniformRead, 2, 4096),
                               op_of(OpKind::kUniformWrite, 1, 4096)};
  Session session(config);
  std::string kinds;
  EXPECT_TRUE(
      drive(session, {}, [&](const Access& access) { kinds += name_of(access.kind)[0]; }).ended);
  EXPECT_EQ(kinds, "rrwrrwrrw");
}

TEST(Session, BackgroundLanesRestToo) {
  SessionConfig config = raw_block(1);
  BackgroundSpec background;
  background.name = "rpc";
  background.lanes = 1;
  background.gap = 1'000'000;
  background.ops = {op_of(OpKind::kUniformRead, 5, 4096)};
  config.spec.background = {background};
  Session session(config);
  DriveOptions options;
  options.latency_ns = 0;
  const DriveResult result = drive(session, options);
  EXPECT_TRUE(result.ended);
  EXPECT_EQ(result.now_ns, 4'000'000u);
}

TEST(Session, JobsAppendInRangesOfTheirOwn) {
  std::map<uint64_t, uint32_t> owner;
  for (uint32_t job = 0; job < 3; ++job) {
    SessionConfig config;
    config.spec.name = "log";
    config.spec.unit = UnitKind::kBatch;
    config.spec.units = 400;
    config.spec.stages = {stage_of("log", 1, op_of(OpKind::kAppend, 64, 4096))};
    config.target_bytes = kTarget;
    config.job = job;
    config.jobs = 3;
    Session session(config);
    drive(session, {}, [&](const Access& access) {
      const auto [at, fresh] = owner.emplace(access.offset, job);
      ASSERT_TRUE(fresh || at->second == job) << "offset " << access.offset;
    });
  }
}

TEST(Session, ResetForgetsMetricsButNotTheStream) {
  SessionConfig config = raw_block(4);
  Session whole(config);
  drive(whole);
  Session session(config);
  DriveOptions half;
  half.max_accesses = 34;
  drive(session, half);
  session.reset_metrics();
  EXPECT_EQ(session.metrics().access[0].count, 0u);
  drive(session);
  EXPECT_EQ(session.metrics().units, 2u);
  EXPECT_EQ(session.digest(), whole.digest());
}

TEST(Session, FailedAccessesAreCountedAndTheStreamGoesOn) {
  Session session(raw_block(1));
  Access access;
  for (;;) {
    const Next next = session.next(0, access);
    if (next == Next::kEnd) break;
    ASSERT_EQ(next, Next::kAccess);
    session.complete(access.lane, -5, 0);
  }
  EXPECT_EQ(session.metrics().access[0].errors, 10u);
  EXPECT_EQ(session.metrics().access[0].bytes, 0u);
  EXPECT_EQ(session.metrics().units, 1u);
}

void expect_refused(const SessionConfig& config, const std::string& what) {
  try {
    Session session(config);
    FAIL() << "accepted; expected: " << what;
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(what));
  }
}

TEST(Session, RefusesWhatCannotWork) {
  SessionConfig config = raw_block(1);
  config.target_bytes = 4096;
  expect_refused(config, "too small");
  config = raw_block(1);
  config.alignment = 1000;
  expect_refused(config, "power of two");
  config = raw_block(1);
  config.spec.stages[0].ops[0].bytes = 1000;
  expect_refused(config, "stages[0].ops[0].bytes: 1000 is not a multiple of 4096");
  config = raw_block(1);
  config.spec.stages[0].ops[0] = op_of(OpKind::kSlotGet, 1);
  expect_refused(config, "stages[0].ops[0].op: slot_get needs tables");
  config = config_of("trie-read", 1);
  config.spec.state.cache = uint64_t{1} << 42;
  expect_refused(config, "hold every node");
}

}  // namespace
}  // namespace ethio
