// The script that compares the engine with stock fio, at tiny size: its numbers mean nothing here.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "tests/fio/fixture.h"

namespace ethio {
namespace {

using ::testing::HasSubstr;

class SideBySide : public FioTest {
 protected:
  void SetUp() override {
    if (testing::find_program("python3").empty())
      GTEST_SKIP() << "SKIPPED: python3 is not installed";
  }

  testing::ProcessResult compare(const std::vector<std::string>& more) {
    std::vector<std::string> argv = {
        "python3", ETHIO_SIDE_BY_SIDE, "--engine", engine(),    "--memory", ".",      "--disk",
        ".",       "--pairs",          "1",        "--seconds", "0.1",      "--size", "32m"};
    argv.insert(argv.end(), more.begin(), more.end());
    return run(argv);
  }
};

TEST_F(SideBySide, GivesATableAndLeavesNothingBehind) {
  const auto result = compare({"--only", "depth 32, fixed buffers and", "--only", "null, "});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("| case | A: I/Os per s |"));
  EXPECT_THAT(result.out, HasSubstr("| tmpfs, depth 32, fixed buffers and registered file |"));
  EXPECT_THAT(result.out, HasSubstr("| null, uniform-read |"));
  EXPECT_THAT(result.out, HasSubstr(", target ≥ 0.85: "));
  EXPECT_THAT(result.out, HasSubstr("| null, chain-head-geth with its background unpaced |"));
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 7);
  EXPECT_TRUE(std::filesystem::is_empty(folder().path()));
}

TEST_F(SideBySide, ComparesTheEngineWithItselfAtTwoDepths) {
  const auto result = compare({"--only", "barriers"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr(", target ≤ 1.25: "));
}

TEST_F(SideBySide, SaysWhatIsWrong) {
  EXPECT_THAT(compare({"--only", "no such case"}).err, HasSubstr("no case has a name with that"));
  EXPECT_THAT(compare({"--engine", "none.so"}).err, HasSubstr("none.so does not exist"));
}

}  // namespace
}  // namespace ethio
