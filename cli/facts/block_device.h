// The block devices under a file system, from the top (partition, LUKS, LVM, md, loop) down to the
// drives, as /sys shows them, and the counters that tell what reached them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/facts/fact.h"

namespace ethio {

struct BlockDevice {
  std::string name;             // "nvme0n1p2"
  std::filesystem::path sysfs;  // its directory in /sys/devices
  std::string kind;             // "disk", "partition", "LVM or LUKS", "RAID", "loop"
};

// Under a file or directory, or a block device itself; top first. Empty, with the reason in
// `why_not`, where the file system hides its devices (ZFS, network, memory).
std::vector<BlockDevice> device_chain(const std::string& path, std::string& why_not);

// What a device has done since boot. From /sys/.../stat, see the kernel's
// Documentation/block/stat.rst.
struct DeviceCounters {
  uint64_t reads = 0, read_bytes = 0, writes = 0, written_bytes = 0;
  uint64_t busy_ms = 0;
};
std::optional<DeviceCounters> counters_of(const BlockDevice& device);

// What the drive's own sensor says now; nothing where the driver shows none.
std::optional<double> celsius_of(const BlockDevice& drive);

FactGroup device_facts(const BlockDevice& device);

}  // namespace ethio
