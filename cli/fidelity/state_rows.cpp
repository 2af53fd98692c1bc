// Contracts, code and changed keys against mainnet's.
#include <algorithm>
#include <vector>

#include "cli/fidelity/row.h"
#include "common/layout/layout.h"
#include "common/spec/preset.h"
#include "common/state/state_model.h"

namespace ethio {
namespace {

constexpr std::string_view kShape =
    "https://stateless.fyi/development/mainnet-analysis/tree-shape.html";
constexpr std::string_view kUpdates = "op-reth pull request 298, proof pipeline on Base";

void add_contracts(std::vector<FidelityRow>& rows) {
  ContractSizesConfig april_2025;
  april_2025.contracts = 47'994'700;
  april_2025.storage_tries = 24'908'373;
  april_2025.slots = 1'287'949'062;
  april_2025.p99_slots = 47;
  april_2025.max_slots = 68'794'129;
  const ContractSizes sizes(april_2025);
  const auto slots = static_cast<double>(sizes.total_slots());
  rows.push_back(near_fact("mean slots a contract, April 2025", "", 26, 0.05,
                           slots / static_cast<double>(april_2025.contracts), kShape));
  FidelityRow median = near_fact("median slots a contract", "", 0, 0,
                                 static_cast<double>(sizes.percentile(50)), kShape);
  median.gap =
      "the tries are those of January 2026, nine months later: 52 % of the contracts of April 2025";
  rows.push_back(median);
  rows.push_back(near_fact("99th percentile of slots a contract", "", 47, 0.06,
                           static_cast<double>(sizes.percentile(99)), kShape));
  rows.push_back(near_fact("slots of the largest contract", "M", 68.794, 0.001,
                           static_cast<double>(sizes.classes().back().slots) / 1e6, kShape));
}

void add_code(std::vector<FidelityRow>& rows, const StateModel& model) {
  std::vector<uint32_t> bytes(200'000);
  double sum = 0;
  Rng rng(3);
  for (uint32_t& size : bytes) sum += size = model.code_size(rng);
  std::sort(bytes.begin(), bytes.end());
  const auto count = bytes.size();
  rows.push_back(near_fact("median bytes of code", "B", 45, 0.03, bytes[count / 2], kShape));
  rows.push_back(
      near_fact("mean bytes of code", "B", 676, 0.04, sum / static_cast<double>(count), kShape));
  rows.push_back(
      near_fact("99th percentile of code", "B", 11'293, 0.06, bytes[count * 99 / 100], kShape));
}

// Branches above another branch that a sorted batch of so many changed leaves makes dirty: what a
// client counts as trie updates when it stores no leaves.
double updates_a_leaf(const StateModel& model, bool in_storage, uint32_t leaves) {
  constexpr uint32_t kBatches = 20;
  uint64_t updates = 0;
  Walk walk;
  std::vector<uint64_t> places(leaves);
  for (uint32_t batch = 0; batch < kBatches; ++batch) {
    StreamMemory memory;
    Rng rng(batch);
    for (uint64_t& place : places) place = rng.next();
    std::sort(places.begin(), places.end());
    for (const uint64_t place : places) {
      StateModel::WalkTo to;
      to.nodes = StateModel::Nodes::kAll;
      to.near = place;
      if (in_storage) {
        model.slot_walk(rng, to, walk);
      } else {
        model.account_walk(rng, to, walk);
      }
      for (const TrieNode& node : dirty_nodes(walk, memory)) updates += node.above_branch ? 1 : 0;
    }
  }
  return static_cast<double>(updates) / kBatches / leaves;
}

}  // namespace

std::vector<FidelityRow> state_rows() {
  std::vector<FidelityRow> rows;
  const StateModel model(state_preset("mainnet-2024")->state, 1);
  add_contracts(rows);
  add_code(rows, model);
  rows.push_back(near_fact("account-trie updates a changed account, batch of 323", "", 1472.0 / 323,
                           0.05, updates_a_leaf(model, false, 323), kUpdates));
  rows.push_back(near_fact("storage-trie updates a changed slot, batch of 990 (Base's contracts)",
                           "", 4500.0 / 990, 0.12, updates_a_leaf(model, true, 990), kUpdates));
  return rows;
}

}  // namespace ethio
