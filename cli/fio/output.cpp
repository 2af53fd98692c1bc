#include "cli/fio/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "common/base/error.h"
#include "common/report/fio_reader.h"

namespace ethio {
namespace {

constexpr const char* kOrigin = "fio's output";

void require_percentiles(const fio::Latency& latency, const char* what) {
  if (latency.count == 0) return;
  for (const double percent : {50.0, 99.0, 99.9}) {
    if (latency.at(percent).has_value()) continue;
    throw Error(EPROTO,
                fmt::format("{}: {} latencies have no percentile {}", kOrigin, what, percent));
  }
}

}  // namespace

fio::Result parse_fio_output(std::string_view text) {
  std::vector<fio::Result> results = fio::read(text, kOrigin);
  if (results.size() != 1 || results[0].form != fio::Form::kJson) {
    throw Error(EPROTO,
                fmt::format("{}: holds {} results, expected one in JSON", kOrigin, results.size()));
  }
  require_percentiles(results[0].read.completion, "read");
  require_percentiles(results[0].write.completion, "write");
  require_percentiles(results[0].sync, "sync");
  return std::move(results[0]);
}

std::string relevant_line(std::string_view standard_error) {
  std::string last;
  while (!standard_error.empty()) {
    const size_t end = std::min(standard_error.find('\n'), standard_error.size());
    std::string line(standard_error.substr(0, end));
    standard_error.remove_prefix(std::min(end + 1, standard_error.size()));
    for (const char* mark : {"ethio: ", "error", "No space", "failed", "cannot"}) {
      if (line.find(mark) != std::string::npos) return line;
    }
    if (!line.empty()) last = std::move(line);
  }
  return last;
}

}  // namespace ethio
