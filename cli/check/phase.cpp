#include "cli/check/phase.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/fio/profile.h"
#include "cli/screen/progress.h"
#include "cli/subcommand.h"
#include "common/base/quantity.h"
#include "common/base/text.h"
#include "common/spec/catalogue.h"

namespace ethio {
namespace {

constexpr uint64_t kGiB = uint64_t{1} << 30;

// Of the layout, for the plan alone: a slow SSD's sequential writes.
constexpr double kLayoutBytesPerSecond = 300e6;
// What a run of fio takes beside its run time: starting, opening, reporting.
constexpr double kOverheadSeconds = 0.7;

// By pace: quick, normal, full. No seconds: not run at that pace.
struct ByPace {
  double seconds[3];
  uint64_t bound[3];  // bytes, reads and writes together, so that the plan's "at most" holds on the
                      // fastest drive

  double seconds_at(Pace pace) const { return seconds[static_cast<int>(pace)]; }
  uint64_t bound_at(Pace pace) const { return bound[static_cast<int>(pace)]; }
};

struct StockRow {
  const char* profile;
  Timed timed;
  ByPace by_pace;
  double written_share;  // of the bound
};

// Over the test file, for a time.
constexpr StockRow kStock[] = {
    {"hall-of-blame", Timed::kNothing, {{6, 12, 120}, {4 * kGiB, 16 * kGiB, 64 * kGiB}}, 0.25},
    {"random-read-qd1", Timed::kReads, {{4, 8, 60}, {kGiB, 4 * kGiB, 16 * kGiB}}, 0},
    {"random-read-qd4", Timed::kReads, {{0, 4, 60}, {0, 4 * kGiB, 32 * kGiB}}, 0},
    {"random-write-qd1", Timed::kWrites, {{0, 0, 60}, {0, 0, 16 * kGiB}}, 1},
    {"fdatasync", Timed::kSyncs, {{4, 8, 60}, {kGiB / 2, 2 * kGiB, 8 * kGiB}}, 1},
};

// As published, over files of their own, at full pace only. The share is of what a minute of
// buffered I/O moves.
struct PublishedRow {
  const char* profile;
  Timed timed;
  double written_share;
};
constexpr PublishedRow kPublished[] = {
    {"mixed-98", Timed::kReads, 0.02},
    {"random-write-4k", Timed::kWrites, 1},
    {"random-write-64k-16", Timed::kWrites, 1},
    {"random-write-1m", Timed::kWrites, 1},
};
constexpr double kPublishedSeconds = 75;  // a minute, and the flush at its end
constexpr uint64_t kPublishedBytes = 60 * kGiB;

struct EthioRow {
  const char* workload;
  Timed timed;
  ByPace by_pace;
  bool writes;
};
constexpr EthioRow kEthio[] = {
    {"flat-read", Timed::kReads, {{4, 8, 60}, {2 * kGiB, 8 * kGiB, 32 * kGiB}}, false},
    {"trie-read", Timed::kReads, {{4, 8, 60}, {2 * kGiB, 8 * kGiB, 32 * kGiB}}, false},
    {"trie-commit", Timed::kWrites, {{4, 8, 60}, {kGiB, 4 * kGiB, 16 * kGiB}}, true},
};
constexpr EthioRow kHead = {
    "", Timed::kReads, {{8, 25, 120}, {2 * kGiB, 8 * kGiB, 64 * kGiB}}, true};
constexpr EthioRow kPacedHead = {"", Timed::kReads, {{0, 0, 600}, {0, 0, 64 * kGiB}}, true};
constexpr const char* kHeadName = "chain-head";
constexpr const char* kSlot = "12s";

double seconds_of(const PlanSettings& settings, const ByPace& by_pace) {
  if (settings.runtime_ns > 0) return static_cast<double>(settings.runtime_ns) * 1e-9;
  return by_pace.seconds_at(settings.pace);
}

std::string seconds_option(double seconds) {
  return fmt::format("{}ms", static_cast<uint64_t>(seconds * 1000));
}

bool is_direct(const FioProfile& profile) {
  const std::string* direct = profile.option("direct");
  return direct != nullptr && *direct == "1";
}

uint64_t published_size(const FioProfile& profile) {
  return parse_bytes(*profile.option("size"));
}

uint64_t jobs_of(const FioProfile& profile) {
  const std::string* jobs = profile.option("numjobs");
  return jobs == nullptr ? 1 : parse_count(*jobs);
}

Phase described(const FioProfile& profile, Timed timed) {
  Phase phase;
  phase.name = profile.name;
  phase.timed = timed;
  phase.summary = profile.summary;
  phase.sources = profile.sources;
  phase.direct = is_direct(profile);
  return phase;
}

Phase layout_phase(const PlanSettings& settings) {
  Phase phase;
  phase.name = "layout";
  phase.kind = PhaseKind::kLayout;
  phase.timed = Timed::kNothing;
  phase.summary = "the test file, written once from end to end with data that does not compress";
  phase.direct = settings.direct;
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
  const std::string file = settings.size_bytes == published_size(profile)
                               ? "another file"
                               : fmt::format("{} instead of {}", format_bytes(settings.size_bytes),
                                             *profile.option("size"));
  std::string text = fmt::format("not comparable with published numbers: {}, at most {}", file,
                                 clock_text(seconds));
  if (!settings.direct && is_direct(profile)) text += ", through the page cache";
  return text;
}

// At full pace with a test file of the published name and size: nothing is changed at all.
bool runs_as_published(const FioProfile& profile, const PlanSettings& settings) {
  return settings.pace == Pace::kFull && settings.runtime_ns == 0 && settings.direct &&
         profile.option("filename") != nullptr && settings.size_bytes == published_size(profile);
}

Phase stock_phase(const StockRow& row, const PlanSettings& settings) {
  const FioProfile profile = load_profile(row.profile);
  const double seconds = seconds_of(settings, row.by_pace);
  const uint64_t bound = row.by_pace.bound_at(settings.pace);
  Phase phase = described(profile, row.timed);
  if (runs_as_published(profile, settings)) {
    phase.arguments = profile.arguments({});
    phase.seconds = static_cast<double>(settings.size_bytes) / kLayoutBytesPerSecond;
    phase.written_bytes =
        static_cast<uint64_t>(row.written_share * static_cast<double>(settings.size_bytes));
    phase.read_bytes = settings.size_bytes - phase.written_bytes;
    return phase;
  }
  std::vector<FioOption> changes = {{"filename", kTestFile},
                                    {"size", fmt::format("{}", settings.size_bytes)},
                                    {"io_size", fmt::format("{}", bound)},
                                    {"runtime", seconds_option(seconds)}};
  if (!settings.direct && phase.direct) {
    changes.push_back({"direct", "0"});
    phase.direct = false;
  }
  phase.arguments = profile.arguments(changes);
  phase.seconds = seconds + kOverheadSeconds;
  phase.written_bytes = static_cast<uint64_t>(row.written_share * static_cast<double>(bound));
  phase.read_bytes = bound - phase.written_bytes;
  if (!profile.sources.empty()) phase.remark = difference(profile, settings, seconds);
  return phase;
}

Phase published_phase(const PublishedRow& row, const PlanSettings& settings) {
  const FioProfile profile = load_profile(row.profile);
  Phase phase = described(profile, row.timed);
  // One line a group instead of one a process; nothing else is changed.
  const FioOption grouped[] = {{"group_reporting", ""}};
  phase.arguments =
      profile.arguments(jobs_of(profile) > 1 ? std::span(grouped) : std::span<const FioOption>());
  phase.file_bytes =
      published_size(profile) * (profile.option("filename") == nullptr ? jobs_of(profile) : 1);
  phase.seconds = kPublishedSeconds;
  phase.written_bytes =
      phase.file_bytes +
      static_cast<uint64_t>(row.written_share * static_cast<double>(kPublishedBytes));
  phase.read_bytes = kPublishedBytes;
  if (settings.runtime_ns > 0) {
    // For a look at the thing itself: as short as asked.
    const FioOption shorter[] = {{"runtime", seconds_option(seconds_of(settings, {}))},
                                 {"group_reporting", ""}};
    phase.arguments = profile.arguments(shorter);
    phase.seconds = seconds_of(settings, {}) + kOverheadSeconds;
    phase.remark = "not comparable with published numbers: a shorter run";
  }
  return phase;
}

// Over a file of its own, as large as the space allows, so that no block is written twice.
Phase sustained_phase(const PlanSettings& settings) {
  const FioProfile profile = load_profile("sustained-write");
  Phase phase = described(profile, Timed::kWrites);
  const uint64_t size =
      std::min(published_size(profile), settings.spare_bytes / 2 / (1 << 20) * (1 << 20));
  const double seconds = settings.runtime_ns > 0 ? seconds_of(settings, {}) : 300;
  std::vector<FioOption> changes = {{"filename", "sustained"},
                                    {"size", fmt::format("{}", size)},
                                    {"runtime", seconds_option(seconds)}};
  if (!settings.direct) changes.push_back({"direct", "0"});
  phase.direct = settings.direct;
  phase.arguments = profile.arguments(changes);
  phase.seconds = seconds + kOverheadSeconds;
  phase.written_bytes = phase.file_bytes = size;
  return phase;
}

Phase ethio_phase(const std::string& workload, const EthioRow& row, const PlanSettings& settings) {
  const double seconds = seconds_of(settings, row.by_pace);
  const uint64_t bound = row.by_pace.bound_at(settings.pace);
  Phase phase;
  phase.name = workload;
  phase.kind = PhaseKind::kEthio;
  phase.timed = row.timed;
  phase.direct = settings.direct;
  phase.summary = load_workload(workload).summary;
  phase.sidecar = fmt::format("{}.json", workload);
  phase.arguments = {fmt::format("--ioengine=external:{}", settings.engine),
                     fmt::format("--name={}", workload),
                     fmt::format("--filename={}", kTestFile),
                     fmt::format("--size={}", settings.size_bytes),
                     fmt::format("--direct={}", settings.direct ? 1 : 0),
                     fmt::format("--readwrite={}", row.writes ? "randrw" : "randread"),
                     fmt::format("--ethio_workload={}", workload),
                     fmt::format("--ethio_out={}", phase.sidecar),
                     fmt::format("--io_size={}", bound),
                     fmt::format("--runtime={}", seconds_option(seconds))};
  phase.seconds = seconds + kOverheadSeconds;
  if (row.writes) phase.written_bytes = bound;
  phase.read_bytes = row.timed == Timed::kWrites ? 0 : bound;
  return phase;
}

Phase paced_phase(const std::string& workload, const PlanSettings& settings) {
  Phase phase = ethio_phase(workload, kPacedHead, settings);
  phase.name += "-paced";
  phase.summary += fmt::format(" One every {}, as on mainnet.", kSlot);
  phase.arguments.push_back(fmt::format("--ethio_slot_time={}", kSlot));
  return phase;
}

}  // namespace

std::vector<Phase> make_phases(const PlanSettings& settings) {
  std::vector<Phase> phases = {layout_phase(settings)};
  for (const StockRow& row : kStock) {
    if (row.by_pace.seconds_at(settings.pace) > 0) phases.push_back(stock_phase(row, settings));
  }
  if (settings.pace == Pace::kFull) {
    for (const PublishedRow& row : kPublished) phases.push_back(published_phase(row, settings));
    phases.push_back(sustained_phase(settings));
  }
  for (const EthioRow& row : kEthio) phases.push_back(ethio_phase(row.workload, row, settings));
  for (const std::string& head : settings.heads) {
    phases.push_back(ethio_phase(head, kHead, settings));
    if (settings.pace == Pace::kFull) phases.push_back(paced_phase(head, settings));
  }
  std::erase_if(phases,
                [&](const Phase& phase) { return phase.file_bytes > settings.spare_bytes; });
  return phases;
}

std::vector<std::string> head_workloads(const std::string& client) {
  if (client.empty()) return {kHeadName};
  const std::string prefix = std::string(kHeadName) + "-";
  std::vector<std::string> heads, clients;
  for (const std::string& name : workload_names()) {
    if (name.rfind(prefix, 0) != 0) continue;
    clients.push_back(name.substr(prefix.size()));
    if (client == "all" || client == clients.back()) heads.push_back(name);
  }
  if (heads.empty()) {
    clients.emplace_back("all");
    throw UsageError(
        fmt::format("check: --client {} is not one of {}", in_quotes(client), joined(clients)));
  }
  return heads;
}

}  // namespace ethio
