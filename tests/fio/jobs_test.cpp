// numjobs=: jobs of a section share the target and have streams of their own, whether they are
// processes or threads.
#include <gmock/gmock.h>

#include <filesystem>
#include <set>

#include "tests/fio/counts.h"
#include "tests/fio/fixture.h"

namespace ethio {
namespace {

class Jobs : public FioTest, public ::testing::WithParamInterface<int> {
 protected:
  // The sidecars of `jobs` jobs that ran two small blocks each, after the checks that hold for all.
  std::vector<std::string> digests_of(int jobs, std::vector<std::string> more) {
    more.insert(more.begin(), {"--numjobs=" + std::to_string(jobs), "--ethio_workload=chain-head",
                               "--ethio_gas=1m", "--ethio_units=2", "--ethio_out=out.json"});
    const auto report = fio_report(more);
    Counts counts;
    std::vector<std::string> digests;
    for (int job = 0; job < jobs; ++job) {
      const auto sidecar = json_file(jobs == 1 ? "out.json" : "out.json." + std::to_string(job));
      EXPECT_EQ(sidecar["jobs"], jobs);
      EXPECT_EQ(sidecar["streams"].at(0)["job"], job);
      EXPECT_EQ(sidecar["unit"]["count"], 2);
      counts += counts_of_sidecar(sidecar);
      digests.push_back(digest_of(sidecar));
    }
    EXPECT_EQ(counts, counts_of_fio(report));
    return digests;
  }
};

TEST_P(Jobs, ForkedAndThreadedHaveTheSameDisjointStreams) {
  const auto forked = digests_of(GetParam(), {});
  const auto threaded = digests_of(GetParam(), {"--thread"});
  EXPECT_EQ(forked, threaded);
  EXPECT_EQ(std::set<std::string>(forked.begin(), forked.end()).size(), forked.size());
}

INSTANTIATE_TEST_SUITE_P(Number, Jobs, ::testing::Values(1, 2, 8),
                         [](const auto& info) { return std::to_string(info.param); });

TEST_F(Jobs, GroupReportingAddsUp) {
  const auto apart = digests_of(2, {});
  const auto grouped = digests_of(2, {"--group_reporting"});
  EXPECT_EQ(apart, grouped);
}

TEST_F(Jobs, OneFileNameIsOneTarget) {
  fio_report({"--numjobs=2", "--ethio_workload=flat-read", "--ethio_units=10", "--rw=randread"});
  EXPECT_EQ(std::filesystem::file_size(folder() / "target"), 64u << 20);
}

TEST_F(Jobs, WithoutAFileNameEachJobHasItsOwn) {
  const auto result =
      run({"fio", "--ioengine=external:" + engine(), "--name=t", "--directory=.", "--size=16m",
           "--rw=randread", "--numjobs=2", "--ethio_workload=flat-read", "--ethio_units=10"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(std::filesystem::exists(folder() / "t.0.0"));
  EXPECT_TRUE(std::filesystem::exists(folder() / "t.1.0"));
}

TEST_F(Jobs, SectionsOfOneFileArePutTogetherByNumber) {
  testing::write_file(folder() / "two.fio", "[global]\nioengine=external:" + engine() +
                                                "\nsize=16m\nfilename=target\nrw=randread\n"
                                                "ethio_units=10\nethio_out=out.json\n"
                                                "[a]\nethio_workload=flat-read\n"
                                                "[b]\nstonewall\nethio_workload=trie-read\n");
  const auto result = run({"fio", "two.fio"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json_file("out.json.0")["workload"], "flat-read");
  EXPECT_EQ(json_file("out.json.1")["workload"], "trie-read");
  EXPECT_EQ(json_file("out.json.1")["harness"]["job"], "b");
}

}  // namespace
}  // namespace ethio
