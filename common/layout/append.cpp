// The append layout: files that only grow, written in turn. geth's freezer, reth's static files,
// any log.
//
// A stream's slice of the append region is shared out among `files` files, each a ring. An append
// goes to the next file in turn; a sync takes the next file, writes what it has kept back and the
// entries of its index, and syncs both. The rest of the target is what was written long ago, for
// uniform reads.
#include <algorithm>

#include "common/layout/registry.h"

namespace ethio {
namespace {

// An entry of the freezer's index: go-ethereum core/rawdb/freezer_table.go.
constexpr uint32_t kIndexEntryBytes = 6;

class AppendLayout final : public Layout {
 public:
  explicit AppendLayout(const LayoutConfig& config)
      : map_(config, {}),
        files_(static_cast<uint32_t>(config.spec->files)),
        chunk_(map_.align_up(static_cast<uint32_t>(config.spec->write_chunk))) {}

  bool supports(OpKind kind) const override { return is_common(kind); }
  void expand(const Op& op, StreamMemory& memory, Plan& plan) const noexcept override;
  uint32_t max_access_bytes(const OpSpec& op) const override {
    return std::max(max_common_bytes(map_, op, chunk_), chunk_);
  }
  std::string scaling_note() const override { return ""; }
  void assign_slice(uint32_t slice, StreamMemory& memory) const override {
    map_.assign_slice(slice, memory);
    memory.append_bytes /= files_;
    memory.append_bytes &= ~uint64_t{map_.alignment() - 1};
  }

 private:
  void append(uint32_t bytes, StreamMemory& memory, Plan& plan) const noexcept;
  void sync(StreamMemory& memory, Plan& plan) const noexcept;
  void write(uint32_t file, uint32_t bytes, StreamMemory& memory, Plan& plan) const noexcept;
  uint32_t after(uint32_t file) const { return file + 1 == files_ ? 0 : file + 1; }

  TargetMap map_;
  uint32_t files_;
  uint32_t chunk_;
};

void AppendLayout::expand(const Op& op, StreamMemory& memory, Plan& plan) const noexcept {
  switch (op.kind) {
    case OpKind::kAppend:
      return append(op.bytes, memory, plan);
    case OpKind::kSync:
      return sync(memory, plan);
    default:
      return expand_common(map_, op, chunk_, memory, plan);
  }
}

// Writes of a chunk go out as they fill up.
void AppendLayout::append(uint32_t bytes, StreamMemory& memory, Plan& plan) const noexcept {
  const uint32_t file = memory.next_append;
  memory.next_append = after(file);
  StreamMemory::File& state = memory.files[file];
  ++state.items;
  plan.useful_written += bytes;
  for (state.pending += bytes; state.pending >= chunk_; state.pending -= chunk_) {
    write(file, chunk_, memory, plan);
  }
}

void AppendLayout::sync(StreamMemory& memory, Plan& plan) const noexcept {
  const uint32_t file = memory.next_sync;
  memory.next_sync = after(file);
  StreamMemory::File& state = memory.files[file];
  if (state.pending > 0) write(file, static_cast<uint32_t>(state.pending), memory, plan);
  if (state.items > 0) {
    const uint64_t index_bytes = uint64_t{state.items} * kIndexEntryBytes;
    write(file, static_cast<uint32_t>(std::min<uint64_t>(index_bytes, chunk_)), memory, plan);
    plan.add(AccessKind::kSync, 0, 0);
  }
  plan.add(AccessKind::kSync, 0, 0);
  state.pending = 0;
  state.items = 0;
}

void AppendLayout::write(uint32_t file, uint32_t bytes, StreamMemory& memory,
                         Plan& plan) const noexcept {
  const uint32_t length = map_.align_up(bytes);
  StreamMemory::File& state = memory.files[file];
  if (state.at + length > memory.append_bytes) state.at = 0;
  plan.add(AccessKind::kWrite, memory.append_first + file * memory.append_bytes + state.at, length);
  state.at += length;
}

}  // namespace

std::unique_ptr<Layout> make_append_layout(const LayoutConfig& config) {
  return std::make_unique<AppendLayout>(config);
}

}  // namespace ethio
