// The one table of `ethio check` and what stands around it, as text for a terminal.
#pragma once

#include <string>

#include "cli/check/result.h"

namespace ethio {

std::string table_text(const CheckResult& result);
std::string facts_text(const CheckResult& result);
std::string commands_text(const CheckResult& result);

}  // namespace ethio
