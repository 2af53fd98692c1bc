// The identity of every workload of the catalogue: golden_digests.txt. A digest changes only
// together with a deliberate change of a definition or of the model; the commit that changes it
// says which and why.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "common/spec/catalogue.h"
#include "common/spec/knobs.h"
#include "tests/stream/drive.h"

namespace ethio {
namespace {

constexpr uint64_t kTarget = 256u << 20;
constexpr uint64_t kUnits = 20;

std::map<std::string, std::string> golden_digests() {
  std::ifstream file(ETHIO_GOLDEN_DIGESTS);
  std::map<std::string, std::string> digests;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string name;
    std::string digest;
    words >> name >> digest;
    digests[name] = digest;
  }
  return digests;
}

TEST(GoldenDigests, EveryWorkloadHasItsOwnAndKeepsIt) {
  std::map<std::string, std::string> golden = golden_digests();
  for (const std::string& name : workload_names()) {
    SessionConfig config;
    Knobs knobs;
    knobs.workload = name;
    knobs.units = kUnits;
    config.spec = effective_spec(knobs);
    config.target_bytes = kTarget;
    Session session(config);
    ASSERT_TRUE(test::drive(session).ended);
    EXPECT_EQ(golden[name], to_hex(session.digest())) << name;
    golden.erase(name);
  }
  for (const auto& [name, digest] : golden) ADD_FAILURE() << name << " is not in the catalogue";
}

}  // namespace
}  // namespace ethio
