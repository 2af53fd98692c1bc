// What the machine cannot give is said once, in one line, and stands in the result.
#include <gmock/gmock.h>

#include "tests/fio/counts.h"
#include "tests/fio/fixture.h"

namespace ethio {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

class Withheld : public FioTest {
 protected:
  // A small block by two jobs without `what`; exits with kSkipped where this machine cannot play
  // that.
  testing::ProcessResult without(const std::string& what, const std::vector<std::string>& more) {
    std::vector<std::string> argv = {ETHIO_WITHHELD,
                                     what,
                                     "fio",
                                     "--ioengine=external:" + engine(),
                                     "--name=t",
                                     "--size=16m",
                                     "--rw=randrw",
                                     "--filename=target",
                                     "--ethio_gas=1m",
                                     "--numjobs=2",
                                     "--ethio_units=2",
                                     "--ethio_workload=chain-head",
                                     "--ethio_out=out.json",
                                     "--output-format=json"};
    argv.insert(argv.end(), more.begin(), more.end());
    return run(argv);
  }

  // Both jobs counted what fio did, with `executor`.
  void expect_sound(const testing::ProcessResult& result, const std::string& executor) {
    ASSERT_EQ(result.exit_code, 0) << result.err;
    Counts counts;
    for (const char* name : {"out.json.0", "out.json.1"}) {
      const auto sidecar = json_file(name);
      EXPECT_THAT(sidecar["harness"]["executor"].get<std::string>(), executor);
      counts += counts_of_sidecar(sidecar);
    }
    EXPECT_EQ(counts, counts_of_fio(nlohmann::json::parse(result.out)));
  }

  static int lines_with(const testing::ProcessResult& result, const std::string& text) {
    int lines = 0;
    for (const std::string& line : ethio_lines(result.err)) lines += line.find(text) != line.npos;
    return lines;
  }
};

constexpr int kSkipped = 77;

TEST_F(Withheld, WithoutIoUringPsyncThreadsMakeTheDepth) {
  const auto result = without("io_uring", {});
  if (result.exit_code == kSkipped) GTEST_SKIP() << "SKIPPED: " << result.err;
  expect_sound(result, "psync");
  EXPECT_EQ(lines_with(result, "io_uring is forbidden here"), 1) << result.err;
  EXPECT_EQ(lines_with(result, "using psync with 16 threads"), 1) << result.err;
  EXPECT_THAT(json_file("out.json.1")["harness"]["notice"].get<std::string>(),
              HasSubstr("io_uring is forbidden here"));
}

TEST_F(Withheld, WhoNamesUringIsRefusedWithoutIt) {
  const auto result = without("io_uring", {"--ethio_executor=uring"});
  if (result.exit_code == kSkipped) GTEST_SKIP() << "SKIPPED: " << result.err;
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("; psync works without it"));
}

TEST_F(Withheld, WithoutLockedMemoryItRunsAndSaysWhatIsMissing) {
  const auto result = without("memlock", {});
  if (result.exit_code == kSkipped) GTEST_SKIP() << "SKIPPED: " << result.err;
  // Whether a ring itself counts as locked memory depends on the kernel.
  const std::string executor = json_file("out.json.0")["harness"]["executor"];
  EXPECT_THAT(executor, AnyOf("uring", "psync"));
  expect_sound(result, executor);
  EXPECT_EQ(lines_with(result, "RLIMIT_MEMLOCK=0"), 1) << result.err;
}

TEST_F(Withheld, WithoutDirectIoItRunsThroughThePageCacheAndIsMarked) {
  const auto result = without("direct", {"--direct=1"});
  if (result.exit_code == kSkipped) GTEST_SKIP() << "SKIPPED: " << result.err;
  expect_sound(result, "uring");
  EXPECT_EQ(lines_with(result, "target: its file system has no O_DIRECT; direct=1 is dropped"), 1)
      << result.err;
  for (const char* name : {"out.json.0", "out.json.1"}) {
    EXPECT_EQ(json_file(name)["harness"]["direct"], "no");
    EXPECT_THAT(json_file(name)["harness"]["direct_notice"].get<std::string>(),
                HasSubstr("no O_DIRECT"));
  }
}

TEST_F(Withheld, ADriveThatFailsEndsTheJobAndIsInBothReports) {
  const auto result =
      run({ETHIO_WITHHELD, "blocks", "fio", "--ioengine=external:" + engine(), "--name=t",
           "--size=16m", "--rw=randread", "--filename=target", "--ethio_workload=uniform-read",
           "--ethio_executor=psync", "--ethio_lanes=8", "--ethio_out=out.json"});
  if (result.exit_code == kSkipped) GTEST_SKIP() << "SKIPPED: " << result.err;
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.out + result.err, HasSubstr("Input/output error: read offset="));
  const auto read = json_file("out.json")["access"]["read"];
  EXPECT_GT(read["errors"], 0);
  EXPECT_EQ(read["errors"], read["count"]);
  EXPECT_EQ(read["bytes"], 0);
}

TEST_F(Withheld, PollingIsUsedOrDroppedWithANotice) {
  for (const char* knob : {"--ethio_sqpoll=1", "--ethio_iopoll=1"}) {
    const auto report = fio_report({"--size=16m", "--ethio_workload=chain-head", "--ethio_gas=1m",
                                    "--ethio_units=1", "--direct=1", "--ethio_out=out.json", knob});
    const auto sidecar = json_file("out.json");
    EXPECT_EQ(counts_of_sidecar(sidecar), counts_of_fio(report)) << knob;
    EXPECT_EQ(sidecar["harness"]["executor"], "uring");
  }
}

TEST_F(Withheld, PollingThroughThePageCacheIsDroppedWithANotice) {
  const auto result = fio({"--size=16m", "--ethio_workload=chain-head", "--ethio_gas=1m",
                           "--ethio_units=1", "--ethio_iopoll=1"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(lines_with(result, "uring: goes without IOPOLL"), 1) << result.err;
}

TEST_F(Withheld, PollingWithAnExecutorThatCannotIsRefused) {
  const auto result = fio({"--size=16m", "--ethio_workload=chain-head", "--ethio_units=1",
                           "--ethio_executor=psync", "--ethio_sqpoll=1"});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("psync has no sqpoll; use executor=uring, or leave it out"));
}

}  // namespace
}  // namespace ethio
