#include "common/spec/knobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/spec/catalogue.h"
#include "common/spec/check.h"
#include "common/spec/range.h"

namespace ethio {
namespace {

// The visitor that finds the range of the field at a path: "gas", "state.cache", "stages.lanes".
class RangeFinder {
 public:
  explicit RangeFinder(std::string_view path) : path_(path) {}

  std::optional<Range> range() const { return range_; }

  void number(const char* name, uint64_t&, const Range& range) {
    if (path_ == name) range_ = range;
  }
  template <typename T>
  void object(const char* name, T& value, const char*) {
    descend(name, value);
  }
  template <typename T>
  void list(const char* name, std::vector<T>&, const char*, Need) {
    T value;
    descend(name, value);
  }
  void op_kind(const char*, OpKind&, const char*, Need) {}
  void share(const char*, double&, const Share&) {}
  void flag(const char*, bool&, const char*) {}
  template <typename E, size_t N>
  void choice(const char*, E&, const EnumName<E> (&)[N], const char*, Need) {}
  void label(const char*, std::string&, const char*, Need) {}
  void text(const char*, std::string&, const char*, Need) {}
  void prose(const char*, std::string&, const char*) {}
  template <typename T>
  void bibliography(const char*, std::map<std::string, T>&, const char*) {}

 private:
  template <typename T>
  void descend(std::string_view name, T& value) {
    if (!path_.starts_with(name) || path_.substr(name.size(), 1) != ".") return;
    RangeFinder inner(path_.substr(name.size() + 1));
    value.fields(inner);
    if (inner.range_) range_ = inner.range_;
  }

  std::string_view path_;
  std::optional<Range> range_;
};

Range range_of(std::string_view field) {
  WorkloadSpec spec;
  RangeFinder finder(field);
  spec.fields(finder);
  if (!finder.range())
    throw Error(EINVAL, fmt::format("no number '{}' in the workload spec", field));
  return *finder.range();
}

// Fields of the spec that have a knob: unit and range are the field's.
constexpr char kLanes[] = "stages.lanes";
constexpr char kAccounts[] = "state.accounts";
constexpr char kSlots[] = "state.slots";
constexpr char kCache[] = "state.cache";
constexpr char kGas[] = "gas";
constexpr char kSlotTime[] = "slot_time";

constexpr Range kAnyCount = {Quantity::kCount, 0, ~uint64_t{0}, ""};
constexpr Range kYears = {Quantity::kCount, 1, 50, ""};
constexpr Range kTargetSize = {Quantity::kBytes, 1 << 20, uint64_t{1} << 50, ""};

template <std::optional<uint64_t> Knobs::*member, const char* field>
void set_field(Knobs& knobs, std::string_view value) {
  knobs.*member = parse_in_range(value, range_of(field));
}

template <uint64_t Knobs::*member>
void set_count(Knobs& knobs, std::string_view value) {
  knobs.*member = parse_in_range(value, kAnyCount);
}

template <std::string Knobs::*member>
void set_text(Knobs& knobs, std::string_view value) {
  knobs.*member = value;
}

void set_size(Knobs& knobs, std::string_view value) {
  knobs.size_bytes = parse_in_range(value, kTargetSize);
}

void set_years(Knobs& knobs, std::string_view value) {
  knobs.years = parse_in_range(value, kYears);
}

std::optional<bool> switch_of(std::string_view value) {
  if (value == "1" || value == "true") return true;
  if (value == "0" || value == "false") return false;
  return std::nullopt;
}

void set_direct(Knobs& knobs, std::string_view value) {
  knobs.direct = switch_of(value);
  if (!knobs.direct && value != "auto")
    throw Error(EINVAL, fmt::format("{} is not 0, 1 or auto", in_quotes(value)));
}

template <bool Knobs::*member>
void set_switch(Knobs& knobs, std::string_view value) {
  const std::optional<bool> on = switch_of(value);
  if (!on) throw Error(EINVAL, fmt::format("{} is not 0 or 1", in_quotes(value)));
  knobs.*member = *on;
}

// A row before its range is spelt out; `field` is nullptr where the knob is none of the spec.
struct Row {
  KnobInfo info;
  const char* field;
};

constexpr Row kRows[] = {
    {{"workload", "NAME", "", "built-in workload, or the path of a .json definition", "fbc",
      set_text<&Knobs::workload>},
     nullptr},
    {{"seed", "N", "1",
      "which of the equally likely streams; the same seed gives the same stream, 0..2^64-1", "fbc",
      set_count<&Knobs::seed>},
     nullptr},
    {{"executor", "NAME", "",
      "how accesses are done: uring, psync, mmap, sim, null; left out: what the workload names, "
      "else "
      "the best that works here",
      "fbc", set_text<&Knobs::executor>},
     nullptr},
    {{"sqpoll", "0|1", "0",
      "executor uring: a kernel thread takes submissions, at the cost of a core", "fb",
      set_switch<&Knobs::sqpoll>},
     nullptr},
    {{"iopoll", "0|1", "0",
      "executor uring: poll the drive for completions; takes O_DIRECT and a driver with poll "
      "queues",
      "fb", set_switch<&Knobs::iopoll>},
     nullptr},
    {{"lanes", "N", "", "ops in flight at most, in every stage", "fbc",
      set_field<&Knobs::lanes, kLanes>},
     kLanes},
    {{"accounts", "COUNT", "",
      "leaves of the account trie; contracts, storage tries and code change in proportion", "fbc",
      set_field<&Knobs::accounts, kAccounts>},
     kAccounts},
    {{"slots", "COUNT", "",
      "leaves of all storage tries; the largest contract changes in proportion", "fbc",
      set_field<&Knobs::slots, kSlots>},
     kSlots},
    {{"cache", "BYTES", "", "trie nodes held in memory, the hottest first", "fbc",
      set_field<&Knobs::cache_bytes, kCache>},
     kCache},
    {{"years", "COUNT", "",
      "years of growth after the state preset's date, 1..50; everything grows in proportion", "fbc",
      set_years},
     nullptr},
    {{"gas", "COUNT", "", "gas of a block; ops that follow gas change in proportion", "fbc",
      set_field<&Knobs::gas, kGas>},
     kGas},
    {{"slot_time", "TIME", "",
      "a unit begins every so many seconds, or 12s, 500ms; 0 = back to back", "fbc",
      set_field<&Knobs::slot_time_ns, kSlotTime>},
     kSlotTime},
    {{"with", "NAME,...", "", "optional background streams of the workload to run as well", "fbc",
      set_text<&Knobs::with>},
     nullptr},
    {{"units", "N", "0", "stop after so many units; 0 = go on", "fbc", set_count<&Knobs::units>},
     nullptr},
    {{"out", "FILE", "", "write the result, with op and unit latencies, to this JSON file", "fbc",
      set_text<&Knobs::out>},
     nullptr},
    {{"dir", "DIR", "", "directory for the target file; left out: the working directory", "bc",
      set_text<&Knobs::dir>},
     nullptr},
    {{"size", "BYTES", "", "size of the target file, 1m..1024t; left out: 256m", "bc", set_size},
     nullptr},
    {{"direct", "0|1|auto", "auto", "O_DIRECT; auto: where the file system can", "bc", set_direct},
     nullptr},
};

struct Table {
  std::vector<std::string> helps;  // own what `knobs` points into
  std::vector<KnobInfo> knobs;
};

Table make_table() {
  Table table;
  table.helps.reserve(std::size(kRows));
  for (const Row& row : kRows) {
    std::string& help = table.helps.emplace_back(row.info.help);
    if (row.field != nullptr) help += fmt::format(", {}", range_text(range_of(row.field)));
    KnobInfo& info = table.knobs.emplace_back(row.info);
    info.help = help.c_str();
  }
  return table;
}

// The part of `total` that stands to it as `new_whole` to `old_whole`, at least 1 where there was
// any.
uint64_t in_proportion(uint64_t part, uint64_t new_whole, uint64_t old_whole) {
  if (part == 0 || old_whole == 0) return part;
  const auto scaled = static_cast<unsigned __int128>(part) * new_whole / old_whole;
  return scaled == 0 ? 1 : static_cast<uint64_t>(scaled);
}

// Writes the knobs into a spec and says so in its citations.
class Applier {
 public:
  explicit Applier(WorkloadSpec& spec) : spec_(spec) {}

  void set(uint64_t& field, const std::optional<uint64_t>& value, const char* knob,
           const std::string& path) {
    if (!value) return;
    field = *value;
    cite(path, fmt::format("set by the knob {}", knob));
  }

  void scale(uint64_t& field, uint64_t value, const char* knob, const std::string& path) {
    if (field == value) return;
    field = value;
    cite(path, fmt::format("changed in proportion to the knob {}", knob));
  }

 private:
  void cite(const std::string& path, const std::string& why) {
    spec_.cited[path] = std::string(kAssumed) + why;
    std::erase(spec_.uncited, path);
  }

  WorkloadSpec& spec_;
};

// Every storage trie has a slot, and the slots must find room in so many tries of at most the
// largest size.
void keep_consistent(StateSpec& state, Applier& apply, const char* knob) {
  apply.scale(state.storage_tries, std::min(state.storage_tries, state.slots), knob,
              "state.storage_tries");
  const uint64_t mean = (state.slots + state.storage_tries - 1) / state.storage_tries;
  apply.scale(state.max_contract_slots, std::max(state.max_contract_slots, mean), knob,
              "state.max_contract_slots");
  apply.scale(state.p99_contract_slots,
              std::min(state.p99_contract_slots, state.max_contract_slots), knob,
              "state.p99_contract_slots");
}

// Flat state, trie and code, for which the yearly growth is given.
double logical_bytes(const StateSpec& state) {
  constexpr double kNodesAnAccount = 1.351;  // go-ethereum pull request 28892
  constexpr double kNodesASlot = 1.329;      // go-ethereum pull request 33721
  const auto accounts = static_cast<double>(state.accounts);
  const auto slots = static_cast<double>(state.slots);
  const double nodes = kNodesAnAccount * accounts + kNodesASlot * slots;
  return accounts * static_cast<double>(state.account_bytes) +
         slots * static_cast<double>(state.slot_bytes) +
         nodes * static_cast<double>(state.node_bytes) + static_cast<double>(state.code_bytes);
}

void apply_years(const Knobs& knobs, WorkloadSpec& spec) {
  if (!knobs.years) return;
  StateSpec& state = spec.state;
  if (state.growth_a_year == 0) {
    throw Error(EINVAL,
                fmt::format("years: {} gives no state.growth_a_year to grow by", spec.name));
  }
  const double growth = 1 + static_cast<double>(*knobs.years) *
                                static_cast<double>(state.growth_a_year) / logical_bytes(state);
  Applier apply(spec);
  const auto grow = [&](uint64_t& field, const char* name) {
    const std::string path = fmt::format("state.{}", name);
    const auto grown = static_cast<uint64_t>(static_cast<double>(field) * growth);
    apply.scale(field, std::min(grown, range_of(path).max), "years", path);
  };
  grow(state.accounts, "accounts");
  grow(state.contracts, "contracts");
  grow(state.storage_tries, "storage_tries");
  grow(state.slots, "slots");
  grow(state.max_contract_slots, "max_contract_slots");
  grow(state.code_bytes, "code_bytes");
}

// The path of a number after backgrounds have been left out: `kept[i]` is the new index of
// background i, or none.
std::optional<std::string> moved(const std::string& path,
                                 const std::vector<std::optional<size_t>>& kept) {
  for (size_t i = 0; i < kept.size(); ++i) {
    const std::string old_start = fmt::format("background[{}]", i);
    if (!path.starts_with(old_start)) continue;
    if (!kept[i]) return std::nullopt;
    return fmt::format("background[{}]{}", *kept[i], path.substr(old_start.size()));
  }
  return path;
}

// Optional backgrounds that nobody has asked for leave the spec, with the citations of their
// numbers.
void apply_with(const Knobs& knobs, WorkloadSpec& spec) {
  std::vector<std::string> wanted = split(knobs.with, ',');
  std::vector<std::string> known;
  std::vector<std::optional<size_t>> kept;
  std::vector<BackgroundSpec> background;
  for (BackgroundSpec& each : spec.background) {
    if (each.optional) known.push_back(each.name);
    const bool runs = !each.optional || std::erase(wanted, each.name) > 0;
    kept.push_back(runs ? std::optional(background.size()) : std::nullopt);
    if (runs) background.push_back(std::move(each));
  }
  if (!wanted.empty()) {
    throw Error(EINVAL, fmt::format("with: {} is not an optional background of {}; known: {}",
                                    in_quotes(wanted.front()), spec.name,
                                    known.empty() ? "none" : joined(known)));
  }
  spec.background = std::move(background);
  std::map<std::string, std::string> cited;
  for (const auto& [path, source] : spec.cited) {
    if (const auto now = moved(path, kept)) cited.emplace(*now, source);
  }
  spec.cited = std::move(cited);
  std::vector<std::string> uncited;
  for (const std::string& path : spec.uncited) {
    if (const auto now = moved(path, kept)) uncited.push_back(*now);
  }
  spec.uncited = std::move(uncited);
}

void apply_state(const Knobs& knobs, WorkloadSpec& spec) {
  StateSpec& state = spec.state;
  const StateSpec before = state;
  Applier apply(spec);
  apply.set(state.accounts, knobs.accounts, "accounts", "state.accounts");
  apply.set(state.slots, knobs.slots, "slots", "state.slots");
  apply.set(state.cache, knobs.cache_bytes, "cache", "state.cache");
  if (knobs.accounts) {
    const auto scaled = [&](uint64_t part) {
      return in_proportion(part, state.accounts, before.accounts);
    };
    apply.scale(state.contracts, scaled(before.contracts), "accounts", "state.contracts");
    apply.scale(state.storage_tries, scaled(before.storage_tries), "accounts",
                "state.storage_tries");
    apply.scale(state.code_bytes,
                std::min(scaled(before.code_bytes), range_of("state.code_bytes").max), "accounts",
                "state.code_bytes");
  }
  if (knobs.slots) {
    apply.scale(state.max_contract_slots,
                in_proportion(before.max_contract_slots, state.slots, before.slots), "slots",
                "state.max_contract_slots");
  }
  if (knobs.accounts || knobs.slots)
    keep_consistent(state, apply, knobs.slots ? "slots" : "accounts");
}

}  // namespace

std::span<const KnobInfo> knob_table() {
  static const Table table = make_table();
  return table.knobs;
}

void set_knob(Knobs& knobs, std::string_view name, std::string_view value) {
  std::vector<std::string> names;
  for (const KnobInfo& knob : knob_table()) {
    if (name == knob.name) {
      try {
        knob.set(knobs, value);
      } catch (const Error& error) {
        throw Error(error.code(), fmt::format("{}: {}", name, error.what()));
      }
      return;
    }
    names.emplace_back(knob.name);
  }
  throw Error(EINVAL, fmt::format("{} is not a knob; known: {}", in_quotes(name), joined(names)));
}

WorkloadSpec effective_spec(const Knobs& knobs) {
  WorkloadSpec spec = load_workload(knobs.workload);
  Applier apply(spec);
  for (size_t i = 0; i < spec.stages.size(); ++i) {
    apply.set(spec.stages[i].lanes, knobs.lanes, "lanes", fmt::format("stages[{}].lanes", i));
  }
  apply.set(spec.gas, knobs.gas, "gas", "gas");
  apply.set(spec.slot_time, knobs.slot_time_ns, "slot_time", "slot_time");
  apply_state(knobs, spec);
  apply_years(knobs, spec);
  apply_with(knobs, spec);
  spec.seed = knobs.seed;
  spec.units = knobs.units;
  check(spec, fmt::format("{} with these knobs", knobs.workload));
  return spec;
}

}  // namespace ethio
