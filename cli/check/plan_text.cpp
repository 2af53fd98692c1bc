#include "cli/check/plan_text.h"

#include <fmt/format.h>

#include "cli/screen/progress.h"
#include "common/base/quantity.h"
#include "common/base/text.h"

namespace ethio {
namespace {

constexpr double kRatedBytes = 600e12;  // a common rating of a 1 TB TLC drive: 600 TB written

// How often a phase runs in all.
uint64_t runs_of(const Phase& phase, const CheckOptions& options) {
  return options.directories.size() * (phase.kind == PhaseKind::kLayout ? 1 : options.repeats());
}

std::string without_full_stop(std::string text) {
  if (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace

double planned_seconds(const std::vector<Phase>& phases, const CheckOptions& options) {
  double seconds = 0;
  for (const Phase& phase : phases)
    seconds += phase.seconds * static_cast<double>(runs_of(phase, options));
  return seconds;
}

std::string plan_text(const std::vector<Phase>& phases, const CheckOptions& options,
                      uint64_t size_bytes) {
  uint64_t runs = 0, written = 0, read = 0;
  for (const Phase& phase : phases) {
    runs += runs_of(phase, options);
    written += runs_of(phase, options) * phase.written_bytes;
    read += runs_of(phase, options) * phase.read_bytes;
  }
  // Profiles that run as published have no bound.
  const char* bound = options.pace == Pace::kFull ? "about" : "at most";
  std::string text = fmt::format(
      "Plan: {} runs of fio over one file of {} in a new directory below {}, removed at the end;\n"
      "writes {} {} ({:.4f} % of a drive rated for 600 TB), reads {} {}, about {}.\n",
      runs, format_bytes(size_bytes), joined(options.directories), bound, format_bytes(written),
      100 * static_cast<double>(written) / kRatedBytes, bound, format_bytes(read),
      clock_text(planned_seconds(phases, options)));
  for (const Phase& phase : phases) {
    const uint64_t times = runs_of(phase, options);
    text +=
        fmt::format("  {:<20} {:>7}{}  {}\n", phase.name, clock_text(phase.seconds),
                    times > 1 ? fmt::format(" x {}", times) : "", without_full_stop(phase.summary));
  }
  return text;
}

}  // namespace ethio
