// ethio list: the catalogue, one line a workload.
#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/subcommand.h"
#include "common/spec/catalogue.h"

namespace ethio {

int run_list(int argc, char** argv) {
  CLI::App app("Name and summary of every built-in workload.", "list");
  if (const auto exit_code = parse_command_line(app, argc, argv)) return *exit_code;
  size_t width = 0;
  for (const std::string& name : workload_names()) width = std::max(width, name.size());
  for (const std::string& name : workload_names()) {
    fmt::print("{:<{}}  {}\n", name, width, load_workload(name).summary);
  }
  return kExitOk;
}

}  // namespace ethio
