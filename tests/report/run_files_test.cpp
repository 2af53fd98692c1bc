// The files that several jobs of one run wrote, found by the run's name and put together; and
// compare, which reads them so.
#include "common/report/run_files.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "common/base/error.h"
#include "common/report/measurement.h"
#include "tests/report/sample_result.h"

namespace ethio {
namespace {

using testing::ElementsAre;
namespace fs = std::filesystem;

std::vector<uint32_t> jobs_of(const CollectedRun& run) {
  std::vector<uint32_t> jobs;
  for (const StreamIdentity& stream : run.result.streams) jobs.push_back(stream.job);
  return jobs;
}

TEST(RunCollector, PutsTheJobsOfARunTogether) {
  RunCollector runs;
  runs.add(sample_result(1), "b");
  runs.add(sample_result(0), "a");
  const std::vector<CollectedRun> collected = std::move(runs).finish();
  ASSERT_EQ(collected.size(), 1u);
  EXPECT_THAT(jobs_of(collected[0]), ElementsAre(0, 1));
  EXPECT_EQ(collected[0].result.metrics.units, 6u);
  EXPECT_EQ(collected[0].origin, "b .. a");
}

// In whichever order a folder lists them.
TEST(RunCollector, KeepsRepetitionsApart) {
  for (const std::vector<uint32_t>& order :
       {std::vector<uint32_t>{0, 1, 0, 1}, {0, 0, 1, 1}, {1, 0, 1, 0}}) {
    RunCollector runs;
    for (const uint32_t job : order) runs.add(sample_result(job), "file");
    const std::vector<CollectedRun> collected = std::move(runs).finish();
    ASSERT_EQ(collected.size(), 2u);
    for (const CollectedRun& run : collected) EXPECT_THAT(jobs_of(run), ElementsAre(0, 1));
  }
}

TEST(RunCollector, KeepsUnlikeRunsApart) {
  SessionResult others[3] = {sample_result(1), sample_result(1), sample_result(1)};
  others[0].seed = 2;
  others[1].definition_digest = "another";
  others[2].harness["executor"] = "psync";
  for (const SessionResult& other : others) {
    RunCollector runs;
    runs.add(sample_result(0), "a");
    runs.add(other, "b");
    EXPECT_EQ(std::move(runs).finish().size(), 2u);
  }
}

class RunFiles : public testing::Test {
 protected:
  RunFiles() { fs::create_directory(folder_); }
  ~RunFiles() override { fs::remove_all(folder_); }
  std::string put(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  const fs::path folder_ =
      fs::temp_directory_path() / ("ethio-run-files." + std::to_string(getpid()));
};

TEST_F(RunFiles, AreFoundByTheNameOfTheRun) {
  put("r.json.0", "first");
  put("r.json.1", "second");
  put("r.json.3", "of something else, for there is no 2");
  const std::vector<InputDocument> documents = read_run_files(folder_ / "r.json");
  ASSERT_EQ(documents.size(), 2u);
  EXPECT_EQ(documents[0].text, "first");
  EXPECT_EQ(documents[1].origin, (folder_ / "r.json.1").string());
  // A file of that very name goes first.
  put("r.json", "itself");
  EXPECT_EQ(read_run_files(folder_ / "r.json").size(), 1u);
  EXPECT_THROW(read_run_files(folder_ / "nowhere"), Error);
}

TEST_F(RunFiles, AreOneRepetitionForCompare) {
  fs::create_directory(folder_ / "base");
  for (const char* run : {"1", "2", "3"}) {
    for (const uint32_t job : {0u, 1u}) {
      put("base/" + std::string(run) + ".json." + std::to_string(job), to_json(sample_result(job)));
    }
  }
  const Measurements all = load_measurements(folder_ / "base");
  ASSERT_EQ(all.benchmarks.size(), 1u);
  EXPECT_EQ(all.benchmarks[0].metrics[0].samples.size(), 3u);
  EXPECT_EQ(all.benchmarks[0].identity.at("jobs"), "2 of 2");
  EXPECT_EQ(all.benchmarks[0].units, 6u);
  EXPECT_EQ(load_measurements(folder_ / "base/1.json").benchmarks[0].units, 6u);
  // A job of its own is another thing than the whole run.
  const Measurements one = load_measurements(folder_ / "base/1.json.0");
  EXPECT_THAT(differences(all.benchmarks[0], one.benchmarks[0]),
              ElementsAre("jobs: 2 of 2 and 1 of 2"));
}

}  // namespace
}  // namespace ethio
