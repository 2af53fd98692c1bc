// The result of `ethio check` as JSON: schema "ethio-check" (workloads/schema/check.schema.json),
// versioned. The numbers of fio under its own words, the engine's whole result (schema
// "ethio-result") inside its phase.
#pragma once

#include <string>
#include <string_view>

#include "cli/check/result.h"

namespace ethio {

inline constexpr std::string_view kCheckSchema = "ethio-check";
inline constexpr int kCheckVersion = 1;

std::string check_json(const CheckResult& result);

}  // namespace ethio
