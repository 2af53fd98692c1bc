// ethio describe: what a workload does, from its definition, and what that comes to, from running
// its stream without a disk.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "cli/command_line.h"
#include "cli/fidelity/row.h"
#include "cli/knob_options.h"
#include "cli/subcommand.h"
#include "cli/walk.h"
#include "common/base/quantity.h"
#include "common/spec/parse.h"
#include "common/stream/session.h"

namespace ethio {
namespace {

// What the stream does to a target, counted over some units.
struct Measured {
  uint64_t units = 0;
  uint64_t target_bytes = 0;
  uint32_t lanes = 0;
  uint32_t largest_bytes = 0;
  std::array<uint64_t, kAccessKinds> count{};
  std::array<uint64_t, kAccessKinds> bytes{};
  std::vector<OpMetrics> ops;
  std::string notes;

  double per_unit(uint64_t sum) const {
    return static_cast<double>(sum) / static_cast<double>(units);
  }
};

// Accesses an op that has any: the length of its chain of dependent accesses.
double chain_length(const OpMetrics& op) {
  const uint64_t active = op.count - op.cached;
  return active == 0 ? 0 : static_cast<double>(op.accesses) / static_cast<double>(active);
}

Measured measure(const WorkloadSpec& spec, uint64_t target_bytes) {
  SessionConfig config;
  config.spec = spec;
  config.target_bytes = target_bytes;
  Session session(config);
  Measured measured;
  walk(session, [&](const Access& access) {
    const auto kind = static_cast<size_t>(access.kind);
    ++measured.count[kind];
    measured.bytes[kind] += access.length;
  });
  measured.units = session.units();
  measured.target_bytes = target_bytes;
  measured.lanes = session.lanes();
  measured.largest_bytes = session.max_access_bytes();
  measured.ops = session.metrics().ops;
  measured.notes = session.scaling_note();
  return measured;
}

// ---- for a person ----------------------------------------------------------------------------

void print_head(const WorkloadSpec& spec) {
  fmt::print("{}: {}\n", spec.name, spec.summary);
  if (!spec.phase.empty()) fmt::print("  phase     {}\n", spec.phase);
  if (!spec.client.empty()) fmt::print("  client    {}\n", spec.client);
  const std::string pace =
      spec.slot_time == 0 ? "back to back"
                          : "one every " + format_duration_ns(static_cast<double>(spec.slot_time));
  fmt::print("  unit      {}, {}\n", enum_name(spec.unit, kUnitKinds), pace);
  fmt::print("  state     {}: {} accounts, {} slots; {} of trie nodes cached\n", spec.state.preset,
             format_count(static_cast<double>(spec.state.accounts)),
             format_count(static_cast<double>(spec.state.slots)), format_bytes(spec.state.cache));
  fmt::print("  layout    {}\n", enum_name(spec.layout.type, kLayoutTypes));
}

template <typename Stage>
void print_stage(const Stage& stage, const char* kind, const Measured& measured, size_t& op_index) {
  fmt::print("  {:<10}{}: {} lane{}{}{}\n", kind, stage.name, stage.lanes,
             stage.lanes == 1 ? "" : "s",
             stage.gap == 0 ? ""
                            : fmt::format(" resting {} after each op",
                                          format_duration_ns(static_cast<double>(stage.gap))),
             stage.every == 1 ? "" : fmt::format(", once in {} units", stage.every));
  for (const OpSpec& op : stage.ops) {
    const OpMetrics& did = measured.ops.at(op_index++);
    const OpKindInfo& info = info_of(op.kind);
    fmt::print(
        "    {:<14} {:>10} a unit, chains of {:.2f} accesses, {:.0f} % without any: {}\n",
        info.name, format_count(measured.per_unit(did.count)), chain_length(did),
        did.count == 0 ? 0 : 100 * static_cast<double>(did.cached) / static_cast<double>(did.count),
        info.summary);
  }
}

void print_measured(const WorkloadSpec& spec, const Measured& measured) {
  fmt::print("\nPer {}, counted over {} on a target of {}\n", enum_name(spec.unit, kUnitKinds),
             measured.units, format_bytes(measured.target_bytes));
  for (size_t kind = 0; kind < kAccessKinds; ++kind) {
    if (measured.count[kind] == 0) continue;
    const double mean =
        static_cast<double>(measured.bytes[kind]) / static_cast<double>(measured.count[kind]);
    fmt::print("  {:<6} {:>10}", name_of(static_cast<AccessKind>(kind)),
               format_count(measured.per_unit(measured.count[kind])));
    if (measured.bytes[kind] > 0) {
      fmt::print("  of {} on average, {} together", format_bytes(static_cast<uint64_t>(mean)),
                 format_bytes(static_cast<uint64_t>(measured.per_unit(measured.bytes[kind]))));
    }
    fmt::print("\n");
  }
  fmt::print("  at most {} in flight, the largest {}\n", measured.lanes,
             format_bytes(measured.largest_bytes));
  if (!measured.notes.empty()) fmt::print("  {}\n", measured.notes);
}

void print_sources(const WorkloadSpec& spec) {
  fmt::print("\nSources\n");
  for (const auto& [key, source] : spec.sources) {
    fmt::print("  {}: {}{}{}\n", key, source.title, source.url.empty() ? "" : "  ", source.url);
  }
  fmt::print("\nEach number and where it is from\n");
  for (const auto& [path, source] : spec.cited) fmt::print("  {:<36} {}\n", path, source);
  for (const std::string& path : spec.uncited) fmt::print("  {:<36} (no source given)\n", path);
}

void print_text(const WorkloadSpec& spec, const Measured& measured) {
  print_head(spec);
  fmt::print(
      "\nStages, one after the other (`together`: with the one before); a stage ends when all its "
      "ops have\n");
  size_t op_index = 0;
  for (const StageSpec& stage : spec.stages)
    print_stage(stage, stage.together ? "together" : "stage", measured, op_index);
  for (const BackgroundSpec& stage : spec.background)
    print_stage(stage, "beside", measured, op_index);
  print_measured(spec, measured);
  print_sources(spec);
}

// ---- for a program -----------------------------------------------------------------------------

void print_json(const WorkloadSpec& spec, const Measured& measured) {
  using Json = nlohmann::ordered_json;
  Json accesses;
  for (size_t kind = 0; kind < kAccessKinds; ++kind) {
    accesses[name_of(static_cast<AccessKind>(kind))] = {
        {"per_unit", measured.per_unit(measured.count[kind])},
        {"bytes_per_unit", measured.per_unit(measured.bytes[kind])}};
  }
  Json ops = Json::array();
  for (const OpMetrics& op : measured.ops) {
    ops.push_back({{"name", op.name},
                   {"per_unit", measured.per_unit(op.count)},
                   {"without_access_per_unit", measured.per_unit(op.cached)},
                   {"chain_length", chain_length(op)}});
  }
  Json json = {{"schema", "ethio-description"}, {"version", 1}};
  json["definition"] = Json::parse(to_json(spec));
  json["measured"] = {{"units", measured.units}, {"target_bytes", measured.target_bytes},
                      {"lanes", measured.lanes}, {"largest_access_bytes", measured.largest_bytes},
                      {"accesses", accesses},    {"ops", ops},
                      {"notes", measured.notes}};
  fmt::print("{}\n", json.dump(1));
}

// Enough units for means that are good to a few per cent; a unit that is one op needs many.
uint64_t default_units(const WorkloadSpec& spec) {
  return spec.unit == UnitKind::kOp ? 10'000 : 16;
}

}  // namespace

int run_describe(int argc, char** argv) {
  CLI::App app(
      "What a workload does, what its stream comes to per unit, and where its numbers are from.",
      "describe");
  KnobOptions knob_options(app);
  bool json = false;
  app.add_flag("--json", json, "the effective definition, fully expanded, and the counts as JSON");
  bool fidelity = false;
  app.add_flag(
      "--fidelity", fidelity,
      "the model against what was measured on mainnet, fact by fact, with sources; no NAME");
  if (const auto exit_code = parse_command_line(app, argc, argv)) return *exit_code;
  if (fidelity) {
    fmt::print("{}", json ? fidelity_json() : fidelity_table());
    return kExitOk;
  }
  const Knobs knobs = knob_options.knobs();
  WorkloadSpec spec = effective_spec(knobs);
  WorkloadSpec bounded = spec;
  if (bounded.units == 0) bounded.units = default_units(spec);
  const Measured measured = measure(bounded, *knobs.size_bytes);
  if (json) {
    print_json(spec, measured);
  } else {
    print_text(spec, measured);
  }
  return kExitOk;
}

}  // namespace ethio
