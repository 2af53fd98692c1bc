// The how-tos of docs/ do what they say: their very commands are run, at a small size.
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "tests/cli/command.h"

namespace ethio {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// The one block of a document between ```sh and ```.
std::string shell_block(const std::filesystem::path& document) {
  const std::string text = text_of(document);
  const std::string open = "```sh\n";
  const size_t begin = text.find(open) + open.size();
  return text.substr(begin, text.find("```", begin) - begin);
}

class HowToTest : public CommandTest {
 protected:
  bool has(const std::string& command) {
    return run({"sh", "-c", "command -v " + command}).exit_code == 0;
  }
};

TEST_F(HowToTest, CompareFileSystemsOnLoopDevices) {
  if (!has_engine()) GTEST_SKIP() << "libethio.so, the fio engine, was not built";
  if (geteuid() != 0) GTEST_SKIP() << "loop devices and mount need root";
  for (const char* command : {"losetup", "mkfs.ext4", "mkfs.xfs", "mkfs.btrfs"}) {
    if (!has(command)) GTEST_SKIP() << command << " is not installed";
  }
  if (run({"losetup", "--find"}).exit_code != 0) GTEST_SKIP() << "no loop device to be had";

  std::ofstream(directory() / "commands.sh")
      << shell_block(std::filesystem::path(ETHIO_SOURCE_DIR) / "docs/compare-file-systems.md");
  const std::string check =
      ethio_path() + " check --quick --repeat 1 --size 32m --runtime 100ms --json result.json";
  const ProcessResult ran =
      run({"env", "SIZE=400m", "CHECK=" + check, "bash", "-eu", "commands.sh"});
  if (ran.err.find("unknown filesystem type") != std::string::npos) GTEST_SKIP() << ran.err;
  EXPECT_THAT(ran.exit_code, ::testing::AnyOf(0, 5))
      << ran.err;  // 5: others used the drive meanwhile
  EXPECT_THAT(ran.out, AllOf(HasSubstr("/ext4 =="), HasSubstr("/xfs =="), HasSubstr("/btrfs ==")));
  EXPECT_THAT(ran.out, HasSubstr("ratio of the medians (repeats: 1)"));
  EXPECT_THAT(files_in(directory()), ::testing::ElementsAre("commands.sh", "result.json"));
}

}  // namespace
}  // namespace ethio
