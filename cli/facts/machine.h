// The machine that runs the benchmark: processor, memory, kernel, and whether it is a virtual one.
#pragma once

#include <cstdint>

#include "cli/facts/fact.h"

namespace ethio {

// RAM that can cache the target: of the machine, or the control group's limit where that is less.
uint64_t memory_bytes();
unsigned processors();  // that this process may use

FactGroup machine_facts();

}  // namespace ethio
