#include "common/spec/check.h"

#include <fmt/format.h>

#include <cerrno>
#include <set>
#include <string>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/spec/json.h"

namespace ethio {
namespace {

class Checker {
 public:
  explicit Checker(std::string_view origin) : origin_(origin) {}

  void op(const OpSpec& op, const std::string& path) const {
    const OpKindInfo& info = info_of(op.kind);
    if (info.needs_bytes && op.bytes == 0) {
      fail(path + ".bytes", fmt::format("missing; {} needs a size above 0", info.name));
    }
    if (!info.needs_bytes && op.kind != OpKind::kCodeGet && op.bytes != 0) {
      fail(path + ".bytes", fmt::format("{} takes no size; leave it out", info.name));
    }
    if (!info.keyed &&
        (op.absent > 0 || op.repeat > 0 || op.recent > 0 || op.order != Order::kRandom)) {
      const char* field = op.absent > 0   ? ".absent"
                          : op.repeat > 0 ? ".repeat"
                          : op.recent > 0 ? ".recent"
                                          : ".order";
      fail(path + field, fmt::format("{} picks no keys; leave it out", info.name));
    }
    if (op.absent > 0 && (op.kind == OpKind::kAccountCommit || op.kind == OpKind::kSlotCommit)) {
      fail(path + ".absent", fmt::format("{} changes keys that exist; leave it out", info.name));
    }
    if (op.recent > 0 && op.absent > 0) {
      fail(path + ".recent", fmt::format("{} and absent {}: recent keys exist; give one of the two",
                                         op.recent, op.absent));
    }
    if (op.absent + op.repeat > 1) {
      fail(path + ".repeat",
           fmt::format("{} and absent {} are more than 1 together", op.repeat, op.absent));
    }
  }

  void stage(const StreamSpec& stage, const std::string& path, UnitKind unit) {
    if (!names_.insert(stage.name).second) {
      fail(path + ".name",
           fmt::format("{} stands twice; reports need different names", in_quotes(stage.name)));
    }
    if (unit == UnitKind::kOp && stage.every != 1) {
      fail(path + ".every",
           fmt::format("{} with unit op, where every unit is one op; needed: 1", stage.every));
    }
    for (size_t i = 0; i < stage.ops.size(); ++i) op(stage.ops[i], item_path(path + ".ops", i));
  }

  void state(const StateSpec& state) const {
    if ((state.recent_share > 0) != (state.recent_weight > 0)) {
      fail("state.recent_weight", fmt::format("{} with recent_share {}; give both or neither",
                                              state.recent_weight, state.recent_share));
    }
    at_most("contracts", state.contracts, "accounts", state.accounts);
    at_most("storage_tries", state.storage_tries, "contracts", state.contracts);
    at_most("storage_tries", state.storage_tries, "slots", state.slots);
    at_most("max_contract_slots", state.max_contract_slots, "slots", state.slots);
    at_most("p99_contract_slots", state.p99_contract_slots, "max_contract_slots",
            state.max_contract_slots);
    if (state.slots / state.storage_tries > state.max_contract_slots) {
      fail("state.max_contract_slots",
           fmt::format("{} slots do not fit into {} storage tries of at most {}", state.slots,
                       state.storage_tries, state.max_contract_slots));
    }
  }

  void layout(const LayoutSpec& layout) const {
    if (layout.disk_block_bytes > layout.block_bytes) {
      fail("layout.disk_block_bytes", fmt::format("{} is more than block_bytes, {}",
                                                  layout.disk_block_bytes, layout.block_bytes));
    }
    if (layout.page_fill <= 0)
      fail("layout.page_fill", "0 leaves no room for data; needed: above 0");
    if (layout.append_share >= 1)
      fail("layout.append_share", "1 leaves no room for the state; needed: below 1");
    if ((layout.page_bytes & (layout.page_bytes - 1)) != 0) {
      fail("layout.page_bytes", fmt::format("{} is not a power of two", layout.page_bytes));
    }
  }

  [[noreturn]] void fail(const std::string& path, const std::string& what) const {
    throw Error(EINVAL, fmt::format("{}: {}: {}", origin_, path, what));
  }

 private:
  void at_most(const char* small, uint64_t value, const char* large, uint64_t limit) const {
    if (value > limit) {
      fail(fmt::format("state.{}", small),
           fmt::format("{} is more than {}, {}", value, large, limit));
    }
  }

  std::string_view origin_;
  std::set<std::string> names_;
};

}  // namespace

void check(const WorkloadSpec& spec, std::string_view origin) {
  Checker checker(origin);
  if (spec.unit == UnitKind::kOp && !spec.background.empty()) {
    checker.fail("background",
                 "a unit of one op releases none; needed: unit batch or block, or no background");
  }
  if (spec.unit == UnitKind::kOp && spec.stages.size() != 1) {
    checker.fail("stages",
                 fmt::format("{} of them with unit op; needed: exactly one", spec.stages.size()));
  }
  if (!spec.stages.empty() && spec.stages[0].together) {
    checker.fail("stages[0].together", "no stage stands before it; leave it out");
  }
  for (size_t i = 0; i < spec.stages.size(); ++i) {
    checker.stage(spec.stages[i], item_path("stages", i), spec.unit);
  }
  for (size_t i = 0; i < spec.background.size(); ++i) {
    checker.stage(spec.background[i], item_path("background", i), spec.unit);
  }
  checker.state(spec.state);
  checker.layout(spec.layout);
}

}  // namespace ethio
