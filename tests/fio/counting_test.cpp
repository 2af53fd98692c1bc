// What fio counts and what the sidecar says must be the same, access for access; and the stream
// must be the catalogue's.
#include <gmock/gmock.h>

#include <algorithm>
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

// One of each kind; that all digests hold is for the tests of the stream.
constexpr const char* kWorkloads[] = {"uniform-read",   "flat-read",       "trie-read",
                                      "trie-commit",    "chain-head-geth", "chain-head-reth",
                                      "chain-head-besu"};

class Digest : public FioTest, public ::testing::WithParamInterface<const char*> {};

TEST_P(Digest, IsTheCatalogues) {
  std::ifstream file(ETHIO_GOLDEN_DIGESTS);
  std::string golden;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    std::string digest;
    words >> name >> digest;
    if (name == GetParam()) golden = digest;
  }
  ASSERT_NE(golden, "") << GetParam() << " is not in the list";
  const auto result = fio({"--size=256m", std::string("--ethio_workload=") + GetParam(),
                           "--ethio_units=20", "--ethio_executor=null"});  // lays out no file
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, ::testing::HasSubstr("stream digest " + golden));
}

INSTANTIATE_TEST_SUITE_P(Some, Digest, ::testing::ValuesIn(kWorkloads), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace ethio
