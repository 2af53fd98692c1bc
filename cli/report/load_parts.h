// The loaders behind load_report(), one a kind of document. Each adds targets to the report and
// says of every part that stays empty why. Internal to cli/report.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string_view>

#include "cli/report/model.h"
#include "common/metrics/metrics.h"
#include "common/report/session_json.h"

namespace ethio::report {

// A check with its phases, a target a directory. Throws nlohmann::json::exception for what is
// missing.
void add_check(const nlohmann::json& check, std::string_view origin, Report& report);

// One run of a workload, all its jobs merged.
void add_run(const SessionResult& run, std::string_view origin, Report& report);

// What other programs wrote.
void add_google_benchmark(std::string_view text, std::string_view origin, Report& report);
void add_fio(std::string_view text, std::string_view origin, Report& report);

// ---- shared by the loaders

// Only percentiles that a value stands for: the 99.9th of 50 blocks is nobody's latency.
Curve curve_of(const std::string& name, const Histogram& latency);
BlockStrip strip_of(const std::string& name, const Histogram& latency);

// Fills a line from the engine's own result; `merged` holds further runs of the same phase too.
void describe_session(const SessionResult& session, const Metrics& merged, WorkloadLine& line);

// "compaction: 12,345 accesses" for the background streams of a run; "" when it has none.
std::string background_of(const Metrics& metrics);

// Says why a part is empty, if it is.
void explain(ReportTarget& target, Part part, bool is_empty, std::string_view why);

}  // namespace ethio::report
