#include <nlohmann/json.hpp>

#include "cli/compare/writers.h"

namespace ethio {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;

const char* word_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFine:
      return "fine";
    case Verdict::kInconclusive:
      return "inconclusive";
    case Verdict::kRegression:
      return "regression";
    case Verdict::kFailed:
      return "failed";
    case Verdict::kVoid:
      break;
  }
  return "void";
}

Json json_of(const MetricComparison& row) {
  return {{"benchmark", row.benchmark},
          {"metric", row.metric},
          {"unit", row.kind == MetricKind::kDurationNs ? "ns" : "1/s"},
          {"gates", row.gates},
          {"base", {{"median", row.base}, {"repetitions", row.base_count}}},
          {"new", {{"median", row.next}, {"repetitions", row.next_count}}},
          {"slowdown",
           {{"low", row.slowdown.low},
            {"estimate", row.slowdown.estimate},
            {"high", row.slowdown.high}}},
          {"p_value", row.p_value},
          {"noise_floor", row.floor},
          {"limit", row.limit},
          {"state", name_of(row.change)},
          {"reason", row.reason}};
}

Json json_of(const CounterComparison& row) {
  return {{"benchmark", row.benchmark},
          {"counter", row.counter},
          {"base", row.base},
          {"new", row.next},
          {"state", name_of(row.change)}};
}

template <typename T>
Json list_of(const std::vector<T>& rows) {
  Json list = Json::array();
  for (const T& row : rows) list.push_back(json_of(row));
  return list;
}

}  // namespace

std::string comparison_json(const Comparison& comparison) {
  const Json json = {{"schema", "ethio-compare"},
                     {"version", kVersion},
                     {"base", comparison.base},
                     {"new", comparison.next},
                     {"verdict", word_of(verdict_of(comparison))},
                     {"sentence", sentence_of(comparison)},
                     {"metrics", list_of(comparison.metrics)},
                     {"counters", list_of(comparison.counters)},
                     {"failures", comparison.failures},
                     {"voids", comparison.voids},
                     {"notes", comparison.notes}};
  return json.dump(1) + "\n";
}

}  // namespace ethio
