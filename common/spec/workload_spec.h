// WorkloadSpec: every setting of a workload, with its default, unit, range and meaning, on one
// page. A definition (workloads/*.json) has the same names and the same nesting; the reader, the
// writer and the JSON schema come from the `fields` functions below, so a field is declared once.
// To add one: a member and its row.
//
// A visitor V has number, share, flag, choice, label (an identifier), text, prose (text in one or
// several lines), op_kind, object, list and bibliography, each called with the name, the member and
// its help.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/spec/op_kind.h"

namespace ethio {

enum class UnitKind : uint8_t { kOp, kBatch, kBlock };
enum class Order : uint8_t { kRandom, kSorted };
enum class LayoutType : uint8_t { kRaw, kLsm, kBtree, kPageTable, kAppend };
enum class KeyScheme : uint8_t { kPath, kHash };

// How a number is written in JSON (base/quantity.h) and what its range means.
enum class Quantity : uint8_t { kCount, kBytes, kDurationNs, kBytesPerSecond };

struct Range {
  Quantity quantity;
  uint64_t min, max;
  std::string_view help;
};

// Whether a definition may leave a field out. A required text or list may not be empty either.
enum class Need : uint8_t { kOptional, kRequired };

// A share of one: 0 .. 1.
struct Share {
  std::string_view help;
};

template <typename E>
struct EnumName {
  E value;
  std::string_view name;
};

inline constexpr EnumName<UnitKind> kUnitKinds[] = {
    {UnitKind::kOp, "op"}, {UnitKind::kBatch, "batch"}, {UnitKind::kBlock, "block"}};
inline constexpr EnumName<Order> kOrders[] = {{Order::kRandom, "random"},
                                              {Order::kSorted, "sorted"}};
inline constexpr EnumName<LayoutType> kLayoutTypes[] = {{LayoutType::kRaw, "raw"},
                                                        {LayoutType::kLsm, "lsm"},
                                                        {LayoutType::kBtree, "btree"},
                                                        {LayoutType::kPageTable, "page_table"},
                                                        {LayoutType::kAppend, "append"}};
inline constexpr EnumName<KeyScheme> kKeySchemes[] = {{KeyScheme::kPath, "path"},
                                                      {KeyScheme::kHash, "hash"}};

// One entry of a stage's `ops`.
struct OpSpec {
  OpKind kind = OpKind::kUniformRead;
  uint64_t count = 1;            // a unit, at reference_gas when per_gas
  bool per_gas = false;          // count grows with gas / reference_gas
  Order order = Order::kRandom;  // sorted: keys ascend within the unit, as a batch does
  double absent = 0;             // share of keys that do not exist
  double repeat = 0;             // share that asks again for a key of this unit
  double recent = 0;             // share whose key is one of the state's recent keys
  uint64_t bytes = 0;            // size, for the kinds that need one

  bool operator==(const OpSpec&) const = default;

  template <typename V>
  void fields(V& v) {
    v.op_kind("op", kind, "what one op does", Need::kRequired);
    v.number("count", count, Range{Quantity::kCount, 1, 1'000'000'000, "ops a unit"});
    v.flag("per_gas", per_gas, "count is for reference_gas and grows with gas");
    v.choice("order", order, kOrders, "random, or ascending in key order as in a sorted batch",
             Need::kOptional);
    v.share("absent", absent, Share{"share of keys that do not exist"});
    v.share("repeat", repeat,
            Share{"share of ops that ask again for an earlier key of the same unit"});
    v.share(
        "recent", recent,
        Share{"share of ops whose key belongs to the state's recent_share, evenly chosen there"});
    v.number("bytes", bytes,
             Range{Quantity::kBytes, 0, 1u << 20, "size of the access, where the op needs one"});
  }
};

// What stages and backgrounds have in common.
struct StreamSpec {
  std::string name;       // left out: stage-1, stage-2, ... or background-1, ...
  uint64_t lanes = 1;     // most ops in flight
  uint64_t every = 1;     // runs in units 0, every, 2*every, ...
  uint64_t gap = 0;       // nanoseconds that a lane rests after an op that did I/O
  bool in_order = false;  // all ops of an entry before those of the next; else entries take turns
  std::vector<OpSpec> ops;

  bool operator==(const StreamSpec&) const = default;

  template <typename V>
  void fields(V& v) {
    v.label("name", name, "what reports call it", Need::kOptional);
    v.number("lanes", lanes, Range{Quantity::kCount, 1, 4096, "ops in flight at most"});
    v.number("every", every, Range{Quantity::kCount, 1, 1'000'000, "runs once in so many units"});
    v.number("gap", gap,
             Range{Quantity::kDurationNs, 0, 60'000'000'000,
                   "rest of a lane after an op that did I/O: computing between two faults"});
    v.flag("in_order", in_order, "all ops of an entry before those of the next, not in turns");
    v.list("ops", ops, "what the stage does", Need::kRequired);
  }
};

// A part of the unit. Stages run one after the other, each beginning when all ops of the one before
// it are done, except that one with `together` begins with the stage before it: the barrier then
// comes after the last of such a group.
struct StageSpec : StreamSpec {
  bool together = false;

  bool operator==(const StageSpec&) const = default;

  template <typename V>
  void fields(V& v) {
    StreamSpec::fields(v);
    v.flag("together", together, "begins together with the stage before it, on lanes of its own");
  }
};

// A stream beside the stages. Each unit releases its ops; they run at `burst` until done, and the
// foreground waits only when more than max_debt units' worth is left over.
struct BackgroundSpec : StreamSpec {
  uint64_t burst = 0;     // bytes a second while it runs; 0 = as fast as the target takes it
  uint64_t max_debt = 8;  // units
  bool optional = false;  // runs only when the knob `with` names it

  bool operator==(const BackgroundSpec&) const = default;

  template <typename V>
  void fields(V& v) {
    StreamSpec::fields(v);
    v.number("burst", burst,
             Range{Quantity::kBytesPerSecond, 0, uint64_t{1} << 40,
                   "rate while it runs; 0 = unlimited"});
    v.number(
        "max_debt", max_debt,
        Range{Quantity::kCount, 1, 1'000'000, "units of backlog after which the foreground waits"});
    v.flag("optional", optional, "runs only when the knob `with` names it");
  }
};

// Which accounts, slots, code and trie nodes exist, and what the cache above the device holds.
struct StateSpec {
  std::string preset = "mainnet-2026";  // workloads/state/NAME.json gives the fields left out here
  uint64_t accounts = 0;                // leaves of the account trie
  uint64_t contracts = 0;               // accounts with code
  uint64_t storage_tries = 0;           // contracts with at least one slot
  uint64_t slots = 0;                   // leaves of all storage tries
  uint64_t max_contract_slots = 0;      // largest storage trie
  uint64_t p99_contract_slots = 0;      // 99th percentile over contracts, empty ones included
  uint64_t account_bytes = 0;           // mean flat account entry, key included
  uint64_t slot_bytes = 0;              // mean flat slot entry, key included
  uint64_t node_bytes = 0;              // mean trie node entry, key included
  uint64_t code_bytes = 0;              // all code together
  uint64_t history_bytes = 0;           // values that blocks have changed, by block and key
  uint64_t history_index_bytes = 0;     // which blocks changed a key
  uint64_t growth_a_year = 0;           // bytes of flat state, trie and code; see the knob `years`
  double recent_share = 0;              // of the keys: those that blocks of late have touched
  double recent_weight = 0;             // share of all accesses that goes to these keys
  uint64_t cache = 0;                   // trie nodes held in memory, bytes: the hottest first

  bool operator==(const StateSpec&) const = default;

  template <typename V>
  void fields(V& v) {
    constexpr uint64_t kMany = 1'000'000'000'000;
    constexpr uint64_t kLarge = uint64_t{1} << 40;
    v.label("preset", preset, "state preset that gives the fields left out", Need::kOptional);
    v.number("accounts", accounts,
             Range{Quantity::kCount, 16, kMany, "leaves of the account trie"});
    v.number("contracts", contracts, Range{Quantity::kCount, 1, kMany, "accounts with code"});
    v.number("storage_tries", storage_tries,
             Range{Quantity::kCount, 1, kMany, "contracts with storage"});
    v.number("slots", slots, Range{Quantity::kCount, 16, kMany, "leaves of all storage tries"});
    v.number("max_contract_slots", max_contract_slots,
             Range{Quantity::kCount, 1, kMany, "slots of the largest contract"});
    v.number("p99_contract_slots", p99_contract_slots,
             Range{Quantity::kCount, 1, kMany, "99th percentile of slots over contracts"});
    v.number("account_bytes", account_bytes,
             Range{Quantity::kBytes, 1, 4096, "mean flat account entry"});
    v.number("slot_bytes", slot_bytes, Range{Quantity::kBytes, 1, 4096, "mean flat slot entry"});
    v.number("node_bytes", node_bytes, Range{Quantity::kBytes, 1, 4096, "mean trie node entry"});
    v.number("code_bytes", code_bytes,
             Range{Quantity::kBytes, 0, kLarge << 10, "all contract code"});
    v.number("history_bytes", history_bytes,
             Range{Quantity::kBytes, 0, kLarge << 10, "values that blocks have changed"});
    v.number("history_index_bytes", history_index_bytes,
             Range{Quantity::kBytes, 0, kLarge << 10, "index of the blocks that changed a key"});
    v.number("growth_a_year", growth_a_year,
             Range{Quantity::kBytes, 0, kLarge, "growth of flat state, trie and code in a year"});
    v.share("recent_share", recent_share, Share{"keys that blocks of late have touched"});
    v.share("recent_weight", recent_weight,
            Share{"accesses that go to the recent keys; decides what the cache holds"});
    v.number("cache", cache,
             Range{Quantity::kBytes, 0, kLarge, "trie nodes held in memory, the hottest first"});
  }
};

// Where bytes lie. Fields that a layout type does not use are ignored by it and say so in
// docs/workloads.md.
struct LayoutSpec {
  std::string preset;  // workloads/layout/NAME.json gives the fields left out here; "" = none
  LayoutType type = LayoutType::kRaw;
  KeyScheme scheme =
      KeyScheme::kPath;         // trie nodes keyed by path (neighbours in key order) or by hash
  double append_share = 0.125;  // share of the target that logs and flushed files cycle through
  // lsm
  uint64_t block_bytes = 4096;       // data block before compression
  uint64_t disk_block_bytes = 2983;  // data block on disk, unaligned
  uint64_t levels = 7;               // L0 .. L(levels-1)
  uint64_t level_ratio = 10;         // size of a level over the one above
  uint64_t bloom_bits = 10;          // bits a key of the filters; 0 = none
  bool bloom_last_level = false;     // whether the last level has a filter
  double index_cached = 0;           // share of index blocks held in memory
  double filter_cached = 1;          // share of filter blocks held in memory
  uint64_t table_bytes = 2 << 20;    // an SST file of the first level, twice as long a level below
  uint64_t merge_reads = 1;          // reads of a merge for each of its writes
  uint64_t write_chunk = 512 << 10;  // sequential writes of logs and tables are at most this long
  // btree, page_table
  uint64_t page_bytes = 4096;
  uint64_t cold_pages = 2;  // pages of a descent that the cache does not hold
  double page_fill = 0.7;   // mean fill of leaf pages
  bool scattered = true;    // copy-on-write has spread neighbouring pages over the file
  uint64_t write_run = 1;   // dirty pages that go out as one write
  // append
  uint64_t files = 1;  // that appends go to in turn

  bool operator==(const LayoutSpec&) const = default;

  template <typename V>
  void fields(V& v) {
    v.label("preset", preset, "layout preset that gives the fields left out", Need::kOptional);
    v.choice("type", type, kLayoutTypes, "which layout", Need::kOptional);
    v.choice("scheme", scheme, kKeySchemes, "trie nodes keyed by path or by hash", Need::kOptional);
    v.share("append_share", append_share, Share{"share of the target for logs and flushed files"});
    v.number("block_bytes", block_bytes, Range{Quantity::kBytes, 512, 1u << 20, "lsm: data block"});
    v.number("disk_block_bytes", disk_block_bytes,
             Range{Quantity::kBytes, 64, 1u << 20, "lsm: data block on disk"});
    v.number("levels", levels, Range{Quantity::kCount, 1, 7, "lsm: levels"});
    v.number("level_ratio", level_ratio, Range{Quantity::kCount, 2, 100, "lsm: growth a level"});
    v.number("bloom_bits", bloom_bits, Range{Quantity::kCount, 0, 32, "lsm: filter bits a key"});
    v.flag("bloom_last_level", bloom_last_level, "lsm: the last level has a filter");
    v.share("index_cached", index_cached, Share{"lsm: index blocks in memory"});
    v.share("filter_cached", filter_cached, Share{"lsm: filter blocks in memory"});
    v.number("table_bytes", table_bytes, Range{Quantity::kBytes, 65536, 1u << 30, "lsm: SST file"});
    v.number("merge_reads", merge_reads,
             Range{Quantity::kCount, 1, 8, "lsm: reads of a merge for each of its writes"});
    v.number("write_chunk", write_chunk,
             Range{Quantity::kBytes, 4096, 1u << 20, "longest sequential write"});
    v.number("page_bytes", page_bytes,
             Range{Quantity::kBytes, 4096, 65536, "btree, page_table: page"});
    v.number("cold_pages", cold_pages,
             Range{Quantity::kCount, 1, 6, "btree, page_table: uncached pages a descent"});
    v.share("page_fill", page_fill, Share{"btree, page_table: mean fill of leaf pages"});
    v.flag("scattered", scattered, "btree: neighbouring pages lie anywhere");
    v.number("write_run", write_run,
             Range{Quantity::kCount, 1, 64, "btree: dirty pages that go out as one write"});
    v.number("files", files, Range{Quantity::kCount, 1, 16, "append: files written in turn"});
  }
};

// Instead of a key of `sources`, the source of a number may be this and a reason.
inline constexpr std::string_view kAssumed = "assumed: ";

// Labels name workloads, stages and presets: a-z, 0-9, - and _, starting with a letter or digit.
inline constexpr size_t kLongestLabel = 64;

// A publication that numbers are taken from.
struct SourceSpec {
  std::string title;
  std::string url;

  bool operator==(const SourceSpec&) const = default;

  template <typename V>
  void fields(V& v) {
    v.text("title", title, "who says what, and when", Need::kRequired);
    v.text("url", url, "where to read it", Need::kRequired);
  }
};

struct WorkloadSpec {
  std::string name;     // file name without .json
  std::string summary;  // one sentence
  std::string
      description;  // what it models and what it leaves out; in JSON a string or an array of lines
  std::string phase;     // which part of a node's life
  std::string client;    // which client family
  std::string executor;  // whose accesses are like the client's; "" = the best that works
  UnitKind unit = UnitKind::kOp;
  uint64_t reference_gas = 60'000'000;  // the gas for which per_gas counts are given
  uint64_t gas = 60'000'000;            // the gas to run at
  uint64_t slot_time = 0;               // a unit begins every so many nanoseconds; 0 = back to back
  StateSpec state;
  LayoutSpec layout;
  std::vector<StageSpec> stages;
  std::vector<BackgroundSpec> background;

  uint64_t seed = 1;   // knob only
  uint64_t units = 0;  // knob only: stop after so many; 0 = go on

  std::map<std::string, SourceSpec> sources;  // key -> publication
  std::map<std::string, std::string>
      cited;  // JSON path of a number -> key of `sources`, or "assumed: why"
  // JSON paths of numbers and shares that differ from their default and were written without a
  // source. Flags and choices say how a workload is built, not how much of something there is, so
  // they need none.
  std::vector<std::string> uncited;

  bool operator==(const WorkloadSpec&) const = default;

  template <typename V>
  void fields(V& v) {
    v.label("name", name, "name of the workload", Need::kRequired);
    v.text("summary", summary, "one sentence", Need::kRequired);
    v.prose("description", description, "what it models and what it leaves out");
    v.text("phase", phase, "which part of a node's life", Need::kOptional);
    v.text("client", client, "which client family", Need::kOptional);
    v.label("executor", executor, "the executor that does accesses as the client does",
            Need::kOptional);
    v.choice("unit", unit, kUnitKinds, "what the user waits for", Need::kRequired);
    v.number("reference_gas", reference_gas,
             Range{Quantity::kCount, 1, 1'000'000'000'000,
                   "gas of a block for which per_gas counts are given"});
    v.number("gas", gas, Range{Quantity::kCount, 1, 1'000'000'000'000, "gas of a block to run at"});
    v.number("slot_time", slot_time,
             Range{Quantity::kDurationNs, 0, 3'600'000'000'000,
                   "a unit begins every so long; 0 = back to back"});
    v.object("state", state, "what exists");
    v.object("layout", layout, "where it lies");
    v.list("stages", stages, "what a unit does, in order", Need::kRequired);
    v.list("background", background, "what runs beside the stages", Need::kOptional);
    v.bibliography("sources", sources, "key -> {title, url}");
  }
};

// Name of an enumerator as a definition writes it.
template <typename E, size_t N>
constexpr std::string_view enum_name(E value, const EnumName<E> (&names)[N]) {
  for (const auto& entry : names) {
    if (entry.value == value) return entry.name;
  }
  return "?";
}

}  // namespace ethio
