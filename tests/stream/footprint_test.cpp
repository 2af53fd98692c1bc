// What a session costs besides time: nothing is allocated once it is built, and a state of
// mainnet's size takes no more memory than a small one.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

#include "common/spec/catalogue.h"
#include "common/stream/session.h"
#include "tests/support/allocation_count.h"

namespace ethio {
namespace {

SessionConfig config_of(const std::string& workload) {
  SessionConfig config;
  config.spec = load_workload(workload);
  config.target_bytes = 256u << 20;
  return config;
}

// Hands out and completes so many accesses, as many of them in flight as the session allows.
// Does not allocate itself.
void run(Session& session, uint64_t accesses, std::vector<Access>& in_flight, uint64_t& now_ns) {
  while (accesses > 0) {
    Access access;
    const Next next = session.next(now_ns, access);
    if (next == Next::kAccess) {
      in_flight.push_back(access);
      --accesses;
    } else if (next == Next::kIdle) {
      now_ns = access.offset;
    } else {
      ASSERT_EQ(next, Next::kStall);
      session.complete(in_flight.back().lane, in_flight.back().length, now_ns += 1000);
      in_flight.pop_back();
    }
  }
}

TEST(Footprint, TheDataPlaneDoesNotAllocate) {
  for (const std::string& workload : workload_names()) {
    SessionConfig config = config_of(workload);
    for (StageSpec& stage : config.spec.stages) stage.gap = 500;
    config.spec.slot_time = config.spec.unit == UnitKind::kOp ? 0 : 10'000'000;
    Session session(config);
    std::vector<Access> in_flight;
    in_flight.reserve(session.lanes());
    uint64_t now_ns = 1;
    const uint64_t before = testing::allocation_count();
    run(session, 20'000, in_flight, now_ns);
    session.reset_metrics();
    run(session, 20'000, in_flight, now_ns);
    EXPECT_EQ(testing::allocation_count(), before) << workload;
  }
}

// Peak resident memory of this process, KiB.
uint64_t peak_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    uint64_t kib = 0;
    if (word == "VmHWM:" && status >> kib) return kib;
  }
  return ~uint64_t{0};
}

TEST(Footprint, AStateOfMainnetsSizeFitsInAFewMegabytes) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer's own memory is larger than what is measured";
#endif
  constexpr uint64_t kLimitKib = 64 << 10;
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    SessionConfig config = config_of("trie-read");
    config.spec.state.accounts = 350'000'000;
    Session session(config);
    std::vector<Access> in_flight;
    uint64_t now_ns = 1;
    run(session, 200'000, in_flight, now_ns);
    _exit(peak_kib() < kLimitKib ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "64 MiB or more";
}

}  // namespace
}  // namespace ethio
