// Validation against the JSON schemas that the repository publishes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ethio {

// One line for each way in which `document` breaks the schema; "" if it obeys. `schema` is a path
// below the root of the repository.
std::string errors_against_schema(const std::string& schema, const nlohmann::json& document);

}  // namespace ethio
