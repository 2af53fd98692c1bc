// The plan of `ethio check` for a person, printed before anything is written.
#pragma once

#include <string>
#include <vector>

#include "cli/check/options.h"
#include "cli/check/phase.h"

namespace ethio {

// `phases` are those of one directory; every timed one runs `options.repeats()` times in every
// directory.
std::string plan_text(const std::vector<Phase>& phases, const CheckOptions& options,
                      uint64_t size_bytes);

// Of all runs together.
double planned_seconds(const std::vector<Phase>& phases, const CheckOptions& options);

}  // namespace ethio
