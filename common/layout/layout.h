// Where bytes lie: turns an op into its accesses. Fed by stream/ with ops whose keys are drawn;
// gives back a Plan. A layout maps (table, place in key order) to bytes and keeps that order, so
// that locality comes out by itself.
//
// Adding a layout: one file in layout/, one row in the registry in layout.cpp. expand() is the data
// plane: it neither allocates nor divides by a variable, and depends on nothing but its arguments.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "common/base/access.h"
#include "common/spec/workload_spec.h"
#include "common/state/state_model.h"

namespace ethio {

// One logical storage operation with its key: what a layout expands, and what an executor over a
// real key-value store would run.
struct Op {
  OpKind kind = OpKind::kUniformRead;
  bool absent = false;    // the key does not exist
  uint32_t bytes = 0;     // size, for the kinds that have one
  uint64_t position = 0;  // of the key in its table's key order, a fraction of 2^64
  uint64_t lot = 0;  // decides what is not a matter of the key: cached index blocks, filter errors
  const Walk* walk = nullptr;  // of a trie op
};

struct Step {
  uint64_t offset = 0;
  uint32_t length = 0;
  AccessKind kind = AccessKind::kRead;
};

// The accesses of one op; each waits for the one before it.
struct Plan {
  static constexpr uint32_t kMaxSteps = 96;
  uint32_t count = 0;
  uint32_t useful_read = 0;     // bytes that the op needed
  uint32_t useful_written = 0;  // bytes that the op changed
  std::array<Step, kMaxSteps> steps;

  void clear() { count = useful_read = useful_written = 0; }
  // A plan that is full keeps its first steps: the longest walk through the deepest trie fits
  // (layout tests).
  void add(AccessKind kind, uint64_t offset, uint32_t length) {
    if (count < kMaxSteps) steps[count++] = {offset, length, kind};
  }
};

// What a stream of ops remembers from one op to the next: where it appends, what it has just read.
// One for each stage and background; touched in dispatch order only.
struct StreamMemory {
  uint64_t append_first = 0;   // the stream's own slice of the append region
  uint64_t append_bytes = 0;   // its size
  uint64_t append_at = 0;      // next write, relative to append_first
  uint64_t pending_bytes = 0;  // appended, but not yet a full write
  uint64_t run = 0;            // where the sequential run that a compaction reads begins
  uint64_t run_bytes = 0;      // its length
  uint64_t run_at = 0;         // and how far it has come
  uint32_t dirty_pages = 0;    // changed, but not yet a full write
  // Files that are appended to in turn: the next for an append and for a sync, and each one's
  // state.
  static constexpr uint32_t kMaxFiles = 16;
  uint32_t next_append = 0;
  uint32_t next_sync = 0;
  struct File {
    uint64_t at = 0;       // next write, relative to the file
    uint64_t pending = 0;  // appended, but not yet a full write
    uint32_t items = 0;    // appended since the last sync
  };
  std::array<File, kMaxFiles> files{};
  std::array<uint64_t, kTables>
      last_block{};  // data block or leaf page just touched, by table; 0 = none
  std::array<uint64_t, kTables> last_index{};  // index block or inner page, likewise
  static constexpr uint32_t kMaxPageLevels = 12;
  std::array<uint64_t, kMaxPageLevels> last_page{};  // page of a paged trie, by its level
  uint64_t last_trie = 0;                            // the key that was committed last,
  uint64_t last_nibbles = 0;                         // for what two neighbours in a batch share

  // A new batch begins: what the last one touched has left memory, what it wrote must be written
  // anew.
  void forget_neighbours() noexcept {
    last_block.fill(0);
    last_index.fill(0);
    last_page.fill(0);
    last_trie = 0;
  }
};

// The nodes that a commit makes dirty and that the key committed before has not written already.
struct DirtyNodes {
  const TrieNode* first;
  const TrieNode* last;
  const TrieNode* begin() const { return first; }
  const TrieNode* end() const { return last; }
};
DirtyNodes dirty_nodes(const Walk& walk, StreamMemory& memory) noexcept;

struct LayoutConfig {
  const LayoutSpec* spec = nullptr;
  const StateModel* state = nullptr;  // may be null for raw
  uint64_t target_bytes = 0;
  uint32_t alignment = 4096;   // a power of two
  uint32_t append_slices = 0;  // streams that append, over all jobs; 0 = no append region
  std::array<bool, kTables> tables_used{};  // the others take no room

  // Bytes of a table before the layout's overheads; 0 if no op touches it.
  double logical_bytes(Table table) const {
    const auto index = static_cast<size_t>(table);
    return tables_used[index] ? static_cast<double>(state->table_bytes(table)) : 0;
  }
};

// The tables that the ops of a definition touch.
std::array<bool, kTables> tables_used(const WorkloadSpec& spec);

class Layout {
 public:
  virtual ~Layout() = default;

  virtual void expand(const Op& op, StreamMemory& memory, Plan& plan) const noexcept = 0;
  virtual bool supports(OpKind kind) const = 0;
  virtual uint32_t max_access_bytes(const OpSpec& op) const = 0;
  // How the tables were fitted to the target, for a person; "" if they are whole.
  virtual std::string scaling_note() const = 0;
  // Gives a stream its slice of the append region.
  virtual void assign_slice(uint32_t slice, StreamMemory& memory) const = 0;
};

struct LayoutInfo {
  LayoutType type;
  std::string_view summary;
  std::unique_ptr<Layout> (*create)(const LayoutConfig&);  // throws Error
};
std::span<const LayoutInfo> layouts();
std::unique_ptr<Layout> make_layout(const LayoutConfig& config);

}  // namespace ethio
