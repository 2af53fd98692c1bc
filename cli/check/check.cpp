// ethio check: is this directory's storage good enough for a node? Runs the real fio, first with
// the profiles that people publish, then with ethio's workloads, shows both in one table and says
// what it means.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <deque>
#include <filesystem>

#include "cli/check/advice.h"
#include "cli/check/check_json.h"
#include "cli/check/device.h"
#include "cli/check/node_lock.h"
#include "cli/check/plan_text.h"
#include "cli/check/runner.h"
#include "cli/check/table.h"
#include "cli/check/thresholds.h"
#include "cli/check/validity.h"
#include "cli/check/verdict.h"
#include "cli/command_line.h"
#include "cli/facts/machine.h"
#include "cli/subcommand.h"
#include "common/base/quantity.h"
#include "common/base/text.h"
#include "common/base/version.h"
#include "common/report/output_file.h"

namespace ethio {
namespace {

// ---- what the user asks ------------------------------------------------------------------------

// The options as text, parsed after CLI11 so that every quantity is written as everywhere in ethio.
struct Texts {
  std::string size;
  std::string runtime;
  bool quick = false;
  bool full = false;
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

void add_options(CLI::App& app, CheckOptions& options, Texts& texts) {
  app.add_option(
         "DIR", options.directories,
         "directory on the file system to measure; several are measured in turns and compared")
      ->required();
  CLI::Option* quick =
      app.add_flag("--quick", texts.quick, "shorter runs: enough to see a bad drive");
  app.add_flag(
         "--full", texts.full,
         "longer runs, every published profile as it is, sustained writes, blocks paced by slots")
      ->excludes(quick);
  app.add_option("--client", options.client,
                 "whose blocks to run: geth, reth, besu, ... or all (default: general)");
  app.add_option("--role", options.role,
                 "role of the first verdict: validator, full, rpc, archive, sync")
      ->capture_default_str();
  app.add_option(
      "--size", texts.size,
      "size of the test file, e.g. 4g (default: 1g, full 16g, less where space is short)");
  app.add_option("--runtime", texts.runtime,
                 "run time of each timed phase, e.g. 10s (default: by phase)");
  app.add_option("--repeat", options.repeat,
                 "runs of each timed phase (default: 1, with several DIR 6)")
      ->check(CLI::Range(1, 1000));
  app.add_option("--json", options.json_path, "write the result to this new file");
  app.add_option("--device", options.device,
                 "DIR again, when it is a block device: everything on it is overwritten");
  app.add_flag("--force", options.force,
               "also where the numbers say nothing about a drive (tmpfs, overlay)");
  app.add_flag("--beside-node", options.beside_node, "also where a node has its database open");
}

void require_role(const std::string& role) {
  std::vector<std::string> names;
  for (const Role& known : built_in_roles()) {
    if (known.name == role) return;
    names.push_back(known.name);
  }
  throw UsageError(
      fmt::format("check: --role {} is not one of {}", in_quotes(role), joined(names)));
}

std::optional<int> parse_options(int argc, char** argv, CheckOptions& options) {
  CLI::App app(
      "Measures the storage under DIR with the real fio: published stock profiles and ethio's "
      "workloads, side by "
      "side. Works in a new directory below DIR and removes it.",
      "check");
  Texts texts;
  add_options(app, options, texts);
  if (const auto exit_code = parse_command_line(app, argc, argv)) return exit_code;
  options.pace = texts.quick ? Pace::kQuick : texts.full ? Pace::kFull : Pace::kNormal;
  options.size_bytes = quantity("--size", texts.size, parse_bytes);
  options.runtime_ns = quantity("--runtime", texts.runtime, parse_duration_ns);
  options.command = {"ethio"};
  options.command.insert(options.command.end(), argv, argv + argc);
  require_role(options.role);
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

void require_device_typed_twice(const CheckOptions& options) {
  if (options.directories.size() != 1 || options.directories[0] != options.device) {
    throw UsageError(fmt::format(
        "check: --device {} is not the one DIR that was given; type the device's path twice",
        options.device));
  }
  if (!is_block_device(options.device)) {
    throw UsageError(fmt::format("check: --device {} is not a block device", options.device));
  }
}

void require_fit_places(const CheckOptions& options) {
  if (!options.device.empty()) return require_device_typed_twice(options);
  for (const std::string& directory : options.directories) {
    require_fit(directory, options.force);
    const auto lock = options.beside_node ? std::nullopt : held_lock_below(directory);
    if (lock.has_value()) {
      throw UsageError(fmt::format(
          "check: a node has its database open ({}); stop it, or give --beside-node", *lock));
    }
  }
}

// ---- a run --------------------------------------------------------------------------------------

std::string now_text() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

std::vector<DriveHealth> health_of_drives(const TargetResult& target, Interrupt& interrupt) {
  std::vector<DriveHealth> health;
  for (const BlockDevice& device : target.devices) {
    if (device.kind == "disk") health.push_back(health_of(device, interrupt));
  }
  return health;
}

void describe_file_system(TargetResult& target, Interrupt& interrupt) {
  target.direct = supports_direct_io(target.directory);
  target.mount = mount_of(target.directory);
  target.space = space_of(target.directory);
  target.facts = {file_system_facts(target.directory, interrupt)};
}

// A directory or device before its first phase.
TargetResult prepare(const std::string& directory, const CheckOptions& options,
                     const DeviceHold* device, Interrupt& interrupt) {
  TargetResult target;
  target.directory = directory;
  if (device == nullptr) {
    describe_file_system(target, interrupt);
  } else {
    // No file system that would need room of its own.
    target.space = {device->bytes(), device->bytes(), 2 * device->bytes()};
  }
  target.size_bytes =
      choose_size(directory, target.space.available_bytes, options.size_bytes, options.pace);
  std::string no_devices;
  target.devices = device_chain(directory, no_devices);
  for (const BlockDevice& below : target.devices) target.facts.push_back(device_facts(below));
  if (target.devices.empty()) {
    target.facts.push_back({"device", {}});
    target.facts.back().add_missing("devices", no_devices);
  }
  target.health_before = health_of_drives(target, interrupt);
  return target;
}

std::vector<FactGroup> machine_and_software(const FioPrograms& programs) {
  FactGroup software{"software", {}};
  software.add("ethio", kVersion);
  software.add("fio", programs.fio_version);
  return {machine_facts(), std::move(software)};
}

// The phases for all directories: the same size for each, so that they can be compared.
std::vector<Phase> phases_for(std::vector<TargetResult>& targets, const CheckOptions& options,
                              const FioPrograms& programs) {
  PlanSettings settings;
  settings.size_bytes = settings.spare_bytes = ~uint64_t{0};
  for (const TargetResult& target : targets) {
    settings.size_bytes = std::min(settings.size_bytes, target.size_bytes);
    settings.direct = settings.direct && target.direct;
  }
  for (TargetResult& target : targets) {
    target.size_bytes = settings.size_bytes;
    target.direct = settings.direct;
    settings.spare_bytes =
        std::min(settings.spare_bytes, target.space.available_bytes / 2 - settings.size_bytes);
  }
  if (!options.device.empty()) settings.spare_bytes = 0;  // there is no room for files
  settings.pace = options.pace;
  settings.runtime_ns = options.runtime_ns;
  settings.heads = head_workloads(options.client);
  settings.engine = programs.engine;
  return make_phases(settings);
}

// A run of a phase in a directory, as an entry of the schedule.
struct Step {
  size_t phase;
  size_t target;
};

// Every repeat runs every phase in all directories in turn, forwards and backwards alternately
// (ABBA), so that what changes with time falls on all alike.
std::vector<Step> schedule(const std::vector<Phase>& phases, const CheckOptions& options) {
  std::vector<Step> steps;
  const size_t targets = options.directories.size();
  for (uint32_t repeat = 0; repeat < options.repeats(); ++repeat) {
    for (size_t phase = 0; phase < phases.size(); ++phase) {
      if (repeat > 0 && phases[phase].kind == PhaseKind::kLayout) continue;
      for (size_t i = 0; i < targets; ++i)
        steps.push_back({phase, repeat % 2 == 0 ? i : targets - 1 - i});
    }
  }
  return steps;
}

void run_phases(CheckResult& result, const std::vector<Phase>& phases, const FioPrograms& programs,
                Interrupt& interrupt) {
  const std::vector<Step> steps = schedule(phases, result.options);
  std::vector<Progress::Phase> shown;
  shown.reserve(steps.size());
  for (const Step& step : steps) {
    const Phase& phase = phases[step.phase];
    const bool several = result.targets.size() > 1;
    shown.push_back(
        {several ? phase.name + " " + result.targets[step.target].directory : phase.name,
         phase.seconds});
  }
  Progress progress(std::move(shown));
  std::deque<TestDirectory> directories;  // a deque, since they do not move
  std::vector<PhaseRunner> runners;
  runners.reserve(result.targets.size());
  for (TargetResult& target : result.targets) {
    for (const Phase& phase : phases) target.rows.push_back({phase, {}, {}});
    if (result.options.device.empty()) {
      directories.emplace_back(target.directory);
    } else {
      // The device under the name of the test file, so that every command stays as it is.
      directories.emplace_back(std::filesystem::temp_directory_path());
      std::filesystem::create_symlink(target.directory, directories.back().file(kTestFile));
    }
    runners.emplace_back(programs, directories.back(), target.devices, interrupt, progress);
  }
  for (const Step& step : steps) {
    result.targets[step.target].rows[step.phase].runs.push_back(
        runners[step.target].run(phases[step.phase]));
  }
  progress.clear();
  for (TestDirectory& directory : directories) directory.remove();
}

void judge(CheckResult& result, Interrupt& interrupt) {
  for (TargetResult& target : result.targets) {
    target.health_after = health_of_drives(target, interrupt);
    for (size_t i = 0; i < target.health_after.size(); ++i) {
      target.facts.push_back(health_facts(target.health_before[i], target.health_after[i]));
    }
    judge_validity(target, result.memory_bytes);
    result.verdicts.push_back(judge_roles(target, built_in_roles(), result.options.pace));
    for (std::string& line : advice_for(target)) result.advice.push_back(std::move(line));
  }
}

CheckResult measure(const CheckOptions& options, Interrupt& interrupt) {
  std::optional<DeviceHold> device;
  if (!options.device.empty()) device.emplace(options.device, interrupt);
  const FioPrograms programs = find_fio(interrupt);
  CheckResult result;
  result.options = options;
  result.fio_version = programs.fio_version;
  result.started = now_text();
  result.memory_bytes = memory_bytes();
  result.facts = machine_and_software(programs);
  for (const std::string& directory : options.directories) {
    result.targets.push_back(
        prepare(directory, options, device.has_value() ? &*device : nullptr, interrupt));
  }
  const std::vector<Phase> phases = phases_for(result.targets, options, programs);
  fmt::print("{}\n", plan_text(phases, options, result.targets.front().size_bytes));
  std::fflush(stdout);
  // What others wrote before, a build for one, must not reach the drive during the phases.
  sync();
  run_phases(result, phases, programs, interrupt);
  judge(result, interrupt);
  return result;
}

}  // namespace

int run_check(int argc, char** argv) {
  CheckOptions options;
  if (const auto exit_code = parse_options(argc, argv, options)) return *exit_code;
  require_fit_places(options);
  require_new(options.json_path);
  Interrupt interrupt;
  try {
    const CheckResult result = measure(options, interrupt);
    fmt::print("{}", report_text(result));
    if (!options.json_path.empty()) write_output_file(options.json_path, check_json(result));
    return result.void_reasons().empty() ? kExitOk : kExitVoid;
  } catch (const Interrupted& stopped) {
    fmt::print(stderr, "ethio: check: {}; nothing was left behind\n", stopped.what());
    return stopped.exit_code();
  }
}

}  // namespace ethio
