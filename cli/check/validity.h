// Whether the numbers mean what they seem to: each reason to distrust a phase or the whole, from
// fio's own counts against the kernel's. A reason that touches what the verdict rests on voids the
// result.
#pragma once

#include <cstdint>

#include "cli/check/result.h"

namespace ethio {

// Fills the problems of every row and of the target.
void judge_validity(TargetResult& target, uint64_t memory_bytes);

}  // namespace ethio
