// ethio compare as CI runs it, on what the real bench and the real fio wrote: exit codes, refusals,
// noise, forms.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/cli/command.h"
#include "tests/support/json_schema.h"

namespace ethio {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

class CompareCommand : public CommandTest {
 protected:
  json read_json(const std::string& name) const { return json::parse(read(name)); }

  // Ten repetitions of trie-read on the simulated drive, by the real bench.
  void run_bench(const std::string& out, const std::vector<std::string>& more = {}) {
    std::vector<std::string> argv = {ETHIO_BENCH,
                                     "--benchmark_filter=trie-read/sim",
                                     "--benchmark_repetitions=10",
                                     "--ethio_units=200",
                                     "--ethio_size=64m",
                                     "--benchmark_out=" + out,
                                     "--benchmark_out_format=json"};
    argv.insert(argv.end(), more.begin(), more.end());
    const ProcessResult result = run(argv);
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }

  // A copy in which every time is longer by the factor.
  void slow_down(const std::string& from, const std::string& to, double factor) {
    json document = read_json(from);
    for (json& entry : document["benchmarks"]) {
      for (auto& [key, value] : entry.items()) {
        const bool time = key == "real_time" || key == "cpu_time" || key.ends_with("_us");
        if (time) value = value.get<double>() * factor;
      }
    }
    put(to, document.dump());
  }
};

TEST_F(CompareCommand, ComparesWhatBenchWrote) {
  run_bench("base.json");
  run_bench("same.json");
  const ProcessResult same = ethio({"compare", "base.json", "same.json"});
  EXPECT_EQ(same.exit_code, 0) << same.out << same.err;
  EXPECT_THAT(same.out, StartsWith("FINE"));
  EXPECT_THAT(same.out, HasSubstr("exact counters: 2 equal, 0 changed"));

  slow_down("base.json", "slow.json", 1.2);
  const ProcessResult slow = ethio({"compare", "base.json", "slow.json", "--json", "out.json",
                                    "--markdown", "out.md", "--junit", "out.xml"});
  EXPECT_EQ(slow.exit_code, 3) << slow.out << slow.err;
  EXPECT_THAT(slow.out, StartsWith("REGRESSED: trie-read/sim"));
  const json document = read_json("out.json");
  EXPECT_EQ(errors_against_schema("workloads/schema/compare.schema.json", document), "");
  EXPECT_EQ(document["verdict"], "regression");
  EXPECT_NEAR(document["metrics"][0]["slowdown"]["estimate"].get<double>(), 1.2, 0.01);
  EXPECT_THAT(read("out.md"), HasSubstr("❌ regressed"));
  EXPECT_THAT(read("out.xml"), HasSubstr("<failure message="));
  EXPECT_EQ(ethio({"compare", "base.json", "slow.json", "--threshold", "30%"}).exit_code, 0);
  EXPECT_EQ(ethio({"compare", "slow.json", "base.json"}).exit_code, 0) << "faster is fine";
}

TEST_F(CompareCommand, RefusesUnlikeRunsAndSaysWhatDiffers) {
  run_bench("base.json");
  run_bench("large.json", {"--ethio_size=128m"});
  run_bench("seed.json", {"--ethio_seed=2"});
  run_bench("cache.json", {"--ethio_cache=1m"});
  const std::pair<const char*, const char*> cases[] = {
      {"large.json", "target size: 67108864 and 134217728"},
      {"seed.json", "seed: 1 and 2"},
      {"cache.json", "definition: "}};
  for (const auto& [file, what] : cases) {
    const ProcessResult result = ethio({"compare", "base.json", file});
    EXPECT_EQ(result.exit_code, 5) << file;
    EXPECT_THAT(result.out, HasSubstr(what));
  }
}

TEST_F(CompareCommand, NamesTheFieldInWhichDefinitionsDiffer) {
  run_bench("a.bench", {"--ethio_out=a.json"});
  run_bench("b.bench", {"--ethio_out=b.json", "--ethio_cache=1m"});
  const ProcessResult result = ethio({"compare", "a.json", "b.json"});
  EXPECT_EQ(result.exit_code, 5) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("definition: state.cache: 643825664 and 1048576"));
}

TEST_F(CompareCommand, TakesAFolderOfResultsAsRepetitions) {
  for (const char* folder : {"base", "new"}) {
    std::filesystem::create_directory(directory() / folder);
    for (int i = 0; i < 4; ++i) {
      run_bench("ignored",
                {"--ethio_out=" + std::string(folder) + "/" + std::to_string(i) + ".json",
                 "--benchmark_repetitions=1"});
    }
  }
  const ProcessResult result = ethio({"compare", "base", "new", "--strict"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("4/4"));
  EXPECT_THAT(result.out, HasSubstr("exact counters: 5 equal, 0 changed"));
}

TEST_F(CompareCommand, RecordsTheNoiseOfARunnerAndRespectsIt) {
  run_bench("base.json");
  slow_down("base.json", "noisy.json", 1.06);
  slow_down("base.json", "new.json", 1.10);
  EXPECT_EQ(ethio({"compare", "base.json", "new.json"}).exit_code, 3);
  const ProcessResult recorded =
      ethio({"compare", "base.json", "noisy.json", "--record-noise", "noise.json"});
  EXPECT_EQ(recorded.exit_code, 0) << recorded.err;
  EXPECT_EQ(errors_against_schema("workloads/schema/noise.schema.json", read_json("noise.json")),
            "");
  const ProcessResult respected =
      ethio({"compare", "base.json", "new.json", "--noise", "noise.json"});
  EXPECT_EQ(respected.exit_code, 0) << respected.out;
  EXPECT_THAT(respected.out, HasSubstr("(noise)"));
  EXPECT_EQ(ethio({"compare", "base.json", "noisy.json", "--record-noise", "noise.json"}).exit_code,
            0);
  EXPECT_EQ(read_json("noise.json")["floors"][0]["changes"].size(), 2u);
  // Another runner's floors are not this one's.
  json other = read_json("noise.json");
  other["runner"] = "elsewhere";
  put("other.json", other.dump());
  EXPECT_EQ(ethio({"compare", "base.json", "noisy.json", "--record-noise", "other.json"}).exit_code,
            1);
  EXPECT_THAT(ethio({"compare", "base.json", "new.json", "--noise", "other.json"}).out,
              HasSubstr("are of elsewhere"));
}

TEST_F(CompareCommand, IsInconclusiveWithTooFewRepetitions) {
  run_bench("base.json", {"--benchmark_repetitions=2"});
  const ProcessResult lax = ethio({"compare", "base.json", "base.json"});
  EXPECT_EQ(lax.exit_code, 0);
  EXPECT_THAT(lax.out, StartsWith("INCONCLUSIVE"));
  EXPECT_EQ(ethio({"compare", "base.json", "base.json", "--strict"}).exit_code, 4);
}

TEST_F(CompareCommand, ReadsWhatFioWrote) {
  if (run({"sh", "-c", "command -v fio"}).exit_code != 0) GTEST_SKIP() << "fio is not installed";
  for (const char* folder : {"base", "new"}) {
    std::filesystem::create_directory(directory() / folder);
    for (int i = 0; i < 4; ++i) {
      const ProcessResult result =
          run({"fio", "--name=test", "--filename=target", "--size=1m", "--rw=randread",
               "--ioengine=psync", "--output-format=json",
               "--output=" + std::string(folder) + "/" + std::to_string(i) + ".json"});
      ASSERT_EQ(result.exit_code, 0) << result.err;
    }
  }
  const ProcessResult result = ethio({"compare", "base", "new", "--threshold", "1000%"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("read IOPS"));
  EXPECT_THAT(result.out, HasSubstr("read p99"));
  const ProcessResult other =
      run({"fio", "--name=test", "--filename=target", "--size=1m", "--rw=randread", "--bs=8k",
           "--ioengine=psync", "--output-format=json", "--output=other.json"});
  ASSERT_EQ(other.exit_code, 0) << other.err;
  const ProcessResult unlike = ethio({"compare", "base", "other.json"});
  EXPECT_EQ(unlike.exit_code, 5);
  EXPECT_THAT(unlike.out, HasSubstr("read block size: 4 KiB and 8 KiB"));
}

TEST_F(CompareCommand, GivesOneSentenceForWhatIsWrong) {
  run_bench("base.json");
  put("empty", "");
  put("cut.json", read("base.json").substr(0, 2000));
  put("later.json", R"({"schema": "ethio-result", "version": 99, "ethio_version": "9.0.0"})");
  put("aggregates.json",
      R"({"context": {}, "benchmarks": [{"name": "x_mean", "run_type": "aggregate"}]})");
  put("mine.txt", "not to be overwritten\n");
  expect_refusals(
      "compare",
      {
          {{"base.json", "empty"}, 1, "ethio: empty: is empty"},
          {{"base.json", "cut.json"}, 1, "ethio: cut.json: is not JSON, or not all of it"},
          {{"base.json", "later.json"},
           1,
           "ethio: later.json: is a result of version 99; this ethio reads version 1"},
          {{"base.json", "aggregates.json"}, 1, "ethio: aggregates.json: holds only aggregates"},
          {{"base.json", "nowhere"}, 1, "ethio: nowhere: No such file or directory"},
          {{"base.json", "base.json", "--json", "mine.txt"},
           1,
           "ethio: mine.txt exists and was not written by ethio"},
          {{"base.json", "base.json", "--threshold", "5"},
           2,
           "ethio: compare: --threshold: '5' is not a percentage"},
          {{"base.json"}, 2, "ethio: compare: NEW is required"},
      });
  EXPECT_EQ(read("mine.txt"), "not to be overwritten\n");
}

}  // namespace
}  // namespace ethio
