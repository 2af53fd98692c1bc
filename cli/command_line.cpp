#include "cli/command_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/subcommand.h"

namespace ethio {

std::optional<int> parse_command_line(CLI::App& app, int argc, char** argv) {
  const std::string subcommand = app.get_name();
  app.name("ethio " + subcommand);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return kExitOk;
  } catch (const CLI::ParseError& error) {
    std::string what = error.what();
    std::replace(what.begin(), what.end(), '\n', ' ');
    throw UsageError(fmt::format("{}: {}; see `ethio {} --help`", subcommand, what, subcommand));
  }
  return std::nullopt;
}

}  // namespace ethio
