// What ends a job, and that the sidecar is whole however it ends.
#include <gmock/gmock.h>

#include <filesystem>

#include "tests/fio/counts.h"
#include "tests/fio/fixture.h"

namespace ethio {
namespace {

constexpr uint64_t kMiB = 1 << 20;
constexpr uint64_t kLongestAccess = 128 << 10;  // of chain-head

class Ending : public FioTest {
 protected:
  // A run whose two counts must be equal.
  Counts counts(std::vector<std::string> more) {
    more.emplace_back("--ethio_out=out.json");
    const Counts by_fio = counts_of_fio(fio_report(more));
    EXPECT_EQ(counts_of_sidecar(json_file("out.json")), by_fio);
    EXPECT_GT(by_fio.accesses(), 0u);
    return by_fio;
  }

  void expect_no_temporary_files() {
    for (const auto& entry : std::filesystem::directory_iterator(folder().path())) {
      EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
    }
  }
};

TEST_F(Ending, ByTheClock) {
  const Counts reads =
      counts({"--ethio_workload=uniform-read", "--size=1m", "--time_based", "--runtime=1"});
  EXPECT_GT(reads.reads, 256u);  // goes on past size=
}

TEST_F(Ending, BySize) {
  EXPECT_EQ(counts({"--ethio_workload=uniform-read", "--size=4m"}).bytes(), 4 * kMiB);
}

TEST_F(Ending, ByIoSize) {
  const Counts mixed = counts({"--ethio_workload=chain-head", "--size=16m", "--io_size=40m"});
  EXPECT_GE(mixed.bytes(), 40 * kMiB);
  EXPECT_LT(mixed.bytes(), 40 * kMiB + kLongestAccess);
}

TEST_F(Ending, ByNumberOfIos) {
  EXPECT_EQ(counts({"--ethio_workload=flat-read", "--number_ios=777"}).reads, 777u);
}

TEST_F(Ending, ByLoops) {
  EXPECT_EQ(counts({"--ethio_workload=uniform-read", "--size=1m", "--loops=3"}).reads, 3 * 256u);
  EXPECT_EQ(counts({"--ethio_workload=flat-read", "--number_ios=100", "--loops=3"}).reads, 300u);
}

TEST_F(Ending, ByUnitsWhateverTheLoops) {
  for (const char* loops : {"--loops=1", "--loops=2"}) {
    counts(
        {"--ethio_workload=chain-head", "--size=16m", "--ethio_gas=1m", "--ethio_units=3", loops});
    EXPECT_EQ(json_file("out.json")["unit"]["count"], 3);
  }
}

TEST_F(Ending, ByCtrlC) {
  testing::ProcessOptions options;
  options.interrupt_after = std::chrono::milliseconds(1500);
  const auto result =
      run({"fio", "--ioengine=external:" + engine(), "--name=t", "--filename=target", "--size=16m",
           "--rw=randrw", "--ethio_workload=chain-head", "--time_based", "--runtime=60",
           "--unlink=1", "--numjobs=2", "--ethio_out=out.json", "--output-format=json"},
          options);
  EXPECT_NE(result.exit_code, 0);
  Counts counts = counts_of_sidecar(json_file("out.json.0"));
  counts += counts_of_sidecar(json_file("out.json.1"));
  EXPECT_GT(counts.reads, 0u);
  const size_t report = result.out.find('{');  // before it fio says that it was interrupted
  ASSERT_NE(report, std::string::npos) << result.out;
  EXPECT_EQ(counts, counts_of_fio(nlohmann::json::parse(result.out.substr(report))));
  EXPECT_FALSE(std::filesystem::exists(folder() / "target"));
  expect_no_temporary_files();
}

TEST_F(Ending, ByCtrlCWhileItWaitsForASlot) {
  testing::ProcessOptions options;
  options.interrupt_after = std::chrono::milliseconds(1500);
  const auto result =
      run({"fio", "--ioengine=external:" + engine(), "--name=t", "--filename=target", "--size=16m",
           "--rw=randrw", "--ethio_workload=chain-head", "--ethio_gas=1m", "--ethio_slot_time=60s",
           "--time_based", "--runtime=60", "--ethio_out=out.json"},
          options);
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ(json_file("out.json")["unit"]["count"], 1);
  expect_no_temporary_files();
}

}  // namespace
}  // namespace ethio
