// ethio simulate: the same settings give the same result, a slower drive a longer one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/report/session_json.h"
#include "tests/cli/command.h"

namespace ethio {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Simulate : public CommandTest {
 protected:
  SessionResult result_of(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "simulate");
    arguments.insert(arguments.end(), {"--json", "--size", "64m"});
    const ProcessResult run = ethio(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return parse_result(run.out, "stdout");
  }
};

TEST_F(Simulate, GivesTheSameToTheBit) {
  const std::vector<std::string> arguments = {
      "simulate", "chain-head-geth", "--gas", "1m", "--units", "4", "--size", "64m"};
  const ProcessResult once = ethio(arguments);
  EXPECT_EQ(once.exit_code, 0) << once.err;
  EXPECT_THAT(once.out, HasSubstr("block"));
  EXPECT_EQ(ethio(arguments).out, once.out);
}

TEST_F(Simulate, ADriveOfTwiceTheLatencyTakesTwiceAsLongAtDepthOne) {
  const auto median = [&](const std::string& latency) {
    return result_of({"exec-serial", "--gas", "6m", "--units", "3", "--read-latency", latency,
                      "--read-tail", latency})
        .metrics.unit_latency.percentile(50);
  };
  const auto fast = static_cast<double>(median("80us"));
  EXPECT_NEAR(static_cast<double>(median("160us")) / fast, 2, 0.1);
}

TEST_F(Simulate, SyncsAndTheWriteCacheCount) {
  const auto mean = [&](std::vector<std::string> drive) {
    drive.insert(drive.begin(), {"pathdb-flush", "--units", "2"});
    return result_of(drive).metrics.unit_latency.percentile(50);
  };
  EXPECT_GT(mean({"--sync-latency", "500ms"}), mean({"--sync-latency", "1ms"}) + 1'000'000'000);
  EXPECT_GT(mean({"--write-cache", "16m", "--drain", "100m"}), 2 * mean({}));
}

TEST_F(Simulate, RefusesADriveThatCannotBe) {
  const ProcessResult tail = ethio({"simulate", "trie-read", "--read-tail", "10us"});
  EXPECT_EQ(tail.exit_code, 2);
  EXPECT_THAT(tail.err, StartsWith("ethio: simulate: --read-tail: 10 us is below --read-latency"));
  const ProcessResult word = ethio({"simulate", "trie-read", "--drain", "fast"});
  EXPECT_EQ(word.exit_code, 2);
  EXPECT_THAT(word.err, HasSubstr("--drain: "));
}

}  // namespace
}  // namespace ethio
