// The result of a run as a short table for a person: at most 25 lines, for stderr at the end of a
// run.
#pragma once

#include <string>

#include "common/report/session_json.h"

namespace ethio {

std::string to_text(const SessionResult& result);

}  // namespace ethio
