// A bounded first-in-first-out queue whose memory is taken once. The caller keeps within its
// capacity. Private to exec/.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace ethio {

template <typename T>
class Ring {
 public:
  explicit Ring(uint32_t capacity) : items_(std::bit_ceil(capacity)) {}

  void push(const T& item) noexcept { items_[tail_++ & mask()] = item; }
  T pop() noexcept { return items_[head_++ & mask()]; }
  uint32_t size() const noexcept { return tail_ - head_; }
  bool empty() const noexcept { return head_ == tail_; }

 private:
  uint32_t mask() const noexcept { return static_cast<uint32_t>(items_.size()) - 1; }

  std::vector<T> items_;
  uint32_t head_ = 0;  // both run on past the capacity and wrap at 2^32
  uint32_t tail_ = 0;
};

}  // namespace ethio
