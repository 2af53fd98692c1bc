#include "cli/check/phase.h"

#include <fmt/format.h>

#include "cli/fio/profile.h"
#include "cli/screen/progress.h"
#include "common/base/quantity.h"
#include "common/spec/catalogue.h"

namespace ethio {
namespace {

constexpr uint64_t kGiB = uint64_t{1} << 30;

// Of the layout, for the plan alone: a slow SSD's sequential writes.
constexpr double kLayoutBytesPerSecond = 300e6;
// What a run of fio takes beside its run time: starting, opening, reporting.
constexpr double kOverheadSeconds = 0.7;

// A phase of the plan before the user's settings: seconds by pace, and a bound on what it moves, so
// that the plan's "at most" holds on the fastest drive.
struct StockRow {
  const char* profile;
  Timed timed;
  double quick_seconds, seconds;
  uint64_t quick_bound, bound;  // bytes, reads and writes together
  double written_share;         // of the bound
};
constexpr StockRow kStock[] = {
    {"hall-of-blame", Timed::kNothing, 6, 20, 4 * kGiB, 16 * kGiB, 0.25},
    {"random-read-qd1", Timed::kReads, 4, 10, kGiB, 4 * kGiB, 0},
    {"fdatasync", Timed::kSyncs, 4, 10, kGiB / 2, 2 * kGiB, 1},
};

struct EthioRow {
  const char* workload;
  Timed timed;
  double quick_seconds, seconds;
  uint64_t quick_bound, bound;
  bool writes;
};
constexpr EthioRow kEthio[] = {
    {"flat-read", Timed::kReads, 4, 10, 2 * kGiB, 8 * kGiB, false},
    {"trie-read", Timed::kReads, 4, 10, 2 * kGiB, 8 * kGiB, false},
    {"trie-commit", Timed::kWrites, 4, 15, kGiB, 4 * kGiB, true},
    {"chain-head", Timed::kReads, 8, 25, 2 * kGiB, 8 * kGiB, true},
};

double seconds_of(const PlanSettings& settings, double quick, double normal) {
  if (settings.runtime_ns > 0) return static_cast<double>(settings.runtime_ns) * 1e-9;
  return settings.pace == Pace::kQuick ? quick : normal;
}

std::string seconds_option(double seconds) {
  return fmt::format("{}ms", static_cast<uint64_t>(seconds * 1000));
}

Phase layout_phase(const PlanSettings& settings) {
  Phase phase;
  phase.name = "layout";
  phase.kind = PhaseKind::kLayout;
  phase.timed = Timed::kNothing;
  phase.summary = "the test file, written once from end to end with data that does not compress";
  phase.arguments = {"--name=layout",
                     fmt::format("--filename={}", kTestFile),
                     "--ioengine=libaio",
                     fmt::format("--direct={}", settings.direct ? 1 : 0),
                     "--bs=1m",
                     "--iodepth=4",
                     fmt::format("--size={}", settings.size_bytes),
                     "--readwrite=write",
                     "--refill_buffers",
                     "--end_fsync=1"};
  phase.seconds =
      static_cast<double>(settings.size_bytes) / kLayoutBytesPerSecond + kOverheadSeconds;
  phase.written_bytes = settings.size_bytes;
  return phase;
}

// What the phase does otherwise than its profile says.
std::string difference(const FioProfile& profile, const PlanSettings& settings, double seconds) {
  std::string text =
      fmt::format("not comparable with published numbers: {} instead of {}, at most {}",
                  format_bytes(settings.size_bytes), *profile.option("size"), clock_text(seconds));
  if (!settings.direct && profile.option("direct") != nullptr) text += ", through the page cache";
  return text;
}

Phase stock_phase(const StockRow& row, const PlanSettings& settings) {
  const FioProfile profile = load_profile(row.profile);
  const double seconds = seconds_of(settings, row.quick_seconds, row.seconds);
  const uint64_t bound = settings.pace == Pace::kQuick ? row.quick_bound : row.bound;
  std::vector<FioOption> changes = {{"filename", kTestFile},
                                    {"size", fmt::format("{}", settings.size_bytes)},
                                    {"io_size", fmt::format("{}", bound)},
                                    {"runtime", seconds_option(seconds)}};
  if (!settings.direct && profile.option("direct") != nullptr) changes.push_back({"direct", "0"});
  Phase phase;
  phase.name = profile.name;
  phase.timed = row.timed;
  phase.summary = profile.summary;
  phase.sources = profile.sources;
  phase.arguments = profile.arguments(changes);
  phase.seconds = seconds + kOverheadSeconds;
  phase.written_bytes = static_cast<uint64_t>(row.written_share * static_cast<double>(bound));
  phase.read_bytes = bound - phase.written_bytes;
  if (!profile.sources.empty()) phase.remark = difference(profile, settings, seconds);
  return phase;
}

Phase ethio_phase(const EthioRow& row, const PlanSettings& settings) {
  const double seconds = seconds_of(settings, row.quick_seconds, row.seconds);
  const uint64_t bound = settings.pace == Pace::kQuick ? row.quick_bound : row.bound;
  Phase phase;
  phase.name = row.workload;
  phase.kind = PhaseKind::kEthio;
  phase.timed = row.timed;
  phase.summary = load_workload(row.workload).summary;
  phase.sidecar = fmt::format("{}.json", row.workload);
  phase.arguments = {fmt::format("--ioengine=external:{}", settings.engine),
                     fmt::format("--name={}", row.workload),
                     fmt::format("--filename={}", kTestFile),
                     fmt::format("--size={}", settings.size_bytes),
                     fmt::format("--direct={}", settings.direct ? 1 : 0),
                     fmt::format("--readwrite={}", row.writes ? "randrw" : "randread"),
                     fmt::format("--ethio_workload={}", row.workload),
                     fmt::format("--ethio_out={}", phase.sidecar),
                     fmt::format("--io_size={}", bound),
                     fmt::format("--runtime={}", seconds_option(seconds))};
  phase.seconds = seconds + kOverheadSeconds;
  if (row.writes) phase.written_bytes = bound;
  phase.read_bytes = row.timed == Timed::kWrites ? 0 : bound;
  return phase;
}

}  // namespace

std::vector<Phase> make_phases(const PlanSettings& settings) {
  std::vector<Phase> phases = {layout_phase(settings)};
  for (const StockRow& row : kStock) phases.push_back(stock_phase(row, settings));
  for (const EthioRow& row : kEthio) phases.push_back(ethio_phase(row, settings));
  return phases;
}

double total_seconds(const std::vector<Phase>& phases) {
  double seconds = 0;
  for (const Phase& phase : phases) seconds += phase.seconds;
  return seconds;
}

std::string plan_text(const std::vector<Phase>& phases, const PlanSettings& settings,
                      const std::string& directory) {
  uint64_t written = 0;
  uint64_t read = 0;
  for (const Phase& phase : phases) {
    written += phase.written_bytes;
    read += phase.read_bytes;
  }
  std::string text = fmt::format(
      "Plan: {} runs of fio over one file of {} in a new directory below {}, removed at the end;\n"
      "writes at most {} ({:.4f} % of a drive rated for 600 TB), reads at most {}, about {}.\n",
      phases.size(), format_bytes(settings.size_bytes), directory, format_bytes(written),
      100 * static_cast<double>(written) / 600e12, format_bytes(read),
      clock_text(total_seconds(phases)));
  for (const Phase& phase : phases) {
    text +=
        fmt::format("  {:<16} {:>7}  {}\n", phase.name, clock_text(phase.seconds), phase.summary);
  }
  return text;
}

}  // namespace ethio
