// compare reads what check writes: its runs are repetitions, its directories benchmarks of their
// own, its void reasons void the comparison.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/check/check_json.h"
#include "common/base/error.h"
#include "common/report/comparison.h"
#include "tests/report/sample_check.h"
#include "tests/support/json_schema.h"

namespace ethio {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> names_of(const Measurements& measurements) {
  std::vector<std::string> names;
  for (const Benchmark& benchmark : measurements.benchmarks) names.push_back(benchmark.name);
  return names;
}

TEST(CheckReading, TheSampleObeysTheSchema) {
  EXPECT_EQ(errors_against_schema("workloads/schema/check.schema.json",
                                  nlohmann::json::parse(check_json(sample_check(2)))),
            "");
}

TEST(CheckReading, RunsOfAPhaseAreRepetitions) {
  const Measurements read = parse_measurements(check_json(sample_check(3)), "check.json");
  EXPECT_THAT(names_of(read), ElementsAre("hall-of-blame", "chain-head"));
  EXPECT_EQ(read.benchmarks[0].metrics[0].name, "read IOPS");
  EXPECT_THAT(read.benchmarks[0].metrics[0].samples, ElementsAre(12'000, 12'100, 12'200));
  EXPECT_EQ(read.benchmarks[1].metrics[0].name, "block p50");
  EXPECT_EQ(read.benchmarks[1].metrics[0].samples.size(), 3u);
}

TEST(CheckReading, DirectoriesAreBenchmarksOfTheirOwn) {
  CheckResult check = sample_check();
  check.targets.push_back(check.targets[0]);
  check.targets[1].directory = "/other";
  check.verdicts.push_back(check.verdicts[0]);
  EXPECT_THAT(names_of(parse_measurements(check_json(check), "check.json")),
              ElementsAre("/data: hall-of-blame", "/data: chain-head", "/other: hall-of-blame",
                          "/other: chain-head"));
}

TEST(CheckReading, AVoidCheckVoidsTheComparison) {
  CheckResult check = sample_check();
  check.targets[0].problems.push_back({"others used the drive", true});
  const Measurements read = parse_measurements(check_json(check), "check.json");
  const Comparison comparison = compare(read, read, {});
  EXPECT_EQ(verdict_of(comparison), Verdict::kVoid);
  EXPECT_THAT(sentence_of(comparison), HasSubstr("others used the drive"));
}

TEST(CheckReading, AnotherVersionIsRefused) {
  nlohmann::json check = nlohmann::json::parse(check_json(sample_check()));
  check["version"] = 2;
  const std::string text = R"({"schema": "ethio-check", )" + check.dump().substr(1);
  EXPECT_THROW(parse_measurements(text, "check.json"), Error);
}

}  // namespace
}  // namespace ethio
