// Arguments of one subcommand, parsed by CLI11. Included only by the subcommands' own files, so
// that CLI11 is compiled where it is used.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>

namespace ethio {

// Parses argv[1..]; nullopt means go on. --help prints the help and gives kExitOk; anything wrong
// throws UsageError with one sentence that names the subcommand.
std::optional<int> parse_command_line(CLI::App& app, int argc, char** argv);

}  // namespace ethio
