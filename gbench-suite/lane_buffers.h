// One I/O buffer a lane, page-aligned, in one mapping. Memory is taken as accesses touch it, so
// thousands of lanes of a megabyte each cost what they use. Fed to an Executor and to the RunLoop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/base/hash.h"
#include "common/exec/executor.h"

namespace ethio {

class LaneBuffers {
 public:
  LaneBuffers(uint32_t lanes, uint32_t bytes_each);  // throws Error(ENOMEM)
  ~LaneBuffers();
  LaneBuffers(const LaneBuffers&) = delete;
  LaneBuffers& operator=(const LaneBuffers&) = delete;

  void* for_read(uint32_t lane) noexcept { return buffers_[lane].data; }
  // Its first `length` bytes are incompressible.
  void* for_write(uint32_t lane, uint32_t length) noexcept {
    if (filled_[lane] < length) fill(lane);
    return buffers_[lane].data;
  }

  // For ExecutorConfig::buffers: registering pins every page, so that only small sets are offered.
  std::span<const Buffer> to_register() const;

 private:
  void fill(uint32_t lane) noexcept;

  size_t mapped_bytes_ = 0;
  void* mapping_ = nullptr;
  std::vector<Buffer> buffers_;
  std::vector<uint32_t> filled_;
  Rng rng_{0};
};

}  // namespace ethio
