// JSON text -> WorkloadSpec, strictly: an unknown key, a repeated key, a wrong type or a value out
// of range is an Error that names file, JSON path, value and what would be right. WorkloadSpec ->
// JSON likewise, with every default filled in and the source of each number.
#pragma once

#include <string>
#include <string_view>

#include "common/spec/workload_spec.h"

namespace ethio {

// `origin` is how messages call the text: a path or "built-in chain-head".
WorkloadSpec parse_workload(std::string_view text, std::string_view origin);

// The effective definition, fully expanded: parse_workload(to_json(spec)) == spec.
std::string to_json(const WorkloadSpec& spec);

// The JSON schema of definitions, from the same field table that the parser uses.
std::string workload_json_schema();

}  // namespace ethio
