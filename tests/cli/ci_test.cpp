// The CI recipes, step by step: what the GitHub workflow and the GitLab template run is taken out
// of their files and run here, against the real bench on the simulated drive.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/cli/command.h"

namespace ethio {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kWorkflow = ETHIO_SOURCE_DIR "/.github/workflows/ethio-storage.yml";
constexpr const char* kTemplate = ETHIO_SOURCE_DIR "/ci/gitlab/ethio-storage.yml";
constexpr const char* kScript = ETHIO_SOURCE_DIR "/ci/storage.sh";

// What stands behind "run: " in a GitHub workflow, or is an item of a script in a GitLab template,
// and calls ours.
std::vector<std::string> steps_in(const std::string& path) {
  std::vector<std::string> steps;
  for (const std::string& line : lines_of(text_of(path))) {
    if (line.find("ci/storage.sh") == std::string::npos || line.find('#') != std::string::npos)
      continue;
    const size_t run = line.find("run: ");
    const size_t item = line.find("- ");
    steps.push_back(line.substr(run != std::string::npos ? run + 5 : item + 2));
  }
  return steps;
}

class CiRecipe : public CommandTest {
 protected:
  CiRecipe() { std::filesystem::create_directory_symlink(ETHIO_SOURCE_DIR, directory() / "ethio"); }

  // One step as the CI's shell runs it.
  ProcessResult step(const std::string& command, const std::vector<std::string>& more = {}) {
    std::vector<std::string> argv = {"env",
                                     std::string("ETHIO_BUILD_DIR=") + ETHIO_BUILD_DIR,
                                     "ETHIO_FILTER=trie-read/sim",
                                     "ETHIO_UNITS=100",
                                     "ETHIO_SIZE=64m",
                                     "ETHIO_REPETITIONS=8",
                                     "GITHUB_STEP_SUMMARY=" + (directory() / "summary.md").string(),
                                     "CI_COMMIT_BRANCH=main",
                                     "CI_DEFAULT_BRANCH=main"};
    argv.insert(argv.end(), more.begin(), more.end());
    for (const char* word : {"bash", "-e", "-c"}) argv.emplace_back(word);
    argv.push_back(command);
    return run(argv);
  }

  void run_all(const std::string& recipe) {
    for (const std::string& command : steps_in(recipe)) {
      const ProcessResult result = step(command);
      EXPECT_EQ(result.exit_code, 0) << command << "\n" << result.out << result.err;
    }
  }

  // The baseline as if the machine had been faster then.
  void speed_up_baseline(double factor) {
    const std::filesystem::path path = directory() / "ethio-storage/baseline/bench.json";
    json document = json::parse(text_of(path));
    for (json& entry : document["benchmarks"]) {
      for (auto& [key, value] : entry.items()) {
        if (key == "real_time" || key.ends_with("_us")) value = value.get<double>() / factor;
      }
    }
    std::ofstream(path) << document.dump();
  }
};

TEST_F(CiRecipe, GitHubsStepsRunMeasureAndGate) {
  ASSERT_THAT(steps_in(kWorkflow),
              testing::ElementsAre("ethio/ci/storage.sh build", "ethio/ci/storage.sh noise",
                                   "ethio/ci/storage.sh run", "ethio/ci/storage.sh compare",
                                   "ethio/ci/storage.sh accept"));
  run_all(kWorkflow);  // there is no baseline yet, so it becomes one
  run_all(kWorkflow);
  EXPECT_THAT(text_of(directory() / "summary.md"), HasSubstr("**FINE"));
  speed_up_baseline(1.3);
  const ProcessResult slow = step("ethio/ci/storage.sh compare");
  EXPECT_EQ(slow.exit_code, 3) << slow.out << slow.err;
  EXPECT_THAT(text_of(directory() / "summary.md"), HasSubstr("❌ regressed"));
  EXPECT_THAT(text_of(directory() / "ethio-storage/compare.xml"), HasSubstr("<failure"));
}

TEST_F(CiRecipe, GitLabsStepsDoTheSame) {
  ASSERT_GE(steps_in(kTemplate).size(), 4u);
  run_all(kTemplate);
  EXPECT_TRUE(std::filesystem::exists(directory() / "ethio-storage/baseline/bench.json"));
  EXPECT_TRUE(std::filesystem::exists(directory() / "ethio-storage/noise.json"));
}

TEST_F(CiRecipe, TakesTheCommandOfAClient) {
  const std::vector<std::string> command = {
      "ETHIO_REPETITIONS=4",
      std::string("ETHIO_COMMAND='") + ETHIO_BUILD_DIR +
          "/bench' --benchmark_filter=trie-read/sim --ethio_units=50 "
          "--ethio_size=64m --benchmark_out=\"$ETHIO_RESULT\" --benchmark_out_format=json"};
  EXPECT_EQ(step("ethio/ci/storage.sh run", command).exit_code, 0);
  EXPECT_EQ(files_in(directory() / "ethio-storage/new").size(), 4u);
  EXPECT_EQ(step("ethio/ci/storage.sh accept", command).exit_code, 0);
  EXPECT_THAT(step("ethio/ci/storage.sh compare", command).out, StartsWith("FINE"));
}

// Every setting of the script can be reached from both recipes.
TEST_F(CiRecipe, PassesEverySettingOn) {
  for (const char* setting :
       {"ETHIO_WORK", "ETHIO_DIR", "ETHIO_FILTER", "ETHIO_SIZE", "ETHIO_UNITS", "ETHIO_REPETITIONS",
        "ETHIO_THRESHOLD", "ETHIO_STRICT", "ETHIO_COMMAND"}) {
    EXPECT_THAT(text_of(kScript), HasSubstr(setting));
    EXPECT_THAT(text_of(kWorkflow), HasSubstr(std::string("      ") + setting + ": "));
    EXPECT_THAT(text_of(kTemplate), HasSubstr(std::string("  ") + setting + ": "));
  }
  EXPECT_EQ(step("ethio/ci/storage.sh").exit_code, 2);
  EXPECT_EQ(step("ethio/ci/storage.sh help").exit_code, 0);
}

}  // namespace
}  // namespace ethio
