// The thread pool that gives blocking calls a depth, against a target that ends at a word.
#include "common/exec/blocking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "common/base/error.h"
#include "tests/exec/testing.h"

namespace ethio {
namespace {

// Accesses wait at a gate. What is shared with the test outlives the executor.
struct Gate {
  std::mutex mutex;
  std::condition_variable changed;
  bool open = false;
  uint32_t inside = 0;

  void set_open() {
    const std::lock_guard lock(mutex);
    open = true;
    changed.notify_all();
  }
  void wait_until_inside(uint32_t count) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return inside >= count; });
  }
};

class GatedTarget final : public BlockingTarget {
 public:
  explicit GatedTarget(Gate& gate) : gate_(gate) {}
  int64_t perform(const Access& access, void*) noexcept override {
    std::unique_lock lock(gate_.mutex);
    ++gate_.inside;
    gate_.changed.notify_all();
    gate_.changed.wait(lock, [this] { return gate_.open; });
    return access.length;
  }

 private:
  Gate& gate_;
};

std::unique_ptr<Executor> make_gated(Gate& gate, uint32_t depth) {
  return make_blocking_executor("gated", "", std::make_unique<GatedTarget>(gate), depth);
}

void fill(Executor& executor, uint32_t depth) {
  for (uint32_t slot = 0; slot < depth; ++slot) {
    ASSERT_EQ(executor.queue({0, 100 + slot, 0, AccessKind::kRead}, nullptr, slot), 0);
  }
  ASSERT_EQ(executor.submit(), 0);
}

TEST(Blocking, AllOfTheDepthIsUnderWayAtOnce) {
  constexpr uint32_t kDepth = 32;
  Gate gate;
  const auto executor = make_gated(gate, kDepth);
  fill(*executor, kDepth);
  gate.wait_until_inside(kDepth);  // would hang if fewer ran
  gate.set_open();
  std::vector<Completion> done(kDepth);
  EXPECT_EQ(executor->reap(done, kDepth, Executor::kForever), static_cast<int>(kDepth));
  EXPECT_EQ(executor->notice(), "");
}

TEST(Blocking, TheWaitEndsWithItsTimeout) {
  Gate gate;
  const auto executor = make_gated(gate, 2);
  fill(*executor, 2);
  std::vector<Completion> done(2);
  const uint64_t before = executor->now_ns();
  EXPECT_EQ(executor->reap(done, 1, 5'000'000), 0);
  EXPECT_GE(executor->now_ns(), before + 5'000'000);
  EXPECT_EQ(executor->reap(done, 0, Executor::kForever), 0);  // does not wait
  gate.set_open();
  EXPECT_EQ(executor->reap(done, 2, Executor::kForever), 2);
}

TEST(Blocking, DeeperThanThePoolAccessesWaitForAThreadAndTheUserIsTold) {
  constexpr uint32_t kDepth = kMaxWorkers + 72;
  Gate gate;
  const auto executor = make_gated(gate, kDepth);
  EXPECT_EQ(executor->notice(), "gated: depth 200 runs on 128 threads");
  fill(*executor, kDepth);
  gate.wait_until_inside(kMaxWorkers);
  {
    const std::lock_guard lock(gate.mutex);
    EXPECT_EQ(gate.inside, kMaxWorkers);
  }
  gate.set_open();
  std::vector<Completion> done(kDepth);
  EXPECT_EQ(executor->reap(done, kDepth, Executor::kForever), static_cast<int>(kDepth));
  for (const Completion& completion : done) EXPECT_EQ(completion.result, 100 + completion.slot);
}

TEST(Blocking, DestroyingWaitsForWhatIsUnderWay) {
  Gate gate;
  std::atomic<bool> destroyed = false;
  auto executor = make_gated(gate, 2);
  fill(*executor, 2);
  gate.wait_until_inside(2);
  std::thread destroyer([&] {
    executor.reset();
    destroyed = true;
  });
  EXPECT_FALSE(destroyed);  // the gate is shut
  gate.set_open();
  destroyer.join();
  EXPECT_TRUE(destroyed);
}

TEST(Blocking, FewerThreadsThanWantedWillDo) {
  const std::string answer = testing::in_child([]() -> std::string {
    const std::string error = testing::allow_few_threads(3);
    if (!error.empty()) return "skip: " + error;
    Gate gate;
    gate.open = true;
    const auto executor = make_gated(gate, 8);
    std::vector<Completion> done(8);
    fill(*executor, 8);
    if (executor->reap(done, 8, Executor::kForever) != 8) return "accesses were lost";
    return std::string(executor->notice());
  });
  if (answer.starts_with("skip: ")) GTEST_SKIP() << answer;
  EXPECT_THAT(answer,
              ::testing::MatchesRegex(
                  "gated: depth 8 runs on [1-3] threads \\(Resource temporarily unavailable\\)"));
}

TEST(Blocking, WithoutAnyThreadThereIsNoExecutor) {
  const std::string answer = testing::in_child([]() -> std::string {
    for (int call : {SYS_clone, SYS_clone3}) {
      const std::string error = testing::forbid({call, EAGAIN});
      if (!error.empty()) return "skip: " + error;
    }
    Gate gate;
    try {
      make_gated(gate, 8);
      return "was made";
    } catch (const Error& error) {
      return error.what();
    }
  });
  if (answer.starts_with("skip: ")) GTEST_SKIP() << answer;
  EXPECT_EQ(answer, "no thread can be started (Resource temporarily unavailable)");
}

}  // namespace
}  // namespace ethio
