// ethio: the operator's command. One row a subcommand; each lives in a file of its own.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <span>
#include <string_view>

#include "cli/subcommand.h"
#include "common/ethio.h"

namespace ethio {
namespace {

constexpr Subcommand kSubcommands[] = {
    {"check", "DIR [--quick]", "measure the storage under DIR: stock fio beside ethio's workloads",
     run_check},
    {"rank", "FILE... [--json]", "place fio results among the drives of a public table", run_rank},
    {"compare", "BASE NEW [--threshold 5%]", "whether the new results are slower: for CI",
     run_compare},
    {"report", "RESULT... -o FILE", "results as a page with charts, Markdown, JUnit XML or JSON",
     run_report},
    {"merge", "FILE... -o OUT", "the results of the jobs of one run as one", run_merge},
    {"list", "", "name and summary of every workload", run_list},
    {"describe", "NAME [--json]", "what a workload does and where its numbers are from",
     run_describe},
    {"stream", "NAME [--digest|--iolog]", "the accesses of a workload, or their identity",
     run_stream},
    {"simulate", "NAME [--read-latency 80us]", "a workload on a simulated drive, in virtual time",
     run_simulate},
};

const Subcommand* find_subcommand(std::string_view name) {
  for (const Subcommand& subcommand : kSubcommands) {
    if (subcommand.name == name) return &subcommand;
  }
  return nullptr;
}

std::string subcommand_names() {
  std::string names;
  for (const Subcommand& subcommand : kSubcommands) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", subcommand.name);
  }
  return names;
}

void print_overview() {
  fmt::print(
      "ethio {}: storage benchmarks shaped like an Ethereum node.\n\n"
      "usage: ethio SUBCOMMAND ...\n\n",
      ethio_version());
  for (const Subcommand& subcommand : kSubcommands) {
    fmt::print("  {:<9} {:<26} {}\n", subcommand.name, subcommand.arguments, subcommand.summary);
  }
  fmt::print(
      "\n`ethio SUBCOMMAND --help` lists the options. Exit codes: 0 fine, 1 tool error, 2 usage,\n"
      "3 regression, 4 inconclusive, 5 void.\n");
}

// `ethio help check` is `ethio check --help`.
int run_help(std::span<char*> arguments) {
  if (arguments.empty()) {
    print_overview();
    return kExitOk;
  }
  const Subcommand* subcommand = find_subcommand(arguments[0]);
  if (subcommand == nullptr) {
    throw UsageError(
        fmt::format("'{}' is not a subcommand; it is one of {}", arguments[0], subcommand_names()));
  }
  char help[] = "--help";
  char* argv[] = {arguments[0], help, nullptr};
  return subcommand->run(2, argv);
}

int run(int argc, char** argv) {
  if (argc < 2) {
    throw UsageError(fmt::format("a subcommand is missing; it is one of {}; see `ethio help`",
                                 subcommand_names()));
  }
  const std::string_view first = argv[1];
  if (first == "--version") {
    fmt::print("ethio {}\n", ethio_version());
    return kExitOk;
  }
  if (first == "help" || first == "--help" || first == "-h") {
    return run_help(std::span(argv + 2, static_cast<size_t>(argc - 2)));
  }
  const Subcommand* subcommand = find_subcommand(first);
  if (subcommand == nullptr) {
    throw UsageError(fmt::format("'{}' is not a subcommand; it is one of {}; see `ethio help`",
                                 first, subcommand_names()));
  }
  return subcommand->run(argc - 1, argv + 1);
}

}  // namespace
}  // namespace ethio

// fprintf, because fmt would throw where stderr cannot be written to.
int main(int argc, char** argv) {
  try {
    const int code = ethio::run(argc, argv);
    if (std::fflush(stdout) != 0) {
      std::fputs("ethio: standard output cannot be written\n", stderr);
      return ethio::kExitToolError;
    }
    return code;
  } catch (const ethio::UsageError& error) {
    std::fprintf(stderr, "ethio: %s\n", error.what());
    return ethio::kExitUsage;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ethio: %s\n", error.what());
    return ethio::kExitToolError;
  }
}
