// Runs a program as a user would and gives back all that it said: for the end-to-end tests of the
// engine, bench and the command. A folder of its own for its files comes with it.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace ethio::testing {

struct ProcessOptions {
  std::filesystem::path cwd;               // "" = the test's own
  std::map<std::string, std::string> env;  // on top of the test's environment
  std::chrono::milliseconds timeout{120'000};
  std::chrono::milliseconds interrupt_after{0};  // send SIGINT, as Ctrl-C does; 0 = never
};

struct ProcessResult {
  int exit_code = 0;  // 128 + n after a death by signal n
  bool timed_out = false;
  std::string out;
  std::string err;
};

// argv[0] is looked up on the PATH. Throws std::runtime_error when it cannot be started.
ProcessResult run_process(const std::vector<std::string>& argv, const ProcessOptions& options = {});

// The program's place on the PATH, "" if it is not there.
std::string find_program(const std::string& name);

std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, const std::string& text);

// A fresh folder below the temporary folder, removed with all it holds.
class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace ethio::testing
