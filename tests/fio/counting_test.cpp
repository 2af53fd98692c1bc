// What fio counts and what the sidecar says must be the same, access for access; and the stream
// must be the catalogue's.
#include <gmock/gmock.h>

#include <fstream>
#include <set>
#include <sstream>

#include "tests/fio/fixture.h"

namespace ethio {
namespace {

struct Counts {
  uint64_t reads = 0, writes = 0, syncs = 0, read_bytes = 0, written_bytes = 0;
  bool operator==(const Counts&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Counts& c) {
    return out << c.reads << " reads of " << c.read_bytes << " B, " << c.writes << " writes of "
               << c.written_bytes << " B, " << c.syncs << " syncs";
  }
};

Counts counts_of_fio(const nlohmann::json& report) {
  Counts counts;
  for (const auto& job : report["jobs"]) {
    counts.reads += job["read"]["total_ios"].get<uint64_t>();
    counts.writes += job["write"]["total_ios"].get<uint64_t>();
    counts.syncs += job["sync"]["total_ios"].get<uint64_t>();
    counts.read_bytes += job["read"]["io_bytes"].get<uint64_t>();
    counts.written_bytes += job["write"]["io_bytes"].get<uint64_t>();
  }
  return counts;
}

void add_sidecar(const nlohmann::json& sidecar, Counts& counts) {
  const auto& access = sidecar["access"];
  counts.reads += access["read"]["count"].get<uint64_t>();
  counts.writes += access["write"]["count"].get<uint64_t>();
  counts.syncs += access["sync"]["count"].get<uint64_t>();
  counts.read_bytes += access["read"]["bytes"].get<uint64_t>();
  counts.written_bytes += access["write"]["bytes"].get<uint64_t>();
}

class Counting : public FioTest {};

TEST_F(Counting, OneJobThatEndsWithItsUnits) {
  for (const char* workload : {"chain-head", "trie-commit", "flat-read"}) {
    const auto report = fio_report(
        {std::string("--ethio_workload=") + workload, "--ethio_units=2", "--ethio_out=out.json"});
    Counts counts;
    add_sidecar(json_file("out.json"), counts);
    EXPECT_EQ(counts, counts_of_fio(report)) << workload;
    EXPECT_GT(counts.reads + counts.writes, 0u);
  }
}

TEST_F(Counting, OneJobThatEndsByTheClock) {
  const auto report = fio_report({"--ethio_workload=chain-head", "--time_based", "--runtime=2",
                                  "--direct=1", "--ethio_out=out.json"});
  Counts counts;
  add_sidecar(json_file("out.json"), counts);
  EXPECT_EQ(counts, counts_of_fio(report));
  EXPECT_GT(counts.reads, 0u);
}

TEST_F(Counting, OneJobThatEndsByNumberOfAccesses) {
  const auto report =
      fio_report({"--ethio_workload=flat-read", "--number_ios=777", "--ethio_out=out.json"});
  Counts counts;
  add_sidecar(json_file("out.json"), counts);
  EXPECT_EQ(counts, counts_of_fio(report));
  EXPECT_EQ(counts.reads, 777u);
}

TEST_F(Counting, FourJobsForkedAndThreaded) {
  for (const bool thread : {false, true}) {
    std::vector<std::string> arguments = {"--ethio_workload=chain-head", "--numjobs=4",
                                          "--time_based", "--runtime=1", "--ethio_out=out.json"};
    if (thread) arguments.push_back("--thread");
    const auto report = fio_report(arguments);
    ASSERT_EQ(report["jobs"].size(), 4u);
    Counts counts;
    std::set<std::string> digests;
    for (int job = 0; job < 4; ++job) {
      const auto sidecar = json_file("out.json." + std::to_string(job));
      add_sidecar(sidecar, counts);
      EXPECT_EQ(sidecar["jobs"], 4);
    }
    EXPECT_EQ(counts, counts_of_fio(report)) << (thread ? "threads" : "forked");
  }
}

TEST_F(Counting, InterruptedJobStillWritesItsSidecar) {
  testing::ProcessOptions options;
  options.interrupt_after = std::chrono::milliseconds(1500);
  const auto result =
      run({"fio", "--ioengine=external:" + engine(), "--name=t", "--filename=target", "--size=64m",
           "--rw=randrw", "--ethio_workload=chain-head", "--time_based", "--runtime=60",
           "--ethio_out=out.json", "--output-format=json"},
          options);
  EXPECT_FALSE(result.timed_out);
  EXPECT_GT(json_file("out.json")["access"]["read"]["count"].get<uint64_t>(), 0u);
}

TEST_F(Counting, TheStreamIsTheCatalogues) {
  std::ifstream file(ETHIO_GOLDEN_DIGESTS);
  int workloads = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string name;
    std::string digest;
    words >> name >> digest;
    const auto result = fio({"--size=256m", "--ethio_workload=" + name, "--ethio_units=20"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, ::testing::HasSubstr("stream digest " + digest)) << name;
    ++workloads;
  }
  EXPECT_GE(workloads, 5);
}

}  // namespace
}  // namespace ethio
