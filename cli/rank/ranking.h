// The results that `ethio rank` was given, each with its place: plain data between the reader and
// the two forms of output.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/report/fio_result.h"
#include "common/report/placement.h"
#include "common/report/reference.h"

namespace ethio {

struct RankedResult {
  fio::Result result;
  Placement placement;
  std::optional<size_t> repeats;  // index of an earlier result that is the same measurement

  std::string where() const;  // "page.txt:153"
};

std::vector<RankedResult> rank_results(const std::vector<fio::Result>& results,
                                       const Reference& reference);

// For people: one result in full, several as a table; then what such a number can and cannot tell.
std::string ranking_text(const std::vector<RankedResult>& ranking, const Reference& reference);

// Schema "ethio-rank", workloads/schema/rank.schema.json.
std::string ranking_json(const std::vector<RankedResult>& ranking, const Reference& reference);

// What the figures of the profile cannot tell, one paragraph a string, each drawn from the table
// itself.
std::vector<std::string> limits_of_the_profile(const Reference& reference);

}  // namespace ethio
