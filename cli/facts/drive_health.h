// Temperature, wear and thermal counters of a drive, through smartctl and nvme-cli where they are
// installed and may be used. Read before and after a run: what moved in between tells whether the
// drive throttled.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/facts/block_device.h"
#include "cli/process/interrupt.h"

namespace ethio {

struct DriveHealth {
  std::string device;   // "nvme0n1"
  std::string missing;  // why nothing is known; "" when something is
  std::optional<double> celsius;
  std::optional<double> wear_percent;                 // of the rated endurance used
  std::optional<uint64_t> written_bytes, read_bytes;  // over the drive's life
  std::optional<uint64_t> warning_minutes;            // spent above the warning temperature
  std::optional<uint64_t> critical_minutes;           // spent above the critical one
  std::optional<uint64_t> throttle_count;             // transitions into thermal management
  bool temperature_alarm = false;  // the drive itself says that it is too hot now
};

// Runs the programs; never throws for a drive, only Interrupted.
DriveHealth health_of(const BlockDevice& drive, Interrupt& interrupt);

// `smartctl --json -a` and `nvme smart-log -o json` as text. Fields that are absent stay empty.
void read_smartctl(std::string_view json, DriveHealth& health);
void read_nvme_smart_log(std::string_view json, DriveHealth& health);

FactGroup health_facts(const DriveHealth& before, const DriveHealth& after);

// Why the drive was slowed down by heat in between; nothing when it was not, or that is not known.
std::optional<std::string> throttled(const DriveHealth& before, const DriveHealth& after);

}  // namespace ethio
