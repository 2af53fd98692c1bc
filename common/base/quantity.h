// Reading and writing quantities: bytes ("614m", powers of 1024 as in fio), counts ("60m", powers
// of 1000), durations ("12s"). Used by the knobs and by the definitions, so that a value means the
// same everywhere.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ethio {

// Each throws Error(EINVAL) whose message says what is accepted; the caller prefixes where.
uint64_t parse_bytes(std::string_view text);  // "4096", "4k", "614m", "1g", "2t"; k = 1024
uint64_t parse_count(std::string_view text);  // "1000", "60m", "1.5g"; k = 1000
uint64_t parse_duration_ns(
    std::string_view text);  // "12s", "500ms", "10us", "0"; bare number = seconds

std::string format_bytes(uint64_t bytes);  // "614 MiB", exact values without decimals
std::string format_count(double count);    // "1,234", "12.3k", "1.48G": three significant digits
std::string format_duration_ns(double nanoseconds);  // "93 us", "1.25 ms", "12 s"

}  // namespace ethio
