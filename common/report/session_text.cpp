#include "common/report/session_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "common/base/quantity.h"
#include "common/base/text.h"

namespace ethio {
namespace {

constexpr size_t kMaxLines = 25;
constexpr size_t kHeadLines = 2;   // the headline and the names of the columns
constexpr size_t kFewestRows = 8;  // however long the notes are

// One line of the table. The first cell is aligned to the left, the others to the right.
using Row = std::vector<std::string>;

const Row kColumns = {"", "count", "per s", "bytes/s", "mean", "p50", "p99", "p99.9", "max"};

Row row_of(std::string name, uint64_t count, uint64_t bytes, double seconds,
           const Histogram& latency) {
  Row row = {std::move(name), format_count(static_cast<double>(count))};
  const double per_second = seconds > 0 ? 1 / seconds : 0;
  row.push_back(format_count(static_cast<double>(count) * per_second));
  row.push_back(bytes == 0
                    ? ""
                    : format_bytes(static_cast<uint64_t>(static_cast<double>(bytes) * per_second)));
  row.push_back(latency.count() == 0 ? "" : format_duration_ns(latency.mean()));
  for (const double percent : {50.0, 99.0, 99.9, 100.0}) {
    row.push_back(latency.count() == 0
                      ? ""
                      : format_duration_ns(static_cast<double>(latency.percentile(percent))));
  }
  return row;
}

// Accesses and the unit always; stages and ops as far as there is room.
std::vector<Row> rows_of(const SessionResult& result, size_t room) {
  const Metrics& metrics = result.metrics;
  const double seconds = seconds_of(metrics);
  std::vector<Row> rows;
  for (int i = 0; i < kAccessKinds; ++i) {
    const AccessMetrics& kind = metrics.access[i];
    if (kind.count == 0 && kind.errors == 0) continue;
    rows.push_back(row_of(fmt::format("access {}", name_of(static_cast<AccessKind>(i))), kind.count,
                          kind.bytes, seconds, kind.latency));
  }
  rows.push_back(row_of(fmt::format("unit {}", metrics.unit), metrics.units, 0, seconds,
                        metrics.unit_latency));
  std::vector<Row> more;
  for (const StageMetrics& stage : metrics.stages) {
    more.push_back(
        row_of(fmt::format("{} {}", stage.background ? "background" : "stage", stage.name),
               stage.latency.count(), 0, seconds, stage.latency));
  }
  for (size_t i = 0; i < metrics.ops.size(); ++i) {
    const OpMetrics& op = metrics.ops[i];
    more.push_back(row_of(fmt::format("op {} {}", result.op_stages.at(i), op.name), op.count, 0,
                          seconds, op.latency));
  }
  if (rows.size() + more.size() > room) {
    const size_t shown = room - rows.size() - 1;
    const size_t left = more.size() - shown;
    more.resize(shown);
    more.push_back({fmt::format("({} more rows in the result file)", left)});
  }
  rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}

std::string aligned(std::vector<Row> rows) {
  rows.insert(rows.begin(), kColumns);
  std::vector<size_t> widths(kColumns.size(), 0);
  for (const Row& row : rows) {
    if (row.size() < widths.size()) continue;  // a remark, not a line of the table
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line = fmt::format("  {:<{}}", row[0], widths[0]);
    for (size_t i = 1; i < row.size(); ++i) line += fmt::format("  {:>{}}", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string headline(const SessionResult& result) {
  const Metrics& metrics = result.metrics;
  const double seconds = seconds_of(metrics);
  std::string text = fmt::format("ethio {}: {} {} in {}", result.workload, metrics.units,
                                 metrics.units == 1 ? metrics.unit : plural(metrics.unit),
                                 format_duration_ns(seconds * 1e9));
  if (const auto found = result.harness.find("executor"); found != result.harness.end()) {
    text += fmt::format(", executor {}", found->second);
  }
  if (result.jobs > 1 && result.streams.size() == 1) {
    text += fmt::format(", job {} of {}", result.streams[0].job, result.jobs);
  } else if (result.jobs > 1) {
    text += fmt::format(", {} jobs", result.streams.size());
  }
  return text + "\n";
}

// Broken between words into lines of at most 100 columns; `margin` stands before the first line
// and, as blanks, before the others.
std::string wrapped(std::string margin, std::string_view text) {
  constexpr size_t kWidth = 92;
  std::string lines;
  while (!text.empty()) {
    size_t length = std::min(text.find('\n'), text.size());
    if (length > kWidth) {
      const size_t space = text.rfind(' ', kWidth);
      length = space == std::string_view::npos || space == 0 ? length : space;
    }
    lines += fmt::format("{}{}\n", margin, text.substr(0, length));
    text.remove_prefix(std::min(length + 1, text.size()));
    margin.assign(margin.size(), ' ');
  }
  return lines;
}

std::string waits(const SessionResult& result) {
  const Metrics& metrics = result.metrics;
  const double job_seconds =
      seconds_of(metrics) * static_cast<double>(std::max<size_t>(1, result.streams.size()));
  std::vector<std::string> parts;
  if (job_seconds > 0) {
    parts.push_back(fmt::format("waiting for I/O {:.0f} % of the time",
                                static_cast<double>(metrics.stall_ns) * 1e-7 / job_seconds));
  }
  if (metrics.idle_ns > 0 || metrics.missed_slots > 0) {
    parts.push_back(fmt::format("idle {}, {} slots missed",
                                format_duration_ns(static_cast<double>(metrics.idle_ns)),
                                metrics.missed_slots));
  }
  if (metrics.useful_bytes_read > 0) {
    parts.push_back(fmt::format("read {:.3g} x the useful bytes", read_amplification(metrics)));
  }
  if (metrics.useful_bytes_written > 0) {
    parts.push_back(fmt::format("wrote {:.3g} x the useful bytes", write_amplification(metrics)));
  }
  uint64_t errors = 0;
  for (const AccessMetrics& kind : metrics.access) errors += kind.errors;
  if (errors > 0) parts.push_back(fmt::format("{} accesses FAILED", errors));
  return wrapped("  ", fmt::format("{}", fmt::join(parts, "; ")));
}

std::string identity(const SessionResult& result) {
  if (result.streams.size() != 1) return "";
  return fmt::format("  seed {}, stream digest {}\n", result.seed, result.streams[0].digest);
}

}  // namespace

std::string to_text(const SessionResult& result) {
  const std::string tail = waits(result) + identity(result) + wrapped("  note: ", result.notes);
  const auto tail_lines = static_cast<size_t>(std::count(tail.begin(), tail.end(), '\n'));
  const size_t taken = std::min(kHeadLines + tail_lines, kMaxLines - kFewestRows);
  return headline(result) + aligned(rows_of(result, kMaxLines - taken)) + tail;
}

}  // namespace ethio
