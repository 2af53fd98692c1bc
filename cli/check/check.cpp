// ethio check: is this directory's storage good enough for a node? Runs the real fio, first with
// the profiles that people publish, then with ethio's workloads, and shows both in one table.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <filesystem>

#include "cli/check/check_json.h"
#include "cli/check/runner.h"
#include "cli/check/table.h"
#include "cli/command_line.h"
#include "cli/facts/file_system.h"
#include "cli/facts/machine.h"
#include "cli/process/process.h"
#include "cli/subcommand.h"
#include "common/base/quantity.h"
#include "common/base/version.h"
#include "common/report/output_file.h"

namespace ethio {
namespace {

// The options as text, parsed after CLI11 so that every quantity is written as everywhere in ethio.
struct Texts {
  std::string size;
  std::string runtime;
  bool quick = false;
};

uint64_t quantity(const char* option, const std::string& text,
                  uint64_t (*parse)(std::string_view)) {
  if (text.empty()) return 0;
  try {
    return parse(text);
  } catch (const Error& error) {
    throw UsageError(fmt::format("check: {}: {}", option, error.what()));
  }
}

std::optional<int> parse_options(int argc, char** argv, CheckOptions& options) {
  CLI::App app(
      "Measures the storage under DIR with the real fio: published stock profiles and ethio's "
      "workloads, side by "
      "side. Works in a new directory below DIR and removes it.",
      "check");
  Texts texts;
  app.add_option("DIR", options.directory, "directory on the file system to measure")->required();
  app.add_flag("--quick", texts.quick, "shorter runs: enough to see a bad drive");
  app.add_option("--size", texts.size,
                 "size of the test file, e.g. 4g (default: 1g, less where space is short)");
  app.add_option("--runtime", texts.runtime,
                 "run time of each timed phase, e.g. 10s (default: by phase)");
  app.add_option("--json", options.json_path, "write the result to this new file");
  app.add_flag("--force", options.force,
               "also where the numbers say nothing about a drive (tmpfs, overlay)");
  if (const auto exit_code = parse_command_line(app, argc, argv)) return exit_code;
  options.pace = texts.quick ? Pace::kQuick : Pace::kNormal;
  options.size_bytes = quantity("--size", texts.size, parse_bytes);
  options.runtime_ns = quantity("--runtime", texts.runtime, parse_duration_ns);
  options.command = {"ethio"};
  options.command.insert(options.command.end(), argv, argv + argc);
  return std::nullopt;
}

// Fails before anything is measured rather than after.
void require_new(const std::string& json_path) {
  if (json_path.empty()) return;
  std::error_code ignored;
  if (std::filesystem::exists(std::filesystem::symlink_status(json_path, ignored))) {
    throw UsageError(
        fmt::format("check: --json: {} exists; give the path of a new file", json_path));
  }
  try {
    check_output_file(json_path);
  } catch (const Error& error) {
    throw UsageError(fmt::format("check: --json: {}", error.what()));
  }
}

std::string now_text() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

std::vector<FactGroup> gather_facts(const CheckOptions& options, const FioPrograms& programs,
                                    const std::vector<BlockDevice>& devices,
                                    const std::string& no_devices) {
  std::vector<FactGroup> groups = {file_system_facts(options.directory)};
  for (const BlockDevice& device : devices) groups.push_back(device_facts(device));
  if (devices.empty()) {
    groups.push_back({"device", {}});
    groups.back().add_missing("devices", no_devices);
  }
  groups.push_back(machine_facts());
  groups.push_back({"software", {}});
  groups.back().add("ethio", kVersion);
  groups.back().add("fio", programs.fio_version);
  return groups;
}

CheckResult measure(const CheckOptions& options, Interrupt& interrupt) {
  const FioPrograms programs = find_fio(interrupt);
  CheckResult result;
  result.options = options;
  result.fio_version = programs.fio_version;
  result.started = now_text();
  result.size_bytes = choose_size(options.directory, options.size_bytes);
  result.direct = supports_direct_io(options.directory);
  if (!result.direct) {
    result.remarks.push_back(
        "This file system does not do O_DIRECT: the numbers are those of the page cache as much as "
        "of the drive.");
  }
  std::string no_devices;
  const std::vector<BlockDevice> devices = device_chain(options.directory, no_devices);
  result.facts = gather_facts(options, programs, devices, no_devices);

  const PlanSettings settings = {result.size_bytes, result.direct, options.pace, options.runtime_ns,
                                 programs.engine};
  const std::vector<Phase> phases = make_phases(settings);
  fmt::print("{}\n", plan_text(phases, settings, options.directory));
  std::fflush(stdout);

  TestDirectory directory(options.directory);
  std::vector<Progress::Phase> steps;
  for (const Phase& phase : phases) steps.push_back({phase.name, phase.seconds});
  Progress progress(std::move(steps));
  PhaseRunner runner(programs, directory, devices, interrupt, progress);
  for (const Phase& phase : phases) result.phases.push_back(runner.run(phase));
  progress.clear();
  directory.remove();
  return result;
}

}  // namespace

int run_check(int argc, char** argv) {
  CheckOptions options;
  if (const auto exit_code = parse_options(argc, argv, options)) return *exit_code;
  require_fit(options.directory, options.force);
  require_new(options.json_path);
  Interrupt interrupt;
  try {
    const CheckResult result = measure(options, interrupt);
    fmt::print("{}\n{}\n{}", table_text(result), commands_text(result), facts_text(result));
    if (!options.json_path.empty()) write_output_file(options.json_path, check_json(result));
    return kExitOk;
  } catch (const Interrupted& stopped) {
    fmt::print(stderr, "ethio: check: {}; nothing was left behind\n", stopped.what());
    return stopped.exit_code();
  }
}

}  // namespace ethio
