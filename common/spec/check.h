// What no single field can tell: whether the fields of a definition go together. Private to spec/.
#pragma once

#include <string_view>

#include "common/spec/workload_spec.h"

namespace ethio {

// Throws Error(EINVAL) that names the first field which contradicts another.
void check(const WorkloadSpec& spec, std::string_view origin);

}  // namespace ethio
