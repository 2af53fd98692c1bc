// The words of a report's cells and lists, the same in every form.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/report/model.h"

namespace ethio::report {

std::string latency_text(const Curve& curve, double percent);  // "93 us", "-"
std::string rate_text(double per_second);                      // "12.3k", "-"
std::string ratio_text(double ratio);                          // "3.2x", "-"
std::string share_text(double share);                          // "1.8 %"
std::string headroom_text(const RoleLine& role);               // "4.1x", "-"
std::string units_text(const WorkloadLine& line);              // "120 blocks", "-"
const char* heading_of(Part part);                             // "Blocks against their budget"

// Of a grade or a tier: "●" for good, "▲" for ugly, "✖" for bad, "◌" for unknown. Never alone: a
// word stands beside it.
const char* symbol_of(const std::string& grade);
// "good", "ugly", "bad", "unknown": the CSS class of a grade.
const char* class_of(const std::string& grade);

// Blocks over the tightest budget: "3 of 120 blocks over 2 s (2.5 %)"; "" without blocks or
// budgets.
std::string over_budget_text(const BlockStrip& strip, const std::vector<Budget>& budgets);

// What must be known before anything is compared: remarks and problems, a sentence each.
std::vector<std::string> remarks_of(const ReportTarget& target);

// "1 hall-of-blame, 2 chain-head": what the numbers over a timeline stand for.
std::string phases_text(std::span<const Timeline> timelines);

std::string commands_of(const ReportTarget& target);  // a line each
std::string origin_text(const Report& report);        // "ethio 0.1.0 · fio-3.33 · ..."

}  // namespace ethio::report
