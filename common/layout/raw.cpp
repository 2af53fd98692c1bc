// The raw layout: no tables. Uniform accesses anywhere in the target, appends and syncs; what stock
// profiles do.
#include "common/layout/registry.h"
#include "common/layout/target_map.h"

namespace ethio {
namespace {

class RawLayout final : public Layout {
 public:
  explicit RawLayout(const LayoutConfig& config)
      : map_(config, {}), chunk_(static_cast<uint32_t>(config.spec->write_chunk)) {}

  bool supports(OpKind kind) const override { return is_common(kind); }

  void expand(const Op& op, StreamMemory& memory, Plan& plan) const noexcept override {
    expand_common(map_, op, chunk_, memory, plan);
  }

  uint32_t max_access_bytes(const OpSpec& op) const override {
    return max_common_bytes(map_, op, chunk_);
  }
  std::string scaling_note() const override { return ""; }
  void assign_slice(uint32_t slice, StreamMemory& memory) const override {
    map_.assign_slice(slice, memory);
  }

 private:
  TargetMap map_;
  uint32_t chunk_;
};

}  // namespace

std::unique_ptr<Layout> make_raw_layout(const LayoutConfig& config) {
  return std::make_unique<RawLayout>(config);
}

}  // namespace ethio
