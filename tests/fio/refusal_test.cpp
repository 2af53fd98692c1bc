// What cannot work is refused with one sentence and a non-zero exit.
#include <gmock/gmock.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <ostream>

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
  expect_refused({"--ethio_workload=chain-haed"}, "'chain-haed' is not known; known: ");
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

struct Senseless {
  const char* option;
  const char* sentence;
  friend std::ostream& operator<<(std::ostream& out, const Senseless& senseless) {
    return out << senseless.option;
  }
};
constexpr Senseless kSenseless[] = {
    {"--verify=crc32c", "verify=, verify_only=: fio cannot check writes that it did not choose"},
    {"--verify_only=1", "verify=, verify_only=: fio cannot check writes that it did not choose"},
    {"--fdatasync=1", "fsync=, fdatasync=, sync_file_range=: the workload says when to sync"},
    {"--rw=randrw:8", "rw=...:N: the workload chooses the offsets"},
    {"--rw=trimwrite", "rw=: a workload does not trim"},
    {"--zonemode=zbd", "zonemode=: the workload chooses the offsets"},
    {"--random_distribution=zipf", "random_distribution=: the workload chooses the offsets"},
    {"--percentage_random=50", "percentage_random=: the workload chooses the offsets"},
    {"--rwmixread=70", "rwmixread=, rwmixwrite=: the workload says what is read and written"},
    {"--bssplit=4k/50:8k/50", "bssplit=: the workload chooses the sizes"},
    {"--io_submit_mode=offload", "io_submit_mode=offload: accesses depend on each other"},
    {"--iodepth=40000", "iodepth=: a ring has at most 32768 entries"},
    {"--create_on_open=1", "create_on_open=1: a workload reads what is there"},
    {"--fill_device=1", "fill_device=: a workload needs a fixed size"},
};

class SenselessOption : public Refusal, public ::testing::WithParamInterface<Senseless> {};

TEST_P(SenselessOption, IsRefusedWithTheReason) {
  expect_refused({"--ethio_workload=chain-head", GetParam().option},
                 std::string("t: ") + GetParam().sentence);
}

INSTANTIATE_TEST_SUITE_P(Fio, SenselessOption, ::testing::ValuesIn(kSenseless),
                         [](const auto& info) {
                           std::string name;
                           for (const char* c = info.param.option; *c != '\0'; ++c) {
                             if (isalnum(*c) != 0) name += *c;
                           }
                           return name;
                         });

TEST_F(Refusal, AReplay) {
  testing::write_file(folder() / "replay.log",
                      "fio version 2 iolog\ntarget add\ntarget open\ntarget read 0 4096\n");
  expect_refused({"--ethio_workload=chain-head", "--read_iolog=replay.log"}, "read_iolog=");
}

TEST_F(Refusal, APaceThatFioKeepsForTheDirectionThatItDrew) {
  expect_refused({"--ethio_workload=chain-head", "--rate_iops=10", "--rate_process=poisson"},
                 "rate_process=poisson");
  expect_refused({"--ethio_workload=chain-head", "--rate_iops=10", "--rate_ignore_thinktime=1"},
                 "rate_ignore_thinktime");
}

TEST_F(Refusal, AResultThatCouldNotBeWritten) {
  testing::write_file(folder() / "precious", "mine");
  expect_refused({"--ethio_workload=chain-head", "--ethio_out=precious"},
                 "ethio_out=: precious exists and was not written by ethio; give a new path");
  expect_refused({"--ethio_workload=chain-head", "--ethio_out=none/out.json"},
                 "ethio_out=: none: No such file or directory");
  EXPECT_EQ(testing::read_file(folder() / "precious"), "mine");
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
