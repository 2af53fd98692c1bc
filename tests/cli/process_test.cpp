// Running a child to its end: what it says, how it ended, and that nothing of it is left when the
// user stops us.
#include "cli/process/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace ethio {
namespace {

using ::testing::HasSubstr;

// True while a process of that number exists and is not a zombie.
bool is_running(pid_t process) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  std::getline(stat, line);
  const size_t end_of_name = line.rfind(')');
  return end_of_name != std::string::npos && line[end_of_name + 2] != 'Z';
}

TEST(Process, CollectsBothOutputsAndTheExitCode) {
  Interrupt interrupt;
  const ProcessResult result =
      run_process({{"sh", "-c", "echo out; echo err >&2; exit 3"}, "", {}, {}}, interrupt);
  EXPECT_EQ(result.out, "out\n");
  EXPECT_EQ(result.err, "err\n");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.signal, 0);
}

TEST(Process, TakesMoreOutputThanAPipeHolds) {
  Interrupt interrupt;
  const ProcessResult result =
      run_process({{"head", "-c", "1000000", "/dev/zero"}, "", {}, {}}, interrupt);
  EXPECT_EQ(result.out.size(), 1'000'000u);
}

TEST(Process, RunsInTheGivenDirectory) {
  Interrupt interrupt;
  EXPECT_EQ(run_process({{"pwd"}, "/usr", {}, {}}, interrupt).out, "/usr\n");
}

TEST(Process, SaysWhatCannotBeRun) {
  Interrupt interrupt;
  try {
    run_process({{"/nowhere/fio"}, "", {}, {}}, interrupt);
    FAIL() << "started a program that does not exist";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ENOENT);
    EXPECT_THAT(error.what(), HasSubstr("/nowhere/fio"));
  }
}

TEST(Process, ReportsTheSignalThatEndedIt) {
  Interrupt interrupt;
  const ProcessResult result = run_process({{"sh", "-c", "kill -9 $$"}, "", {}, {}}, interrupt);
  EXPECT_EQ(result.exit_code, -1);
  EXPECT_EQ(result.signal, SIGKILL);
}

TEST(Process, EndsAProcessThatTakesTooLong) {
  Interrupt interrupt;
  const auto result =
      run_process({{"sleep", "60"}, "", {}, std::chrono::milliseconds(300)}, interrupt);
  EXPECT_TRUE(result.timed_out);
}

TEST(Process, ChildrenGetTheirSignalsBack) {
  Interrupt interrupt;
  // Blocked or ignored, the child would survive its own SIGINT and say so.
  const auto result =
      run_process({{"sh", "-c", "kill -INT $$; echo survived"}, "", {}, {}}, interrupt);
  EXPECT_EQ(result.signal, SIGINT);
  EXPECT_EQ(result.out, "");
}

TEST(Process, ASignalEndsTheChildAndUnwinds) {
  Interrupt interrupt;
  ProcessRequest request{{"sleep", "60"}, "", {}, {}};
  request.tick = [] { kill(getpid(), SIGTERM); };
  try {
    run_process(request, interrupt);
    FAIL() << "went on after SIGTERM";
  } catch (const Interrupted& stopped) {
    EXPECT_EQ(stopped.signal(), SIGTERM);
    EXPECT_EQ(stopped.exit_code(), 143);
  }
}

TEST(Process, LeavesNoGrandchildThatIgnoresUsInItsOwnSession) {
  Interrupt interrupt;
  std::string pid_file = std::filesystem::temp_directory_path() / "ethio-test-XXXXXX";
  close(mkstemp(pid_file.data()));
  // As fio's job processes: a session of its own; and deaf, as one stuck in the kernel would be.
  const std::string script =
      "trap '' INT TERM; setsid sh -c 'echo $$ > " + pid_file + "; exec sleep 300' & wait; wait";
  ProcessRequest request{{"sh", "-c", script}, "", {}, {}};
  request.tick = [&] {
    if (std::filesystem::file_size(pid_file) > 0) kill(getpid(), SIGINT);
  };
  EXPECT_THROW(run_process(request, interrupt), Interrupted);
  pid_t grandchild = 0;
  std::ifstream(pid_file) >> grandchild;
  std::filesystem::remove(pid_file);
  ASSERT_GT(grandchild, 0);
  EXPECT_FALSE(is_running(grandchild));
}

TEST(Process, WritesACommandAsItWouldBeTyped) {
  EXPECT_EQ(shell_command({"fio", "--name=a b", "--rw=read", "", "it's"}),
            "fio '--name=a b' --rw=read '' 'it'\\''s'");
}

}  // namespace
}  // namespace ethio
