// What would help, and only what this machine's facts call for: each line names the fact that it
// comes from.
#pragma once

#include <string>
#include <vector>

#include "cli/check/result.h"

namespace ethio {

std::vector<std::string> advice_for(const TargetResult& target);

}  // namespace ethio
