// Where one fio result stands among the reference drives, and whether it may be compared with them
// at all. Fed by fio_reader.h and reference.h; printed by rank and report.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/report/fio_result.h"
#include "common/report/reference.h"

namespace ethio {

struct Placement {
  // Among the drives that have figures, by reads a second; nullopt when the result has no read
  // IOPS.
  struct Rank {
    size_t position = 0;     // 1 = fastest
    size_t drives = 0;       // with figures, this result not counted
    double faster_than = 0;  // share of them, 0 .. 1
    const ReferenceDrive* above = nullptr;
    const ReferenceDrive* below = nullptr;
    std::vector<const ReferenceDrive*> alike;  // within kAlike of the reads, by distance
  };
  std::optional<Rank> rank;

  std::vector<std::string> differences;  // from the profile: with any, the rank is of unlike things
  std::vector<std::string> unstated;     // what the output does not say

  bool comparable() const { return differences.empty(); }
};

inline constexpr double kAlike = 0.05;

Placement place(const fio::Result& result, const Reference& reference);

// The reference drives that have figures, fastest first.
std::vector<const ReferenceDrive*> ranked_drives(const Reference& reference);

// Mean time that an access of the profile spends in flight, by Little's law: depth / (reads +
// writes a second). 0 when depth or rate is unknown.
double mean_time_in_flight_ns(const fio::Result& result);

}  // namespace ethio
