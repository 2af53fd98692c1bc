// Quantities and their ranges as text: what the reader of definitions and the knobs both do with a
// number. Private to spec/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/base/error.h"
#include "common/spec/workload_spec.h"

namespace ethio {

uint64_t parse_quantity(Quantity quantity, std::string_view text);
std::string exact_text(Quantity quantity, uint64_t value);

// "1..4096", "64k..1g", "0..3600s"
std::string range_text(const Range& range);

// The Error(EINVAL) "0 is not in 1..4096".
Error out_of_range(std::string_view text, const Range& range);

// Throws Error(EINVAL) that says what would be right.
uint64_t parse_in_range(std::string_view text, const Range& range);

}  // namespace ethio
