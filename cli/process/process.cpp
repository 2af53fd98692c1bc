#include "cli/process/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>

namespace ethio {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kTick{200};
constexpr std::chrono::seconds kGrace{5};  // between SIGINT and SIGKILL

// A pipe whose ends close themselves.
class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_, O_CLOEXEC) != 0) {
      throw Error(errno, "a pipe cannot be made: " + errno_text(errno));
    }
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  bool is_open() const { return ends_[0] >= 0; }
  void close_end(int index) {
    if (ends_[index] >= 0) close(ends_[index]);
    ends_[index] = -1;
  }
  // Appends what is there; closes the read end at end of file.
  void drain(std::string& text) {
    std::array<char, 65536> buffer;
    const ssize_t got = read(ends_[0], buffer.data(), buffer.size());
    if (got > 0) text.append(buffer.data(), static_cast<size_t>(got));
    if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) close_end(0);
  }

 private:
  int ends_[2] = {-1, -1};
};

// Parent of a process, from /proc/PID/stat; the second field (the name) may hold spaces and
// brackets.
pid_t parent_of(const std::filesystem::path& process) {
  std::ifstream stat(process / "stat");
  std::string line;
  std::getline(stat, line);
  const size_t end_of_name = line.rfind(')');
  if (end_of_name == std::string::npos) return 0;
  char state = 0;
  int parent = 0;
  return std::sscanf(line.c_str() + end_of_name + 1, " %c %d", &state, &parent) == 2 ? parent : 0;
}

std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> children;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (parent_of(entry.path()) == parent) children.push_back(std::stoi(name));
  }
  return children;
}

void kill_tree(pid_t root) {
  // Stopped first, so that it cannot start another child behind our back.
  kill(root, SIGSTOP);
  for (pid_t child : children_of(root)) kill_tree(child);
  kill(root, SIGKILL);
}

// The child and, since orphans come to their nearest subreaper, fio's job processes, which leave
// the group (setsid).
void kill_all_children() {
  for (;;) {
    const std::vector<pid_t> children = children_of(getpid());
    if (children.empty()) return;
    for (pid_t child : children) {
      kill_tree(child);
      waitpid(child, nullptr, 0);
    }
  }
}

[[noreturn]] void run_child(const ProcessRequest& request, const std::vector<char*>& argv,
                            const Pipe& out, const Pipe& err, const Pipe& failure,
                            const Interrupt& interrupt) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // should ethio itself be killed, fio ends too
  interrupt.restore_in_child();
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  bool ready = nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
               dup2(out.write_end(), STDOUT_FILENO) >= 0 &&
               dup2(err.write_end(), STDERR_FILENO) >= 0;
  if (ready && !request.directory.empty()) ready = chdir(request.directory.c_str()) == 0;
  if (ready) execvp(argv[0], argv.data());
  const int code = errno;
  const ssize_t told = write(failure.write_end(), &code, sizeof(code));
  _exit(told == sizeof(code) ? 127 : 126);
}

// Forks and waits until exec has happened; throws when it could not.
pid_t start(const ProcessRequest& request, Pipe& out, Pipe& err, const Interrupt& interrupt) {
  std::vector<char*> argv;
  for (const std::string& argument : request.argv)
    argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  Pipe failure;
  const pid_t child = fork();
  if (child < 0) throw Error(errno, "a process cannot be started: " + errno_text(errno));
  if (child == 0) run_child(request, argv, out, err, failure, interrupt);
  out.close_end(1);
  err.close_end(1);
  failure.close_end(1);
  int code = 0;
  if (read(failure.read_end(), &code, sizeof(code)) == sizeof(code)) {
    waitpid(child, nullptr, 0);
    throw Error(code, fmt::format("{}: cannot be run: {}", request.argv[0], errno_text(code)));
  }
  return child;
}

// The child while it runs: polls its output, the signals and the clock.
class Running {
 public:
  Running(const ProcessRequest& request, Interrupt& interrupt)
      : request_(request), interrupt_(interrupt) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    child_ = start(request, out_, err_, interrupt);
  }

  ProcessResult wait() {
    const Clock::time_point begin = Clock::now();
    try {
      while (!done()) {
        poll_once(false);
        interrupt_.check();
        if (request_.tick) request_.tick();
        if (request_.limit.count() > 0 && Clock::now() - begin > request_.limit) {
          result_.timed_out = true;
          end();
        }
      }
    } catch (...) {
      end();
      throw;
    }
    return std::move(result_);
  }

 private:
  bool done() {
    if (!exited_) {
      int status = 0;
      if (waitpid(child_, &status, WNOHANG) != child_) return false;
      exited_ = true;
      result_.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
      result_.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    }
    return !out_.is_open() && !err_.is_open();
  }

  // Takes in output; wakes early for a signal unless it is being ended already.
  void poll_once(bool ending) {
    pollfd fds[] = {{out_.read_end(), POLLIN, 0},
                    {err_.read_end(), POLLIN, 0},
                    {ending ? -1 : interrupt_.fd(), POLLIN, 0}};
    poll(fds, 3, static_cast<int>(kTick.count()));
    if (fds[0].revents != 0) out_.drain(result_.out);
    if (fds[1].revents != 0) err_.drain(result_.err);
  }

  // In good order, then by force. Leaves no process behind.
  void end() {
    if (!exited_) kill(-child_, SIGINT);
    const Clock::time_point limit = Clock::now() + kGrace;
    while (!done() && Clock::now() < limit) poll_once(true);
    if (!done()) kill_all_children();
    exited_ = true;
    out_.close_end(0);
    err_.close_end(0);
  }

  const ProcessRequest& request_;
  Interrupt& interrupt_;
  Pipe out_, err_;
  pid_t child_ = -1;
  bool exited_ = false;
  ProcessResult result_;
};

}  // namespace

ProcessResult run_process(const ProcessRequest& request, Interrupt& interrupt) {
  interrupt.check();
  return Running(request, interrupt).wait();
}

std::string shell_command(const std::vector<std::string>& argv) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  std::string command;
  for (const std::string& argument : argv) {
    if (!command.empty()) command += ' ';
    if (!argument.empty() && argument.find_first_not_of(kPlain) == std::string::npos) {
      command += argument;
      continue;
    }
    command += '\'';
    for (char c : argument) command += c == '\'' ? std::string("'\\''") : std::string(1, c);
    command += '\'';
  }
  return command;
}

}  // namespace ethio
