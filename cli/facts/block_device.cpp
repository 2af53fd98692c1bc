#include "cli/facts/block_device.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <fstream>

#include "cli/facts/file_system.h"
#include "common/base/quantity.h"

namespace ethio {
namespace {

namespace fs = std::filesystem;
constexpr uint64_t kSector = 512;  // the unit of /sys, whatever the device's own

std::optional<fs::path> sysfs_of(dev_t device) {
  std::error_code error;
  const fs::path link = fmt::format("/sys/dev/block/{}:{}", major(device), minor(device));
  const fs::path path = fs::canonical(link, error);
  if (error) return std::nullopt;
  return path;
}

// The device number of the file system's storage: its own, or that of its mount source where the
// file system has an anonymous number (btrfs, overlay).
std::optional<fs::path> top_device(const std::string& path, std::string& why_not) {
  struct stat info;
  if (stat(path.c_str(), &info) == 0) {
    if (auto found = sysfs_of(S_ISBLK(info.st_mode) ? info.st_rdev : info.st_dev)) return found;
  }
  const Mount mount = mount_of(path);
  if (mount.source.rfind("/dev/", 0) == 0 && stat(mount.source.c_str(), &info) == 0 &&
      S_ISBLK(info.st_mode)) {
    if (auto found = sysfs_of(info.st_rdev)) return found;
  }
  why_not = fmt::format("{} on {} shows no block device", mount.type, mount.source);
  return std::nullopt;
}

std::string kind_of(const fs::path& sysfs) {
  if (fs::exists(sysfs / "partition")) return "partition";
  if (fs::exists(sysfs / "dm"))
    return "device mapper " + read_line_of(sysfs / "dm/name").value_or("?");
  if (fs::exists(sysfs / "md")) return "RAID " + read_line_of(sysfs / "md/level").value_or("?");
  if (fs::exists(sysfs / "loop")) {
    return "loop over " + read_line_of(sysfs / "loop/backing_file").value_or("?");
  }
  return "disk";
}

// The devices directly below: slaves of a stacked one, the whole disk of a partition, what holds a
// loop's file.
std::vector<fs::path> below(const BlockDevice& device) {
  std::vector<fs::path> result;
  if (fs::exists(device.sysfs / "partition")) return {device.sysfs.parent_path()};
  std::error_code error;
  for (const auto& slave : fs::directory_iterator(device.sysfs / "slaves", error)) {
    const fs::path path = fs::canonical(slave.path(), error);
    if (!error) result.push_back(path);
  }
  if (const auto file = read_line_of(device.sysfs / "loop/backing_file")) {
    std::string ignored;
    if (fs::exists(*file)) {
      if (const auto holder = top_device(*file, ignored)) result.push_back(*holder);
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

void collect(const fs::path& sysfs, std::vector<BlockDevice>& chain) {
  const auto known = [&](const BlockDevice& device) { return device.sysfs == sysfs; };
  if (std::any_of(chain.begin(), chain.end(), known)) return;
  chain.push_back({sysfs.filename().string(), sysfs, kind_of(sysfs)});
  const BlockDevice device = chain.back();
  for (const fs::path& next : below(device)) collect(next, chain);
}

std::optional<std::string> joined(std::optional<std::string> first, const char* separator,
                                  std::optional<std::string> second) {
  if (!first.has_value() || !second.has_value()) return std::nullopt;
  return *first + separator + *second;
}

// What only a drive, not a partition or a stacked device, has.
void add_drive_facts(const BlockDevice& drive, FactGroup& group) {
  const fs::path device = drive.sysfs / "device";
  group.add_or("model", read_line_of(device / "model"), "the driver gives none");
  auto firmware = read_line_of(device / "firmware_rev");
  if (!firmware.has_value()) firmware = read_line_of(device / "rev");
  group.add_or("firmware", firmware, "the driver gives none");
  group.add_or("PCIe link",
               joined(read_line_of(device / "device/current_link_speed"), " x",
                      read_line_of(device / "device/current_link_width")),
               "not an NVMe drive on PCIe");
  const auto celsius = celsius_of(drive);
  group.add_or("temperature",
               celsius ? std::optional(fmt::format("{:.0f} C", *celsius)) : std::nullopt,
               "the driver gives no sensor");
}

}  // namespace

std::vector<BlockDevice> device_chain(const std::string& path, std::string& why_not) {
  std::vector<BlockDevice> chain;
  if (const auto top = top_device(path, why_not)) collect(*top, chain);
  return chain;
}

std::optional<DeviceCounters> counters_of(const BlockDevice& device) {
  std::ifstream file(device.sysfs / "stat");
  uint64_t fields[10];
  for (uint64_t& field : fields) {
    if (!(file >> field)) return std::nullopt;
  }
  return DeviceCounters{fields[0], fields[2] * kSector, fields[4], fields[6] * kSector, fields[9]};
}

std::optional<double> celsius_of(const BlockDevice& drive) {
  std::error_code error;
  for (const char* folder : {"device", "device/hwmon"}) {
    for (const auto& entry : fs::directory_iterator(drive.sysfs / folder, error)) {
      if (entry.path().filename().string().rfind("hwmon", 0) != 0) continue;
      if (const auto milli = read_line_of(entry.path() / "temp1_input")) {
        return std::stod(*milli) / 1000;
      }
    }
  }
  return std::nullopt;
}

FactGroup device_facts(const BlockDevice& device) {
  FactGroup group{"device " + device.name, {}};
  group.add("kind", device.kind);
  if (const auto sectors = read_line_of(device.sysfs / "size")) {
    group.add("size", format_bytes(std::stoull(*sectors) * kSector));
  }
  if (device.kind == "partition") return group;
  const fs::path queue = device.sysfs / "queue";
  group.add_or("scheduler", read_line_of(queue / "scheduler"), "/sys shows none");
  group.add_or("write cache", read_line_of(queue / "write_cache"), "/sys shows none");
  group.add_or("blocks (logical/physical)",
               joined(read_line_of(queue / "logical_block_size"), "/",
                      read_line_of(queue / "physical_block_size")),
               "/sys shows none");
  group.add_or("rotational", read_line_of(queue / "rotational"), "/sys shows none");
  const auto discard = read_line_of(queue / "discard_max_bytes");
  if (discard.has_value()) group.add("discard (TRIM)", *discard == "0" ? "no" : "yes");
  if (device.kind == "disk") add_drive_facts(device, group);
  return group;
}

}  // namespace ethio
