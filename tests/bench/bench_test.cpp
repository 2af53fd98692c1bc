// `bench` end to end: what it prints, what it refuses, what it leaves behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "common/exec/executor.h"
#include "common/report/session_json.h"
#include "common/spec/catalogue.h"
#include "common/spec/knobs.h"
#include "common/stream/session.h"
#include "tests/bench/bench_runner.h"
#include "tests/support/json_schema.h"

namespace ethio {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using Json = nlohmann::json;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> names_in(const Json& report) {
  std::vector<std::string> names;
  for (const Json& benchmark : report.at("benchmarks")) names.push_back(benchmark.at("name"));
  return names;
}

// Executors that run here: a container may forbid io_uring.
std::vector<std::string> working_executors() {
  std::vector<std::string> names;
  for (const ExecutorInfo& info : executors()) {
    try {
      ExecutorConfig config;
      config.fd = 0;  // open, which is all that a check of the feature needs
      config.target_bytes = 1 << 20;
      if (info.name == "uring") make_executor(info.name, config);
      names.emplace_back(info.name);
    } catch (const std::exception& error) {
      std::cerr << "not tested here: executor " << info.name << ": " << error.what() << "\n";
    }
  }
  return names;
}

// The digest of the first `units` units of a workload on 32 MiB at 1 Mgas, from the session itself.
std::string own_digest(const std::string& workload, uint64_t units) {
  SessionConfig config;
  Knobs knobs;
  knobs.workload = workload;
  knobs.gas = 1'000'000;
  knobs.slot_time_ns = 0;
  config.spec = effective_spec(knobs);
  config.spec.units = units;
  config.target_bytes = 32 << 20;
  Session session(config);
  Access access;
  uint64_t now_ns = 1;
  for (;;) {
    const Next next = session.next(now_ns, access);
    if (next == Next::kEnd) return to_hex(session.digest());
    if (next == Next::kIdle) {
      now_ns = access.offset;
    } else {
      session.complete(access.lane, access.length, ++now_ns);
    }
  }
}

class Bench : public ::testing::Test, protected BenchRunner {};

TEST_F(Bench, ListsEveryWorkloadOnEveryExecutorAndTouchesNothing) {
  const auto result = run({"--benchmark_list_tests"});
  EXPECT_EQ(result.exit_code, 0);
  const std::vector<std::string> lines = lines_of(result.out);
  for (const std::string& workload : workload_names()) {
    EXPECT_THAT(lines, Contains("stream/" + workload));
    for (const ExecutorInfo& executor : executors()) {
      EXPECT_THAT(lines, Contains(StartsWith(workload + "/" + std::string(executor.name) + "/")));
    }
  }
  for (const char* size : {"10k", "350M"}) {
    EXPECT_THAT(lines, Contains("state-size/" + std::string(size) + "/null/real_time"));
  }
  EXPECT_TRUE(left_nothing());
}

TEST_F(Bench, LooksThingsUpInAStateOfAnySize) {
  const Json report = json_of({"--benchmark_filter=^state-size/"});
  ASSERT_EQ(report.at("benchmarks").size(), 2U);
  for (const Json& benchmark : report.at("benchmarks")) {
    EXPECT_FALSE(benchmark.value("error_occurred", false)) << benchmark;
    // Of the small state's few index blocks the one just read is often the next one asked for.
    EXPECT_GT(benchmark.at("accesses/op").get<double>(), 1);
    EXPECT_LT(benchmark.at("accesses/op").get<double>(), 2.4);
  }
}

TEST_F(Bench, AFilterSelects) {
  const Json report = json_of({"--benchmark_filter=^uniform-read/(null|sim)/"});
  EXPECT_THAT(names_in(report), ::testing::ElementsAre("uniform-read/null/real_time",
                                                       "uniform-read/sim/manual_time"));
}

TEST_F(Bench, ReportsCountersAndSaysWhereItRan) {
  const Json report = json_of({"--benchmark_filter=^uniform-read/psync"});
  const Json& context = report.at("context");
  EXPECT_THAT(context.at("ethio_target").get<std::string>(),
              AllOf(StartsWith(*this / ""), HasSubstr("32 MiB")));
  EXPECT_THAT(context.at("ethio_direct").get<std::string>(),
              ::testing::AnyOf(StartsWith("yes"), StartsWith("no: ")));
  EXPECT_FALSE(context.at("ethio_filesystem").get<std::string>().empty());
  ASSERT_EQ(report.at("benchmarks").size(), 1U);
  const Json& benchmark = report.at("benchmarks")[0];
  const double seconds_each = benchmark.at("real_time").get<double>() * 1e-6;  // time_unit us
  EXPECT_EQ(benchmark.at("time_unit"), "us");
  EXPECT_EQ(benchmark.at("accesses/op"), 1.0);
  EXPECT_EQ(benchmark.at("bytes/op"), 4096.0);
  EXPECT_NEAR(benchmark.at("accesses/s").get<double>() * seconds_each, 1, 0.01);
  EXPECT_NEAR(benchmark.at("ops/s").get<double>() * seconds_each, 1, 0.01);
  EXPECT_NEAR(benchmark.at("bytes/s").get<double>() * seconds_each, 4096, 41);
  for (const char* what : {"read", "op"}) {
    const auto percentile = [&](const char* name) {
      return benchmark.at(std::string(what) + "_" + name + "_us").get<double>();
    };
    EXPECT_GT(percentile("p50"), 0);
    EXPECT_LE(percentile("p50"), percentile("p99"));
    EXPECT_LE(percentile("p99"), percentile("p99.9"));
  }
  EXPECT_TRUE(left_nothing());
}

TEST_F(Bench, TheGeneratorAloneIsABenchmark) {
  const Json report = json_of({"--benchmark_filter=^stream/"});
  EXPECT_EQ(report.at("benchmarks").size(), workload_names().size());
  for (const Json& benchmark : report.at("benchmarks")) {
    EXPECT_EQ(benchmark.at("time_unit"), "ns");
    EXPECT_NEAR(benchmark.at("accesses/s").get<double>() * benchmark.at("cpu_time").get<double>(),
                1e9, 1e7);
  }
  EXPECT_THAT(report.at("context").at("ethio_target").get<std::string>(), StartsWith("none"));
}

// Parity: what Google Benchmark drives is what the Session says, whatever the executor: all
// workloads where nothing is written, one of each layout on the drive.
TEST_F(Bench, RunsTheSessionsStreamOnEveryExecutor) {
  const std::vector<std::string> working = working_executors();
  const std::string on_the_drive =
      "^(uniform-read|flat-read|chain-head-besu|trie-commit|page-table|freezer-append)/";
  const Json report = json_of(
      {"--benchmark_filter=/(null|sim)/|" + on_the_drive, "--ethio_units=4", "--ethio_gas=1m"});
  size_t of_workloads = 0;
  for (const Json& benchmark : report.at("benchmarks")) {
    const std::string name = benchmark.at("name");
    if (name.starts_with("state-size/")) continue;
    ++of_workloads;
    const size_t slash = name.find('/');
    const std::string workload = name.substr(0, slash);
    const std::string executor = name.substr(slash + 1, name.find('/', slash + 1) - slash - 1);
    const bool works = std::find(working.begin(), working.end(), executor) != working.end();
    EXPECT_EQ(benchmark.value("error_occurred", false), !works) << benchmark;
    if (!works) continue;
    EXPECT_EQ(benchmark.at("iterations"), 4) << name;
    EXPECT_EQ(benchmark.at("label"), "digest " + own_digest(workload, 4)) << name;
  }
  EXPECT_EQ(of_workloads, workload_names().size() * 2 + 6 * (executors().size() - 2));
  EXPECT_TRUE(left_nothing());
}

TEST_F(Bench, TheSimulatedDriveIsDeterministic) {
  const auto stripped = [this] {
    Json benchmarks = json_of({"--ethio_units=50", "--ethio_gas=1m", "--benchmark_filter=/sim/"})
                          .at("benchmarks");
    for (Json& benchmark : benchmarks) benchmark.erase("cpu_time");
    return benchmarks;
  };
  EXPECT_EQ(stripped(), stripped());
}

TEST_F(Bench, WritesTheResultOfOneBenchmark) {
  json_of({"--ethio_units=20", "--benchmark_filter=^uniform-read/psync", "--ethio_out=r.json",
           "--ethio_seed=9"});
  const std::string text = testing::read_file(*this / "r.json");
  EXPECT_EQ(errors_against_schema("workloads/schema/result.schema.json", Json::parse(text)), "");
  const SessionResult result = parse_result(text, "r.json");
  EXPECT_EQ(result.workload, "uniform-read");
  EXPECT_EQ(result.seed, 9U);
  EXPECT_EQ(result.metrics.units, 20U);
  EXPECT_EQ(result.metrics.access[0].count, 20U);
  EXPECT_EQ(result.harness.at("name"), "bench");
  EXPECT_EQ(result.harness.at("executor"), "psync");
}

TEST_F(Bench, WritesTheResultsOfSeveralUnderTheirNames) {
  json_of({"--ethio_units=2", "--benchmark_filter=^uniform-read/(null|sim)",
           "--ethio_out=r.{name}.json"});
  EXPECT_EQ(load_result(*this / "r.uniform-read.null.json").harness.at("executor"), "null");
  EXPECT_EQ(load_result(*this / "r.uniform-read.sim.json").harness.at("executor"), "sim");
}

TEST_F(Bench, TakesKnobsFromTheEnvironment) {
  testing::ProcessOptions options;
  options.env = {{"ETHIO_EXECUTOR", "null"}, {"ETHIO_WORKLOAD", "uniform-read"}};
  EXPECT_THAT(lines_of(run({"--benchmark_list_tests"}, options).out),
              ::testing::ElementsAre("uniform-read/null/real_time", "stream/uniform-read"));
}

TEST_F(Bench, RunsADefinitionOfTheUsersOwn) {
  Json definition =
      Json::parse(testing::read_file(ETHIO_SOURCE_DIR "/workloads/uniform-read.json"));
  definition["name"] = "mine";
  testing::write_file(*this / "mine.json", definition.dump());
  EXPECT_THAT(names_in(json_of({"--ethio_workload=./mine.json", "--ethio_executor=null"})),
              ::testing::ElementsAre("mine/null/real_time", "stream/mine"));
}

TEST_F(Bench, HelpNamesItsKnobs) {
  const auto result = run({"--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, AllOf(HasSubstr("--ethio_cache="), HasSubstr("--benchmark_filter=")));
  EXPECT_TRUE(left_nothing());
}

struct Mistake {
  std::vector<std::string> arguments;
  int exit_code;
  const char* says;
};

TEST_F(Bench, AnswersAMistakeInOneSentence) {
  testing::write_file(*this / "precious", "mine");
  const Mistake mistakes[] = {
      {{"--ethio_cash=1g"}, 2, "'--ethio_cash' is not a flag"},
      {{"--ethio_size=6q"}, 2, "6q"},
      {{"--ethio_workload=chain-haed"}, 2, "chain-haed"},
      {{"--ethio_workload=./none.json"}, 2, "none.json"},
      {{"--ethio_executor=turbo"}, 2, "turbo"},
      {{"--ethio_dir=none"}, 1, "none"},
      {{"--ethio_dir=precious"}, 1, "precious"},
      {{"--ethio_size=1024t", "--benchmark_filter=psync"}, 1, "free"},
      {{"--ethio_out=precious", "--benchmark_filter=^uniform-read/null"}, 1, "precious"},
      {{"--ethio_out=none/r.json", "--benchmark_filter=^uniform-read/null"}, 1, "none"},
      {{"--ethio_out=r.json", "--benchmark_filter=uniform-read"}, 1, "{name}"},
  };
  for (const Mistake& mistake : mistakes) {
    const auto result = run(mistake.arguments);
    EXPECT_EQ(result.exit_code, mistake.exit_code) << mistake.says;
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(lines_of(result.err),
                ::testing::ElementsAre(AllOf(StartsWith("ethio: "), HasSubstr(mistake.says))));
  }
  EXPECT_EQ(run({"--benchmark_cash=1"}).exit_code, 2);
  EXPECT_EQ(run({"--benchmark_filter=nothing-like-it"}).exit_code, 2);
  EXPECT_EQ(testing::read_file(*this / "precious"), "mine");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(*this / ""), {}), 1);
}

TEST_F(Bench, LeavesNothingAfterCtrlC) {
  testing::ProcessOptions options;
  options.interrupt_after = std::chrono::milliseconds(1500);
  const auto result =
      run({"--benchmark_filter=psync", "--benchmark_min_time=60", "--ethio_size=16m"}, options);
  EXPECT_EQ(result.exit_code, 128 + 2);
  EXPECT_THAT(result.err, HasSubstr("ethio-bench-")) << "the context block names the file";
  EXPECT_TRUE(left_nothing());
}

TEST_F(Bench, LeavesNothingAfterSigterm) {
  const auto result = testing::run_process(
      {"timeout", "--signal=TERM", "1.5", ETHIO_BENCH, "--benchmark_filter=psync",
       "--benchmark_min_time=60", "--ethio_size=16m", "--ethio_dir=" + (*this / "").string()});
  EXPECT_EQ(result.exit_code, 124) << "timeout's own";
  EXPECT_THAT(result.err, HasSubstr("ethio-bench-"));
  EXPECT_TRUE(left_nothing());
}

}  // namespace
}  // namespace ethio
