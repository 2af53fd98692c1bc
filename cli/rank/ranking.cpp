#include "cli/rank/ranking.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/base/quantity.h"

namespace ethio {
namespace {

std::string figures(const Rates& rates) {
  return fmt::format("{}/{}", format_count(rates.read), format_count(rates.write));
}

std::string build_of(const ReferenceDrive& drive) {
  std::string build = drive.nand == "unstated" ? "" : drive.nand;
  if (drive.dram != "unstated") {
    build += fmt::format("{}{} DRAM", build.empty() ? "" : ", ",
                         drive.dram == "yes" ? "with" : "without");
  }
  return build.empty() ? drive.tier : fmt::format("{}: {}", drive.tier, build);
}

// The two drives of different tiers whose figures lie closest.
std::string overlapping_tiers(const Reference& reference) {
  const std::vector<const ReferenceDrive*> drives = ranked_drives(reference);
  const ReferenceDrive* better = nullptr;
  const ReferenceDrive* worse = nullptr;
  double closest = 1;
  for (size_t i = 0; i + 1 < drives.size(); ++i) {
    const double distance = drives[i]->figure().read / drives[i + 1]->figure().read - 1;
    if (drives[i]->tier == drives[i + 1]->tier || distance >= closest) continue;
    closest = distance;
    better = drives[i];
    worse = drives[i + 1];
  }
  if (better == nullptr) return "";
  return fmt::format(
      "It does not separate the tiers: {} ({}) is listed with {}, {} ({}) with {}. What tells them "
      "apart does not "
      "show in this run: writes once the write cache is full, latency, endurance.",
      better->name, build_of(*better), figures(better->figure()), worse->name, build_of(*worse),
      figures(worse->figure()));
}

// The drive whose published figures lie furthest apart.
std::string spread_of_one_model(const Reference& reference) {
  const ReferenceDrive* widest = nullptr;
  double low = 0, high = 0;
  for (const ReferenceDrive& drive : reference.drives) {
    double least = INFINITY, most = 0;
    const auto widen = [&](const Rates& rates) {
      least = std::min(least, rates.read);
      most = std::max(most, rates.read);
    };
    std::for_each(drive.listed.begin(), drive.listed.end(), widen);
    std::for_each(drive.posted.begin(), drive.posted.end(), widen);
    if (most == 0 || (widest != nullptr && most / least <= high / low)) continue;
    widest = &drive;
    low = least;
    high = most;
  }
  if (widest == nullptr) return "";
  return fmt::format(
      "It is of one machine as much as of one drive: {} has published figures from {} to {} "
      "reads/s, by host, file "
      "system, encryption, firmware and heat. A neighbour in the table is not your drive's twin.",
      widest->name, format_count(low), format_count(high));
}

}  // namespace

std::string RankedResult::where() const {
  return fmt::format("{}:{}", result.origin, result.line);
}

std::vector<RankedResult> rank_results(const std::vector<fio::Result>& results,
                                       const Reference& reference) {
  std::vector<RankedResult> ranking;
  for (const fio::Result& result : results) {
    RankedResult ranked{result, place(result, reference), std::nullopt};
    if (!fio::why_void(result).empty()) ranked.placement.rank.reset();
    const auto earlier = std::find_if(
        ranking.begin(), ranking.end(),
        [&](const RankedResult& other) { return fio::same_measurement(other.result, result); });
    if (earlier != ranking.end()) ranked.repeats = static_cast<size_t>(earlier - ranking.begin());
    ranking.push_back(std::move(ranked));
  }
  return ranking;
}

std::vector<std::string> limits_of_the_profile(const Reference& reference) {
  std::vector<std::string> limits;
  limits.push_back(
      fmt::format("It tells how many {} reads and writes a second a drive does with {} of them in "
                  "flight. It does not tell how "
                  "long one takes: gtod_reduce=1 switches fio's latencies off.",
                  format_bytes(reference.profile.block_bytes), reference.profile.iodepth));
  limits.emplace_back(
      "A node at the head of the chain mostly waits for one read after another, at a depth of "
      "about 1. There reads/s "
      "are 1 / latency: 80 us give 12,500 a second and 370 us give 2,700, whatever the drive does "
      "at depth 64.");
  for (const std::string& limit : {overlapping_tiers(reference), spread_of_one_model(reference)}) {
    if (!limit.empty()) limits.push_back(limit);
  }
  limits.emplace_back(
      "To learn whether a drive keeps up with the chain, time blocks on it: ethio check DIR.");
  return limits;
}

}  // namespace ethio
