// The log-structured merge tree: Pebble in geth, RocksDB in Besu and Nethermind.
//
// Each table's region holds its levels, each ordered by key and cut into SST files; a file holds
// data blocks, then their index. A lookup asks the levels top down: a filter turns most away, and
// each level that is entered costs an index block and a data block. Where a key lies is a property
// of the key; whether an index or filter block is in memory is drawn with the share that the
// definition says. Blocks are unaligned on disk: a read takes the aligned span around one.
#include <algorithm>
#include <bit>

#include "common/base/exact_math.h"
#include "common/layout/table_layout.h"

namespace ethio {
namespace {

constexpr uint32_t kMaxLevels = 7;

// Index bytes a data block: "all index" is about 0.9 % of a database of blocks of 2,983 B on disk
// (QuarkChain bench_kvdb, doc/paper.md).
constexpr double kIndexEntryBytes = 27;

double index_share(const LayoutSpec& spec) {
  return kIndexEntryBytes / static_cast<double>(spec.disk_block_bytes);
}

struct Level {
  uint64_t first = 0;  // of its region in the target
  uint64_t files = 1;
  uint64_t file_bytes = 0;
  uint64_t data_bytes = 0;  // of a file; its index follows
  uint64_t blocks = 1;      // logical data blocks of the whole level
  uint64_t block_step = 0;  // 2^64 / blocks
  uint64_t index_blocks = 1;
  uint64_t index_step = 0;
};

class LsmLayout final : public TableLayout {
 public:
  explicit LsmLayout(const LayoutConfig& config);

  void expand(const Op& op, StreamMemory& memory, Plan& plan) const noexcept override;
  uint32_t max_access_bytes(const OpSpec& op) const override;

 private:
  void lookup(Table table, const Op& op, StreamMemory& memory, Plan& plan) const noexcept;
  void ask_in_vain(Table table, uint32_t own, const Op& op, Rng& lots, StreamMemory& memory,
                   Plan& plan) const noexcept;
  void read_filter(Table table, uint32_t level, const Op& op, Plan& plan) const noexcept;
  bool index_is_missing(Rng& lots) const {
    return index_missing_ == ~uint64_t{0} || lots.chance(index_missing_);
  }
  bool has_filter(uint32_t level) const {
    return spec_.bloom_bits > 0 && (level + 1 < level_count_ || spec_.bloom_last_level);
  }
  void enter_level(Table table, uint32_t level, const Op& op, bool index_missing,
                   StreamMemory& memory, Plan& plan) const noexcept;
  void walk(const Op& op, StreamMemory& memory, Plan& plan) const noexcept;
  void commit(const Op& op, StreamMemory& memory, Plan& plan) const noexcept;
  const Level& level_of(Table table, uint32_t level) const {
    return levels_[static_cast<int>(table)][level];
  }
  // Files are twice as long a level below (Pebble: 2 MiB to 128 MiB).
  uint64_t file_bytes(uint32_t level) const { return spec_.table_bytes << level; }
  void compact(const Op& op, StreamMemory& memory, Plan& plan) const noexcept;
  void history(const Op& op, StreamMemory& memory, Plan& plan) const noexcept;
  void share_out_levels();
  void fit_quiet_levels();
  void lay_out_levels(Table table);

  uint32_t block_bytes_;  // on disk
  uint32_t level_count_;
  std::array<double, kMaxLevels> level_share_{};        // of the keys
  std::array<uint64_t, kMaxLevels> level_threshold_{};  // cumulative, as probability()
  uint64_t index_missing_;                              // probabilities
  uint64_t filter_missing_;
  uint64_t filter_error_;
  std::array<uint64_t, kMaxLevels + 1> quiet_{};  // that so many levels are asked without a read
  uint64_t missing_if_read_ = 0;                  // the filter, where something is read
  std::array<std::array<Level, kMaxLevels>, kTables> levels_{};
};

std::array<uint64_t, kTables> disk_bytes_of(const LayoutConfig& config) {
  const LayoutSpec& spec = *config.spec;
  const double compression =
      static_cast<double>(spec.disk_block_bytes) / static_cast<double>(spec.block_bytes);
  std::array<uint64_t, kTables> bytes{};
  for (uint32_t i = 0; i < kTables; ++i) {
    const double logical = config.logical_bytes(static_cast<Table>(i));
    bytes[i] = static_cast<uint64_t>(logical * compression * (1 + index_share(spec)));
  }
  return bytes;
}

// The usual estimate for a Bloom filter with the best number of probes: 0.6185^(bits a key).
uint64_t bloom_error(uint64_t bits) {
  return bits == 0 ? probability(1) : probability(exact_pow(0.6185, static_cast<double>(bits)));
}

LsmLayout::LsmLayout(const LayoutConfig& config)
    : TableLayout(config, disk_bytes_of(config)),
      block_bytes_(static_cast<uint32_t>(spec_.disk_block_bytes)),
      level_count_(static_cast<uint32_t>(spec_.levels)),
      index_missing_(probability(1 - spec_.index_cached)),
      filter_missing_(probability(1 - spec_.filter_cached)),
      filter_error_(bloom_error(spec_.bloom_bits)) {
  share_out_levels();
  fit_quiet_levels();
  for (uint32_t i = 0; i < kTables; ++i) lay_out_levels(static_cast<Table>(i));
}

// The last level is the largest, each one above it smaller by the ratio.
void LsmLayout::share_out_levels() {
  double total = 0;
  double size = 1;
  for (uint32_t l = level_count_; l-- > 0;) {
    level_share_[l] = size;
    total += size;
    size /= static_cast<double>(spec_.level_ratio);
  }
  double cumulative = 0;
  for (uint32_t l = 0; l < level_count_; ++l) {
    level_share_[l] /= total;
    cumulative += level_share_[l];
    level_threshold_[l] = probability(cumulative);
  }
}

void LsmLayout::fit_quiet_levels() {
  const double missing = static_cast<double>(filter_missing_) / kTwo64;
  const double error = static_cast<double>(filter_error_) / kTwo64;
  const double quiet = (1 - missing) * (1 - error);
  missing_if_read_ = probability(missing / (1 - quiet));
  double all = 1;
  for (uint32_t l = 0; l <= level_count_; ++l) {
    quiet_[l] = probability(all);
    all *= has_filter(l) ? quiet : 0;
  }
}

void LsmLayout::lay_out_levels(Table table) {
  const Region& region = map_.table(table);
  const auto logical =
      static_cast<double>(state_.table_bytes(table)) / static_cast<double>(spec_.block_bytes);
  const auto at_least_one = [](double value) {
    return std::max<uint64_t>(1, static_cast<uint64_t>(value));
  };
  uint64_t first = region.first;
  for (uint32_t l = 0; l < level_count_; ++l) {
    const uint64_t bytes = at_least_one(level_share_[l] * static_cast<double>(region.bytes));
    Level& level = levels_[static_cast<int>(table)][l];
    level.first = first;
    level.files = std::max<uint64_t>(1, bytes / file_bytes(l));
    level.file_bytes = bytes / level.files;
    level.data_bytes =
        at_least_one(static_cast<double>(level.file_bytes) / (1 + index_share(spec_)));
    level.blocks = at_least_one(level_share_[l] * logical);
    level.block_step = static_cast<uint64_t>(kTwo64 / static_cast<double>(level.blocks + 1));
    level.index_blocks = at_least_one(static_cast<double>(level.blocks) * index_share(spec_));
    level.index_step = static_cast<uint64_t>(kTwo64 / static_cast<double>(level.index_blocks + 1));
    first += bytes;
  }
}

void LsmLayout::expand(const Op& op, StreamMemory& memory, Plan& plan) const noexcept {
  switch (op.kind) {
    case OpKind::kAccountGet:
      plan.useful_read += state_.entry_bytes(Table::kAccounts);
      return lookup(Table::kAccounts, op, memory, plan);
    case OpKind::kSlotGet:
      plan.useful_read += state_.entry_bytes(Table::kSlots);
      return lookup(Table::kSlots, op, memory, plan);
    case OpKind::kCodeGet:
      plan.useful_read += op.bytes;
      return lookup(Table::kCode, op, memory, plan);
    case OpKind::kAccountWalk:
    case OpKind::kSlotWalk:
      return walk(op, memory, plan);
    case OpKind::kAccountCommit:
    case OpKind::kSlotCommit:
      return commit(op, memory, plan);
    case OpKind::kHistoryGet:
      return history(op, memory, plan);
    case OpKind::kCompact:
      return compact(op, memory, plan);
    default:
      return expand_common(map_, op, write_chunk_, memory, plan);
  }
}

// In a steady state each level takes as many bytes as the one above hands down, and its files are
// twice as long, so a run of it is half as frequent.
void LsmLayout::compact(const Op& op, StreamMemory& memory, Plan& plan) const noexcept {
  const auto lot = static_cast<uint32_t>(std::countl_zero(mix64(op.lot) | 1));
  const uint32_t level = std::min(1 + lot, level_count_ - 1);
  map_.compact(op, file_bytes(level), static_cast<uint32_t>(spec_.merge_reads), memory, plan);
}

// Where the key changed, then what it was; a key that has not changed since is read from the state.
void LsmLayout::history(const Op& op, StreamMemory& memory, Plan& plan) const noexcept {
  plan.useful_read += state_.entry_bytes(Table::kSlots);
  Op step = op;
  step.absent = false;
  lookup(Table::kHistoryIndex, step, memory, plan);
  step.lot = mix64(op.lot);
  if (op.absent) return lookup(Table::kSlots, step, memory, plan);
  step.position = mix64(op.position, op.lot);  // changes lie by block, and blocks are any
  lookup(Table::kHistory, step, memory, plan);
}

// The key's own level is a hash of its place; the levels above it are asked in vain.
void LsmLayout::lookup(Table table, const Op& op, StreamMemory& memory, Plan& plan) const noexcept {
  uint32_t own = level_count_;
  if (!op.absent) {
    const uint64_t level_lot = mix64(op.position + (static_cast<uint64_t>(table) + 1) * kGolden);
    for (--own; own > 0 && level_lot < level_threshold_[own - 1];) --own;
  }
  Rng lots(op.lot);
  if (op.lot >= quiet_[own]) ask_in_vain(table, own, op, lots, memory, plan);
  if (own == level_count_) return;
  if (has_filter(own) && lots.chance(filter_missing_)) read_filter(table, own, op, plan);
  enter_level(table, own, op, index_is_missing(lots), memory, plan);
}

// Most lookups read nothing above the key's own level. The op's lot says whether, and at which
// level first: there a filter block is missing, or the filter errs, or there is none. Below that
// each level has lots of its own.
void LsmLayout::ask_in_vain(Table table, uint32_t own, const Op& op, Rng& lots,
                            StreamMemory& memory, Plan& plan) const noexcept {
  uint32_t level = 0;
  while (op.lot < quiet_[level + 1]) ++level;
  bool missing = has_filter(level) && lots.chance(missing_if_read_);
  bool entered = !missing || lots.chance(filter_error_);
  for (;;) {
    if (missing) read_filter(table, level, op, plan);
    if (entered) enter_level(table, level, op, index_is_missing(lots), memory, plan);
    if (++level >= own) return;
    missing = has_filter(level) && lots.chance(filter_missing_);
    entered = !has_filter(level) || lots.chance(filter_error_);
  }
}

// A filter block lies behind the file's index; the span is a block's.
void LsmLayout::read_filter(Table table, uint32_t l, const Op& op, Plan& plan) const noexcept {
  const Level& level = level_of(table, l);
  map_.read_span(level.first + mul_high(op.position, level.files * level.file_bytes), block_bytes_,
                 plan);
}

// The index block, unless memory holds it, then the data block; neither if this stream has just
// read the block.
void LsmLayout::enter_level(Table table, uint32_t l, const Op& op, bool index_missing,
                            StreamMemory& memory, Plan& plan) const noexcept {
  const Level& level = level_of(table, l);
  const uint64_t block = mul_high(op.position, level.blocks);
  const uint64_t block_tag = (block << 3 | l) + 1;
  uint64_t& last_block = memory.last_block[static_cast<int>(table)];
  if (block_tag == last_block) return;
  last_block = block_tag;

  const uint64_t index = mul_high(op.position, level.index_blocks);
  const uint64_t index_tag = (index << 3 | l) + 1;
  uint64_t& last_index = memory.last_index[static_cast<int>(table)];
  if (index_missing && index_tag != last_index) {
    last_index = index_tag;
    const uint64_t place = (index + 1) * level.index_step;
    const uint64_t file = mul_high(place, level.files);
    const uint64_t index_bytes = level.file_bytes - level.data_bytes;
    map_.read_span(level.first + file * level.file_bytes + level.data_bytes +
                       mul_high(place * level.files, index_bytes),
                   block_bytes_, plan);
  }
  const uint64_t place = (block + 1) * level.block_step;
  const uint64_t file = mul_high(place, level.files);
  map_.read_span(
      level.first + file * level.file_bytes + mul_high(place * level.files, level.data_bytes),
      std::max(block_bytes_, op.kind == OpKind::kCodeGet && !op.absent ? op.bytes : 0), plan);
}

void LsmLayout::walk(const Op& op, StreamMemory& memory, Plan& plan) const noexcept {
  const Walk& walk = *op.walk;
  Op node_op = op;
  Rng lots(op.lot);
  for (uint32_t i = 0; i < walk.path.count; ++i) {
    const TrieNode& node = walk.path.nodes[i];
    node_op.position = node_place(state_, spec_.scheme, walk, node);
    node_op.lot = lots.next();
    plan.useful_read += node.bytes;
    lookup(node_table(walk), node_op, memory, plan);
  }
}

// Dirty nodes and the flat entry go to the log; memtables and their flushing are streams of their
// own.
void LsmLayout::commit(const Op& op, StreamMemory& memory, Plan& plan) const noexcept {
  uint32_t bytes = state_.entry_bytes(flat_table(*op.walk));
  for (const TrieNode& node : dirty_nodes(*op.walk, memory)) {
    bytes += node.bytes + StateModel::node_key_bytes(*op.walk, node);
  }
  plan.useful_written += bytes;
  map_.append(bytes, write_chunk_, memory, plan);
}

uint32_t LsmLayout::max_access_bytes(const OpSpec& op) const {
  const uint32_t slack = 2 * map_.alignment();
  switch (op.kind) {
    case OpKind::kAccountGet:
    case OpKind::kSlotGet:
    case OpKind::kAccountWalk:
    case OpKind::kSlotWalk:
    case OpKind::kHistoryGet:
      return map_.align_up(block_bytes_) + slack;
    case OpKind::kCodeGet: {
      const auto fixed = static_cast<uint32_t>(op.bytes);
      return map_.align_up(std::max(block_bytes_, fixed > 0 ? fixed : kLargestCode)) + slack;
    }
    case OpKind::kAccountCommit:
    case OpKind::kSlotCommit:
      return map_.align_up(write_chunk_);
    default:
      return max_common_bytes(map_, op, write_chunk_);
  }
}

}  // namespace

std::unique_ptr<Layout> make_lsm_layout(const LayoutConfig& config) {
  return std::make_unique<LsmLayout>(config);
}

}  // namespace ethio
