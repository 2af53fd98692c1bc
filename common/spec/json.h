// Strict JSON: text -> tree, for definitions and state presets. Beyond the grammar it refuses what
// a reader would miss: a repeated key, an empty text, nesting without end. Keys keep their order.
// Private to spec/.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace ethio {

using Json = nlohmann::ordered_json;

// Throws Error(EINVAL): "x.json: line 3, column 7: ..." for the grammar, "x.json: stages[0].lanes:
// ..." for the rest.
Json read_json(std::string_view text, std::string_view origin);

// How a message shows a value: short, on one line.
std::string brief(const Json& value);

// The path of a member: "stages[1].lanes"; a key that is no plain word is quoted.
std::string member_path(std::string_view parent, std::string_view key);
std::string item_path(std::string_view parent, size_t index);

}  // namespace ethio
