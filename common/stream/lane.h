// The lanes of a session: who runs what, who is ready, who is free, who rests. Fixed in size after
// construction. Used by Session.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "common/layout/layout.h"

namespace ethio {

struct SingleOps;
struct Stream;

// What an access of a short plan touches lies in the first cache line.
struct alignas(64) Lane {
  Stream* stream = nullptr;     // whose op it runs
  SingleOps* single = nullptr;  // where the op is counted, if it is such a one
  uint64_t issued_ns = 0;
  uint32_t index = 0;
  uint32_t step = 0;  // of the plan; in flight or ready
  uint32_t op_class = 0;
  bool in_flight = false;
  Plan plan;
  uint64_t dispatched_ns = 0;
};

// A first-in-first-out queue of lanes, or of what is known of them; at most one entry a lane.
template <typename T>
class LaneQueue {
 public:
  explicit LaneQueue(uint32_t lanes) : ring_(std::bit_ceil(lanes)), mask_(ring_.size() - 1) {}
  bool empty() const { return head_ == tail_; }
  const T& front() const { return ring_[head_ & mask_]; }
  void push(const T& item) noexcept { ring_[tail_++ & mask_] = item; }
  T pop() noexcept { return ring_[head_++ & mask_]; }
  void clear() noexcept { head_ = tail_; }

 private:
  std::vector<T> ring_;
  uint64_t mask_;
  uint64_t head_ = 0;
  uint64_t tail_ = 0;
};

// Lanes whose next access can start, first come first served.
using ReadyQueue = LaneQueue<uint32_t>;

// The lanes of one stream that run nothing. Free ones are a stack, so that few lanes stay warm;
// with a gap a lane first rests, and since all rest equally long, they wake in the order in which
// they came.
class FreeLanes {
 public:
  FreeLanes(uint32_t first, uint32_t count, uint64_t gap_ns)
      : first_(first), gap_ns_(gap_ns), lanes_(count), resting_(gap_ns > 0 ? count : 1) {
    refill();
  }
  void refill() noexcept {
    free_ = static_cast<uint32_t>(lanes_.size());
    for (uint32_t i = 0; i < free_; ++i) lanes_[i] = first_ + free_ - 1 - i;
    resting_.clear();
  }
  bool empty() const { return free_ == 0; }
  uint32_t pop() noexcept { return lanes_[--free_]; }
  void push(uint32_t lane) noexcept { lanes_[free_++] = lane; }

  // The lane's op has ended.
  void release(uint32_t lane, uint64_t now_ns) noexcept {
    if (gap_ns_ == 0) return push(lane);
    resting_.push({lane, now_ns + gap_ns_});
  }
  void wake(uint64_t now_ns) noexcept {
    if (gap_ns_ == 0) return;
    while (!resting_.empty() && resting_.front().until_ns <= now_ns) push(resting_.pop().lane);
  }
  // When a lane is free, if none is in flight: 0 for now.
  uint64_t next_free_ns() const {
    return free_ > 0 || resting_.empty() ? 0 : resting_.front().until_ns;
  }

 private:
  struct Resting {
    uint32_t lane;
    uint64_t until_ns;
  };

  uint32_t first_;
  uint32_t free_ = 0;
  uint64_t gap_ns_;
  std::vector<uint32_t> lanes_;
  LaneQueue<Resting> resting_;
};

}  // namespace ethio
