// Presets: named values for a whole StateSpec (workloads/state/NAME.json) or LayoutSpec
// (workloads/layout/NAME.json), compiled in, each value with its source. A definition starts from
// one and overrides what it likes. Private to spec/, but for the names.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/spec/workload_spec.h"

namespace ethio {

// What presets of both kinds have.
struct PresetBase {
  std::string name;  // file name without .json
  std::string summary;
  std::string description;
  std::map<std::string, SourceSpec> sources;
  std::map<std::string, std::string>
      cited;  // "state.accounts" -> key of `sources`, or "assumed: why"

  template <typename V>
  void fields(V& v) {
    v.label("name", name, "name of the preset", Need::kRequired);
    v.text("summary", summary, "one sentence", Need::kRequired);
    v.prose("description", description, "what the numbers are and where they disagree");
  }
};

struct StatePreset : PresetBase {
  StateSpec state;

  template <typename V>
  void fields(V& v) {
    PresetBase::fields(v);
    v.object("state", state, "every field of the state, each with its source");
    v.bibliography("sources", sources, "key -> {title, url}");
  }
};

struct LayoutPreset : PresetBase {
  LayoutSpec layout;

  template <typename V>
  void fields(V& v) {
    PresetBase::fields(v);
    v.object("layout", layout, "how a client's store lies on disk, each number with its source");
    v.bibliography("sources", sources, "key -> {title, url}");
  }
};

std::vector<std::string> state_preset_names();  // sorted
std::vector<std::string> layout_preset_names();

// nullptr if there is none of this name.
const StatePreset* state_preset(std::string_view name);
const LayoutPreset* layout_preset(std::string_view name);

// Throws Error unless the preset gives every field of the state with its source.
StatePreset parse_state_preset(std::string_view text, std::string_view origin);
// Throws Error unless every number that differs from its default has a source.
LayoutPreset parse_layout_preset(std::string_view text, std::string_view origin);

// The JSON schemas of presets, from the same field tables.
std::string state_preset_json_schema();
std::string layout_preset_json_schema();

}  // namespace ethio
