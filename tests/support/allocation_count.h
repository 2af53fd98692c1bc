// Counts the allocations of a test program, whichever thread makes them. Link allocation_count.cpp
// into it: it replaces operator new.
#pragma once

#include <cstdint>

namespace ethio::testing {

uint64_t allocation_count();

}  // namespace ethio::testing
