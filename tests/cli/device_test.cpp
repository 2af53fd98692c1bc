// ethio check on a block device: a loop device, which it overwrites only when it is typed twice and
// empty.
#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/cli/command.h"

namespace ethio {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class DeviceTest : public CommandTest {
 protected:
  void SetUp() override {
    if (!has_engine()) GTEST_SKIP() << "libethio.so, the fio engine, was not built";
    if (geteuid() != 0) GTEST_SKIP() << "loop devices need root";
    std::ofstream(directory() / "image").close();
    std::filesystem::resize_file(directory() / "image", 200 << 20);
    const ProcessResult set_up =
        run({"losetup", "--find", "--show", "--direct-io=on", (directory() / "image").string()});
    if (set_up.exit_code != 0) GTEST_SKIP() << "no loop device to be had: " << set_up.err;
    device_ = set_up.out.substr(0, set_up.out.find('\n'));
    std::filesystem::create_directory(directory() / "tmp");
  }
  void TearDown() override {
    if (device_.empty()) return;
    run({"umount", device_});
    run({"losetup", "--detach", device_});
  }

  ProcessResult check(const std::string& place, const std::string& device) {
    return run({"env", "TMPDIR=" + (directory() / "tmp").string(), ethio_path(), "check", place,
                "--device", device, "--quick", "--size", "32m", "--runtime", "100ms", "--json",
                "result.json"});
  }
  void expect_refused(const ProcessResult& ran, const std::string& why) {
    EXPECT_EQ(ran.exit_code, 2) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(why));
    EXPECT_EQ(lines_of(ran.err).size(), 1u) << ran.err;
  }

  std::string device_;
};

TEST_F(DeviceTest, IsMeasuredWhenTypedTwice) {
  expect_refused(check(device_, "/dev/null"), "type the device's path twice");
  expect_refused(check(directory(), directory()), "is not a block device");
  const ProcessResult ran = check(device_, device_);
  EXPECT_THAT(ran.exit_code, ::testing::AnyOf(0, 5))
      << ran.err;  // 5: others used the drive meanwhile
  EXPECT_THAT(ran.out, HasSubstr("chain-head"));
  EXPECT_THAT(files_in(directory() / "tmp"), IsEmpty());
  EXPECT_TRUE(std::filesystem::is_block_file(device_));
  const auto json = nlohmann::json::parse(std::ifstream(directory() / "result.json"));
  EXPECT_EQ(json.at("targets").at(0).at("directory"), device_);
}

TEST_F(DeviceTest, IsLeftAloneWhenSomethingIsOnIt) {
  ASSERT_EQ(run({"mkfs.ext4", "-q", device_}).exit_code, 0);
  expect_refused(check(device_, device_), "something is on it");
  std::filesystem::create_directory(directory() / "mounted");
  if (run({"mount", device_, "mounted"}).exit_code == 0) {
    expect_refused(check(device_, device_), "mounted or in use");
    EXPECT_TRUE(std::filesystem::exists(directory() / "mounted/lost+found"));
  }
}

}  // namespace
}  // namespace ethio
