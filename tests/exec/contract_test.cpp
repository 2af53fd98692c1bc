// What every executor promises (common/exec/executor.h), checked on each of them at depth 1, 4
// and 64. An executor that is added to the registry is covered unasked.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

#include "common/base/error.h"
#include "common/exec/executor.h"
#include "tests/exec/testing.h"
#include "tests/exec/traffic.h"
#include "tests/support/allocation_count.h"

namespace ethio {
namespace {

using testing::allocation_count;
using testing::Buffers;
using ::testing::Each;
using ::testing::HasSubstr;
using testing::run;
using testing::TempFile;
using testing::Traffic;

constexpr uint32_t kBlock = 4096;
constexpr uint64_t kFileBytes = 256 * kBlock;

struct Case {
  std::string_view name;
  uint32_t depth;
};

class Contract : public ::testing::TestWithParam<Case> {
 protected:
  Contract() : file_(kFileBytes), buffers_(depth(), 4 * kBlock) {}

  uint32_t depth() const { return GetParam().depth; }

  ExecutorConfig config() const {
    ExecutorConfig config;
    config.fd = file_.fd();
    config.depth = depth();
    config.target_bytes = kFileBytes;
    return config;
  }
  std::unique_ptr<Executor> make() const { return make_executor(GetParam().name, config()); }

  static Access read_at(uint64_t offset, uint32_t bytes) {
    return {offset, bytes, 0, AccessKind::kRead};
  }
  static Access write_at(uint64_t offset, uint32_t bytes) {
    return {offset, bytes, 0, AccessKind::kWrite};
  }
  static Access sync() { return {0, 0, 0, AccessKind::kSync}; }

  // Queues a read of one block in every slot.
  void fill(Executor& executor) const {
    for (uint32_t slot = 0; slot < depth(); ++slot) {
      ASSERT_EQ(executor.queue(read_at(slot * kBlock, kBlock), buffers_[slot], slot), 0);
    }
  }

  TempFile file_;
  Buffers buffers_;
};

// What holds only where bytes are moved: the executors that need a target.
class DataContract : public Contract {};

TEST_P(Contract, IsNamedAsInTheRegistry) {
  EXPECT_EQ(make()->name(), GetParam().name);
}

TEST_P(Contract, EverySlotCompletesExactlyOnce) {
  const auto executor = make();
  for (int round = 0; round < 5; ++round) {
    fill(*executor);
    ASSERT_EQ(executor->submit(), 0);
    std::vector<Completion> done(depth());
    ASSERT_EQ(executor->reap(done, depth(), Executor::kForever), static_cast<int>(depth()));
    std::vector<int> times(depth());
    for (const Completion& completion : done) {
      ASSERT_LT(completion.slot, depth());
      ++times[completion.slot];
      EXPECT_EQ(completion.result, kBlock);
    }
    EXPECT_THAT(times, Each(1));
    EXPECT_EQ(executor->reap(done, 0, 0), 0);
  }
}

TEST_P(Contract, ResultsAreByteCounts) {
  const auto executor = make();
  for (uint32_t bytes : {1u, 511u, kBlock, 3 * kBlock + 7}) {
    EXPECT_EQ(run(*executor, read_at(kBlock + 3, bytes), buffers_[0]), bytes);
    EXPECT_EQ(run(*executor, write_at(kBlock + 3, bytes), buffers_[0]), bytes);
  }
  EXPECT_EQ(run(*executor, sync(), nullptr), 0);
  EXPECT_EQ(run(*executor, read_at(0, 0), buffers_[0]), 0);
}

TEST_P(Contract, TakesNoMoreThanItsDepth) {
  const auto executor = make();
  fill(*executor);
  EXPECT_EQ(executor->queue(read_at(0, kBlock), buffers_[0], 0), -EAGAIN);
  ASSERT_EQ(executor->submit(), 0);
  EXPECT_EQ(executor->queue(read_at(0, kBlock), buffers_[0], 0), -EAGAIN);
  Completion one;
  ASSERT_EQ(executor->reap({&one, 1}, 1, Executor::kForever), 1);
  EXPECT_EQ(executor->queue(read_at(0, kBlock), buffers_[one.slot], one.slot), 0);
  EXPECT_EQ(executor->queue(read_at(0, kBlock), buffers_[one.slot], one.slot), -EAGAIN);
}

TEST_P(Contract, ReapSubmitsWhatIsQueued) {
  const auto executor = make();
  fill(*executor);
  std::vector<Completion> done(depth());
  EXPECT_EQ(executor->reap(done, depth(), Executor::kForever), static_cast<int>(depth()));
}

TEST_P(Contract, ReapKeepsToItsBounds) {
  const auto executor = make();
  fill(*executor);
  ASSERT_EQ(executor->submit(), 0);
  std::vector<Completion> done(depth() + 8);
  const uint32_t most = std::min(3u, depth());
  const int first = executor->reap({done.data(), most}, 1, Executor::kForever);
  ASSERT_GE(first, 1);
  ASSERT_LE(first, static_cast<int>(most));
  EXPECT_EQ(executor->reap({done.data(), 0}, 1, Executor::kForever), 0);
  // More than is in flight means all of it.
  const int rest = executor->reap(done, depth() + 8, Executor::kForever);
  EXPECT_EQ(first + rest, static_cast<int>(depth()));
}

TEST_P(Contract, ReapOfNothingReturnsAtOnce) {
  const auto executor = make();
  Completion one;
  EXPECT_EQ(executor->reap({&one, 1}, 1, Executor::kForever), 0);
  EXPECT_EQ(executor->reap({&one, 1}, 0, 0), 0);
}

TEST_P(Contract, PollingWithoutWaitingGetsThere) {
  const auto executor = make();
  fill(*executor);
  ASSERT_EQ(executor->submit(), 0);
  uint32_t finished = 0;
  std::vector<Completion> done(depth());
  for (int polls = 0; finished < depth() && polls < 100'000; ++polls) {
    const int count = executor->reap(done, 0, Executor::kForever);
    ASSERT_GE(count, 0);
    finished += static_cast<uint32_t>(count);
    executor->idle_until(executor->now_ns() + 20'000);
  }
  EXPECT_EQ(finished, depth());
}

TEST_P(Contract, WaitingInSlicesGetsThere) {
  const auto executor = make();
  fill(*executor);
  uint32_t finished = 0;
  std::vector<Completion> done(depth());
  for (int slices = 0; finished < depth() && slices < 1'000'000; ++slices) {
    const int count = executor->reap(done, depth() - finished, 10'000);
    ASSERT_GE(count, 0);
    finished += static_cast<uint32_t>(count);
  }
  EXPECT_EQ(finished, depth());
}

TEST_P(DataContract, ReadsWhatTheFileHolds) {
  const auto executor = make();
  fill(*executor);
  std::vector<Completion> done(depth());
  ASSERT_EQ(executor->reap(done, depth(), Executor::kForever), static_cast<int>(depth()));
  EXPECT_EQ(std::memcmp(buffers_[0], file_.content().data(), kBlock), 0);
  for (uint32_t slot = 0; slot < depth(); ++slot) {
    EXPECT_EQ(std::memcmp(buffers_[slot], &file_.content()[slot * kBlock], kBlock), 0);
  }
}

TEST_P(DataContract, ReadingBeyondTheEndIsAnErrorAndLeavesTheExecutorUsable) {
  const auto executor = make();
  EXPECT_EQ(run(*executor, read_at(kFileBytes, kBlock), buffers_[0]), -ENODATA);
  EXPECT_EQ(run(*executor, read_at(kFileBytes - 100, kBlock), buffers_[0]), -ENODATA);
  EXPECT_EQ(run(*executor, read_at(kFileBytes - 100, 100), buffers_[0]), 100);
}

TEST_P(DataContract, WritingToAReadOnlyTargetIsAnError) {
  ExecutorConfig read_only = config();
  read_only.fd = file_.reopen(O_RDONLY);
  ASSERT_GE(read_only.fd, 0);
  const auto executor = make_executor(GetParam().name, read_only);
  EXPECT_EQ(run(*executor, write_at(0, kBlock), buffers_[0]), -EBADF);
  EXPECT_EQ(run(*executor, read_at(0, kBlock), buffers_[0]), kBlock);
  close(read_only.fd);
}

TEST_P(DataContract, RefusesAClosedTarget) {
  ExecutorConfig closed = config();
  closed.fd = file_.reopen(O_RDWR);
  close(closed.fd);
  try {
    make_executor(GetParam().name, closed);
    FAIL() << "took descriptor " << closed.fd;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), EBADF);
    EXPECT_THAT(error.what(), HasSubstr("is not open"));
  }
}

TEST_P(Contract, MayBeMadeInOneThreadAndUsedInAnother) {
  auto executor = make();
  int64_t result = 0;
  std::thread([&] {
    result = run(*executor, read_at(0, kBlock), buffers_[0]);
    executor.reset();
  }).join();
  EXPECT_EQ(result, kBlock);
}

TEST_P(Contract, MayBeDestroyedWithAccessesInFlight) {
  {
    const auto executor = make();
    fill(*executor);
    ASSERT_EQ(executor->submit(), 0);
  }
  const auto executor = make();
  fill(*executor);  // and with some that were never submitted
}

TEST_P(Contract, ItsClockGoesForward) {
  const auto executor = make();
  const uint64_t before = executor->now_ns();
  EXPECT_GT(before, 0u);
  const uint64_t until = before + 2'000'000;
  executor->idle_until(until);
  EXPECT_GE(executor->now_ns(), until);
  executor->idle_until(before);  // in the past
  EXPECT_GE(executor->now_ns(), until);
}

TEST_P(DataContract, ThousandsOfRandomAccessesKeepTheData) {
  for (bool registered : {false, true}) {
    TempFile file(kFileBytes * 4);
    ExecutorConfig config = this->config();
    config.fd = file.fd();
    config.target_bytes = file.bytes();
    if (registered) config.buffers = buffers_.list();
    const auto executor = make_executor(GetParam().name, config);
    EXPECT_EQ(executor->notice(), "");
    EXPECT_TRUE(Traffic(*executor, buffers_, depth(), file.content()).run(3000));
  }
}

TEST_P(DataContract, DirectAccessesKeepTheData) {
  ExecutorConfig config = this->config();
  config.fd = file_.reopen(O_RDWR | O_DIRECT);
  if (config.fd == -EINVAL) GTEST_SKIP() << "the temporary directory's file system has no O_DIRECT";
  ASSERT_GE(config.fd, 0);
  config.buffers = buffers_.list();
  {
    const auto executor = make_executor(GetParam().name, config);
    EXPECT_TRUE(Traffic(*executor, buffers_, depth(), file_.content()).run(500));
    EXPECT_EQ(run(*executor, read_at(kFileBytes, kBlock), buffers_[0]), -ENODATA);
    EXPECT_EQ(run(*executor, read_at(kFileBytes - kBlock, 2 * kBlock), buffers_[0]), -ENODATA);
  }
  close(config.fd);
}

TEST_P(DataContract, ReadMeetsAnOddEndUnderDirectIo) {
  TempFile odd(2 * kBlock + 100);
  ExecutorConfig config = this->config();
  config.fd = odd.reopen(O_RDWR | O_DIRECT);
  if (config.fd == -EINVAL) GTEST_SKIP() << "the temporary directory's file system has no O_DIRECT";
  ASSERT_GE(config.fd, 0);
  config.target_bytes = odd.bytes();
  const auto executor = make_executor(GetParam().name, config);
  EXPECT_EQ(run(*executor, read_at(kBlock, 2 * kBlock), buffers_[0]), -ENODATA);
  close(config.fd);
}

TEST_P(Contract, TheDataPlaneDoesNotAllocate) {
  const auto executor = make();
  std::vector<Completion> done(depth());
  const auto round = [&] {
    for (uint32_t slot = 0; slot < depth(); ++slot) {
      const Access access = slot % 3 == 0   ? read_at(slot * kBlock, kBlock)
                            : slot % 3 == 1 ? write_at(slot * kBlock, kBlock)
                                            : sync();
      if (executor->queue(access, buffers_[slot], slot) != 0) return false;
    }
    if (executor->submit() != 0) return false;
    uint32_t finished = 0;
    while (finished < depth()) {
      const int count = executor->reap(done, 1, 1'000'000);
      if (count < 0) return false;
      finished += static_cast<uint32_t>(count);
    }
    return true;
  };
  ASSERT_TRUE(round());
  const uint64_t before = allocation_count();
  bool well = true;
  for (int i = 0; i < 20; ++i) well = well && round();
  const uint64_t after = allocation_count();
  EXPECT_TRUE(well);
  EXPECT_EQ(after, before);
}

std::vector<Case> cases(bool with_target_only) {
  std::vector<Case> cases;
  for (const ExecutorInfo& info : executors()) {
    if (with_target_only && !info.needs_target) continue;
    for (uint32_t depth : {1u, 4u, 64u}) cases.push_back({info.name, depth});
  }
  return cases;
}

std::string name_of(const ::testing::TestParamInfo<Case>& info) {
  return std::string(info.param.name) + "_at_depth_" + std::to_string(info.param.depth);
}

INSTANTIATE_TEST_SUITE_P(Every, Contract, ::testing::ValuesIn(cases(false)), name_of);
INSTANTIATE_TEST_SUITE_P(Every, DataContract, ::testing::ValuesIn(cases(true)), name_of);

TEST(Allocations, AreCounted) {
  const uint64_t before = allocation_count();
  ::operator delete(::operator new(1));  // unlike new int, not to be optimised away
  EXPECT_GT(allocation_count(), before);
}

std::string message_of(std::string_view name, const ExecutorConfig& config) {
  try {
    make_executor(name, config);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), EINVAL);
    return error.what();
  }
}

TEST(MakeExecutor, AnUnknownNameIsAnsweredWithTheKnownOnes) {
  EXPECT_EQ(message_of("turbo", {}),
            "executor: 'turbo' is not one of uring, psync, mmap, null, sim");
}

TEST(MakeExecutor, PollingIsRefusedWhereThereIsNone) {
  ExecutorConfig config;
  config.sqpoll = true;
  EXPECT_EQ(message_of("null", config),
            "executor: null has no sqpoll; use executor=uring, or leave it out");
  config.sqpoll = false;
  config.iopoll = true;
  EXPECT_EQ(message_of("sim", config),
            "executor: sim has no iopoll; use executor=uring, or leave it out");
}

TEST(MakeExecutor, ADepthOutOfRangeIsRefused) {
  ExecutorConfig config;
  config.depth = 0;
  EXPECT_EQ(message_of("null", config), "executor: depth 0 is not in 1..32768");
  config.depth = 32'769;
  EXPECT_EQ(message_of("null", config), "executor: depth 32769 is not in 1..32768");
}

TEST(MakeExecutor, EverySlotHasABufferOrNone) {
  const Buffers three(3, 4096);
  ExecutorConfig config;
  config.depth = 4;
  config.buffers = three.list();
  EXPECT_THAT(message_of("null", config), HasSubstr("3 buffers are too few for depth 4"));
}

TEST(MakeExecutor, MmapRefusesMoreThanTheTargetHolds) {
  const TempFile file(kBlock);
  ExecutorConfig config;
  config.fd = file.fd();
  config.target_bytes = kBlock + 1;
  EXPECT_EQ(message_of("mmap", config),
            "executor: mmap: the target holds 4096 bytes; 4097 cannot be mapped");
  config.target_bytes = 0;
  EXPECT_EQ(message_of("mmap", config),
            "executor: mmap: the target holds 4096 bytes; 0 cannot be mapped");
}

}  // namespace
}  // namespace ethio
