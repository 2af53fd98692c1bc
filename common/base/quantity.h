// Reading and writing quantities: bytes ("614m", powers of 1024 as in fio), counts ("60m", powers
// of 1000), durations ("12s"). Used by the knobs and by the definitions, so that a value means the
// same everywhere. Reading is strict: digits, at most one decimal point, at most one suffix,
// nothing else; the result must be whole and fit 64 bits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ethio {

// Each throws Error(EINVAL) whose message says what is accepted; the caller prefixes where.
uint64_t parse_bytes(std::string_view text);  // "4096", "4k", "1.5g", "2t", "64MiB"; k = 1024
uint64_t parse_count(std::string_view text);  // "1000", "60m", "1.5g"; k = 1000
// "12s", "500ms", "10us", "0"; a bare number means seconds.
uint64_t parse_duration_ns(std::string_view text);

// For people: three significant digits, trailing zeros left out.
std::string format_bytes(uint64_t bytes);            // "614 MiB", "1.5 KiB"
std::string format_count(double count);              // "1,234", "12.3k", "1.48G"
std::string format_duration_ns(double nanoseconds);  // "93 us", "1.25 ms", "12 s"

// For definitions and messages: exact, and read back to the same value by the functions above.
std::string exact_bytes(uint64_t bytes);              // "4k", "2983"
std::string exact_count(uint64_t count);              // "4096", "60m"
std::string exact_duration_ns(uint64_t nanoseconds);  // "12s", "1500ms"

}  // namespace ethio
