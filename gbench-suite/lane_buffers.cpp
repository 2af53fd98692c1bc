#include "gbench-suite/lane_buffers.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>

#include "common/base/error.h"
#include "common/base/quantity.h"
#include "gbench-suite/incompressible.h"

namespace ethio {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kMaxRegisteredBytes = size_t{64} << 20;

}  // namespace

LaneBuffers::LaneBuffers(uint32_t lanes, uint32_t bytes_each) {
  const size_t stride = (size_t{bytes_each} + kPage - 1) / kPage * kPage;
  mapped_bytes_ = stride * lanes;
  mapping_ = mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping_ == MAP_FAILED) {
    throw Error(errno, fmt::format("buffers: {} lanes of {}: {}", lanes, format_bytes(bytes_each),
                                   errno_text(errno)));
  }
  auto* next = static_cast<std::byte*>(mapping_);
  for (uint32_t lane = 0; lane < lanes; ++lane, next += stride) buffers_.push_back({next, stride});
  filled_.resize(lanes);
}

LaneBuffers::~LaneBuffers() {
  munmap(mapping_, mapped_bytes_);
}

std::span<const Buffer> LaneBuffers::to_register() const {
  if (mapped_bytes_ > kMaxRegisteredBytes) return {};
  return buffers_;
}

// What reads have put there since the last fill is the target's contents: as incompressible.
void LaneBuffers::fill(uint32_t lane) noexcept {
  const Buffer& buffer = buffers_[lane];
  fill_incompressible({static_cast<std::byte*>(buffer.data), buffer.bytes}, rng_);
  filled_[lane] = static_cast<uint32_t>(buffer.bytes);
}

}  // namespace ethio
