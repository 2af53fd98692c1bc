#include "gbench-suite/target_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "common/base/error.h"

namespace ethio {
namespace {

using ::testing::HasSubstr;

class TargetFileTest : public ::testing::Test {
 protected:
  TargetFileTest() : folder_(::testing::TempDir() + "ethio-target-XXXXXX") {
    if (mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  }
  ~TargetFileTest() override { std::filesystem::remove_all(folder_); }
  bool is_empty() const { return std::filesystem::is_empty(folder_); }

  std::string folder_;
};

TEST_F(TargetFileTest, IsFreshFullAndGoneAfterwards) {
  {
    TargetFile target(folder_, (4 << 20) + 100, std::nullopt);
    target.fill();
    EXPECT_EQ(target.bytes(), 4U << 20) << "whole blocks";
    EXPECT_EQ(std::filesystem::file_size(target.path()), target.bytes());
    struct stat status {};
    ASSERT_EQ(fstat(target.fd(), &status), 0);
    EXPECT_GE(status.st_blocks * 512, 4 << 20) << "no holes";
    EXPECT_EQ((fcntl(target.fd(), F_GETFL) & O_DIRECT) != 0, target.direct());
    EXPECT_EQ(target.direct_note().empty(), target.direct());
    EXPECT_FALSE(target.file_system().empty());
  }
  EXPECT_TRUE(is_empty());
}

TEST_F(TargetFileTest, CanDoWithoutDirect) {
  const TargetFile target(folder_, 1 << 20, false);
  EXPECT_FALSE(target.direct());
  EXPECT_EQ(fcntl(target.fd(), F_GETFL) & O_DIRECT, 0);
}

TEST_F(TargetFileTest, RefusesDirectWhereItCannotBeHad) {
  bool possible = false;
  {
    const TargetFile target(folder_, 1 << 20, std::nullopt);
    possible = target.direct();
  }
  if (possible) GTEST_SKIP() << "the file system of " << folder_ << " can do O_DIRECT";
  EXPECT_THROW(TargetFile(folder_, 1 << 20, true), Error);
  EXPECT_TRUE(is_empty());
}

TEST_F(TargetFileTest, RefusesAMissingFolder) {
  try {
    const TargetFile target(folder_ + "/none", 1 << 20, std::nullopt);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ENOENT);
    EXPECT_THAT(error.what(), HasSubstr(folder_ + "/none"));
  }
}

TEST_F(TargetFileTest, RefusesMoreThanThereIsRoom) {
  try {
    const TargetFile target(folder_, uint64_t{1} << 50, std::nullopt);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ENOSPC);
  }
  EXPECT_TRUE(is_empty());
}

using TargetFileDeathTest = TargetFileTest;

TEST_F(TargetFileDeathTest, IsGoneAfterASignal) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_EXIT(
        {
          const TargetFile target(folder_, 1 << 20, std::nullopt);
          std::raise(number);
        },
        ::testing::KilledBySignal(number), "");
    EXPECT_TRUE(is_empty()) << strsignal(number);
  }
}

}  // namespace
}  // namespace ethio
