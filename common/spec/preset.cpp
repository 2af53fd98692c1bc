#include "common/spec/preset.h"

#include <fmt/format.h>

#include <cerrno>

#include "common/base/embedded.h"
#include "common/base/error.h"
#include "common/spec/json.h"
#include "common/spec/reader.h"

namespace ethio {
namespace {

constexpr std::string_view kFolder = "state/";
constexpr std::string_view kSuffix = ".json";

using Presets = std::map<std::string, StatePreset, std::less<>>;

Presets parse_all() {
  Presets presets;
  for (const EmbeddedFile& file : workloads::files()) {
    if (!file.name.starts_with(kFolder)) continue;
    StatePreset preset = parse_state_preset(file.text, file.name);
    const std::string stem(
        file.name.substr(kFolder.size(), file.name.size() - kFolder.size() - kSuffix.size()));
    if (preset.name != stem) {
      throw Error(EINVAL, fmt::format("{}: name: '{}' is not the file's '{}'", file.name,
                                      preset.name, stem));
    }
    presets.emplace(stem, std::move(preset));
  }
  return presets;
}

const Presets& all() {
  static const Presets presets = parse_all();
  return presets;
}

}  // namespace

std::vector<std::string> state_preset_names() {
  std::vector<std::string> names;
  for (const auto& entry : all()) names.push_back(entry.first);
  return names;
}

const StatePreset* state_preset(std::string_view name) {
  const auto found = all().find(name);
  return found == all().end() ? nullptr : &found->second;
}

StatePreset parse_state_preset(std::string_view text, std::string_view origin) {
  const Json json = read_json(text, origin);
  ReadContext context(origin);
  context.allow_preset = false;
  StatePreset preset;
  Reader(context, json, "").read(preset);
  preset.cited = std::move(context.cited);
  preset.state.preset = preset.name;
  KeyNames keys;
  preset.state.fields(keys);
  for (const std::string& key : keys.names()) {
    const std::string path = member_path("state", key);
    if (key != "preset" && !preset.cited.contains(path)) {
      throw Error(EINVAL, fmt::format("{}: {}: needed, as {{\"value\": ..., \"source\": ...}}",
                                      origin, path));
    }
  }
  return preset;
}

}  // namespace ethio
