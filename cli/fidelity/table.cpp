#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/fidelity/row.h"
#include "cli/screen/text_table.h"

namespace ethio {
namespace {

struct Group {
  const char* title;
  std::vector<FidelityRow> (*rows)();
};

constexpr Group kGroups[] = {{"Tries", trie_rows},
                             {"Contracts, code, changes", state_rows},
                             {"Stores", store_rows},
                             {"Writes a block", block_rows}};

std::string number(double value) {
  return value == 0 || (value < 1e6 && value >= 100) ? fmt::format("{:.0f}", value)
                                                     : fmt::format("{:.4g}", value);
}

std::string fact_text(const FidelityRow& row) {
  if (row.low == row.high) return number(row.low);
  return fmt::format("{}..{}", number(row.low), number(row.high));
}

const char* verdict_of(const FidelityRow& row) {
  return row.met() ? "met" : row.gap.empty() ? "OFF" : "not met";
}

}  // namespace

FidelityRow near_fact(std::string what, std::string unit, double fact, double relative_tolerance,
                      double model, std::string_view source) {
  return in_range(std::move(what), std::move(unit), fact * (1 - relative_tolerance),
                  fact * (1 + relative_tolerance), model, source);
}

FidelityRow in_range(std::string what, std::string unit, double low, double high, double model,
                     std::string_view source) {
  FidelityRow row;
  row.what = std::move(what);
  row.unit = std::move(unit);
  row.low = low;
  row.high = high;
  row.model = model;
  row.source = source;
  return row;
}

std::string fidelity_table() {
  TextTable table({"fact", "measured, with tolerance", "model", "", "verdict"});
  std::string notes;
  std::string sources;
  for (const Group& group : kGroups) {
    table.add_heading(group.title);
    for (const FidelityRow& row : group.rows()) {
      table.add_row({row.what, fact_text(row), number(row.model), row.unit.empty() ? "-" : row.unit,
                     verdict_of(row)});
      if (!row.met()) notes += fmt::format("  {}: {}\n", row.what, row.gap);
      sources += fmt::format("  {}: {}\n", row.what, row.source);
    }
  }
  return fmt::format("{}\nNot met, and why\n{}\nSources\n{}", table.text(), notes, sources);
}

std::string fidelity_json() {
  using Json = nlohmann::ordered_json;
  Json rows = Json::array();
  for (const Group& group : kGroups) {
    for (const FidelityRow& row : group.rows()) {
      rows.push_back({{"group", group.title},
                      {"fact", row.what},
                      {"unit", row.unit},
                      {"low", row.low},
                      {"high", row.high},
                      {"model", row.model},
                      {"met", row.met()},
                      {"gap", row.met() ? "" : row.gap},
                      {"source", row.source}});
    }
  }
  return Json{{"schema", "ethio-fidelity"}, {"version", 1}, {"rows", rows}}.dump(1) + "\n";
}

}  // namespace ethio
