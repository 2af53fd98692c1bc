// fio's output as people have it -> fio::Result. Takes the normal output (indentation, header lines
// and the run status may be missing, prose may stand around it), the two-line READ/WRITE summary,
// JSON and JSON+ (with text before the first brace), any number of each in one text. Feeds rank,
// compare and report.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/report/fio_result.h"

namespace ethio::fio {

// Every result in order of appearance; at least one. `origin` is how messages call the text. Throws
// Error(EINVAL) with one sentence for an empty text, a binary, truncated JSON or a text without any
// result.
std::vector<Result> read(std::string_view text, std::string_view origin);

}  // namespace ethio::fio
