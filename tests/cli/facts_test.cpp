// Facts of the machine: the mount table against text as the kernel writes it, the rest against this
// machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "cli/check/timeline.h"
#include "cli/facts/block_device.h"
#include "cli/facts/file_system.h"
#include "cli/facts/machine.h"

namespace ethio {
namespace {

constexpr const char* kMountInfo =
    "21 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard\n"
    "22 21 0:20 / /proc rw - proc proc rw\n"
    "23 21 259:3 / /var rw,noatime shared:2 master:1 - xfs /dev/nvme0n1p3 rw,inode64\n"
    "24 21 0:40 / /var/lib/my\\040node rw - zfs tank/geth rw,xattr\n"
    "25 21 0:41 / /opt rw - tmpfs first rw\n"
    "26 21 0:42 / /opt rw - tmpfs second rw\n";

TEST(FindMount, TakesTheLongestMountPointThatHoldsThePath) {
  EXPECT_EQ(find_mount(kMountInfo, "/home/me").source, "/dev/vda");
  EXPECT_EQ(find_mount(kMountInfo, "/var/lib").source, "/dev/nvme0n1p3");
  EXPECT_EQ(find_mount(kMountInfo, "/variant").source, "/dev/vda");
  EXPECT_EQ(find_mount(kMountInfo, "/var").type, "xfs");
}

TEST(FindMount, UnderstandsEscapesOptionalFieldsAndMountsOverMounts) {
  const Mount zfs = find_mount(kMountInfo, "/var/lib/my node/db");
  EXPECT_EQ(zfs.point, "/var/lib/my node");
  EXPECT_EQ(zfs.type, "zfs");
  EXPECT_EQ(find_mount(kMountInfo, "/var/x").options, "rw,noatime; rw,inode64");
  EXPECT_EQ(find_mount(kMountInfo, "/opt/x").source, "second");
}

TEST(FileSystem, KnowsProcFromADisk) {
  EXPECT_EQ(mount_of("/proc/self").type, "proc");
  EXPECT_FALSE(supports_direct_io("/proc"));
  EXPECT_GT(space_of(std::filesystem::temp_directory_path()).total_bytes, 0u);
}

TEST(BlockDevice, TheChainEndsInWhatHasCounters) {
  std::string why_not;
  const auto chain = device_chain(std::filesystem::current_path(), why_not);
  if (chain.empty()) GTEST_SKIP() << "no block device below the working directory: " << why_not;
  const auto counters = counters_of(chain.back());
  ASSERT_TRUE(counters.has_value());
  EXPECT_GT(counters->read_bytes, 0u);
  const FactGroup facts = device_facts(chain.back());
  EXPECT_EQ(facts.name, "device " + chain.back().name);
}

// A drive as /sys shows one with a sensor: NVMe has it beside the device, SATA in a folder hwmon.
TEST(BlockDevice, TheTemperatureIsThatOfTheDrivesSensor) {
  namespace fs = std::filesystem;
  const fs::path sysfs = fs::temp_directory_path() / ("ethio-sensor." + std::to_string(getpid()));
  const BlockDevice drive{"nvme0n1", sysfs, "disk"};
  EXPECT_FALSE(celsius_of(drive).has_value());
  for (const char* sensor : {"device/hwmon3", "device/hwmon/hwmon5"}) {
    fs::create_directories(sysfs / sensor);
    std::ofstream(sysfs / sensor / "temp1_input") << "41850\n";
    EXPECT_DOUBLE_EQ(celsius_of(drive).value_or(0), 41.85) << sensor;
    fs::remove_all(sysfs);
  }
}

// What a timeline takes of it, sample by sample.
TEST(Timeline, RecordsCountersAndTheHottestDrive) {
  namespace fs = std::filesystem;
  const fs::path sysfs = fs::temp_directory_path() / ("ethio-timeline." + std::to_string(getpid()));
  const auto set = [&](uint64_t reads, int milli_celsius) {
    fs::create_directories(sysfs / "device/hwmon0");
    std::ofstream(sysfs / "stat") << reads << " 0 " << 8 * reads << " 0 0 0 0 0 0 7 0\n";
    std::ofstream(sysfs / "device/hwmon0/temp1_input") << milli_celsius << "\n";
  };
  set(100, 40'000);
  Timeline timeline({{"nvme0n1", sysfs, "disk"}}, 0);
  set(150, 47'000);
  timeline.tick();
  fs::remove_all(sysfs / "device");
  timeline.finish();
  fs::remove_all(sysfs);
  ASSERT_EQ(timeline.samples().size(), 3u);
  EXPECT_EQ(timeline.samples()[0].celsius, 40);
  EXPECT_EQ(timeline.samples()[1].did.reads, 50u);
  EXPECT_EQ(timeline.samples()[1].celsius, 47);
  EXPECT_FALSE(timeline.samples()[2].celsius.has_value()) << "the sensor is gone";
}

TEST(BlockDevice, SaysWhyThereIsNone) {
  std::string why_not;
  EXPECT_TRUE(device_chain("/proc", why_not).empty());
  EXPECT_THAT(why_not, ::testing::HasSubstr("proc"));
}

TEST(Facts, EachHasAValueOrAReason) {
  Interrupt interrupt;
  std::vector<FactGroup> groups = {machine_facts(),
                                   file_system_facts(std::filesystem::current_path(), interrupt)};
  std::string why_not;
  for (const BlockDevice& device : device_chain(std::filesystem::current_path(), why_not)) {
    groups.push_back(device_facts(device));
  }
  for (const FactGroup& group : groups) {
    for (const Fact& fact : group.facts) {
      EXPECT_NE(fact.value.empty(), fact.missing.empty()) << group.name << ": " << fact.name;
    }
  }
}

TEST(Machine, HasMemoryAndProcessors) {
  EXPECT_GT(memory_bytes(), uint64_t{1} << 20);
  EXPECT_GE(processors(), 1u);
}

}  // namespace
}  // namespace ethio
