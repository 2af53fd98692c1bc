// The list of the Hall of Blame (heat, TRIM, ZFS, RAID 5/6, atime), each behind the fact that
// makes it apply: https://gist.github.com/yorickdowne/f3a3e79a573bf35767cd002cc977b038
#include "cli/check/advice.h"

#include <fmt/format.h>

namespace ethio {
namespace {

constexpr double kHot = 50;  // C, the page's figure
constexpr double kFull = 0.9;
constexpr double kFullCopyOnWrite = 0.8;

using Lines = std::vector<std::string>;

bool has_option(const Mount& mount, const std::string& option) {
  const std::string options = "," + mount.options + ",";
  return options.find("," + option + ",") != std::string::npos ||
         options.find("," + option + ";") != std::string::npos;
}

bool copies_on_write(const Mount& mount) {
  return mount.type == "zfs" || mount.type == "btrfs";
}

void about_atime(const TargetResult& target, Lines& lines) {
  if (target.mount.type.empty() || has_option(target.mount, "noatime")) return;
  lines.push_back(
      fmt::format("{} is mounted without noatime: reads cause some writes; mount it with noatime",
                  target.mount.point));
}

void about_space(const TargetResult& target, Lines& lines) {
  const auto total = static_cast<double>(target.space.total_bytes);
  const double used = total > 0 ? 1 - static_cast<double>(target.space.free_bytes) / total : 0;
  if (used < (copies_on_write(target.mount) ? kFullCopyOnWrite : kFull)) return;
  lines.push_back(fmt::format(
      "the file system is {:.0f} % full: drives, and copy-on-write file systems even more, slow "
      "down when they run out of free blocks",
      100 * used));
}

void about_zfs(const TargetResult& target, Lines& lines) {
  if (target.mount.type != "zfs") return;
  lines.push_back(
      "ZFS: its record size (128K by default) is read and written whole for each 4 KiB; compare a "
      "dataset "
      "with recordsize=16K, or ext4, with `ethio check DIR1 DIR2`");
}

void about_devices(const TargetResult& target, Lines& lines) {
  for (const BlockDevice& device : target.devices) {
    if (device.kind.rfind("RAID", 0) == 0 && device.kind.find_first_of("56") != std::string::npos) {
      lines.push_back(fmt::format(
          "{} is {}: each small write becomes several reads and writes; use mirrors or single "
          "drives",
          device.name, device.kind));
    }
    if (device.kind != "disk") continue;
    if (read_line_of(device.sysfs / "queue/discard_max_bytes") == "0") {
      lines.push_back(fmt::format(
          "{} takes no TRIM (discard) here: the drive never learns which blocks are free; look at "
          "the controller or the layer in between",
          device.name));
    }
  }
}

void about_heat(const TargetResult& target, Lines& lines) {
  for (const DriveHealth& health : target.health_after) {
    if (health.celsius.value_or(0) < kHot) continue;
    lines.push_back(
        fmt::format("{} reached {:.0f} C: above 50 C drives slow down; give it a heat sink or air",
                    health.device, *health.celsius));
  }
}

}  // namespace

std::vector<std::string> advice_for(const TargetResult& target) {
  Lines lines;
  for (const auto about : {about_atime, about_space, about_zfs, about_devices, about_heat})
    about(target, lines);
  return lines;
}

}  // namespace ethio
