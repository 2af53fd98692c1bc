#include "cli/knob_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstring>

#include "cli/subcommand.h"

namespace ethio {
namespace {

// Knobs of the harness: how accesses are done and where results go. A command that does none has no
// use for them.
constexpr std::string_view kHarnessKnobs[] = {"executor", "out", "dir", "direct"};

// As `bench`: the help of the knob says it.
constexpr uint64_t kDefaultSize = uint64_t{256} << 20;

bool is_for_streams(const KnobInfo& knob) {
  return std::strchr(knob.front_doors, 'c') != nullptr &&
         std::find(std::begin(kHarnessKnobs), std::end(kHarnessKnobs), knob.name) ==
             std::end(kHarnessKnobs);
}

}  // namespace

KnobOptions::KnobOptions(CLI::App& app) {
  for (const KnobInfo& knob : knob_table()) {
    if (!is_for_streams(knob)) continue;
    Given& given = given_.emplace_back(Given{&knob, ""});
    const bool workload = std::string_view(knob.name) == "workload";
    CLI::Option* option =
        app.add_option(workload ? "NAME" : fmt::format("--{}", knob.name), given.text, knob.help);
    option->type_name(workload ? "" : knob.value_name);
  }
}

Knobs KnobOptions::knobs() const {
  Knobs knobs;
  knobs.size_bytes = kDefaultSize;
  for (const Given& given : given_) {
    if (given.text.empty()) continue;
    try {
      set_knob(knobs, given.knob->name, given.text);
    } catch (const Error& error) {
      throw UsageError(error.what());
    }
  }
  if (knobs.workload.empty()) throw UsageError("NAME: needed; `ethio list` shows the workloads");
  return knobs;
}

}  // namespace ethio
