#include "common/layout/target_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <numeric>

#include "common/base/error.h"
#include "common/base/quantity.h"

namespace ethio {
namespace {

constexpr uint64_t kMinTargetBytes = 1 << 20;
constexpr uint64_t kMinTableBytes = 64 << 10;
constexpr uint64_t kMinSliceBytes = 2 << 20;  // room for the largest write, twice

uint64_t align_down(uint64_t bytes, uint64_t alignment) {
  return bytes & ~(alignment - 1);
}

}  // namespace

TargetMap::TargetMap(const LayoutConfig& config, const std::array<uint64_t, kTables>& disk_bytes)
    : alignment_(config.alignment),
      alignment_bits_(static_cast<uint32_t>(std::countr_zero(config.alignment))),
      target_bytes_(align_down(config.target_bytes, config.alignment)) {
  if (target_bytes_ < kMinTargetBytes) {
    throw Error(ENOSPC,
                fmt::format("target: {} is too small; a workload needs at least {}",
                            format_bytes(config.target_bytes), format_bytes(kMinTargetBytes)));
  }
  uint64_t append_bytes = 0;
  if (config.append_slices > 0) {
    const auto share = static_cast<double>(target_bytes_) * config.spec->append_share;
    slice_bytes_ = align_down(static_cast<uint64_t>(share) / config.append_slices, alignment_);
    slice_bytes_ = std::max(slice_bytes_, kMinSliceBytes * config.spec->files);
    append_bytes = slice_bytes_ * config.append_slices;
    if (append_bytes > target_bytes_ / 2) {
      throw Error(
          ENOSPC,
          fmt::format("target: {} is too small for {} streams that append {} each; give it {}",
                      format_bytes(target_bytes_), config.append_slices, format_bytes(slice_bytes_),
                      format_bytes(2 * append_bytes)));
    }
  }
  data_ = {0, target_bytes_ - append_bytes};
  append_ = {data_.bytes, append_bytes};

  const auto whole = std::accumulate(disk_bytes.begin(), disk_bytes.end(), uint64_t{0});
  if (whole == 0) return;
  uint64_t first = 0;
  const double scale = std::min(1.0, static_cast<double>(data_.bytes) / static_cast<double>(whole));
  for (uint32_t i = 0; i < kTables; ++i) {
    if (disk_bytes[i] == 0) continue;
    const auto bytes = static_cast<uint64_t>(static_cast<double>(disk_bytes[i]) * scale);
    const uint64_t kept = std::max(align_down(bytes, kMinTableBytes), kMinTableBytes);
    tables_[i] = {std::min(first, data_.bytes - kMinTableBytes), kept};
    tables_[i].bytes = std::min(kept, data_.bytes - tables_[i].first);
    first += tables_[i].bytes;
  }
  if (scale < 1) {
    scaling_note_ = fmt::format(
        "tables of {} on disk folded into {} (1:{:.0f}): chain lengths, access sizes, counts and "
        "cache misses are "
        "those of the whole state; the span of the device that is touched is not",
        format_bytes(whole), format_bytes(data_.bytes), 1 / scale);
  }
}

void TargetMap::append_write(uint32_t bytes, StreamMemory& memory, Plan& plan) const noexcept {
  const uint32_t length = align_up(bytes);
  if (memory.append_at + length > memory.append_bytes) memory.append_at = 0;
  plan.add(AccessKind::kWrite, memory.append_first + memory.append_at, length);
  memory.append_at += length;
}

void TargetMap::append(uint64_t bytes, uint32_t chunk, StreamMemory& memory,
                       Plan& plan) const noexcept {
  memory.pending_bytes += bytes;
  while (memory.pending_bytes >= chunk) {
    append_write(chunk, memory, plan);
    memory.pending_bytes -= chunk;
  }
}

void TargetMap::flush(uint32_t chunk, StreamMemory& memory, Plan& plan) const noexcept {
  append(0, chunk, memory, plan);
  if (memory.pending_bytes > 0)
    append_write(static_cast<uint32_t>(memory.pending_bytes), memory, plan);
  memory.pending_bytes = 0;
}

void TargetMap::compact(const Op& op, uint64_t run_bytes, uint32_t reads, StreamMemory& memory,
                        Plan& plan) const noexcept {
  const uint32_t length = align_up(op.bytes);
  for (uint32_t i = 0; i < reads; ++i) {
    if (memory.run_at == 0) {
      memory.run_bytes = std::min(run_bytes, data_.bytes);
      memory.run = mul_high(mix64(op.lot, i), data_.bytes - memory.run_bytes);
    }
    read_span((memory.run + memory.run_at) & ~uint64_t{alignment_ - 1}, length, plan);
    memory.run_at += length;
    if (memory.run_at >= memory.run_bytes) memory.run_at = 0;
  }
  append_write(length, memory, plan);
  plan.useful_read += length * reads;
  plan.useful_written += length;
}

void TargetMap::assign_slice(uint32_t slice, StreamMemory& memory) const {
  memory.append_first = append_.first + slice * slice_bytes_;
  memory.append_bytes = slice_bytes_;
}

}  // namespace ethio
