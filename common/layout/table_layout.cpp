#include "common/layout/table_layout.h"

#include "common/base/exact_math.h"

namespace ethio {

PagedLayout::PagedLayout(const LayoutConfig& config,
                         const std::array<uint64_t, kTables>& disk_bytes)
    : TableLayout(config, disk_bytes),
      page_bytes_(map_.align_up(static_cast<uint32_t>(spec_.page_bytes))) {
  for (uint32_t i = 0; i < kTables; ++i) {
    Pages& pages = tables_[i];
    pages.region = map_.table(static_cast<Table>(i));
    pages.count = std::max<uint64_t>(1, pages.region.bytes / page_bytes_);
    pages.leaves = std::max<uint64_t>(1, disk_bytes[i] / spec_.page_bytes);
    pages.leaf_step = static_cast<uint64_t>(kTwo64 / static_cast<double>(pages.leaves + 1));
  }
}

}  // namespace ethio
