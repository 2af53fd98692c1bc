#include "common/spec/preset.h"

#include <fmt/format.h>

#include <cerrno>

#include "common/base/embedded.h"
#include "common/base/error.h"
#include "common/spec/json.h"
#include "common/spec/reader.h"

namespace ethio {
namespace {

constexpr std::string_view kSuffix = ".json";

template <typename Preset>
using Presets = std::map<std::string, Preset, std::less<>>;

template <typename Preset>
Presets<Preset> parse_all(std::string_view folder,
                          Preset (*parse)(std::string_view text, std::string_view origin)) {
  Presets<Preset> presets;
  for (const EmbeddedFile& file : workloads::files()) {
    if (!file.name.starts_with(folder)) continue;
    Preset preset = parse(file.text, file.name);
    const std::string stem(
        file.name.substr(folder.size(), file.name.size() - folder.size() - kSuffix.size()));
    if (preset.name != stem) {
      throw Error(EINVAL, fmt::format("{}: name: '{}' is not the file's '{}'", file.name,
                                      preset.name, stem));
    }
    presets.emplace(stem, std::move(preset));
  }
  return presets;
}

const Presets<StatePreset>& states() {
  static const auto presets = parse_all("state/", parse_state_preset);
  return presets;
}

const Presets<LayoutPreset>& layouts() {
  static const auto presets = parse_all("layout/", parse_layout_preset);
  return presets;
}

template <typename Preset>
std::vector<std::string> names_of(const Presets<Preset>& presets) {
  std::vector<std::string> names;
  for (const auto& entry : presets) names.push_back(entry.first);
  return names;
}

template <typename Preset>
const Preset* find_in(const Presets<Preset>& presets, std::string_view name) {
  const auto found = presets.find(name);
  return found == presets.end() ? nullptr : &found->second;
}

// Reads a preset, which may not start from another one.
template <typename Preset>
Preset parse(std::string_view text, std::string_view origin, std::vector<std::string>& uncited) {
  const Json json = read_json(text, origin);
  ReadContext context(origin);
  context.allow_preset = false;
  Preset preset;
  Reader(context, json, "").read(preset);
  preset.cited = std::move(context.cited);
  uncited = std::move(context.uncited);
  return preset;
}

[[noreturn]] void refuse_uncited(std::string_view origin, const std::string& path) {
  throw Error(EINVAL,
              fmt::format("{}: {}: needed, as {{\"value\": ..., \"source\": ...}}", origin, path));
}

}  // namespace

std::vector<std::string> state_preset_names() {
  return names_of(states());
}
std::vector<std::string> layout_preset_names() {
  return names_of(layouts());
}

const StatePreset* state_preset(std::string_view name) {
  return find_in(states(), name);
}
const LayoutPreset* layout_preset(std::string_view name) {
  return find_in(layouts(), name);
}

StatePreset parse_state_preset(std::string_view text, std::string_view origin) {
  std::vector<std::string> uncited;
  auto preset = parse<StatePreset>(text, origin, uncited);
  preset.state.preset = preset.name;
  KeyNames keys;
  preset.state.fields(keys);
  for (const std::string& key : keys.names()) {
    const std::string path = member_path("state", key);
    if (key != "preset" && !preset.cited.contains(path)) refuse_uncited(origin, path);
  }
  return preset;
}

LayoutPreset parse_layout_preset(std::string_view text, std::string_view origin) {
  std::vector<std::string> uncited;
  auto preset = parse<LayoutPreset>(text, origin, uncited);
  preset.layout.preset = preset.name;
  if (!uncited.empty()) refuse_uncited(origin, uncited.front());
  return preset;
}

}  // namespace ethio
