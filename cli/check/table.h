// What `ethio check` prints at its end, in the order in which it is read: the verdict in one
// sentence, the roles, the table of phases, several directories side by side, what would help, the
// facts, the exact commands.
#pragma once

#include <string>

#include "cli/check/result.h"

namespace ethio {

std::string report_text(const CheckResult& result);

// "GOOD for validator: ...", or "VOID: ...": the first line, for one directory.
std::string headline(const CheckResult& result, size_t target);

}  // namespace ethio
