// What fio counts and what the sidecar says must be the same, access for access; and the stream
// must be the catalogue's.
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "tests/fio/counts.h"
#include "tests/fio/fixture.h"

namespace ethio {
namespace {

class Counting : public FioTest {};

TEST_F(Counting, FioAndTheSidecarAgree) {
  for (const char* workload : {"chain-head", "trie-commit", "flat-read"}) {
    const auto report = fio_report({"--size=16m", std::string("--ethio_workload=") + workload,
                                    "--ethio_units=2", "--ethio_out=out.json"});
    const Counts counts = counts_of_sidecar(json_file("out.json"));
    EXPECT_EQ(counts, counts_of_fio(report)) << workload;
    EXPECT_GT(counts.reads + counts.writes, 0u);
  }
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
    const auto result = fio({"--size=256m", "--ethio_workload=" + name, "--ethio_units=20",
                             "--ethio_executor=null"});  // lays out no file
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, ::testing::HasSubstr("stream digest " + digest)) << name;
    ++workloads;
  }
  EXPECT_GE(workloads, 5);
}

}  // namespace
}  // namespace ethio
