// The subcommands of `ethio`: main.cpp holds the table, each row's function lives in a file of its
// own and parses its own arguments (cli/command_line.h). A function returns an exit code or throws;
// main() turns an Error into one sentence on stderr.
#pragma once

#include <cerrno>
#include <string>
#include <string_view>

#include "common/base/error.h"

namespace ethio {

// What every subcommand exits with; scripts and CI rely on the numbers.
enum ExitCode {
  kExitOk = 0,
  kExitToolError = 1,
  kExitUsage = 2,
  kExitRegression = 3,    // compare: slower than allowed
  kExitInconclusive = 4,  // compare --strict: the noise decides
  kExitVoid = 5,          // check: the numbers mean nothing, and why was said
};

// The command was asked for something that it does not do: exit code 2.
class UsageError : public Error {
 public:
  explicit UsageError(const std::string& message) : Error(EINVAL, message) {}
};

struct Subcommand {
  std::string_view name;
  std::string_view arguments;         // "DIR [--quick]": the short form for the overview
  std::string_view summary;           // one line
  int (*run)(int argc, char** argv);  // argv[0] is the subcommand's name
};

int run_check(int argc, char** argv);
int run_rank(int argc, char** argv);
int run_compare(int argc, char** argv);
int run_report(int argc, char** argv);
int run_merge(int argc, char** argv);
int run_list(int argc, char** argv);
int run_describe(int argc, char** argv);
int run_stream(int argc, char** argv);
int run_simulate(int argc, char** argv);

}  // namespace ethio
