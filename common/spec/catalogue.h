// Where definitions come from: the ones compiled in (workloads/*.json), by name, or any file by
// path.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/spec/workload_spec.h"

namespace ethio {

std::vector<std::string> workload_names();  // of the built-in definitions, sorted

// `name` is a built-in name, or a path when it holds a '/' or ends in ".json". Throws Error with
// the known names.
WorkloadSpec load_workload(std::string_view name);

}  // namespace ethio
