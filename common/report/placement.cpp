#include "common/report/placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/base/quantity.h"

namespace ethio {
namespace {

// fio's random mix of a few thousand I/Os strays so far from the asked share.
constexpr double kMixTolerance = 0.02;
constexpr double kSizeTolerance = 0.01;

class ProfileCheck {
 public:
  ProfileCheck(const fio::Result& result, const StockProfile& profile, Placement& placement)
      : result_(result), profile_(profile), placement_(placement) {}

  void run() {
    check_pattern();
    check_mix();
    check_block_size();
    check_depth();
    check_size();
    check_conditions();
  }

 private:
  void differs(std::string text) { placement_.differences.push_back(std::move(text)); }
  void unstated(std::string text) { placement_.unstated.push_back(std::move(text)); }

  void check_pattern() {
    if (result_.rw.empty()) {
      unstated("the pattern (rw)");
    } else if (result_.rw != profile_.rw) {
      differs(fmt::format("rw={}, not {}", result_.rw, profile_.rw));
    }
  }

  void check_mix() {
    const double share = result_.read_share();
    if (std::abs(share - profile_.read_share) <= kMixTolerance) return;
    differs(fmt::format("{:.0f} % reads, not {:.0f} %", 100 * share, 100 * profile_.read_share));
  }

  void check_block_size() {
    for (const fio::Direction* direction : {&result_.read, &result_.write}) {
      if (!direction->active() || direction->block_bytes == profile_.block_bytes) continue;
      if (direction->block_bytes == 0) {
        unstated("the block size");
      } else {
        differs(fmt::format("blocks of {}, not {}", format_bytes(direction->block_bytes),
                            format_bytes(profile_.block_bytes)));
      }
      return;
    }
  }

  void check_depth() {
    if (result_.jobs != 1) differs(fmt::format("{} jobs, not 1", result_.jobs));
    if (result_.iodepth == 0) {
      unstated("the depth");
    } else if (result_.iodepth != profile_.iodepth) {
      differs(fmt::format("depth {}, not {}", result_.iodepth, profile_.iodepth));
    }
  }

  // What was moved tells the size of the file as well, unless the run was shorter or longer.
  void check_size() {
    const uint64_t size = result_.size_bytes != 0 ? result_.size_bytes : result_.total_bytes();
    const double ratio = static_cast<double>(size) / static_cast<double>(profile_.size_bytes);
    if (size == 0) {
      unstated("the size of the file");
    } else if (std::abs(ratio - 1) > kSizeTolerance) {
      differs(fmt::format("a file of {}, not {}", format_bytes(size),
                          format_bytes(profile_.size_bytes)));
    }
  }

  void check_conditions() {
    if (const std::string why = fio::why_void(result_); !why.empty()) differs(why);
    if (!result_.direct) {
      unstated("whether the page cache was bypassed (direct)");
    } else if (!*result_.direct) {
      differs("through the page cache (direct=0)");
    }
  }

  const fio::Result& result_;
  const StockProfile& profile_;
  Placement& placement_;
};

Placement::Rank rank_of(double reads, const Reference& reference) {
  Placement::Rank rank;
  const std::vector<const ReferenceDrive*> drives = ranked_drives(reference);
  const auto slower = std::find_if(drives.begin(), drives.end(), [reads](const auto* drive) {
    return drive->figure().read <= reads;
  });
  rank.drives = drives.size();
  rank.position = 1 + static_cast<size_t>(slower - drives.begin());
  rank.faster_than =
      static_cast<double>(drives.end() - slower) / static_cast<double>(drives.size());
  if (slower != drives.begin()) rank.above = *(slower - 1);
  if (slower != drives.end()) rank.below = *slower;

  const auto distance = [reads](const ReferenceDrive* drive) {
    return std::abs(drive->figure().read / reads - 1);
  };
  std::copy_if(drives.begin(), drives.end(), std::back_inserter(rank.alike),
               [&](const auto* drive) { return distance(drive) <= kAlike; });
  std::stable_sort(rank.alike.begin(), rank.alike.end(),
                   [&](const auto* a, const auto* b) { return distance(a) < distance(b); });
  return rank;
}

}  // namespace

std::vector<const ReferenceDrive*> ranked_drives(const Reference& reference) {
  std::vector<const ReferenceDrive*> drives;
  for (const ReferenceDrive& drive : reference.drives) {
    if (!drive.listed.empty()) drives.push_back(&drive);
  }
  std::stable_sort(drives.begin(), drives.end(), [](const auto* a, const auto* b) {
    return a->figure().read > b->figure().read;
  });
  return drives;
}

Placement place(const fio::Result& result, const Reference& reference) {
  Placement placement;
  ProfileCheck(result, reference.profile, placement).run();
  const double reads = result.read.iops.value_or(0);
  if (reads > 0) placement.rank = rank_of(reads, reference);
  return placement;
}

double mean_time_in_flight_ns(const fio::Result& result) {
  const double rate = result.read.iops.value_or(0) + result.write.iops.value_or(0);
  return rate > 0 ? 1e9 * result.iodepth * result.jobs / rate : 0;
}

}  // namespace ethio
