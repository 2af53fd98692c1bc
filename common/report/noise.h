// The noise floor of one runner: by how much the same build differs from itself there, for each
// metric of each benchmark, as recorded from A/A comparisons. compare lets nothing below twice the
// floor fail. One file a runner (schema "ethio-noise", workloads/schema/noise.schema.json).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ethio {

class NoiseFloors {
 public:
  // Most A/A comparisons kept for a metric; older ones fall out.
  static constexpr size_t kKept = 50;

  static NoiseFloors parse(std::string_view text, std::string_view origin);  // throws Error(EINVAL)
  static NoiseFloors load(const std::string& path);                          // throws Error
  std::string to_json() const;

  // One A/A comparison: `ratio` of the two medians, either way up.
  void record(const std::string& benchmark, const std::string& metric, double ratio);

  // The floor as a change: 0.03 is 3 %. Nine in ten recorded comparisons differed by less; the
  // largest while they are few. 0 for what was never recorded.
  double floor(const std::string& benchmark, const std::string& metric) const;

  bool empty() const { return changes_.empty(); }

  std::string runner;  // host that recorded them

 private:
  // benchmark -> metric -> |log ratio| of each recorded comparison, oldest first
  std::map<std::string, std::map<std::string, std::vector<double>>> changes_;
};

// Name of this machine.
std::string this_runner();

}  // namespace ethio
