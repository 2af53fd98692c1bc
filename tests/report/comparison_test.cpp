// compare's three states, its refusals, its exact counters and its noise floors, on synthetic
// measurements.
#include "common/report/comparison.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "common/base/error.h"
#include "tests/support/json_schema.h"

namespace ethio {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Samples = std::vector<double>;

constexpr double kMs = 1e6;

// `count` samples that spread evenly by +-spread around `middle`.
Samples around(double middle, double spread, int count = 10) {
  Samples samples;
  for (int i = 0; i < count; ++i) {
    samples.push_back(middle * (1 + spread * (2.0 * i / (count - 1) - 1)));
  }
  return samples;
}

Measurements one(const std::string& name, Metric metric) {
  Measurements measurements;
  measurements.origin = name;
  Benchmark benchmark;
  benchmark.name = "trie-read";
  benchmark.identity = {{"target size", "256 MiB"}};
  benchmark.metrics.push_back(std::move(metric));
  measurements.benchmarks.push_back(std::move(benchmark));
  return measurements;
}

Measurements timed(const std::string& name, Samples samples) {
  return one(name, {"time", MetricKind::kDurationNs, true, std::move(samples)});
}

Comparison compare_times(Samples base, Samples next, const NoiseFloors* noise = nullptr) {
  CompareOptions options;
  options.noise = noise;
  return compare(timed("base", std::move(base)), timed("new", std::move(next)), options);
}

TEST(Compare, FindsARegression) {
  const Comparison comparison = compare_times(around(10 * kMs, 0.02), around(11.5 * kMs, 0.02));
  ASSERT_EQ(comparison.metrics.size(), 1u);
  EXPECT_EQ(comparison.metrics[0].change, Change::kRegressed);
  EXPECT_NEAR(comparison.metrics[0].slowdown.estimate, 1.15, 1e-9);
  EXPECT_GT(comparison.metrics[0].slowdown.low, 1.05);
  EXPECT_EQ(verdict_of(comparison), Verdict::kRegression);
  EXPECT_THAT(sentence_of(comparison), HasSubstr("REGRESSED: trie-read time is 15.0 % slower"));
}

TEST(Compare, CountsARateTheOtherWay) {
  const auto rate = [](const std::string& name, double middle) {
    return one(name, {"read IOPS", MetricKind::kRate, true, around(middle, 0.02)});
  };
  const Comparison slower = compare(rate("base", 100e3), rate("new", 80e3), {});
  EXPECT_EQ(slower.metrics[0].change, Change::kRegressed);
  EXPECT_NEAR(slower.metrics[0].slowdown.estimate, 1.25, 0.01);
  const Comparison faster = compare(rate("base", 100e3), rate("new", 120e3), {});
  EXPECT_EQ(faster.metrics[0].change, Change::kBetter);
}

TEST(Compare, CallsTheSameUnchangedAndTheFasterBetter) {
  EXPECT_EQ(compare_times(around(10, 0.02), around(10.05, 0.02)).metrics[0].change,
            Change::kUnchanged);
  EXPECT_EQ(compare_times(around(10, 0.02), around(8, 0.02)).metrics[0].change, Change::kBetter);
  EXPECT_EQ(verdict_of(compare_times(around(10, 0.02), around(8, 0.02))), Verdict::kFine);
}

TEST(Compare, DoesNotFailASlowDownBelowTheThreshold) {
  const Comparison comparison = compare_times(around(10, 0.002), around(10.3, 0.002));
  EXPECT_EQ(comparison.metrics[0].change, Change::kUnchanged);
}

TEST(Compare, SaysWhenItCannotTell) {
  const Comparison wide = compare_times(around(10, 0.3), around(10.8, 0.3));
  EXPECT_EQ(wide.metrics[0].change, Change::kInconclusive);
  EXPECT_THAT(wide.metrics[0].reason, HasSubstr("both sides of 5.0 %"));
  EXPECT_EQ(verdict_of(wide), Verdict::kInconclusive);

  const Comparison few = compare_times(around(10, 0.01, 3), around(20, 0.01, 3));
  EXPECT_EQ(few.metrics[0].change, Change::kInconclusive);
  EXPECT_THAT(few.metrics[0].reason, HasSubstr("3 and 3 repetitions; 4 a side"));
  EXPECT_EQ(compare_times({10}, {20}).metrics[0].change, Change::kInconclusive);
}

// Five repetitions apart are p = 2/252; among ten comparisons that is 0.08.
TEST(Compare, CorrectsForTheNumberOfComparisons) {
  Measurements base = timed("base", around(10, 0.01, 5));
  Measurements next = timed("new", around(12, 0.01, 5));
  EXPECT_EQ(compare(base, next, {}).metrics[0].change, Change::kRegressed);
  for (int i = 0; i < 9; ++i) {
    const Metric metric{"other " + std::to_string(i), MetricKind::kDurationNs, true,
                        around(10, 0.01, 5)};
    base.benchmarks[0].metrics.push_back(metric);
    next.benchmarks[0].metrics.push_back(metric);
  }
  const Comparison many = compare(base, next, {});
  EXPECT_EQ(many.metrics[0].change, Change::kInconclusive);
  EXPECT_THAT(many.metrics[0].reason,
              HasSubstr("too few repetitions for 10 comparisons; 6 a side"));
}

TEST(Compare, LetsInformationOnlyInform) {
  const auto informed = [](const std::string& name, double p999) {
    Measurements measurements = timed(name, around(10, 0.01));
    measurements.benchmarks[0].metrics.push_back(
        {"p99.9", MetricKind::kDurationNs, false, around(p999, 0.01)});
    return measurements;
  };
  const Comparison comparison = compare(informed("base", 10), informed("new", 30), {});
  EXPECT_EQ(comparison.metrics[1].change, Change::kRegressed);
  EXPECT_EQ(verdict_of(comparison), Verdict::kFine);
}

TEST(Compare, TakesSamplesWithoutAnySpread) {
  EXPECT_EQ(compare_times(Samples(10, 5.0), Samples(10, 5.0)).metrics[0].change,
            Change::kUnchanged);
  EXPECT_EQ(compare_times(Samples(10, 5.0), Samples(10, 5.5)).metrics[0].change,
            Change::kRegressed);
  EXPECT_EQ(compare_times(Samples(10, 0.0), Samples(10, 0.0)).metrics[0].change,
            Change::kUnchanged);
  EXPECT_EQ(compare_times(Samples(10, 0.0), Samples(10, 5.5)).metrics[0].change,
            Change::kInconclusive);
}

// ---- exact counters

Measurements counted(const std::string& name, double syncs, uint64_t units = 100) {
  Measurements measurements = timed(name, around(10, 0.01));
  measurements.benchmarks[0].units = units;
  measurements.benchmarks[0].counters = {{"reads/block", 2153}, {"syncs/block", syncs}};
  measurements.benchmarks[0].digest = syncs == 2 ? "aa" : "bb";
  return measurements;
}

TEST(Compare, GatesExactlyOnCounters) {
  const Comparison equal = compare(counted("base", 2), counted("new", 2), {});
  EXPECT_EQ(verdict_of(equal), Verdict::kFine);
  EXPECT_THAT(equal.notes, IsEmpty());

  const Comparison more = compare(counted("base", 2), counted("new", 2.01), {});
  EXPECT_EQ(verdict_of(more), Verdict::kRegression);
  EXPECT_THAT(sentence_of(more), HasSubstr("trie-read has 2.01 syncs/block, it had 2"));

  const Comparison fewer = compare(counted("base", 2), counted("new", 1), {});
  EXPECT_EQ(verdict_of(fewer), Verdict::kFine);
  EXPECT_EQ(fewer.counters[1].change, Change::kBetter);
}

TEST(Compare, KnowsWhenCountersAreNotExact) {
  const Comparison comparison = compare(counted("base", 2, 100), counted("new", 3, 120), {});
  EXPECT_THAT(comparison.counters, IsEmpty());
  EXPECT_THAT(comparison.notes, ElementsAre(HasSubstr("100 and 120 units")));
  EXPECT_EQ(verdict_of(comparison), Verdict::kFine);
}

TEST(Compare, NotesOtherAccessesOfTheSameNumber) {
  Measurements next = counted("new", 2);
  next.benchmarks[0].digest = "cc";
  EXPECT_THAT(compare(counted("base", 2), next, {}).notes,
              ElementsAre(HasSubstr("digests aa and cc")));
}

// ---- what may not be compared

TEST(Compare, RefusesWhatIsNotTheSameAndSaysWhat) {
  Measurements next = timed("new", around(10, 0.01));
  next.benchmarks[0].identity["target size"] = "1 GiB";
  const Comparison comparison = compare(timed("base", around(10, 0.01)), next, {});
  EXPECT_EQ(verdict_of(comparison), Verdict::kVoid);
  EXPECT_THAT(
      comparison.voids,
      ElementsAre("trie-read is not the same on both sides: target size: 256 MiB and 1 GiB"));
  EXPECT_THAT(comparison.metrics, IsEmpty());
}

TEST(Compare, NamesTheFieldsInWhichDefinitionsDiffer) {
  Benchmark base, next;
  base.name = next.name = "chain-head";
  base.identity["definition"] = "digest-1";
  next.identity["definition"] = "digest-2";
  base.definition = R"({"state": {"accounts": 1000}, "stages": [{"lanes": 4}], "summary": "x"})";
  next.definition = R"({"state": {"accounts": 2000}, "stages": [{"lanes": 8}], "summary": "y"})";
  EXPECT_THAT(differences(base, next), ElementsAre("definition: stages[0].lanes: 4 and 8",
                                                   "definition: state.accounts: 1000 and 2000"));
  next.definition = base.definition;
  EXPECT_THAT(differences(base, next), ElementsAre("definition: digest-1 and digest-2"));
}

TEST(Compare, RefusesWhatHasNothingInCommonOrIsVoidItself) {
  Measurements other = timed("new", around(10, 0.01));
  other.benchmarks[0].name = "flat-read";
  EXPECT_THAT(compare(timed("base", around(10, 0.01)), other, {}).voids,
              ElementsAre("base and new have no benchmark in common"));
  Measurements hot = timed("new", around(10, 0.01));
  hot.voids = {"the data set fits in memory"};
  EXPECT_THAT(compare(timed("base", around(10, 0.01)), hot, {}).voids,
              ElementsAre("new is void: the data set fits in memory"));
}

TEST(Compare, NotesBenchmarksOfOneSideAndFailsOnBrokenOnes) {
  Measurements base = timed("base", around(10, 0.01));
  Measurements next = timed("new", around(10, 0.01));
  Benchmark extra = base.benchmarks[0];
  extra.name = "flat-read";
  base.benchmarks.push_back(extra);
  EXPECT_THAT(compare(base, next, {}).notes, ElementsAre("flat-read is only in base"));
  extra.metrics.clear();
  extra.failure = "No space left on device";
  next.benchmarks.push_back(extra);
  const Comparison broken = compare(base, next, {});
  EXPECT_THAT(broken.failures, ElementsAre("flat-read in new: No space left on device"));
  EXPECT_EQ(verdict_of(broken), Verdict::kFailed);
}

// ---- noise floors

TEST(Noise, KeepsTheFloorOfNineInTen) {
  NoiseFloors floors;
  EXPECT_EQ(floors.floor("b", "m"), 0);
  floors.record("b", "m", 1.02);
  EXPECT_NEAR(floors.floor("b", "m"), 0.02, 1e-9);
  for (int i = 0; i < 9; ++i) floors.record("b", "m", 1 / 1.01);
  EXPECT_NEAR(floors.floor("b", "m"), 0.01, 1e-9);
  EXPECT_EQ(floors.floor("b", "other"), 0);
  for (size_t i = 0; i < NoiseFloors::kKept; ++i) floors.record("b", "m", 1.04);
  EXPECT_NEAR(floors.floor("b", "m"), 0.04, 1e-9);
}

TEST(Noise, SurvivesItsFileAndObeysItsSchema) {
  NoiseFloors floors;
  floors.runner = "runner-1";
  floors.record("chain-head/uring", "time", 1.03);
  floors.record("chain-head/uring", "block p99", 1.10);
  const std::string text = floors.to_json();
  EXPECT_EQ(
      errors_against_schema("workloads/schema/noise.schema.json", nlohmann::json::parse(text)), "");
  const NoiseFloors read = NoiseFloors::parse(text, "x");
  EXPECT_EQ(read.runner, "runner-1");
  EXPECT_NEAR(read.floor("chain-head/uring", "block p99"), 0.10, 1e-9);
  EXPECT_EQ(read.to_json(), text);
  EXPECT_THROW(NoiseFloors::parse("{", "x"), Error);
  EXPECT_THROW(NoiseFloors::parse("{}", "x"), Error);
  EXPECT_THROW(NoiseFloors::parse(R"({"schema": "ethio-noise", "version": 2})", "x"), Error);
}

TEST(Noise, LetsNothingBelowTwiceTheFloorFail) {
  const Samples base = around(10, 0.01), next = around(11, 0.01);
  EXPECT_EQ(compare_times(base, next).metrics[0].change, Change::kRegressed);
  NoiseFloors floors;
  floors.record("trie-read", "time", 1.07);
  const Comparison comparison = compare_times(base, next, &floors);
  EXPECT_NEAR(comparison.metrics[0].limit, 0.14, 1e-9);
  EXPECT_EQ(comparison.metrics[0].change, Change::kUnchanged);
  EXPECT_EQ(compare_times(base, around(13, 0.01), &floors).metrics[0].change, Change::kRegressed);
}

}  // namespace
}  // namespace ethio
