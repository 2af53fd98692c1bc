// Google Benchmark's own compare.py reads what `bench` writes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/bench/bench_runner.h"

namespace ethio {
namespace {

using ::testing::HasSubstr;

constexpr const char* kCompare = "/usr/share/benchmark/compare.py";
// Not whatever Python is first on the PATH: scipy is a package of the distribution's.
constexpr const char* kPython = "/usr/bin/python3";

class Compare : public ::testing::Test, protected BenchRunner {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kCompare)) {
      GTEST_SKIP() << kCompare << " is missing: install libbenchmark-tools";
    }
    if (!std::filesystem::exists(kPython) ||
        testing::run_process({kPython, "-c", "import scipy.stats"}).exit_code != 0) {
      GTEST_SKIP() << "Python's scipy is missing: install python3-scipy";
    }
  }
};

TEST_F(Compare, AcceptsTwoRuns) {
  for (const char* file : {"base.json", "new.json"}) {
    const auto result =
        run({"--benchmark_filter=^uniform-read/(null|psync)", "--benchmark_min_time=0.01",
             "--ethio_size=16m", "--benchmark_repetitions=3", "--benchmark_out_format=json",
             std::string("--benchmark_out=") + file});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
  const auto result = testing::run_process(
      {kPython, kCompare, "--no-color", "benchmarks", *this / "base.json", *this / "new.json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("uniform-read/null/real_time_median"));
  EXPECT_THAT(result.out, HasSubstr("uniform-read/psync/real_time"));
}

}  // namespace
}  // namespace ethio
