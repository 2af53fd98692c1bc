// The lanes of a session: who runs what, who is ready, who is free. Fixed in size after
// construction. Used by Session.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "common/layout/layout.h"

namespace ethio {

struct Lane {
  Plan plan;
  uint32_t step = 0;    // of the plan; in flight or ready
  uint32_t stream = 0;  // whose op it runs
  uint32_t op_class = 0;
  bool in_flight = false;
  uint64_t dispatched_ns = 0;
  uint64_t issued_ns = 0;
};

// Lanes whose next access can start, first come first served.
class ReadyQueue {
 public:
  explicit ReadyQueue(uint32_t lanes) : ring_(std::bit_ceil(lanes + 1)), mask_(ring_.size() - 1) {}
  bool empty() const { return head_ == tail_; }
  void push(uint32_t lane) noexcept { ring_[tail_++ & mask_] = lane; }
  uint32_t pop() noexcept { return ring_[head_++ & mask_]; }

 private:
  std::vector<uint32_t> ring_;
  uint64_t mask_;
  uint64_t head_ = 0;
  uint64_t tail_ = 0;
};

// Lanes of one stream that run nothing; a stack, so that few lanes stay warm.
class FreeLanes {
 public:
  FreeLanes(uint32_t first, uint32_t count) : first_(first), lanes_(count) { refill(); }
  void refill() noexcept {
    free_ = static_cast<uint32_t>(lanes_.size());
    for (uint32_t i = 0; i < free_; ++i) lanes_[i] = first_ + free_ - 1 - i;
  }
  bool empty() const { return free_ == 0; }
  uint32_t pop() noexcept { return lanes_[--free_]; }
  void push(uint32_t lane) noexcept { lanes_[free_++] = lane; }

 private:
  uint32_t first_;
  uint32_t free_ = 0;
  std::vector<uint32_t> lanes_;
};

}  // namespace ethio
