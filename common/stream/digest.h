// The identity of a stream: 128 bits over the accesses in the order in which their ops were
// dispatched. That order is the same in every harness, whatever order the accesses complete in.
#pragma once

#include <cstdint>
#include <string>

#include "common/base/hash.h"
#include "common/layout/layout.h"

namespace ethio {

struct Digest {
  uint64_t low = 0;
  uint64_t high = 0;
  bool operator==(const Digest&) const = default;

  void add(const Step& step) noexcept {
    const uint64_t what = uint64_t{step.length} << 8 | static_cast<uint64_t>(step.kind);
    low = (low ^ step.offset ^ what << 20) * 0x9fb21c651e98df25ULL;
    low ^= low >> 32;
    high = (high + low + what) * kGolden;
    high ^= high >> 29;
  }
  void add(const Plan& plan) noexcept {
    if (plan.count == 1) return add(plan.steps[0]);
    Digest sum = *this;  // in registers
    for (uint32_t i = 0; i < plan.count; ++i) sum.add(plan.steps[i]);
    *this = sum;
  }
  void add(const Digest& other) noexcept {
    low = mix64(low, other.low);
    high = mix64(high, other.high);
  }
};

std::string to_hex(const Digest& digest);  // 32 digits

}  // namespace ethio
