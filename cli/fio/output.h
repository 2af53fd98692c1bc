// What one run of fio with one job printed: its JSON as the one fio::Result, or what went wrong as
// one line.
#pragma once

#include <string>
#include <string_view>

#include "common/report/fio_result.h"

namespace ethio {

// `text` is the standard output of `fio --output-format=json` with one job. Strict: throws Error
// when the JSON is cut off, has not exactly one job, or lacks the percentiles of a latency that it
// timed.
fio::Result parse_fio_output(std::string_view text);

// The line of fio's stderr that says what went wrong; "" if there is none.
std::string relevant_line(std::string_view standard_error);

}  // namespace ethio
