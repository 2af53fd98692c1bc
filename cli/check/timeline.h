// What the drive did while a phase ran, sample by sample, from the kernel's counters: the same for
// every engine of fio. Shown as current speed, kept for reports, and the ground on which check says
// that a drive still drifts or that its write cache is full.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/facts/block_device.h"

namespace ethio {

struct Sample {
  double seconds = 0;  // since the phase began
  DeviceCounters did;  // since the phase began
  std::optional<double> celsius;  // of the hottest drive, where one shows it
};

// Takes samples at most once an interval; `devices` is the chain under the directory, top first,
// and may be empty.
class Timeline {
 public:
  Timeline(const std::vector<BlockDevice>& devices, double interval_seconds);

  void tick();    // takes a sample when one is due
  void finish();  // takes the last one
  std::string speed()
      const;  // "12.3k reads/s, 4.1k writes/s" over the last interval; "" when unknown

  const std::vector<Sample>& samples() const {
    return samples_;
  }                                                  // empty when there are no counters
  std::optional<DeviceCounters> top_did() const;     // the device that the file system lies on
  std::optional<DeviceCounters> drives_did() const;  // the drives at the bottom, together

 private:
  using Clock = std::chrono::steady_clock;
  void take();

  std::vector<BlockDevice> devices_;
  double interval_seconds_;
  Clock::time_point began_;
  std::optional<DeviceCounters> top_before_, drives_before_;
  std::vector<Sample> samples_;
};

// Accesses a second in each interval of a timeline.
std::vector<double> rates_of(const std::vector<Sample>& samples);

// The relative change of the mean rate from the middle third to the last third of the intervals,
// when it is too large and too steady to be noise: beyond `threshold` and more than four standard
// errors. 0 otherwise, and for fewer than 12 intervals.
double drift_of(const std::vector<double>& rates, double threshold);

// Where a write cache ended: after so many bytes the rate fell, for good, below 70 % of what it
// was.
struct CacheEnd {
  uint64_t bytes = 0;            // written until then
  double before = 0, after = 0;  // bytes a second, medians
};
std::optional<CacheEnd> write_cache_end(const std::vector<Sample>& samples);

}  // namespace ethio
