// ethio simulate: a workload on a simulated drive, in virtual time. Equal settings give equal
// results, to the bit and on every machine: for asking what a drive property is worth, not whether
// a drive is good enough.
#include <fmt/format.h>

#include <list>
#include <string>

#include "cli/command_line.h"
#include "cli/knob_options.h"
#include "cli/subcommand.h"
#include "common/base/quantity.h"
#include "common/report/session_text.h"
#include "common/spec/range.h"
#include "gbench-suite/workload_run.h"

namespace ethio {
namespace {

constexpr uint64_t kDefaultUnits = 20;
constexpr uint64_t kSecond = 1'000'000'000;

// A property of the simulated drive as an option: --read-latency 80us.
struct DriveOption {
  const char* name;
  uint64_t SimDrive::*member;
  Range range;
};

constexpr DriveOption kDriveOptions[] = {
    {"--read-latency",
     &SimDrive::read_median_ns,
     {Quantity::kDurationNs, 1'000, kSecond, "service time of a small read: half are faster"}},
    {"--read-tail",
     &SimDrive::read_tail_ns,
     {Quantity::kDurationNs, 1'000, 10 * kSecond, "one read in a thousand is slower"}},
    {"--write-latency",
     &SimDrive::write_ns,
     {Quantity::kDurationNs, 0, kSecond, "service time of a write that the cache takes"}},
    {"--sync-latency", &SimDrive::sync_ns, {Quantity::kDurationNs, 0, kSecond, "a flush"}},
    {"--write-cache",
     &SimDrive::cache_bytes,
     {Quantity::kBytes, 0, uint64_t{1} << 40, "written at link speed until full; 0 = none"}},
    {"--drain",
     &SimDrive::drain_bytes_per_s,
     {Quantity::kBytesPerSecond, 1 << 20, uint64_t{1} << 40, "a second, what the cache drains at"}},
    {"--link",
     &SimDrive::link_bytes_per_s,
     {Quantity::kBytesPerSecond, 1 << 20, uint64_t{1} << 40, "a second, what the link moves"}}};

class DriveOptions {
 public:
  explicit DriveOptions(CLI::App& app) {
    const SimDrive defaults;
    for (const DriveOption& option : kDriveOptions) {
      std::string& text = texts_.emplace_back();
      const uint64_t value = defaults.*option.member;
      app.add_option(
          option.name, text,
          fmt::format("{}, {}; left out: {}", option.range.help, range_text(option.range),
                      exact_text(option.range.quantity, value)));
    }
  }

  // Throws UsageError.
  SimDrive drive() const {
    SimDrive drive;
    auto text = texts_.begin();
    for (const DriveOption& option : kDriveOptions) {
      const std::string& given = *text++;
      if (given.empty()) continue;
      try {
        drive.*option.member = parse_in_range(given, option.range);
      } catch (const Error& error) {
        throw UsageError(fmt::format("simulate: {}: {}", option.name, error.what()));
      }
    }
    if (drive.read_tail_ns < drive.read_median_ns) {
      throw UsageError(fmt::format("simulate: --read-tail: {} is below --read-latency, {}",
                                   format_duration_ns(static_cast<double>(drive.read_tail_ns)),
                                   format_duration_ns(static_cast<double>(drive.read_median_ns))));
    }
    return drive;
  }

 private:
  std::list<std::string> texts_;  // a list, since CLI11 keeps pointers to the texts
};

}  // namespace

int run_simulate(int argc, char** argv) {
  CLI::App app(
      "Runs a workload on a simulated drive in virtual time and prints what it would take: latency "
      "of accesses, ops and units. The drive is a model with assumed properties, each an option.",
      "simulate");
  KnobOptions knob_options(app);
  const DriveOptions drive_options(app);
  bool json = false;
  app.add_flag("--json", json, "the result as a harness writes it (result.schema.json)");
  if (const auto exit_code = parse_command_line(app, argc, argv)) return *exit_code;

  Knobs knobs = knob_options.knobs();
  if (knobs.units == 0) knobs.units = kDefaultUnits;
  SessionConfig config;
  config.spec = effective_spec(knobs);
  config.target_bytes = *knobs.size_bytes;
  ExecutorConfig executor;
  executor.sim = drive_options.drive();
  WorkloadRun run(config, "sim", executor);
  run.annotate("name", "ethio simulate");
  run.loop().run_units(knobs.units);
  run.loop().settle();
  const SessionResult result = run.result();
  fmt::print("{}", json ? to_json(result) : to_text(result));
  return kExitOk;
}

}  // namespace ethio
