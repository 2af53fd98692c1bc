#include "tests/support/process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <thread>

extern char** environ;

namespace ethio::testing {
namespace {

using Clock = std::chrono::steady_clock;

// What a child writes goes to memory, not to a pipe that somebody would have to empty meanwhile.
class Capture {
 public:
  Capture() : fd_(memfd_create("output", MFD_CLOEXEC)) {
    if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "memfd_create");
  }
  ~Capture() { close(fd_); }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  int fd() const { return fd_; }
  std::string text() const {
    std::string all;
    char piece[4096];
    ssize_t got;
    while ((got = pread(fd_, piece, sizeof(piece), static_cast<off_t>(all.size()))) > 0) {
      all.append(piece, static_cast<size_t>(got));
    }
    return all;
  }

 private:
  int fd_;
};

std::vector<std::string> environment_with(const std::map<std::string, std::string>& extra) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string name(*entry, strcspn(*entry, "="));
    if (!extra.contains(name)) all.emplace_back(*entry);
  }
  for (const auto& [name, value] : extra) all.push_back(name + "=" + value);
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& text : strings) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

[[noreturn]] void become(const std::string& program, char* const* argv, char* const* env,
                         const char* cwd, int out, int err) {
  const int null = open("/dev/null", O_RDONLY);
  setpgid(0, 0);
  if (dup2(null, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
      dup2(err, STDERR_FILENO) >= 0 && (cwd[0] == '\0' || chdir(cwd) == 0)) {
    execve(program.c_str(), argv, env);
  }
  _exit(127);
}

// Waits for `child`, interrupting and ending it when its time has come.
int wait_for(pid_t child, const ProcessOptions& options, bool& timed_out) {
  const Clock::time_point start = Clock::now();
  bool interrupted = options.interrupt_after.count() == 0;
  int status = 0;
  for (;;) {
    if (waitpid(child, &status, WNOHANG) == child) return status;
    const auto spent = Clock::now() - start;
    if (!interrupted && spent >= options.interrupt_after) {
      interrupted = true;
      kill(child, SIGINT);
    }
    if (spent >= options.timeout) {
      timed_out = true;
      kill(-child, SIGKILL);
      waitpid(child, &status, 0);
      return status;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& argv, const ProcessOptions& options) {
  const std::string program = find_program(argv.at(0));
  if (program.empty()) throw std::runtime_error("no program " + argv[0]);
  std::vector<std::string> arguments = argv;
  std::vector<std::string> environment = environment_with(options.env);
  const std::vector<char*> argument_pointers = pointers_to(arguments);
  const std::vector<char*> environment_pointers = pointers_to(environment);
  const Capture out;
  const Capture err;
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) {
    become(program, argument_pointers.data(), environment_pointers.data(), options.cwd.c_str(),
           out.fd(), err.fd());
  }
  ProcessResult result;
  const int status = wait_for(child, options, result.timed_out);
  result.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  result.out = out.text();
  result.err = err.text();
  return result;
}

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? name : "";
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/bin:/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string candidate = folder + "/" + name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return "";
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

TempDir::TempDir() {
  std::string pattern = (std::filesystem::temp_directory_path() / "ethio-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr)
    throw std::system_error(errno, std::generic_category(), pattern);
  path_ = pattern;
}

TempDir::~TempDir() {
  std::error_code ignored;  // a destructor must not throw; what stays is below the temporary folder
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace ethio::testing
