// Running one child process to its end: its output collected, its end certain. The child leads a
// process group of its own, so a Ctrl-C at the terminal reaches us alone and we end the child in
// good order: SIGINT first, since fio then finishes its files, SIGKILL for whatever is left, fio's
// job processes included.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "cli/process/interrupt.h"

namespace ethio {

struct ProcessRequest {
  std::vector<std::string> argv;  // argv[0] is looked up on PATH when it has no '/'
  std::string directory;          // to run in; "" = ours
  std::function<void()> tick;     // called about five times a second while it runs; may be empty
  std::chrono::milliseconds limit{0};  // 0 = none; a process that runs longer is ended
};

struct ProcessResult {
  int exit_code = -1;      // -1 when a signal ended it
  int signal = 0;          // the signal, if any
  bool timed_out = false;  // ended by us for exceeding `limit`
  std::string out;
  std::string err;
};

// Throws Error when the program cannot be started, Interrupted when a signal came (the child is
// gone by then).
ProcessResult run_process(const ProcessRequest& request, Interrupt& interrupt);

// The arguments as a person would type them in a shell, quoted where needed.
std::string shell_command(const std::vector<std::string>& argv);

}  // namespace ethio
