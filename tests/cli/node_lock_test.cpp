// A node's open database is seen by the lock that it holds, and only while it holds it.
#include "cli/check/node_lock.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace ethio {
namespace {

namespace fs = std::filesystem;

class NodeLockTest : public ::testing::Test {
 protected:
  NodeLockTest() {
    std::string name = (fs::current_path() / "ethio-lock-test-XXXXXX").string();
    directory_ = mkdtemp(name.data());
    fs::create_directories(directory_ / "geth/chaindata");
  }
  ~NodeLockTest() override {
    if (fd_ >= 0) close(fd_);
    fs::remove_all(directory_);
  }
  void create(const fs::path& path) {
    fd_ = open((directory_ / path).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    ASSERT_GE(fd_, 0);
  }

  fs::path directory_;
  int fd_ = -1;
};

TEST_F(NodeLockTest, SeesAFlockAndAPosixLock) {
  EXPECT_FALSE(held_lock_below(directory_).has_value());
  create("geth/chaindata/LOCK");
  EXPECT_FALSE(held_lock_below(directory_).has_value());  // left behind by a node that is gone
  ASSERT_EQ(flock(fd_, LOCK_EX), 0);
  EXPECT_EQ(held_lock_below(directory_), (directory_ / "geth/chaindata/LOCK").string());
  ASSERT_EQ(flock(fd_, LOCK_UN), 0);
  EXPECT_FALSE(held_lock_below(directory_).has_value());

  struct flock whole = {};
  whole.l_type = F_WRLCK;
  ASSERT_EQ(fcntl(fd_, F_SETLK, &whole), 0);
  EXPECT_TRUE(held_lock_below(directory_).has_value());
}

TEST_F(NodeLockTest, OtherLockedFilesDoNotMatter) {
  create("geth/notes.txt");
  ASSERT_EQ(flock(fd_, LOCK_EX), 0);
  EXPECT_FALSE(held_lock_below(directory_).has_value());
}

}  // namespace
}  // namespace ethio
