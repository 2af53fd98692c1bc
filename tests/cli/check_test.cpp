// ethio check as a user runs it: the real fio, the real engine, a small file and short phases.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/facts/file_system.h"
#include "common/base/quantity.h"
#include "tests/cli/command.h"
#include "tests/support/json_schema.h"

namespace ethio {
namespace {

using Json = nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
namespace fs = std::filesystem;

class CheckTest : public CommandTest {
 protected:
  void SetUp() override {
    if (!has_engine()) GTEST_SKIP() << "libethio.so, the fio engine, was not built";
    if (!supports_direct_io(directory()))
      GTEST_SKIP() << "the build folder's file system does not do O_DIRECT";
    fs::create_directory(target());
  }

  fs::path target() const { return directory() / "data"; }

  std::vector<std::string> short_check() const {
    return {"check", target(), "--quick", "--size", "32m", "--runtime", "400ms"};
  }

  ProcessResult check(std::vector<std::string> more) {
    std::vector<std::string> arguments = short_check();
    arguments.insert(arguments.end(), more.begin(), more.end());
    return ethio(arguments);
  }
};

// ---- a whole run --------------------------------------------------------------------------------

std::string shown_count(const Json& value) {
  return value == 0 ? "-" : format_count(value);
}
std::string shown_time(const Json& value) {
  return value.is_null() ? "-" : format_duration_ns(value);
}

// What the table must show for a phase of the JSON that ran once.
std::vector<std::string> expected_cells(const Json& phase) {
  const Json& run = phase.at("runs").at(0);
  std::vector<std::string> cells = {phase.at("name"), shown_count(run.at("read").at("iops")),
                                    shown_count(run.at("write").at("iops")),
                                    phase.at("latency_of")};
  const std::map<std::string, std::string> sections = {
      {"reads", "read"}, {"writes", "write"}, {"syncs", "sync"}};
  const auto section = sections.find(phase.at("latency_of"));
  const Json latency =
      section == sections.end() ? Json() : run.at(section->second).at("latency_ns");
  for (const char* percentile : {"p50", "p99", "p99.9"}) {
    cells.push_back(latency.is_null() ? "-" : shown_time(latency.at(percentile)));
  }
  const Json& result = run.at("result");
  if (result.is_null()) {
    cells.insert(cells.end(), {"-", "-", "-"});
  } else {
    cells.push_back(result.at("unit").at("kind"));
    for (const char* percentile : {"p50", "p99"}) {
      const bool none = result.at("unit").at("count") == 0;
      cells.push_back(none ? "-"
                           : format_duration_ns(result.at("unit").at("latency_ns").at(percentile)));
    }
  }
  return cells;
}

// The table's rows by name.
std::map<std::string, std::vector<std::string>> rows_of(const std::string& text) {
  std::map<std::string, std::vector<std::string>> rows;
  for (const std::string& line : lines_of(text)) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() == 10) rows[cells[0]] = cells;
  }
  return rows;
}

void expect_bounds_kept(const Json& phase, const Json& run) {
  // fio looks at the bound before it issues, so what is in flight comes on top.
  const uint64_t slack = 64 << 20;
  const Json& planned = phase.at("planned");
  EXPECT_LE(run.at("write").at("bytes"), planned.at("written_bytes").get<uint64_t>() + slack);
  EXPECT_LE(run.at("read").at("bytes"), planned.at("read_bytes").get<uint64_t>() + slack);
}

void expect_fio_and_engine_agree(const Json& run) {
  for (const char* kind : {"read", "write"}) {
    EXPECT_EQ(run.at(kind).at("count"), run.at("result").at("access").at(kind).at("count"));
    EXPECT_EQ(run.at(kind).at("bytes"), run.at("result").at("access").at(kind).at("bytes"));
  }
}

// Fine, or void with the reason said: on a shared machine others may use the drive meanwhile.
void expect_fine_or_void(const ProcessResult& ran, const Json& json) {
  const Json& reasons = json.at("void_reasons");
  ASSERT_EQ(ran.exit_code, reasons.empty() ? 0 : 5) << ran.err;
  if (reasons.empty()) return;
  EXPECT_THAT(ran.out, HasSubstr("VOID: " + reasons.at(0).get<std::string>()));
}

// One run, and all that is asked of it.
TEST_F(CheckTest, PrintsPlanVerdictTableFactsAndCommandsAndLeavesOnlyTheJson) {
  const ProcessResult ran = check({"--json", "result.json"});
  EXPECT_THAT(files_in(target()), IsEmpty());
  ASSERT_THAT(files_in(directory()), ElementsAre("data", "result.json")) << ran.err;
  const Json json = Json::parse(std::ifstream(directory() / "result.json"));
  EXPECT_EQ(errors_against_schema("workloads/schema/check.schema.json", json), "");
  expect_fine_or_void(ran, json);

  EXPECT_THAT(ran.out, StartsWith("Plan: 8 runs of fio over one file of 32 MiB"));
  EXPECT_THAT(ran.out,
              AllOf(HasSubstr("writes at most"), HasSubstr("file system"), HasSubstr("kernel"),
                    HasSubstr("not comparable with published numbers: 32 MiB instead")));
  const std::string verdict = ran.exit_code == 0 ? " for validator: " : "VOID: ";
  EXPECT_THAT(ran.out, HasSubstr(verdict));
  // Plain lines where there is no terminal.
  EXPECT_THAT(ran.err, AllOf(HasSubstr("[1/8] layout"), HasSubstr("[8/8] chain-head"),
                             Not(HasSubstr("\r"))));

  const Json& target = json.at("targets").at(0);
  EXPECT_EQ(target.at("size_bytes"), 32 << 20);
  const auto rows = rows_of(ran.out);
  std::vector<std::string> names;
  for (const Json& phase : target.at("phases")) {
    names.push_back(phase.at("name"));
    SCOPED_TRACE(names.back());
    const Json& run = phase.at("runs").at(0);
    EXPECT_THAT(ran.out, HasSubstr(run.at("command").get<std::string>()));
    expect_bounds_kept(phase, run);
    if (!run.at("result").is_null()) expect_fio_and_engine_agree(run);
    if (names.back() == "layout") continue;
    ASSERT_TRUE(rows.contains(names.back()));
    EXPECT_EQ(rows.at(names.back()), expected_cells(phase));
  }
  EXPECT_THAT(names, ElementsAre("layout", "hall-of-blame", "random-read-qd1", "fdatasync",
                                 "flat-read", "trie-read", "trie-commit", "chain-head"));
}

TEST_F(CheckTest, SeveralDirectoriesAreRunInTurnsAndCompared) {
  fs::create_directory(directory() / "other");
  const ProcessResult ran =
      ethio({"check", target(), directory() / "other", "--quick", "--size", "16m", "--runtime",
             "100ms", "--repeat", "2", "--json", "result.json"});
  EXPECT_THAT(files_in(target()), IsEmpty());
  EXPECT_THAT(files_in(directory() / "other"), IsEmpty());
  ASSERT_TRUE(fs::exists(directory() / "result.json")) << ran.err;
  const Json json = Json::parse(std::ifstream(directory() / "result.json"));
  expect_fine_or_void(ran, json);
  EXPECT_EQ(errors_against_schema("workloads/schema/check.schema.json", json), "");
  ASSERT_EQ(json.at("targets").size(), 2u);
  for (const Json& target : json.at("targets")) {
    for (const Json& phase : target.at("phases")) {
      EXPECT_EQ(phase.at("runs").size(), phase.at("name") == "layout" ? 1u : 2u);
    }
  }
  EXPECT_THAT(ran.out,
              AllOf(HasSubstr("ratio of the medians (repeats: 2)"), HasSubstr("none shown"),
                    HasSubstr("With --repeat 2 nothing can be shown")));
  // There and back: the first repeat begins with the one directory, the second with the other.
  const size_t first = ran.err.find("hall-of-blame " + target().string());
  const size_t second = ran.err.find("hall-of-blame " + (directory() / "other").string());
  EXPECT_LT(first, second);
  EXPECT_LT(ran.err.rfind("hall-of-blame " + (directory() / "other").string()),
            ran.err.rfind("hall-of-blame " + target().string()));
}

// ---- stopped in the middle
// -----------------------------------------------------------------------

// Starts ethio in the background, waits until `ready`, sends a signal, and gives its wait status.
class Background {
 public:
  Background(const std::string& program, std::vector<std::string> arguments,
             const fs::path& output) {
    arguments.insert(arguments.begin(), program);
    std::vector<char*> argv;
    argv.reserve(arguments.size() + 1);
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    child_ = fork();
    if (child_ == 0) {
      const int file = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      dup2(file, STDOUT_FILENO);
      dup2(file, STDERR_FILENO);
      execv(argv[0], argv.data());
      _exit(127);
    }
  }
  bool is_running() { return !done_ && !collect(WNOHANG); }
  int end_with(int signal) {
    kill(child_, signal);
    if (!done_) collect(0);
    return status_;
  }

 private:
  bool collect(int flags) {
    done_ = waitpid(child_, &status_, flags) == child_;
    return done_;
  }
  pid_t child_ = -1;
  int status_ = 0;
  bool done_ = false;
};

// Processes of anybody whose working directory lies below `folder`.
std::vector<std::string> processes_in(const fs::path& folder) {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::error_code error;
    const fs::path cwd = fs::read_symlink(entry.path() / "cwd", error);
    if (!error && cwd.string().rfind(folder.string(), 0) == 0)
      found.push_back(entry.path().filename());
  }
  return found;
}

class InterruptedCheckTest : public CheckTest, public ::testing::WithParamInterface<int> {};

TEST_P(InterruptedCheckTest, LeavesNoFileAndNoProcess) {
  std::vector<std::string> arguments = short_check();
  arguments.back() = "60s";  // long enough to be stopped in the middle of the first timed phase
  arguments.insert(arguments.end(), {"--json", directory() / "result.json"});
  Background check(ethio_path(), arguments, directory() / "output");
  const auto in_timed_phase = [&] { return read("output").find("[2/8]") != std::string::npos; };
  while (check.is_running() && !in_timed_phase())
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  ASSERT_TRUE(check.is_running());
  EXPECT_THAT(processes_in(target()), Not(IsEmpty()));

  const int status = check.end_with(GetParam());
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 128 + GetParam());
  EXPECT_THAT(files_in(target()), IsEmpty());
  EXPECT_THAT(processes_in(target()), IsEmpty());
  EXPECT_THAT(files_in(directory()), ElementsAre("data", "output"));
}

INSTANTIATE_TEST_SUITE_P(Signals, InterruptedCheckTest, ::testing::Values(SIGINT, SIGTERM, SIGHUP),
                         [](const auto& info) {
                           return std::string("SIG") + sigabbrev_np(info.param);
                         });

// ---- what goes wrong
// -----------------------------------------------------------------------------

// One sentence on stderr that begins with "ethio: ", and no file.
void expect_one_sentence(const ProcessResult& ran, int exit_code, const std::string& about) {
  EXPECT_EQ(ran.exit_code, exit_code) << ran.err;
  std::vector<std::string> sentences;
  for (const std::string& line : lines_of(ran.err)) {
    if (!line.starts_with('[')) sentences.push_back(line);  // progress lines begin with a bracket
  }
  ASSERT_EQ(sentences.size(), 1u) << ran.err;
  EXPECT_THAT(sentences[0], AllOf(StartsWith("ethio: "), HasSubstr(about)));
}

TEST_F(CheckTest, RefusesWhatIsNoPlaceForATest) {
  std::ofstream(directory() / "file") << "mine";
  expect_one_sentence(ethio({"check"}), 2, "DIR");
  expect_one_sentence(ethio({"check", "nowhere"}), 2, "no such directory");
  expect_one_sentence(ethio({"check", "file"}), 2, "is not a directory");
  expect_one_sentence(check({"--frobnicate"}), 2, "--frobnicate");
  expect_one_sentence(check({"--json", directory() / "file"}), 2, "exists");
  expect_one_sentence(check({"--json", "nowhere/r.json"}), 2, "nowhere");
  expect_one_sentence(ethio({"check", target(), "--size", "lots"}), 2, "--size");
  expect_one_sentence(check({"--full"}), 2, "--full");
  expect_one_sentence(check({"--role", "miner"}), 2, "'miner' is not one of validator, full, rpc");
  expect_one_sentence(check({"--client", "parity"}), 2, "'parity' is not one of");
  expect_one_sentence(check({"--repeat", "0"}), 2, "--repeat");
  expect_one_sentence(ethio({"check", target(), "--size", "4k"}), 2, "too small");
  expect_one_sentence(ethio({"check", target(), "--size", "900t"}), 1, "free");
  EXPECT_THAT(files_in(target()), IsEmpty());
}

TEST_F(CheckTest, RefusesMemoryUnlessForced) {
  const char* memory = "/dev/shm";
  if (!fs::exists(memory) || mount_of(memory).type != "tmpfs")
    GTEST_SKIP() << memory << " is no tmpfs here";
  expect_one_sentence(ethio({"check", memory}), 2, "tmpfs");
}

TEST_F(CheckTest, RefusesToDisturbANode) {
  fs::create_directory(target() / "chaindata");
  const int lock = open((target() / "chaindata/LOCK").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_EQ(flock(lock, LOCK_EX), 0);
  expect_one_sentence(check({}), 2, "a node has its database open");
  close(lock);
}

TEST_F(CheckTest, RefusesABlockDevice) {
  for (const auto& device : fs::directory_iterator("/dev")) {
    if (!device.is_block_file()) continue;
    expect_one_sentence(ethio({"check", device.path()}), 2, "is a block device");
    return;
  }
  GTEST_SKIP() << "no block device in /dev";
}

TEST_F(CheckTest, SaysWhenFioIsMissing) {
  std::vector<std::string> argv = {"env", "ETHIO_FIO=/nowhere/fio", ethio_path()};
  for (const std::string& argument : short_check()) argv.push_back(argument);
  expect_one_sentence(run(argv), 1, "/nowhere/fio");
  argv[1] = "ETHIO_ENGINE=/nowhere/libethio.so";
  expect_one_sentence(run(argv), 1, "/nowhere/libethio.so");
  EXPECT_THAT(files_in(target()), IsEmpty());
}

TEST_F(CheckTest, SaysWhyFioFailedAndLeavesNothing) {
  // Files may not grow beyond 8 MiB: the layout of 32 MiB fails inside fio.
  std::string command = "ulimit -f 16384; trap '' XFSZ; exec " + ethio_path();
  for (const std::string& argument : short_check()) command += " " + argument;
  expect_one_sentence(run({"bash", "-c", command}), 1, "phase layout");
  EXPECT_THAT(files_in(target()), IsEmpty());
}

}  // namespace
}  // namespace ethio
