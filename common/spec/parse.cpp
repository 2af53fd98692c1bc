#include "common/spec/parse.h"

#include <fmt/format.h>

#include <utility>

#include "common/spec/check.h"
#include "common/spec/json.h"
#include "common/spec/reader.h"

namespace ethio {
namespace {

template <typename T>
void name_the_nameless(std::vector<T>& stages, std::string_view what) {
  for (size_t i = 0; i < stages.size(); ++i) {
    if (stages[i].name.empty()) stages[i].name = fmt::format("{}-{}", what, i + 1);
  }
}

}  // namespace

WorkloadSpec parse_workload(std::string_view text, std::string_view origin) {
  const Json json = read_json(text, origin);
  ReadContext context(origin);
  WorkloadSpec spec;
  Reader(context, json, "").read(spec);
  spec.cited = std::move(context.cited);
  spec.uncited = std::move(context.uncited);
  name_the_nameless(spec.stages, "stage");
  name_the_nameless(spec.background, "background");
  check(spec, origin);
  return spec;
}

}  // namespace ethio
