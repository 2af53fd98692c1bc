// Reads, writes and syncs at random, each read checked against what was written before: how the
// tests of the executors use a target as a front door does.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "common/base/hash.h"
#include "common/exec/executor.h"
#include "tests/exec/testing.h"

namespace ethio::testing {

// At full depth; accesses of one to four blocks. `shadow` is what the target holds.
class Traffic {
 public:
  Traffic(Executor& executor, const Buffers& buffers, uint32_t depth, std::vector<std::byte> shadow)
      : executor_(executor), buffers_(buffers), under_way_(depth), shadow_(std::move(shadow)) {
    for (uint32_t slot = 0; slot < depth; ++slot) free_.push_back(slot);
    done_.resize(depth);
    busy_.resize(shadow_.size() / kBlock);
  }

  // What the target must hold now.
  const std::vector<std::byte>& shadow() const { return shadow_; }

  // False at the first wrong result or wrong byte.
  bool run(uint32_t accesses) {
    uint32_t started = 0;
    while (started < accesses || free_.size() < under_way_.size()) {
      while (started < accesses && !free_.empty()) {
        if (!start()) return false;
        ++started;
      }
      if (executor_.submit() != 0) return false;
      const int count = executor_.reap(done_, 1, Executor::kForever);
      if (count < 1) return false;
      for (int i = 0; i < count; ++i) {
        if (!finish(done_[static_cast<size_t>(i)])) return false;
      }
    }
    return true;
  }

 private:
  static constexpr uint32_t kBlock = 4096;

  bool start() {
    const uint32_t slot = free_.back();
    free_.pop_back();
    Access access;
    const uint64_t dice = rng_.below(64);
    access.kind = dice == 0   ? AccessKind::kSync
                  : dice < 32 ? AccessKind::kWrite
                              : AccessKind::kRead;
    if (access.kind != AccessKind::kSync) choose_place(access);
    if (access.kind == AccessKind::kWrite) {
      for (uint32_t at = 0; at < access.length; at += 8) {
        const uint64_t word = rng_.next();
        std::memcpy(buffers_[slot] + at, &word, sizeof word);
      }
    }
    under_way_[slot] = access;
    return executor_.queue(access, buffers_[slot], slot) == 0;
  }

  // One to four blocks that no access in flight touches, so that every read has one right answer.
  void choose_place(Access& access) {
    for (;;) {
      const uint64_t blocks = 1 + rng_.below(4);
      const uint64_t first = rng_.below(busy_.size() - blocks + 1);
      const auto begin = busy_.begin() + static_cast<std::ptrdiff_t>(first);
      const auto end = begin + static_cast<std::ptrdiff_t>(blocks);
      if (std::find(begin, end, true) != end) continue;
      std::fill(begin, end, true);
      access.offset = first * kBlock;
      access.length = static_cast<uint32_t>(blocks * kBlock);
      return;
    }
  }

  bool finish(const Completion& completion) {
    const Access& access = under_way_[completion.slot];
    if (completion.result != access.length) return false;
    std::byte* const expected = shadow_.data() + access.offset;
    if (access.kind == AccessKind::kWrite) {
      std::memcpy(expected, buffers_[completion.slot], access.length);
    } else if (std::memcmp(expected, buffers_[completion.slot], access.length) != 0) {
      return false;
    }
    const auto begin = busy_.begin() + static_cast<std::ptrdiff_t>(access.offset / kBlock);
    std::fill(begin, begin + access.length / kBlock, false);
    free_.push_back(completion.slot);
    return true;
  }

  Executor& executor_;
  const Buffers& buffers_;
  std::vector<Access> under_way_;
  std::vector<uint32_t> free_;
  std::vector<Completion> done_;
  std::vector<bool> busy_;
  std::vector<std::byte> shadow_;
  Rng rng_{42};
};

}  // namespace ethio::testing
