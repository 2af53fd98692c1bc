// What a node of each role may wait for its disk: workloads/reference/thresholds.json, compiled in.
// Read by the verdict; each limit keeps its source.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ethio {

enum class Measure { kShareOver, kP50, kP99, kP999, kUnitP50, kUnitP99, kUnitsPerSecond };

struct Limit {
  std::string phase;
  Measure measure = Measure::kP99;
  double limit_ns = 0;  // share_over: a unit's budget
  double good = 0;      // the last value that is good: a share, nanoseconds, or units a second
  double ugly = 0;
  std::string source, url;
};

struct Role {
  std::string name, summary;
  std::vector<Limit> limits;
};

// Throws Error(EINVAL) naming `origin` and what is wrong.
std::vector<Role> parse_thresholds(std::string_view text, std::string_view origin);

const std::vector<Role>& built_in_roles();

}  // namespace ethio
