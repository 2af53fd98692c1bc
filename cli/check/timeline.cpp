#include "cli/check/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "common/base/quantity.h"
#include "common/report/stats.h"

namespace ethio {
namespace {

DeviceCounters difference(const DeviceCounters& after, const DeviceCounters& before) {
  return {after.reads - before.reads, after.read_bytes - before.read_bytes,
          after.writes - before.writes, after.written_bytes - before.written_bytes,
          after.busy_ms - before.busy_ms};
}

std::optional<DeviceCounters> top_counters(const std::vector<BlockDevice>& devices) {
  if (devices.empty()) return std::nullopt;
  return counters_of(devices.front());
}

// The sum over the drives; nothing when one of them has no counters.
std::optional<DeviceCounters> drive_counters(const std::vector<BlockDevice>& devices) {
  std::optional<DeviceCounters> sum;
  for (const BlockDevice& device : devices) {
    if (device.kind != "disk") continue;
    const auto counters = counters_of(device);
    if (!counters.has_value()) return std::nullopt;
    if (!sum.has_value()) sum = DeviceCounters{};
    sum->reads += counters->reads;
    sum->read_bytes += counters->read_bytes;
    sum->writes += counters->writes;
    sum->written_bytes += counters->written_bytes;
    sum->busy_ms += counters->busy_ms;
  }
  return sum;
}

std::optional<double> hottest(const std::vector<BlockDevice>& devices) {
  std::optional<double> celsius;
  for (const BlockDevice& device : devices) {
    const auto one = device.kind == "disk" ? celsius_of(device) : std::nullopt;
    if (one.has_value()) celsius = std::max(*one, celsius.value_or(*one));
  }
  return celsius;
}

struct Moments {
  double mean = 0;
  double error_squared = 0;  // of the mean
};

Moments moments_of(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, squares / (n - 1) / n};
}

}  // namespace

Timeline::Timeline(const std::vector<BlockDevice>& devices, double interval_seconds)
    : devices_(devices),
      interval_seconds_(interval_seconds),
      began_(Clock::now()),
      top_before_(top_counters(devices_)),
      drives_before_(drive_counters(devices_)) {
  if (top_before_.has_value()) samples_.push_back({0, {}, hottest(devices_)});
}

void Timeline::tick() {
  if (samples_.empty()) return;
  const double now = std::chrono::duration<double>(Clock::now() - began_).count();
  if (now - samples_.back().seconds >= interval_seconds_) take();
}

void Timeline::finish() {
  if (!samples_.empty()) take();
}

void Timeline::take() {
  const auto counters = top_counters(devices_);
  if (!counters.has_value()) return;
  const double now = std::chrono::duration<double>(Clock::now() - began_).count();
  samples_.push_back({now, difference(*counters, *top_before_), hottest(devices_)});
}

std::string Timeline::speed() const {
  if (samples_.size() < 2) return "";
  const Sample& last = samples_.back();
  const Sample& before = samples_[samples_.size() - 2];
  const double seconds = last.seconds - before.seconds;
  return fmt::format(
      "{} reads/s, {} writes/s",
      format_count(static_cast<double>(last.did.reads - before.did.reads) / seconds),
      format_count(static_cast<double>(last.did.writes - before.did.writes) / seconds));
}

std::optional<DeviceCounters> Timeline::top_did() const {
  if (samples_.empty()) return std::nullopt;
  return samples_.back().did;
}

std::optional<DeviceCounters> Timeline::drives_did() const {
  const auto now = drive_counters(devices_);
  if (!now.has_value() || !drives_before_.has_value()) return std::nullopt;
  return difference(*now, *drives_before_);
}

std::vector<double> rates_of(const std::vector<Sample>& samples) {
  std::vector<double> rates;
  for (size_t i = 1; i < samples.size(); ++i) {
    const DeviceCounters did = difference(samples[i].did, samples[i - 1].did);
    const double seconds = samples[i].seconds - samples[i - 1].seconds;
    if (seconds > 0) rates.push_back(static_cast<double>(did.reads + did.writes) / seconds);
  }
  return rates;
}

double drift_of(const std::vector<double>& rates, double threshold) {
  const size_t third = rates.size() / 3;
  if (rates.size() < 12) return 0;
  // The last interval is cut short by the end of the run.
  const std::span<const double> whole(rates.data(), rates.size() - 1);
  const Moments middle = moments_of(whole.subspan(third, third));
  const Moments last = moments_of(whole.subspan(2 * third));
  if (middle.mean <= 0) return 0;
  const double change = last.mean / middle.mean - 1;
  const double error = std::sqrt(middle.error_squared + last.error_squared);
  const bool is_steady = std::abs(last.mean - middle.mean) > 4 * error;
  return std::abs(change) > threshold && is_steady ? change : 0;
}

std::optional<CacheEnd> write_cache_end(const std::vector<Sample>& samples) {
  constexpr double kFall = 0.7;
  constexpr size_t kFewest = 4;  // intervals on either side
  std::vector<double> rates;
  for (size_t i = 1; i < samples.size(); ++i) {
    const uint64_t bytes = samples[i].did.written_bytes - samples[i - 1].did.written_bytes;
    const double seconds = samples[i].seconds - samples[i - 1].seconds;
    rates.push_back(seconds > 0 ? static_cast<double>(bytes) / seconds : 0);
  }
  // The cut at which the medians of the two sides lie furthest apart, if the right side stays low
  // to the end.
  std::optional<CacheEnd> found;
  double lowest = kFall;
  for (size_t cut = kFewest; cut + kFewest <= rates.size(); ++cut) {
    const std::span<const double> all(rates);
    const double before = median(all.first(cut));
    const double after = median(all.subspan(cut));
    if (before <= 0 || after / before >= lowest) continue;
    lowest = after / before;
    found = CacheEnd{samples[cut].did.written_bytes, before, after};
  }
  return found;
}

}  // namespace ethio
