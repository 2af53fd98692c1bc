// What the layouts of a state's tables share: the definition, the state, the target cut into
// regions; and of those whose tables are cut into pages, the pages. Private to layout/.
//
// A table has logical leaf pages, which decide what shares a page, and the physical pages of its
// region, which decide where one lies; they differ where a table is folded (target_map.h).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "common/layout/registry.h"

namespace ethio {

class TableLayout : public Layout {
 public:
  bool supports(OpKind) const final { return true; }
  std::string scaling_note() const final { return map_.scaling_note(); }
  void assign_slice(uint32_t slice, StreamMemory& memory) const final {
    map_.assign_slice(slice, memory);
  }

 protected:
  TableLayout(const LayoutConfig& config, const std::array<uint64_t, kTables>& disk_bytes)
      : spec_(*config.spec),
        state_(*config.state),
        map_(config, disk_bytes),
        write_chunk_(static_cast<uint32_t>(spec_.write_chunk)) {}

  LayoutSpec spec_;
  const StateModel& state_;
  TargetMap map_;
  uint32_t write_chunk_;
};

class PagedLayout : public TableLayout {
 protected:
  struct Pages {
    Region region;
    uint64_t count = 1;      // physical, of the region
    uint64_t leaves = 1;     // logical
    uint64_t leaf_step = 0;  // 2^64 / leaves
  };

  PagedLayout(const LayoutConfig& config, const std::array<uint64_t, kTables>& disk_bytes);

  const Pages& pages_of(Table table) const { return tables_[static_cast<size_t>(table)]; }
  // Code larger than a page lies in a run of overflow pages.
  void read_overflow(const Op& op, Plan& plan) const noexcept {
    if (op.absent || op.bytes <= page_bytes_) return;
    const Region& code = map_.table(Table::kCode);
    map_.read_span(code.first + mul_high(mix64(op.position), code.bytes), op.bytes, plan);
  }
  uint32_t max_code_bytes(const OpSpec& op) const {
    const auto fixed = static_cast<uint32_t>(op.bytes);
    return std::max(page_bytes_,
                    map_.align_up(fixed > 0 ? fixed : kLargestCode) + map_.alignment());
  }

  uint32_t page_bytes_;

 private:
  std::array<Pages, kTables> tables_;
};

}  // namespace ethio
