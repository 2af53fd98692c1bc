// A Comparison in each of the forms that `ethio compare` gives it. To add one: a writer file, a row
// in compare.cpp.
#pragma once

#include <string>

#include "common/report/comparison.h"

namespace ethio {

std::string comparison_text(const Comparison& comparison);      // for the terminal
std::string comparison_json(const Comparison& comparison);      // schema "ethio-compare"
std::string comparison_markdown(const Comparison& comparison);  // for $GITHUB_STEP_SUMMARY
std::string comparison_junit(const Comparison& comparison);     // one case a metric and counter

// The words of a table's cells, the same in every form.
std::string value_text(const MetricComparison& row, double value);  // "12.3 ms", "98k"
std::string change_text(const MetricComparison& row);               // "+9.8 % (+8.1 to +11.5)"
std::string limit_text(const MetricComparison& row);                // "5 %", "8.4 % (noise)"
std::string counter_change_text(const CounterComparison& row);      // "10 -> 12"

}  // namespace ethio
