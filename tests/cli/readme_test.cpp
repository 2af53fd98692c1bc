// The commands of README.md on results: each line works as written, in the root of a checkout that
// has been built.
#include <gmock/gmock.h>

#include "tests/cli/command.h"

namespace ethio {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string readme() {
  return text_of(ETHIO_SOURCE_DIR "/README.md");
}

// The commands of a section: its lines that begin with "$ ".
std::vector<std::string> commands_under(const std::string& heading) {
  const std::string text = readme();
  const size_t begin = text.find("\n## " + heading + "\n");
  EXPECT_NE(begin, std::string::npos) << heading;
  const size_t end = text.find("\n## ", begin + 1);
  std::vector<std::string> commands;
  for (const std::string& line : lines_of(text.substr(begin, end - begin))) {
    if (line.starts_with("$ ")) commands.push_back(line.substr(2));
  }
  return commands;
}

class Readme : public CommandTest {
 protected:
  Readme() {
    std::filesystem::create_directory_symlink(ETHIO_BUILD_DIR, directory() / "build");
    std::filesystem::create_directory_symlink(ETHIO_SOURCE_DIR "/tests", directory() / "tests");
  }

  // As a shell runs it; bench over a smaller file and for fewer blocks, so that the test is quick.
  ProcessResult type(std::string command) {
    const std::string blocks = "--ethio_units=20 ";
    const size_t at = command.find(blocks);
    if (at != std::string::npos) command.replace(at, blocks.size(), "--ethio_units=2 ");
    if (command.starts_with("build/bench ")) command += " --ethio_size=32m";
    return run({"bash", "-c", command});
  }
};

TEST_F(Readme, RanksAResult) {
  const std::vector<std::string> commands = commands_under("Rank an fio result you already have");
  ASSERT_EQ(commands.size(), 1u);
  const ProcessResult result = type(commands[0]);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Place 17 of 23"));
}

TEST_F(Readme, ComparesTwoRuns) {
  const std::vector<std::string> commands = commands_under("Compare two runs");
  ASSERT_EQ(commands.size(), 3u);
  for (size_t i = 0; i < 2; ++i) {
    const ProcessResult measured = type(commands[i]);
    ASSERT_EQ(measured.exit_code, 0) << measured.err;
  }
  // A real drive under other tests may well have become slower in between; never incomparable.
  const ProcessResult compared = type(commands[2]);
  EXPECT_THAT(compared.exit_code, testing::AnyOf(0, 3)) << compared.out << compared.err;
  EXPECT_THAT(compared.out, HasSubstr("exact counters: 2 equal, 0 changed"));
}

TEST_F(Readme, WritesAReport) {
  for (const std::string& command : commands_under("Report")) {
    const ProcessResult result = type(command);
    ASSERT_EQ(result.exit_code, 0) << command << "\n" << result.err;
  }
  EXPECT_THAT(files_in(directory()),
              ElementsAre("build", "head.json", "report.html", "report.md", "tests"));
}

}  // namespace
}  // namespace ethio
