// What cannot work is refused with one sentence and a non-zero exit.
#include <gmock/gmock.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "tests/fio/fixture.h"

namespace ethio {
namespace {

using ::testing::HasSubstr;

class Refusal : public FioTest {
 protected:
  void expect_refused(const std::vector<std::string>& arguments, const std::string& sentence) {
    const auto result = fio(arguments);
    EXPECT_NE(result.exit_code, 0) << sentence;
    const std::vector<std::string> lines = ethio_lines(result.err);
    ASSERT_EQ(lines.size(), 1u) << result.err;
    EXPECT_THAT(lines[0], HasSubstr(sentence));
    EXPECT_FALSE(std::filesystem::exists(folder() / "target"));
  }
};

TEST_F(Refusal, AWorkloadThatDoesNotExist) {
  expect_refused({"--ethio_workload=chain-haed"}, "'chain-haed' is not known; known: chain-head");
}

TEST_F(Refusal, NoWorkload) {
  expect_refused({}, "workload");
}

TEST_F(Refusal, ADefinitionThatIsNotJson) {
  testing::write_file(folder() / "broken.json", "{\n  \"name\": ");
  expect_refused({"--ethio_workload=./broken.json"}, "./broken.json: line 2");
}

TEST_F(Refusal, ADefinitionThatIsNotThere) {
  expect_refused({"--ethio_workload=./none.json"}, "none.json");
}

TEST_F(Refusal, ReadingForAWritingWorkload) {
  expect_refused({"--ethio_workload=chain-head", "--rw=randread"},
                 "'chain-head' reads and writes: set rw=randrw");
  expect_refused({"--ethio_workload=trie-commit", "--rw=read"}, "set rw=randwrite");
}

TEST_F(Refusal, AValueOutOfRange) {
  expect_refused({"--ethio_workload=chain-head", "--ethio_lanes=0"}, "lanes");
  expect_refused({"--ethio_workload=chain-head", "--ethio_cache=6q"}, "'6q'");
}

TEST_F(Refusal, WhatMakesNoSenseWithAGeneratedPattern) {
  expect_refused({"--ethio_workload=chain-head", "--verify=crc32c"}, "verify=");
  expect_refused({"--ethio_workload=chain-head", "--fdatasync=1"}, "fdatasync=");
  expect_refused({"--ethio_workload=chain-head", "--filename=other"}, "one file in filename=");
}

TEST_F(Refusal, AMissingDirectory) {
  const auto result =
      run({"fio", "--ioengine=external:" + engine(), "--name=t", "--size=16m", "--rw=randrw",
           "--ethio_workload=chain-head", "--directory=" + (folder() / "none").string()});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.err + result.out, HasSubstr("none"));
}

TEST_F(Refusal, AFullDisk) {
  const std::string mount_point = folder() / "small";
  std::filesystem::create_directory(mount_point);
  if (mount("ethio-test", mount_point.c_str(), "tmpfs", 0, "size=8m") != 0) {
    GTEST_SKIP() << "SKIPPED: mounting a tmpfs needs the privilege to mount ("
                 << std::strerror(errno) << ")";
  }
  const auto result =
      run({"fio", "--ioengine=external:" + engine(), "--name=t", "--size=64m", "--rw=randrw",
           "--ethio_workload=chain-head", "--filename=" + mount_point + "/target"});
  umount(mount_point.c_str());
  EXPECT_NE(result.exit_code, 0);
  ASSERT_EQ(ethio_lines(result.err).size(), 1u) << result.err;
  EXPECT_THAT(result.err, HasSubstr("needs 64 MiB"));
}

}  // namespace
}  // namespace ethio
