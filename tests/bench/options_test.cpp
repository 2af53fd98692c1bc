#include "gbench-suite/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "common/base/error.h"

namespace ethio {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A command line that functions may shorten.
class CommandLine {
 public:
  explicit CommandLine(std::vector<std::string> words) : words_(std::move(words)) {
    words_.insert(words_.begin(), "bench");
    for (std::string& word : words_) argv_.push_back(word.data());
    argc = static_cast<int>(argv_.size());
    argv_.push_back(nullptr);
  }
  char** argv() { return argv_.data(); }
  std::vector<std::string> left() const { return {argv_.begin() + 1, argv_.begin() + argc}; }

  int argc = 0;

 private:
  std::vector<std::string> words_;
  std::vector<char*> argv_;
};

Knobs knobs_from(std::vector<std::string> words) {
  CommandLine line(std::move(words));
  return take_knobs(line.argc, line.argv());
}

std::string refusal(std::vector<std::string> words) {
  try {
    knobs_from(std::move(words));
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

// Variables that a test sets are gone after it.
class Environment : public ::testing::Test {
 protected:
  void set(const char* name, const char* value) {
    setenv(name, value, 1);
    names_.push_back(name);
  }
  ~Environment() override {
    for (const char* name : names_) unsetenv(name);
  }

 private:
  std::vector<const char*> names_;
};

TEST(TakeKnobs, TakesItsOwnFlagsAndLeavesTheRest) {
  CommandLine line({"--benchmark_filter=trie", "--ethio_seed=7", "--ethio_size=1g", "--v=1"});
  const Knobs knobs = take_knobs(line.argc, line.argv());
  EXPECT_EQ(knobs.seed, 7U);
  EXPECT_EQ(knobs.size_bytes, uint64_t{1} << 30);
  EXPECT_THAT(line.left(), ElementsAre("--benchmark_filter=trie", "--v=1"));
  EXPECT_EQ(line.argv()[line.argc], nullptr);
}

TEST(TakeKnobs, TheLastOfAFlagCounts) {
  EXPECT_EQ(knobs_from({"--ethio_seed=7", "--ethio_seed=8"}).seed, 8U);
}

TEST(TakeKnobs, RefusesWhatItDoesNotKnow) {
  EXPECT_THAT(refusal({"--ethio_cash=1g"}), HasSubstr("'--ethio_cash'"));
  EXPECT_THAT(refusal({"--ethio_cash=1g"}), HasSubstr("--ethio_cache"));
  EXPECT_THAT(refusal({"--ethio_seed"}), HasSubstr("--ethio_seed=N"));
  EXPECT_THAT(refusal({"--ethio_size=6q"}), HasSubstr("--ethio_size: "));
  EXPECT_THAT(refusal({"--ethio_seed="}), HasSubstr("--ethio_seed: "));
  EXPECT_THAT(refusal({"--ethio_lanes=0"}), HasSubstr("--ethio_lanes: "));
  EXPECT_THAT(refusal({"--ethio_direct=maybe"}), HasSubstr("maybe"));
}

TEST_F(Environment, GivesKnobsThatFlagsOverride) {
  set("ETHIO_SEED", "7");
  set("ETHIO_SIZE", "64m");
  EXPECT_EQ(knobs_from({}).seed, 7U);
  const Knobs knobs = knobs_from({"--ethio_seed=8"});
  EXPECT_EQ(knobs.seed, 8U);
  EXPECT_EQ(knobs.size_bytes, uint64_t{64} << 20);
}

TEST_F(Environment, IsReadStrictly) {
  set("ETHIO_SIZE", "big");
  EXPECT_THAT(refusal({}), HasSubstr("ETHIO_SIZE: "));
}

TEST(KnobHelp, HasEveryKnobOfBench) {
  for (const KnobInfo& knob : knob_table()) {
    if (std::string(knob.front_doors).find('b') == std::string::npos) continue;
    EXPECT_THAT(knob_help(), HasSubstr(std::string("--ethio_") + knob.name + "="));
  }
}

BenchmarkRequest request_from(std::vector<std::string> words) {
  CommandLine line(std::move(words));
  return benchmark_request(line.argc, line.argv());
}

TEST_F(Environment, SaysWhatGoogleBenchmarkWillDo) {
  EXPECT_FALSE(request_from({}).list_only);
  EXPECT_EQ(request_from({}).filter, "");
  EXPECT_TRUE(request_from({"--benchmark_list_tests"}).list_only);
  EXPECT_TRUE(request_from({"--benchmark_list_tests=true"}).list_only);
  EXPECT_FALSE(request_from({"--benchmark_list_tests=false"}).list_only);
  EXPECT_EQ(request_from({"--benchmark_filter=a", "--benchmark_filter=b"}).filter, "b");
  EXPECT_TRUE(request_from({"--help"}).help);
  set("BENCHMARK_FILTER", "c");
  set("BENCHMARK_LIST_TESTS", "1");
  EXPECT_TRUE(request_from({}).list_only);
  EXPECT_EQ(request_from({}).filter, "c");
  EXPECT_EQ(request_from({"--benchmark_filter=d"}).filter, "d");
}

TEST(SelectBenchmarks, ReadsFiltersAsGoogleBenchmarkDoes) {
  const std::vector<std::string> names = {"trie-read/uring/real_time", "flat-read/uring/real_time",
                                          "stream/trie-read"};
  EXPECT_EQ(select_benchmarks(names, ""), names);
  EXPECT_EQ(select_benchmarks(names, "all"), names);
  EXPECT_THAT(select_benchmarks(names, "trie"), ElementsAre(names[0], names[2]));
  EXPECT_THAT(select_benchmarks(names, "^(trie|flat)"), ElementsAre(names[0], names[1]));
  EXPECT_THAT(select_benchmarks(names, "-stream"), ElementsAre(names[0], names[1]));
  EXPECT_THAT(select_benchmarks(names, "real_time$"), ElementsAre(names[0], names[1]));
  EXPECT_THAT(select_benchmarks(names, "nothing"), IsEmpty());
  EXPECT_THAT(select_benchmarks(names, "(("), IsEmpty());
}

}  // namespace
}  // namespace ethio
