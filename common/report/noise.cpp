#include "common/report/noise.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <nlohmann/json.hpp>

#include "common/base/error.h"
#include "common/report/input_file.h"

namespace ethio {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSchema = "ethio-noise";
constexpr uint64_t kVersion = 1;
constexpr double kShareBelow = 0.9;

}  // namespace

NoiseFloors NoiseFloors::parse(std::string_view text, std::string_view origin) {
  NoiseFloors floors;
  try {
    const Json json = Json::parse(text);
    if (!json.is_object() || json.value("schema", "") != kSchema) {
      throw Error(EINVAL, fmt::format("{}: is not a noise file of ethio: \"schema\" is not \"{}\"",
                                      origin, kSchema));
    }
    if (json.at("version") != kVersion) {
      throw Error(EINVAL,
                  fmt::format("{}: is a noise file of version {}; this ethio reads version {}",
                              origin, json.at("version").dump(), kVersion));
    }
    floors.runner = json.at("runner");
    for (const Json& entry : json.at("floors")) {
      floors.changes_[entry.at("benchmark")][entry.at("metric")] =
          entry.at("changes").get<std::vector<double>>();
    }
  } catch (const Json::parse_error& error) {
    throw Error(EINVAL,
                fmt::format("{}: is not JSON, or not all of it: byte {}", origin, error.byte));
  } catch (const Json::exception& error) {
    throw Error(EINVAL, fmt::format("{}: is not a whole noise file: {}", origin, error.what()));
  }
  return floors;
}

NoiseFloors NoiseFloors::load(const std::string& path) {
  return parse(read_input(path), input_name(path));
}

std::string NoiseFloors::to_json() const {
  Json entries = Json::array();
  for (const auto& [benchmark, metrics] : changes_) {
    for (const auto& [metric, changes] : metrics) {
      entries.push_back({{"benchmark", benchmark},
                         {"metric", metric},
                         {"floor", floor(benchmark, metric)},
                         {"changes", changes}});
    }
  }
  const Json json = {
      {"schema", kSchema}, {"version", kVersion}, {"runner", runner}, {"floors", entries}};
  return json.dump(1) + "\n";
}

void NoiseFloors::record(const std::string& benchmark, const std::string& metric, double ratio) {
  std::vector<double>& changes = changes_[benchmark][metric];
  changes.push_back(std::abs(std::log(ratio)));
  if (changes.size() > kKept) changes.erase(changes.begin());
}

double NoiseFloors::floor(const std::string& benchmark, const std::string& metric) const {
  const auto of_benchmark = changes_.find(benchmark);
  if (of_benchmark == changes_.end()) return 0;
  const auto of_metric = of_benchmark->second.find(metric);
  if (of_metric == of_benchmark->second.end() || of_metric->second.empty()) return 0;
  std::vector<double> sorted = of_metric->second;
  std::sort(sorted.begin(), sorted.end());
  const auto rank =
      static_cast<size_t>(std::ceil(kShareBelow * static_cast<double>(sorted.size())));
  return std::expm1(sorted[rank - 1]);
}

std::string this_runner() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

}  // namespace ethio
