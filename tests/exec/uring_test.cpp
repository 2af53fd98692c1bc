// What only the uring executor does: waits with a timeout in the kernel, goes on after short
// transfers, and drops one by one the features that a kernel, a limit or a policy withholds.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "common/base/error.h"
#include "common/exec/executor.h"
#include "common/exec/uring_ring.h"
#include "tests/exec/testing.h"

namespace ethio {
namespace {

using testing::Buffers;
using ::testing::HasSubstr;
using testing::in_child;
using testing::run;
using testing::TempFile;

constexpr uint32_t kBlock = 4096;
constexpr uint64_t kFileBytes = 65'536;
constexpr Access kRead{0, kBlock, 0, AccessKind::kRead};
constexpr Access kWrite{0, kBlock, 0, AccessKind::kWrite};
constexpr Access kSync{0, 0, 0, AccessKind::kSync};

ExecutorConfig config_for(int fd, uint32_t depth = 4) {
  ExecutorConfig config;
  config.fd = fd;
  config.depth = depth;
  config.target_bytes = kFileBytes;
  return config;
}

// Writes, syncs and reads back; "" or what went wrong.
std::string round_trip(Executor& executor, const Buffers& buffers) {
  std::memset(buffers[0], 0x5a, kBlock);
  if (run(executor, kWrite, buffers[0]) != kBlock) return "write failed";
  if (run(executor, kSync, nullptr) != 0) return "sync failed";
  std::memset(buffers[0], 0, kBlock);
  if (run(executor, kRead, buffers[0]) != kBlock) return "read failed";
  if (buffers[0][kBlock - 1] != std::byte{0x5a}) return "read other bytes";
  return "";
}

// A pipe is a target whose reads end when the test writes.
class Pipe {
 public:
  Pipe() { EXPECT_EQ(pipe(ends_), 0); }
  ~Pipe() {
    close(ends_[0]);
    shut();
  }
  int fd() const { return ends_[0]; }
  void put(size_t bytes) {
    const std::vector<char> data(bytes, 'x');
    EXPECT_EQ(write(ends_[1], data.data(), bytes), static_cast<ssize_t>(bytes));
  }
  int unread() const {
    int bytes = -1;
    EXPECT_EQ(ioctl(ends_[0], FIONREAD, &bytes), 0);
    return bytes;
  }
  void shut() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  int ends_[2] = {-1, -1};
};

TEST(Uring, TheWaitEndsWithItsTimeout) {
  Pipe pipe;
  const Buffers buffers(1, kBlock);
  const auto uring = make_executor("uring", config_for(pipe.fd()));
  Completion done;
  ASSERT_EQ(uring->queue(kRead, buffers[0], 0), 0);
  const uint64_t before = uring->now_ns();
  EXPECT_EQ(uring->reap({&done, 1}, 1, 5'000'000), 0);  // submits and waits in one call
  EXPECT_GE(uring->now_ns(), before + 5'000'000);
  EXPECT_EQ(uring->reap({&done, 1}, 1, 0), 0);
  EXPECT_EQ(uring->reap({&done, 1}, 0, Executor::kForever), 0);
  pipe.put(kBlock);
  EXPECT_EQ(uring->reap({&done, 1}, 1, Executor::kForever), 1);
  EXPECT_EQ(done.result, kBlock);
}

TEST(Uring, PollingSeesWhatEndedMeanwhile) {
  Pipe pipe;
  const Buffers buffers(1, kBlock);
  const auto uring = make_executor("uring", config_for(pipe.fd()));
  Completion done;
  ASSERT_EQ(uring->queue(kRead, buffers[0], 0), 0);
  ASSERT_EQ(uring->submit(), 0);
  EXPECT_EQ(uring->reap({&done, 1}, 0, 0), 0);
  pipe.put(kBlock);
  int count = 0;
  for (int polls = 0; count == 0 && polls < 10'000; ++polls) {
    count = uring->reap({&done, 1}, 0, 0);
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  EXPECT_EQ(count, 1);
  EXPECT_EQ(done.result, kBlock);
}

// Two reads have ended, and a third is queued that would end at once: what it would read is still
// there for as long as it is held.
void take_two_with_a_third_queued(uint32_t hold, int unread_meanwhile) {
  Pipe pipe;
  const Buffers buffers(3, kBlock);
  ExecutorConfig config = config_for(pipe.fd());
  config.hold = hold;
  const auto uring = make_executor("uring", config);
  pipe.put(2 * kBlock);
  ASSERT_EQ(uring->queue(kRead, buffers[0], 0), 0);
  ASSERT_EQ(uring->queue(kRead, buffers[1], 1), 0);
  ASSERT_EQ(uring->submit(), 0);
  Completion done[2];
  pipe.put(kBlock);
  ASSERT_EQ(uring->queue(kRead, buffers[2], 2), 0);
  ASSERT_EQ(uring->reap({done, 1}, 1, Executor::kForever), 1);
  EXPECT_EQ(pipe.unread(), unread_meanwhile);
  ASSERT_EQ(uring->reap({done, 2}, 2, Executor::kForever), 2);
  EXPECT_EQ(pipe.unread(), 0);
}

TEST(Uring, SubmitsWhatIsQueuedWhileItHasCompletionsToGive) {
  take_two_with_a_third_queued(0, 0);
}

TEST(Uring, HoldsAsManyAsItMayForTheNextCall) {
  take_two_with_a_third_queued(1, kBlock);
}

TEST(Uring, WhatIsHeldStartsWithSubmit) {
  Pipe pipe;
  const Buffers buffers(2, kBlock);
  ExecutorConfig config = config_for(pipe.fd());
  config.hold = 2;
  const auto uring = make_executor("uring", config);
  Completion done;
  pipe.put(2 * kBlock);
  ASSERT_EQ(uring->queue(kRead, buffers[0], 0), 0);
  ASSERT_EQ(uring->submit(), 0);
  ASSERT_EQ(uring->queue(kRead, buffers[1], 1), 0);
  ASSERT_EQ(uring->reap({&done, 1}, 1, Executor::kForever), 1);
  EXPECT_EQ(pipe.unread(), kBlock);
  ASSERT_EQ(uring->submit(), 0);
  EXPECT_EQ(pipe.unread(), 0);
  EXPECT_EQ(uring->reap({&done, 1}, 1, Executor::kForever), 1);
}

TEST(Uring, GoesOnAfterShortTransfers) {
  Pipe pipe;
  const Buffers buffers(1, kBlock);
  const auto uring = make_executor("uring", config_for(pipe.fd()));
  Completion done;
  ASSERT_EQ(uring->queue(kRead, buffers[0], 0), 0);
  for (int part = 0; part < 3; ++part) {
    pipe.put(1000);
    EXPECT_EQ(uring->reap({&done, 1}, 1, 2'000'000), 0);
  }
  pipe.put(kBlock - 3000);
  EXPECT_EQ(uring->reap({&done, 1}, 1, Executor::kForever), 1);
  EXPECT_EQ(done.result, kBlock);
  EXPECT_EQ(buffers[0][kBlock - 1], std::byte{'x'});
}

TEST(Uring, TheEndAfterAShortTransferIsAnError) {
  Pipe pipe;
  const Buffers buffers(1, kBlock);
  const auto uring = make_executor("uring", config_for(pipe.fd()));
  Completion done;
  ASSERT_EQ(uring->queue(kRead, buffers[0], 0), 0);
  pipe.put(1000);
  EXPECT_EQ(uring->reap({&done, 1}, 1, 2'000'000), 0);
  pipe.shut();
  EXPECT_EQ(uring->reap({&done, 1}, 1, Executor::kForever), 1);
  EXPECT_EQ(done.result, -ENODATA);
}

TEST(Uring, BuffersOutsideTheRegisteredOnesWorkToo) {
  const TempFile file(kFileBytes);
  const Buffers registered(4, kBlock);
  const Buffers others(4, kBlock);
  ExecutorConfig config = config_for(file.fd());
  config.buffers = registered.list();
  const auto uring = make_executor("uring", config);
  EXPECT_EQ(round_trip(*uring, others), "");
  EXPECT_EQ(round_trip(*uring, registered), "");
}

TEST(Uring, AKernelThreadMaySubmit) {
  const TempFile file(kFileBytes);
  const Buffers buffers(4, kBlock);
  ExecutorConfig config = config_for(file.fd());
  config.sqpoll = true;
  config.buffers = buffers.list();
  const auto uring = make_executor("uring", config);
  if (!uring->notice().empty()) GTEST_SKIP() << "no SQPOLL here: " << uring->notice();
  for (int round = 0; round < 50; ++round) ASSERT_EQ(round_trip(*uring, buffers), "");
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));  // the thread falls asleep
  EXPECT_EQ(round_trip(*uring, buffers), "");
}

TEST(Uring, PollingForCompletionsIsDroppedWithoutDirectIo) {
  const TempFile file(kFileBytes);
  const Buffers buffers(4, kBlock);
  ExecutorConfig config = config_for(file.fd());
  config.iopoll = true;
  const auto uring = make_executor("uring", config);
  EXPECT_EQ(uring->notice(),
            "uring: goes without IOPOLL (Operation not supported): it takes O_DIRECT and a driver "
            "with poll queues");
  EXPECT_EQ(round_trip(*uring, buffers), "");
}

TEST(Uring, PollsForCompletionsWhereTheDriverCan) {
  const TempFile file(kFileBytes);
  const Buffers buffers(4, kBlock);
  ExecutorConfig config = config_for(file.reopen(O_RDWR | O_DIRECT));
  if (config.fd < 0) GTEST_SKIP() << "the temporary directory's file system has no O_DIRECT";
  config.iopoll = true;
  {
    const auto uring = make_executor("uring", config);
    EXPECT_EQ(round_trip(*uring, buffers), "");  // syncs included
    if (!uring->notice().empty()) GTEST_SKIP() << uring->notice();
  }
  close(config.fd);
}

// ---- what is withheld ----

TEST(UringWithheld, ForbiddenByAFilterPsyncStandsInAndSaysSo) {
  const TempFile file(kFileBytes);
  const Buffers buffers(4, kBlock);
  const std::string answer = in_child([&] {
    std::string error = testing::forbid({__NR_io_uring_setup, EPERM});
    if (!error.empty()) return "skip: " + error;
    const auto executor = make_executor("", config_for(file.fd()));
    error = round_trip(*executor, buffers);
    return error + std::string(executor->name()) + "|" + std::string(executor->notice());
  });
  if (answer.starts_with("skip: ")) GTEST_SKIP() << answer;
  EXPECT_THAT(answer,
              ::testing::StartsWith("psync|io_uring is forbidden here (Operation not permitted, "));
  EXPECT_THAT(answer, ::testing::EndsWith("); using psync with 4 threads"));
}

TEST(UringWithheld, AbsentInASandboxPsyncStandsIn) {
  const TempFile file(kFileBytes);
  const std::string answer = in_child([&] {
    const std::string error = testing::forbid({__NR_io_uring_setup, ENOSYS});
    if (!error.empty()) return "skip: " + error;
    return std::string(make_executor("", config_for(file.fd(), 1))->notice());
  });
  if (answer.starts_with("skip: ")) GTEST_SKIP() << answer;
  EXPECT_EQ(answer,
            "this kernel or sandbox has no io_uring (Function not implemented); using psync");
}

TEST(UringWithheld, WhoAsksForItByNameIsToldWhatWorks) {
  const TempFile file(kFileBytes);
  const std::string answer = in_child([&] {
    const std::string error = testing::forbid({__NR_io_uring_setup, EPERM});
    if (!error.empty()) return "skip: " + error;
    try {
      make_executor("uring", config_for(file.fd()));
      return std::string("was made");
    } catch (const Error& refused) {
      return std::to_string(refused.code()) + " " + refused.what();
    }
  });
  if (answer.starts_with("skip: ")) GTEST_SKIP() << answer;
  EXPECT_THAT(answer, ::testing::StartsWith("1 executor: uring: io_uring is forbidden here"));
  EXPECT_THAT(answer, ::testing::EndsWith("; psync works without it"));
}

// With registered buffers of 256 KiB under a limit on locked memory: its name and notice.
std::string under_memory_limit(uint64_t bytes) {
  const TempFile file(kFileBytes);
  const Buffers buffers(4, 65'536);
  return in_child([&] {
    std::string error = testing::limit_locked_memory(bytes);
    if (!error.empty()) return error;
    ExecutorConfig config = config_for(file.fd());
    config.buffers = buffers.list();
    const auto executor = make_executor("", config);
    error = round_trip(*executor, buffers);
    return error + std::string(executor->name()) + "|" + std::string(executor->notice());
  });
}

TEST(UringWithheld, WithLittleLockedMemoryFixedBuffersAreDropped) {
  EXPECT_EQ(under_memory_limit(65'536),
            "uring|uring: goes without fixed buffers (Cannot allocate memory, "
            "RLIMIT_MEMLOCK=65536)");
}

TEST(UringWithheld, WithoutLockedMemoryThereAreNoBuffersOrNoRing) {
  // Whether a ring itself counts as locked memory has changed between kernels, twice.
  EXPECT_THAT(under_memory_limit(0),
              ::testing::AnyOf("uring|uring: goes without fixed buffers (Cannot allocate memory, "
                               "RLIMIT_MEMLOCK=0)",
                               "psync|io_uring gets no memory here (Cannot allocate memory, "
                               "RLIMIT_MEMLOCK=0); using psync with 4 threads"));
}

TEST(UringWithheld, WithoutRegistrationThePlainDescriptorIsUsed) {
  const TempFile file(kFileBytes);
  const Buffers buffers(4, kBlock);
  const std::string answer = in_child([&] {
    std::string error = testing::forbid({__NR_io_uring_register, ENOMEM, 1, IORING_REGISTER_FILES});
    if (!error.empty()) return "skip: " + error;
    const auto executor = make_executor("uring", config_for(file.fd()));
    error = round_trip(*executor, buffers);
    return error + std::string(executor->notice());
  });
  if (answer.starts_with("skip: ")) GTEST_SKIP() << answer;
  EXPECT_EQ(answer, "uring: goes without the registered file (Cannot allocate memory)");
}

// Kernels by the newest flag of io_uring_setup that they know, and what ethio says on them.
struct OldKernel {
  const char* version;
  uint32_t known;  // flags
  const char* answer;
};
constexpr uint32_t kUpTo(uint32_t newest) {
  return newest * 2 - 1;
}
constexpr OldKernel kOldKernels[] = {
    {"Linux_6_1", kUpTo(IORING_SETUP_DEFER_TASKRUN), "uring|"},
    {"Linux_6_0", kUpTo(IORING_SETUP_SINGLE_ISSUER),
     "uring|uring: goes without DEFER_TASKRUN (Linux 6.1)"},
    {"Linux_5_19", kUpTo(IORING_SETUP_TASKRUN_FLAG),
     "uring|uring: goes without SINGLE_ISSUER and DEFER_TASKRUN (Linux 6.1)"},
    {"Linux_5_15", kUpTo(IORING_SETUP_R_DISABLED),
     "uring|uring: goes without COOP_TASKRUN, SINGLE_ISSUER and DEFER_TASKRUN (Linux 6.1)"},
    {"Linux_5_4", kUpTo(IORING_SETUP_SQ_AFF),
     "psync|the io_uring of this kernel is too old (5.11 will do); using psync with 4 threads"},
};

class UringOnOlderKernels : public ::testing::TestWithParam<OldKernel> {};

TEST_P(UringOnOlderKernels, WorksWithWhatThereIs) {
  const TempFile file(kFileBytes);
  const Buffers buffers(4, kBlock);
  const std::string answer = in_child([&] {
    std::string error = testing::play_older_kernel(GetParam().known);
    if (!error.empty()) return "skip: " + error;
    ExecutorConfig config = config_for(file.fd());
    config.buffers = buffers.list();
    const auto executor = make_executor("", config);
    for (int round = 0; round < 20 && error.empty(); ++round)
      error = round_trip(*executor, buffers);
    return error + std::string(executor->name()) + "|" + std::string(executor->notice());
  });
  if (answer.starts_with("skip: ")) GTEST_SKIP() << answer;
  EXPECT_EQ(answer, GetParam().answer);
}

INSTANTIATE_TEST_SUITE_P(Kernels, UringOnOlderKernels, ::testing::ValuesIn(kOldKernels),
                         [](const auto& info) { return std::string(info.param.version); });

}  // namespace
}  // namespace ethio
