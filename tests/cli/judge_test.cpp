// What check makes of its numbers: drift, the end of a write cache, reasons to distrust a run,
// verdicts, ratios between directories, advice. On made-up runs with known answers, and on real
// streams where a verdict needs one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "cli/check/advice.h"
#include "cli/check/ratios.h"
#include "cli/check/thresholds.h"
#include "cli/check/validity.h"
#include "cli/check/verdict.h"
#include "cli/walk.h"
#include "common/base/hash.h"
#include "common/report/reference.h"
#include "common/spec/catalogue.h"
#include "tests/support/json_schema.h"

namespace ethio {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// ---- the timeline
// --------------------------------------------------------------------------------

// `count` values around `mean`, within `noise` of it, from a fixed sequence.
std::vector<double> noisy(size_t count, double mean, double noise, uint64_t seed) {
  Rng rng(seed);
  std::vector<double> values;
  for (size_t i = 0; i < count; ++i) {
    const double unit = static_cast<double>(rng.next() >> 11) / 9007199254740992.0;
    values.push_back(mean * (1 + noise * (2 * unit - 1)));
  }
  return values;
}

std::vector<double> joined_up(std::vector<double> first, const std::vector<double>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

TEST(Drift, NoiseIsNone) {
  for (uint64_t seed = 1; seed <= 200; ++seed)
    EXPECT_EQ(drift_of(noisy(30, 1000, 0.3, seed), 0.1), 0) << seed;
}

TEST(Drift, AFallAtTheEndIsFoundWithItsSize) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    const auto rates = joined_up(noisy(20, 1000, 0.1, seed), noisy(11, 500, 0.1, seed + 1000));
    EXPECT_NEAR(drift_of(rates, 0.25), -0.5, 0.05) << seed;
  }
}

TEST(Drift, ASettledStartIsNone) {
  EXPECT_EQ(drift_of(joined_up(noisy(8, 3000, 0.1, 1), noisy(23, 1000, 0.1, 2)), 0.25), 0);
}

TEST(Drift, FewSamplesSayNothing) {
  EXPECT_EQ(drift_of({1, 1, 1, 1, 1, 1, 9, 9, 9, 9, 9}, 0.25), 0);
}

// One sample a second; written bytes a second as given.
std::vector<Sample> writes(const std::vector<double>& bytes_per_second) {
  std::vector<Sample> samples(1);
  for (const double rate : bytes_per_second) {
    Sample next = samples.back();
    next.seconds += 1;
    next.did.written_bytes += static_cast<uint64_t>(rate);
    samples.push_back(next);
  }
  return samples;
}

TEST(WriteCache, ItsEndIsWhereTheRateFallsForGood) {
  const auto end =
      write_cache_end(writes(joined_up(noisy(40, 2e9, 0.1, 1), noisy(60, 5e8, 0.1, 2))));
  ASSERT_TRUE(end.has_value());
  EXPECT_NEAR(static_cast<double>(end->bytes), 80e9, 4e9);
  EXPECT_NEAR(end->before, 2e9, 1e8);
  EXPECT_NEAR(end->after, 5e8, 5e7);
}

TEST(WriteCache, ASteadyDriveHasNoEnd) {
  EXPECT_FALSE(write_cache_end(writes(noisy(100, 2e9, 0.2, 3))).has_value());
  EXPECT_FALSE(write_cache_end({}).has_value());
}

// ---- validity
// ------------------------------------------------------------------------------------

constexpr uint64_t kGiB = uint64_t{1} << 30;

// A minute of reads that reached the drive, and nothing else.
PhaseRun cold_run() {
  PhaseRun run;
  run.seconds = 60;
  run.fio.read.total_ios = kGiB / 4096;
  run.fio.read.total_bytes = kGiB;
  run.top_did = DeviceCounters{kGiB / 4096, kGiB, 0, 0, 0};
  run.drives_did = run.top_did;
  run.fio.user_cpu = 5;
  run.fio.system_cpu = 20;
  return run;
}

TargetResult target_with(const PhaseRun& run) {
  TargetResult target;
  target.size_bytes = kGiB;
  target.mount.type = "ext4";
  Row row;
  row.phase.name = "trie-read";
  row.phase.kind = PhaseKind::kEthio;
  row.runs = {run};
  target.rows = {row};
  return target;
}

std::string problems_of(TargetResult target) {
  judge_validity(target, 16 * kGiB);
  std::string text;
  for (const Problem& problem : target.problems) text += problem.text + "\n";
  for (const Problem& problem : target.rows[0].problems) text += problem.text + "\n";
  return text;
}

TEST(Validity, AColdQuietRunHasNoProblem) {
  EXPECT_EQ(problems_of(target_with(cold_run())), "");
}

TEST(Validity, ReadsThatACacheAnsweredAreFoundAtTheTopAndAtTheBottom) {
  PhaseRun run = cold_run();
  run.top_did->read_bytes = kGiB / 2;
  EXPECT_THAT(problems_of(target_with(run)), HasSubstr("only 50 %"));
  run = cold_run();
  run.drives_did->read_bytes = kGiB / 10;  // a loop device over a cached file
  EXPECT_THAT(problems_of(target_with(run)), HasSubstr("only 10 %"));
}

TEST(Validity, BufferedPhasesMayBeWarm) {
  PhaseRun run = cold_run();
  run.top_did->read_bytes = run.drives_did->read_bytes = 0;
  TargetResult target = target_with(run);
  target.rows[0].phase.direct = false;
  EXPECT_EQ(problems_of(target), "");
}

TEST(Validity, UnknownCountersAccuseNobody) {
  PhaseRun run = cold_run();
  run.top_did.reset();
  run.drives_did.reset();
  EXPECT_EQ(problems_of(target_with(run)), "");
}

TEST(Validity, IoOfOthersIsFound) {
  PhaseRun run = cold_run();
  run.drives_did->written_bytes = kGiB / 10;
  EXPECT_THAT(problems_of(target_with(run)), HasSubstr("others used the drive"));
  // A file system's own writes beside a writing phase are not.
  run.fio.write.total_bytes = kGiB / 100;
  EXPECT_EQ(problems_of(target_with(run)), "");
  run.drives_did->read_bytes += kGiB / 5;
  EXPECT_THAT(problems_of(target_with(run)), HasSubstr("others used the drive"));
}

// A run of half a second reads little: what others read must be little of itself, too, to matter.
TEST(Validity, AFewMebibytesOfOthersDoNotVoidAShortRun) {
  constexpr uint64_t kMiB = 1 << 20;
  PhaseRun run = cold_run();
  run.seconds = 0.5;
  run.fio.read.total_bytes = 20 * kMiB;
  run.top_did->read_bytes = run.drives_did->read_bytes = 27 * kMiB;
  EXPECT_EQ(problems_of(target_with(run)), "");
  run.top_did->read_bytes = run.drives_did->read_bytes = 29 * kMiB;
  EXPECT_THAT(problems_of(target_with(run)), HasSubstr("others used the drive meanwhile: 9 MiB"));
}

TEST(Validity, ABusyProcessorIsFound) {
  PhaseRun run = cold_run();
  run.fio.system_cpu = 88;
  EXPECT_THAT(problems_of(target_with(run)), HasSubstr("93 % of the time"));
}

TEST(Validity, CountsThatDifferAreFound) {
  PhaseRun run = cold_run();
  run.session.emplace();
  run.session->metrics.access[0].count = 17;
  EXPECT_THAT(problems_of(target_with(run)), HasSubstr("the engine 17 and 0"));
}

TEST(Validity, WithoutDirectIoTheFileMustBeLargerThanTheMemory) {
  TargetResult target = target_with(cold_run());
  target.direct = false;
  EXPECT_THAT(problems_of(target), HasSubstr("numbers of the page cache"));
  target.size_bytes = 64 * kGiB;
  EXPECT_EQ(problems_of(target), "");
}

TEST(Validity, OnlyWhatBearsTheVerdictVoids) {
  PhaseRun run = cold_run();
  run.fio.system_cpu = 99;
  CheckResult result;
  result.targets = {target_with(run)};
  result.targets[0].rows[0].phase.kind = PhaseKind::kStock;
  judge_validity(result.targets[0], kGiB);
  EXPECT_EQ(result.targets[0].rows[0].problems.size(), 1u);
  EXPECT_THAT(result.void_reasons(), IsEmpty());
  result.targets = {target_with(run)};
  judge_validity(result.targets[0], kGiB);
  EXPECT_THAT(result.void_reasons(), ::testing::ElementsAre(HasSubstr("trie-read: the processor")));
}

// ---- health
// --------------------------------------------------------------------------------------

TEST(DriveHealth, ReadsSmartctlOfAnNvmeDrive) {
  DriveHealth health;
  read_smartctl(
      R"({"temperature": {"current": 41}, "nvme_smart_health_information_log": {"critical_warning": 0,
    "temperature": 41, "percentage_used": 3, "data_units_read": 150783, "data_units_written": 1248697,
    "warning_temp_time": 7, "critical_comp_time": 0}})",
      health);
  EXPECT_EQ(health.celsius, 41);
  EXPECT_EQ(health.wear_percent, 3);
  EXPECT_EQ(health.written_bytes, uint64_t{1248697} * 512000);
  EXPECT_EQ(health.warning_minutes, 7u);
  EXPECT_FALSE(health.temperature_alarm);
}

TEST(DriveHealth, ReadsNvmeCliInKelvin) {
  DriveHealth health;
  read_nvme_smart_log(
      R"({"critical_warning": 2, "temperature": 350, "percent_used": 1, "data_units_written": 2,
    "warning_temp_time": 1, "critical_comp_time": 0, "thm_temp1_trans_count": 5, "thm_temp2_trans_count": 2})",
      health);
  EXPECT_EQ(health.celsius, 77);
  EXPECT_EQ(health.throttle_count, 7u);
  EXPECT_TRUE(health.temperature_alarm);
}

TEST(DriveHealth, TakesNothingFromWhatIsNoJson) {
  DriveHealth health;
  read_smartctl("smartctl: permission denied", health);
  read_smartctl("[]", health);
  read_nvme_smart_log("", health);
  EXPECT_FALSE(health.celsius.has_value());
  EXPECT_FALSE(health.written_bytes.has_value());
}

TEST(DriveHealth, ThrottlingIsWhatMovedInBetween) {
  DriveHealth before, after;
  before.warning_minutes = 7;
  after.warning_minutes = 7;
  EXPECT_FALSE(throttled(before, after).has_value());
  after.warning_minutes = 8;
  EXPECT_TRUE(throttled(before, after).has_value());
  after = before;
  before.throttle_count = 1;
  after.throttle_count = 2;
  EXPECT_TRUE(throttled(before, after).has_value());
  TargetResult target = target_with(cold_run());
  target.health_before = {before};
  target.health_after = {after};
  EXPECT_THAT(problems_of(target), HasSubstr("because of heat"));
}

// ---- verdicts
// ------------------------------------------------------------------------------------

TEST(Thresholds, TheBuiltInOnesObeyTheirSchemaAndKnowTheRoles) {
  for (const EmbeddedFile& file : reference_files::files()) {
    if (file.name != "reference/thresholds.json") continue;
    EXPECT_EQ(errors_against_schema("workloads/schema/thresholds.schema.json",
                                    nlohmann::json::parse(file.text)),
              "");
  }
  std::vector<std::string> names;
  for (const Role& role : built_in_roles()) {
    names.push_back(role.name);
    for (const Limit& limit : role.limits) EXPECT_FALSE(limit.source.empty()) << role.name;
  }
  EXPECT_THAT(names, ::testing::ElementsAre("validator", "full", "rpc", "archive", "sync"));
}

std::string thresholds_with(const std::string& limits) {
  return R"({"schema": "ethio-thresholds", "version": 1, "roles": [{"name": "r", "summary": "s", "limits": [)" +
         limits + "]}]}";
}

TEST(Thresholds, WrongOnesAreRefusedByName) {
  EXPECT_THROW(parse_thresholds("{}", "t.json"), Error);
  for (const char* wrong :
       {R"({"phase": "p", "measure": "p98", "good": 1, "ugly": 2, "source": "s"})",
        R"({"phase": "p", "measure": "p99", "good": "2ms", "ugly": "1ms", "source": "s"})",
        R"({"phase": "p", "measure": "share_over", "good": 0, "ugly": 1, "source": "s"})"}) {
    try {
      parse_thresholds(thresholds_with(wrong), "t.json");
      FAIL() << wrong;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), ::testing::StartsWith("t.json: "));
    }
  }
}

// A few blocks of a real workload on a drive of 100 us.
TargetResult target_of(const std::string& workload, uint64_t units) {
  SessionConfig config;
  config.spec = load_workload(workload);
  config.spec.units = units;
  config.target_bytes = kGiB / 4;
  Session session(config);
  walk(session, [](const Access&) {});
  PhaseRun run;
  run.session = result_of(session, run_facts(config));
  TargetResult target = target_with(run);
  target.rows[0].phase.name = workload;
  return target;
}

RoleVerdict verdict_of(const TargetResult& target, const std::string& limit,
                       Pace pace = Pace::kNormal) {
  return judge_roles(target, parse_thresholds(thresholds_with(limit), "t.json"), pace).at(0);
}

std::string share_limit(const std::string& budget) {
  return R"({"phase": "chain-head", "measure": "share_over", "limit": ")" + budget +
         R"(", "good": 0, "ugly": 0.5, "source": "s"})";
}

TEST(Verdict, FollowsTheShareOfBlocksOverTheBudget) {
  const TargetResult target = target_of("chain-head", 6);
  const double p50 = typical(target.rows[0])[kUnitP50];
  EXPECT_EQ(verdict_of(target, share_limit("1000s")).grade, Grade::kGood);
  EXPECT_EQ(verdict_of(target, share_limit("1us")).grade, Grade::kBad);
  // Half of the blocks are above the median.
  const RoleVerdict ugly =
      verdict_of(target, share_limit(std::to_string(std::llround(p50 * 1.02)) + "ns"));
  EXPECT_NE(ugly.grade, Grade::kUnknown);
  EXPECT_THAT(verdict_of(target, share_limit("1us")).deciding,
              HasSubstr("6 of 6 blocks took longer than 1 us"));
}

TEST(Verdict, QuickRunsNeverSayGood) {
  const TargetResult target = target_of("chain-head", 2);
  EXPECT_EQ(verdict_of(target, share_limit("1000s"), Pace::kQuick).grade, Grade::kGoodLikely);
  EXPECT_EQ(verdict_of(target, share_limit("1us"), Pace::kQuick).grade, Grade::kBad);
}

TEST(Verdict, NamesTheStageThatTheBlockWaitsFor) {
  const RoleVerdict verdict = verdict_of(target_of("chain-head", 2), share_limit("1us"));
  EXPECT_THAT(verdict.cause,
              ::testing::AllOf(HasSubstr("stage "), HasSubstr("of the block's time")));
  EXPECT_EQ(verdict_of(target_of("chain-head", 2), share_limit("1000s")).cause, "");
  const std::string one_chain =
      R"({"phase": "trie-read", "measure": "unit_p50", "good": 1, "ugly": 2, "source": "s"})";
  EXPECT_THAT(verdict_of(target_of("trie-read", 50), one_chain).cause,
              HasSubstr("dependent reads, one at a time"));
}

// Besu's database compacts behind its blocks; reth's only writes what it held back.
TEST(Verdict, NamesWhatRunsBesideTheReads) {
  EXPECT_THAT(verdict_of(target_of("chain-head-besu", 2), share_limit("1us")).cause,
              HasSubstr("reads behind compaction (stage "));
  EXPECT_THAT(verdict_of(target_of("chain-head-reth", 2), share_limit("1us")).cause,
              HasSubstr("reads behind writes in the background (stage "));
}

TEST(Verdict, TheWorstLimitDecides) {
  const std::string lenient = share_limit("1000s");
  const std::string strict =
      R"({"phase": "chain-head", "measure": "unit_p99", "good": 1, "ugly": 2, "source": "s"})";
  const RoleVerdict verdict = verdict_of(target_of("chain-head", 2), lenient + "," + strict);
  EXPECT_EQ(verdict.grade, Grade::kBad);
  EXPECT_THAT(verdict.deciding, HasSubstr("unit p99"));
  EXPECT_LT(verdict.headroom, 1);
}

TEST(Verdict, RatesAreBetterWhenLarger) {
  const auto rate = [](const std::string& good, const std::string& ugly) {
    return R"({"phase": "chain-head", "measure": "units_per_second", "good": )" + good +
           R"(, "ugly": )" + ugly + R"(, "source": "s"})";
  };
  const TargetResult target = target_of("chain-head", 4);
  EXPECT_EQ(verdict_of(target, rate("0.001", "0.0001")).grade, Grade::kGood);
  EXPECT_EQ(verdict_of(target, rate("1000000", "0.001")).grade, Grade::kUgly);
  EXPECT_EQ(verdict_of(target, rate("1000000", "100000")).grade, Grade::kBad);
  // Paced by slots, a drive does no more than one in twelve seconds, however fast it is.
  TargetResult paced = target;
  for (PhaseRun& run : paced.rows[0].runs) run.session->metrics.idle_ns = 1;
  EXPECT_EQ(verdict_of(paced, rate("1e9", "1e8")).grade, Grade::kUnknown);
}

TEST(Verdict, WhatWasNotRunIsUnknown) {
  EXPECT_EQ(verdict_of(target_of("trie-read", 5), share_limit("1s")).grade, Grade::kUnknown);
}

// ---- several directories
// -------------------------------------------------------------------------

// A target whose one phase had these read latencies (p50) in its repeats.
TargetResult target_with_latencies(const std::vector<double>& latencies) {
  TargetResult target = target_with(cold_run());
  target.rows[0].runs.clear();
  for (const double latency : latencies) {
    PhaseRun run = cold_run();
    run.fio.read.completion.count = 1;
    run.fio.read.completion.percentiles = {{50, latency}, {99, latency}, {99.9, latency}};
    target.rows[0].runs.push_back(run);
  }
  return target;
}

TEST(Ratios, AClearDifferenceIsShownWithItsDirection) {
  const auto ratios = ratios_between(target_with_latencies({100, 101, 99, 100, 102, 98}),
                                     target_with_latencies({150, 151, 149, 150, 152, 148}));
  ASSERT_EQ(ratios.size(), 2u);
  for (const Ratio& ratio : ratios) {
    EXPECT_NEAR(ratio.interval.estimate, 1.5, 0.05);
    EXPECT_TRUE(ratio.is_shown);
    EXPECT_FALSE(ratio.is_better);
  }
}

TEST(Ratios, NoiseShowsNoDifference) {
  int shown = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const auto ratios = ratios_between(target_with_latencies(noisy(6, 100, 0.2, seed)),
                                       target_with_latencies(noisy(6, 100, 0.2, seed + 100)));
    for (const Ratio& ratio : ratios) shown += ratio.is_shown ? 1 : 0;
  }
  EXPECT_LE(shown, 4);  // one seed in twenty, two figures each, may err
}

TEST(Ratios, TooFewRepeatsShowNothing) {
  const auto ratios =
      ratios_between(target_with_latencies({100, 101}), target_with_latencies({900, 901}));
  for (const Ratio& ratio : ratios) EXPECT_FALSE(ratio.is_shown);
  EXPECT_GT(fewest_repeats(15), 2u);
  EXPECT_LE(fewest_repeats(15), 6u);  // the default for several directories
}

// ---- advice
// --------------------------------------------------------------------------------------

TEST(Advice, OnlyWhatTheFactsCallFor) {
  TargetResult target = target_with(cold_run());
  target.mount.options = "rw,noatime; rw";
  target.space = {100, 50, 50};
  EXPECT_THAT(advice_for(target), IsEmpty());

  target.mount.options = "rw,relatime; rw";
  EXPECT_THAT(advice_for(target), ::testing::ElementsAre(HasSubstr("noatime")));
  target.mount.options = "noatime";
  target.space.free_bytes = 5;
  EXPECT_THAT(advice_for(target), ::testing::ElementsAre(HasSubstr("95 % full")));
  target.space.free_bytes = 15;
  EXPECT_THAT(advice_for(target), IsEmpty());
  target.mount.type = "zfs";
  EXPECT_THAT(advice_for(target),
              ::testing::ElementsAre(HasSubstr("85 % full"), HasSubstr("record size")));

  target = target_with(cold_run());
  target.mount.options = "noatime";
  target.space = {100, 50, 50};
  target.devices = {{"md0", "/nowhere", "RAID raid5"}};
  DriveHealth health;
  health.device = "nvme0n1";
  health.celsius = 61;
  target.health_after = {health};
  EXPECT_THAT(advice_for(target),
              ::testing::ElementsAre(HasSubstr("md0 is RAID raid5"), HasSubstr("61 C")));
}

}  // namespace
}  // namespace ethio
