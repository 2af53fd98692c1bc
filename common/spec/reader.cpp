#include "common/spec/reader.h"

#include <algorithm>

#include "common/base/quantity.h"
#include "common/base/text.h"
#include "common/spec/preset.h"
#include "common/spec/range.h"

namespace ethio {
namespace {

constexpr double kBeyondAll =
    18446744073709551616.0;  // 2^64: an integer that large arrives as a double

// A JSON number as a person would write it: 12, 0.5, 6e7 -> 60000000.
std::string number_text(const Json& value) {
  if (!value.is_number_float()) return value.dump();
  const double number = value.get<double>();
  const bool whole =
      number >= 0 && number < 9e15 && number == static_cast<double>(static_cast<uint64_t>(number));
  return whole ? fmt::format("{}", static_cast<uint64_t>(number)) : value.dump();
}

bool is_label(std::string_view text) {
  return !text.empty() && text.size() <= kLongestLabel && text.front() != '-' &&
         text.front() != '_' && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
         });
}

bool is_assumption(std::string_view source) {
  return source.starts_with(kAssumed) && source.size() > kAssumed.size();
}

}  // namespace

Reader::Reader(ReadContext& context, const Json& json, std::string path)
    : context_(context), json_(json), path_(std::move(path)) {
  if (!json_.is_object()) fail(path_, fmt::format("{} is not an object", brief(json_)));
}

void Reader::fail(const std::string& path, const std::string& what) const {
  throw Error(EINVAL, path.empty() ? fmt::format("{}: {}", context_.origin, what)
                                   : fmt::format("{}: {}: {}", context_.origin, path, what));
}

void Reader::refuse_unknown(const std::vector<std::string>& known) const {
  for (const auto& [key, value] : json_.items()) {
    if (path_.empty() && key == "$schema") continue;  // for editors
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      fail(at(key), fmt::format("unknown key; known here: {}", joined(known)));
    }
  }
}

const Json* Reader::find(const char* name) const {
  const auto found = json_.find(name);
  return found == json_.end() ? nullptr : &*found;
}

const Json* Reader::find(const char* name, const char* help, Need need) const {
  const Json* json = find(name);
  if (json == nullptr && need == Need::kRequired) {
    fail(at(name), fmt::format("missing; needed: {}", help));
  }
  return json;
}

const Json* Reader::items(const char* name, const char* help, Need need) const {
  const Json* json = find(name, help, need);
  if (json == nullptr) return nullptr;
  if (!json->is_array()) fail(at(name), fmt::format("{} is not a list", brief(*json)));
  if (json->empty() && need == Need::kRequired) {
    fail(at(name), fmt::format("empty; needed: {}", help));
  }
  return json;
}

Reader::Given Reader::open(const char* name, const char* help, Need need) const {
  const Json* json = find(name, help, need);
  if (json == nullptr) return {nullptr, nullptr};
  if (!json->is_object()) return {json, nullptr};
  const Reader pair(context_, *json, at(name));
  pair.refuse_unknown({"value", "source"});
  const Json* value = pair.find("value", "the value itself", Need::kRequired);
  const Json* source =
      pair.find("source", "a key of `sources`, or \"assumed: why\"", Need::kRequired);
  if (!source->is_string() || source->get_ref<const std::string&>().empty()) {
    fail(pair.at("source"), fmt::format("{} is not a key of `sources`", brief(*source)));
  }
  return {value, source->get_ptr<const std::string*>()};
}

// Cites what has a source; a claim without one is listed. What was cited before, by a preset, no
// longer holds then.
void Reader::note(const char* name, const Given& given, bool is_claim) {
  if (given.source != nullptr) {
    context_.cited[at(name)] = *given.source;
  } else if (is_claim) {
    context_.cited.erase(at(name));
    context_.uncited.push_back(at(name));
  }
}

void Reader::op_kind(const char* name, OpKind& out, const char* help, Need need) {
  std::vector<std::string> words;
  for (const OpKindInfo& info : kOpKinds) words.emplace_back(info.name);
  const int index = word(name, words, help, need);
  if (index >= 0) out = kOpKinds[index].kind;
}

void Reader::number(const char* name, uint64_t& out, const Range& range) {
  const Given given = open(name, "", Need::kOptional);
  if (given.value == nullptr) return;
  const Json& value = *given.value;
  if (!value.is_number() && !value.is_string()) {
    fail(at(name), fmt::format("{} is not a number", brief(value)));
  }
  const std::string written = value.is_string() ? value.get<std::string>() : number_text(value);
  uint64_t number = 0;
  try {
    if (value.is_number_float() && value.get<double>() >= kBeyondAll)
      throw out_of_range(value.dump(), range);
    number = parse_in_range(written, range);
  } catch (const Error& error) {
    fail(at(name), error.what());
  }
  note(name, given, number != out);
  out = number;
}

void Reader::share(const char* name, double& out, const Share&) {
  const Given given = open(name, "", Need::kOptional);
  if (given.value == nullptr) return;
  if (!given.value->is_number()) {
    fail(at(name), fmt::format("{} is not a number from 0 to 1", brief(*given.value)));
  }
  const double share = given.value->get<double>();
  if (!(share >= 0 && share <= 1)) {
    fail(at(name), fmt::format("{} is not in 0..1", brief(*given.value)));
  }
  note(name, given, share != out);
  out = share;
}

void Reader::flag(const char* name, bool& out, const char*) {
  const Given given = open(name, "", Need::kOptional);
  if (given.value == nullptr) return;
  if (!given.value->is_boolean()) {
    fail(at(name), fmt::format("{} is not true or false", brief(*given.value)));
  }
  note(name, given, false);
  out = given.value->get<bool>();
}

int Reader::word(const char* name, const std::vector<std::string>& words, const char* help,
                 Need need) {
  const Given given = open(name, help, need);
  if (given.value == nullptr) return -1;
  const auto found =
      given.value->is_string()
          ? std::find(words.begin(), words.end(), given.value->get_ref<const std::string&>())
          : words.end();
  if (found == words.end()) {
    fail(at(name), fmt::format("{} is not one of {}", brief(*given.value), joined(words)));
  }
  note(name, given, false);
  return static_cast<int>(found - words.begin());
}

void Reader::text(const char* name, std::string& out, const char* help, Need need) {
  const Json* json = find(name, help, need);
  if (json == nullptr) return;
  if (!json->is_string()) fail(at(name), fmt::format("{} is not text", brief(*json)));
  out = json->get<std::string>();
  if (out.empty() && need == Need::kRequired)
    fail(at(name), fmt::format("empty; needed: {}", help));
}

void Reader::label(const char* name, std::string& out, const char* help, Need need) {
  if (find(name, help, need) == nullptr) return;
  text(name, out, help, Need::kOptional);
  if (!is_label(out)) {
    fail(at(name),
         fmt::format("{} is not a name: up to {} of a-z, 0-9, - and _, not starting with - or _",
                     in_quotes(out), kLongestLabel));
  }
}

void Reader::prose(const char* name, std::string& out, const char*) {
  const Json* json = find(name);
  if (json == nullptr) return;
  if (json->is_string()) {
    out = json->get<std::string>();
    return;
  }
  if (!json->is_array())
    fail(at(name), fmt::format("{} is not text or a list of lines", brief(*json)));
  out.clear();
  for (size_t i = 0; i < json->size(); ++i) {
    const Json& line = (*json)[i];
    if (!line.is_string()) fail(item_path(at(name), i), fmt::format("{} is not text", brief(line)));
    if (i > 0) out += ' ';
    out += line.get_ref<const std::string&>();
  }
}

// Takes a preset's values, their citations and its sources.
template <typename T, typename Preset>
void Reader::start_from(T& out, T Preset::*values, const Preset* preset,
                        const std::vector<std::string>& known) {
  if (preset == nullptr) {
    fail(at("preset"), fmt::format("{} is not one of {}", in_quotes(out.preset), joined(known)));
  }
  out = preset->*values;
  for (const auto& [path, source] : preset->cited) context_.cited[path] = source;
  for (const auto& [key, source] : preset->sources) {
    const auto [found, is_new] = context_.borrowed.emplace(key, source);
    if (!is_new && found->second != source) {
      fail(at("preset"), fmt::format("two presets call different sources {}", in_quotes(key)));
    }
  }
}

// The preset goes first; the definition's own fields override it, also when there are none.
void Reader::object(const char* name, StateSpec& out, const char*) {
  static const Json kNothing = Json::object();
  const Json* json = find(name);
  Reader reader(context_, json != nullptr ? *json : kNothing, at(name));
  if (context_.allow_preset) {
    reader.label("preset", out.preset, "", Need::kOptional);
    reader.start_from(out, &StatePreset::state, state_preset(out.preset), state_preset_names());
  } else if (reader.find("preset") != nullptr) {
    reader.fail(reader.at("preset"), "a preset stands on its own; leave it out");
  }
  reader.read(out);
}

void Reader::object(const char* name, LayoutSpec& out, const char*) {
  const Json* json = find(name);
  if (json == nullptr) return;
  Reader reader(context_, *json, at(name));
  if (reader.find("preset") != nullptr) {
    if (!context_.allow_preset) {
      reader.fail(reader.at("preset"), "a preset stands on its own; leave it out");
    }
    reader.label("preset", out.preset, "", Need::kOptional);
    reader.start_from(out, &LayoutPreset::layout, layout_preset(out.preset), layout_preset_names());
  }
  reader.read(out);
}

void Reader::bibliography(const char* name, std::map<std::string, SourceSpec>& out, const char*) {
  if (const Json* json = find(name)) {
    const Reader entries(context_, *json, at(name));
    for (const auto& [key, value] : json->items()) {
      if (key.starts_with("assumed") || key.empty()) {
        fail(entries.at(key),
             "a key of `sources` is not empty and does not begin with \"assumed\"");
      }
      Reader(context_, value, entries.at(key)).read(out[key]);
    }
  }
  for (const auto& [key, source] : context_.borrowed) {
    if (const auto own = out.find(key); own != out.end() && own->second != source) {
      fail(member_path(at(name), key), "a preset has another source of this name; rename it");
    }
  }
  for (const auto& [path, source] : context_.cited) {
    if (is_assumption(source) || out.contains(source)) continue;
    if (const auto found = context_.borrowed.find(source); found != context_.borrowed.end()) {
      out.insert(*found);
      continue;
    }
    std::vector<std::string> keys;
    keys.reserve(out.size());
    for (const auto& entry : out) keys.push_back(entry.first);
    fail(path + ".source",
         fmt::format("{} is neither a key of `sources` ({}) nor \"assumed: why\"",
                     in_quotes(source), keys.empty() ? "none here" : joined(keys)));
  }
}

}  // namespace ethio
