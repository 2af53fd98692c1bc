// The charts of the HTML report as inline SVG: no script, no font, no network. Colours are the
// page's CSS variables (light and dark); series differ by dash and label too, so that nothing hangs
// on colour alone. Each function gives one <svg> element, or "" when there is nothing to draw.
#pragma once

#include <span>
#include <string>

#include "cli/report/model.h"

namespace ethio::report {

// Latency over percentiles, both axes logarithmic (x by distance from 100 %).
std::string percentile_chart(std::span<const Curve> curves);

// Blocks from the fastest to the slowest as bars, the budgets as lines.
std::string strip_chart(const BlockStrip& strip, std::span<const Budget> budgets);

// Bytes a second that the device read and wrote, the phases one after the other as numbered bands;
// those with compaction or other work in the background are shaded.
std::string timeline_chart(std::span<const Timeline> timelines);

// The temperature over the same bands; "" where no phase recorded one.
std::string temperature_chart(std::span<const Timeline> timelines);

// Reads a second of the reference drives, and of the one measured among them.
std::string drives_chart(const Reference& reference, const Rates& measured);

}  // namespace ethio::report
