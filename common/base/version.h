// The version of ethio, as project() in CMakeLists.txt says it; results and reports carry it.
#pragma once

namespace ethio {

extern const char* const kVersion;  // "0.1.0"

}  // namespace ethio
