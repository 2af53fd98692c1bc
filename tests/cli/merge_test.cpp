// ethio merge as a user runs it: what the jobs of a real fio wrote becomes one result.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/cli/command.h"
#include "tests/report/sample_result.h"

namespace ethio {
namespace {

using nlohmann::json;
using testing::IsEmpty;

class MergeCommand : public CommandTest {};

TEST_F(MergeCommand, AddsUpTheJobsOfARun) {
  put("r.json.0", to_json(sample_result(0)));
  put("r.json.1", to_json(sample_result(1)));
  const ProcessResult merged = ethio({"merge", "r.json", "-o", "all.json"});
  ASSERT_EQ(merged.exit_code, 0) << merged.err;
  EXPECT_EQ(merged.err, "ethio: chain-head: 2 of 2 jobs merged\n");
  EXPECT_THAT(merged.out, IsEmpty());
  const SessionResult all = parse_result(read("all.json"), "all.json");
  EXPECT_EQ(all.metrics.units, 6u);
  EXPECT_EQ(all.metrics.access[0].count, 600u);
  // Named one by one, in any order, to standard output: the same.
  const ProcessResult piped = ethio({"merge", "r.json.1", "r.json.0", "-o", "-"});
  EXPECT_EQ(parse_result(piped.out, "out").metrics.unit_latency.count(), 6u);
  // A part of them is a result, too, and says so.
  EXPECT_EQ(ethio({"merge", "r.json.1", "-o", "one.json"}).err,
            "ethio: chain-head: 1 of 2 jobs merged\n");
}

TEST_F(MergeCommand, OfARealFioGivesWhatFioCounted) {
  if (!has_engine()) GTEST_SKIP() << "libethio.so, the fio engine, was not built";
  const std::string engine = std::filesystem::path(ethio_path()).parent_path() / "libethio.so";
  const ProcessResult fio =
      run({"fio", "--ioengine=external:" + engine, "--name=t", "--filename=t", "--size=16m",
           "--rw=randread", "--ethio_workload=trie-read", "--ethio_units=50", "--numjobs=3",
           "--group_reporting", "--ethio_out=r.json", "--output-format=json", "--output=fio.json"});
  ASSERT_EQ(fio.exit_code, 0) << fio.out << fio.err;
  ASSERT_EQ(ethio({"merge", "r.json", "-o", "all.json"}).exit_code, 0);
  const json all = json::parse(read("all.json"));
  const json counted = json::parse(read("fio.json"));
  EXPECT_EQ(all["unit"]["count"], 150);
  EXPECT_EQ(all["access"]["read"]["count"], counted["jobs"][0]["read"]["total_ios"]);
  // report takes the run by its name and finds the same.
  const ProcessResult report = ethio({"report", "r.json", "-o", "-", "--format", "json"});
  ASSERT_EQ(report.exit_code, 0) << report.err;
  const json shown = json::parse(report.out);
  ASSERT_EQ(shown["targets"].size(), 1u);
  EXPECT_EQ(shown["targets"][0]["workloads"][0]["units"], 150);
  // So does compare: one repetition, and as many accesses as before.
  const ProcessResult compared = ethio({"compare", "r.json", "all.json", "--json", "-"});
  EXPECT_EQ(compared.exit_code, 0) << compared.err;
  EXPECT_EQ(json::parse(compared.out)["metrics"][0]["base"]["repetitions"], 1);
}

TEST_F(MergeCommand, GivesOneSentenceForWhatIsWrong) {
  put("a.json", to_json(sample_result(0)));
  SessionResult other = sample_result(1);
  other.seed = 7;
  put("seed.json", to_json(other));
  put("mine.json", "{}");
  put("empty.json", "");
  put("cut.json", to_json(sample_result(1)).substr(0, 300));
  put("later.json", R"({"schema": "ethio-result", "version": 99})");
  expect_refusals(
      "merge",
      {
          {{"a.json", "seed.json", "-o", "x"},
           1,
           "ethio: seed.json: results differ in seed: 1234567890123456789 and 7; only jobs"},
          {{"a.json", "a.json", "-o", "x"}, 1, "ethio: a.json: results hold job 0 twice"},
          {{"a.json", "empty.json", "-o", "x"}, 1, "ethio: empty.json: is "},
          {{"a.json", "cut.json", "-o", "x"}, 1, "ethio: cut.json: is not JSON, or not all of it"},
          {{"later.json", "-o", "x"}, 1, "ethio: later.json: is a result of version 99"},
          {{"mine.json", "-o", "x"}, 1, "ethio: mine.json: is not a result of ethio"},
          {{"nowhere", "-o", "x"}, 1, "ethio: nowhere: No such file or directory"},
          {{"a.json", "-o", "mine.json"}, 2, "ethio: merge: -o: mine.json exists"},
          {{"a.json", "-o", "a.json"}, 2, "ethio: merge: -o: a.json exists"},
          {{"a.json"}, 2, "ethio: merge: --output is required"},
      });
  EXPECT_EQ(read("mine.json"), "{}");
  EXPECT_FALSE(std::filesystem::exists(directory() / "x"));
}

}  // namespace
}  // namespace ethio
