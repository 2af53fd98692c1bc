// The target cut into regions: the tables, in order, then the append region. Shared by all layouts.
//
// A table that does not fit its region is folded: places keep their order and the distances shrink,
// so that several logical blocks share a physical place. Chains, sizes and counts stay; the span of
// the device that is touched does not, and scaling_note() says so.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "common/layout/layout.h"

namespace ethio {

struct Region {
  uint64_t first = 0;
  uint64_t bytes = 0;
};

class TargetMap {
 public:
  // `disk_bytes`: what each table takes when whole; all 0 for a target without tables.
  TargetMap(const LayoutConfig& config, const std::array<uint64_t, kTables>& disk_bytes);

  const Region& table(Table table) const { return tables_[static_cast<int>(table)]; }
  const Region& data() const { return data_; }      // all tables
  const Region& append() const { return append_; }  // logs and flushed files
  uint32_t alignment() const { return alignment_; }
  uint32_t alignment_bits() const { return alignment_bits_; }  // log2

  // Sets the plan of a uniform_read or uniform_write: aligned places, all equally likely, as many
  // as fit, the first at 0. In line, because it is the whole cost of the control.
  void uniform(const Op& op, Plan& plan) const noexcept {
    const uint64_t places = ((data_.bytes - op.bytes) >> alignment_bits_) + 1;
    const uint64_t offset = mul_high(op.position, places) << alignment_bits_;
    const bool read = op.kind == OpKind::kUniformRead;
    plan.steps[0] = {offset, op.bytes, read ? AccessKind::kRead : AccessKind::kWrite};
    plan.count = 1;
    plan.useful_read = read ? op.bytes : 0;
    plan.useful_written = read ? 0 : op.bytes;
  }
  // Adds the read that covers [first, first + bytes): grown to the alignment, kept inside the
  // target.
  void read_span(uint64_t first, uint32_t bytes, Plan& plan) const noexcept {
    const uint64_t begin = first & ~uint64_t{alignment_ - 1};
    const uint64_t end = (first + bytes + alignment_ - 1) & ~uint64_t{alignment_ - 1};
    const uint64_t length = end - begin;
    const uint64_t kept = begin + length > target_bytes_ ? target_bytes_ - length : begin;
    plan.add(AccessKind::kRead, kept, static_cast<uint32_t>(length));
  }
  // Appends to the stream's slice; writes of `chunk` bytes are added to the plan as they fill up.
  void append(uint64_t bytes, uint32_t chunk, StreamMemory& memory, Plan& plan) const noexcept;
  // Writes what append() has kept back, padded to the alignment.
  void flush(uint32_t chunk, StreamMemory& memory, Plan& plan) const noexcept;
  // One whole write at the stream's cursor.
  void append_write(uint32_t bytes, StreamMemory& memory, Plan& plan) const noexcept;
  // One step of a merge: so many sequential reads in a run of `run_bytes` somewhere among the
  // tables, then as much written as one of them read.
  void compact(const Op& op, uint64_t run_bytes, uint32_t reads, StreamMemory& memory,
               Plan& plan) const noexcept;

  void assign_slice(uint32_t slice, StreamMemory& memory) const;
  const std::string& scaling_note() const { return scaling_note_; }
  uint32_t align_up(uint32_t bytes) const { return (bytes + alignment_ - 1) & ~(alignment_ - 1); }

 private:
  uint32_t alignment_;
  uint32_t alignment_bits_;
  uint64_t target_bytes_;
  Region data_;
  Region append_;
  uint64_t slice_bytes_ = 0;
  std::array<Region, kTables> tables_;
  std::string scaling_note_;
};

}  // namespace ethio
