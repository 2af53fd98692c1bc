// From figures to words: can a node of each role live on this storage, by how much, and what would
// it wait for.
#pragma once

#include <vector>

#include "cli/check/result.h"
#include "cli/check/thresholds.h"

namespace ethio {

// One verdict a role. A quick run never says GOOD, only that it is likely; a role none of whose
// phases were run is unknown.
std::vector<RoleVerdict> judge_roles(const TargetResult& target, const std::vector<Role>& roles,
                                     Pace pace);

// "GOOD", "GOOD likely", "UGLY", "BAD", "unknown": the Hall of Blame's words.
const char* name_of(Grade grade);

// What the units of a row wait for most: "dependent reads, one at a time (stage execute, 81 % of
// the block)".
std::string cause_of(const Row& row);

}  // namespace ethio
