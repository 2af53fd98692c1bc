// Words for messages: a user's own text inside a sentence, and lists of what would be right. Used
// wherever an Error is written; the result is one printable line whatever went in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ethio {

// In single quotes, control characters escaped, cut after some 60 bytes: 'chain-haed'.
std::string in_quotes(std::string_view text);

// "a, b, c"
std::string joined(const std::vector<std::string>& words);

// "blocks", "batches": of a unit's name.
std::string plural(std::string_view unit);

// "a,b" -> {"a", "b"}; empty parts are left out.
std::vector<std::string> split(std::string_view text, char separator);

}  // namespace ethio
