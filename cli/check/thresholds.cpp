#include "cli/check/thresholds.h"

#include <fmt/format.h>

#include <cerrno>
#include <nlohmann/json.hpp>

#include "common/base/error.h"
#include "common/base/quantity.h"
#include "common/base/text.h"
#include "common/report/reference.h"

namespace ethio {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kFile = "reference/thresholds.json";

struct MeasureName {
  Measure measure;
  std::string_view name;
};
constexpr MeasureName kMeasures[] = {{Measure::kShareOver, "share_over"},
                                     {Measure::kP50, "p50"},
                                     {Measure::kP99, "p99"},
                                     {Measure::kP999, "p99.9"},
                                     {Measure::kUnitP50, "unit_p50"},
                                     {Measure::kUnitP99, "unit_p99"},
                                     {Measure::kUnitsPerSecond, "units_per_second"}};

Measure measure_named(const std::string& name) {
  for (const MeasureName& row : kMeasures) {
    if (row.name == name) return row.measure;
  }
  throw Error(EINVAL, fmt::format("measure: {} is not known", in_quotes(name)));
}

// "10ms" as nanoseconds, a bare number as it is.
double value_of(const Json& value) {
  if (value.is_number()) return value.get<double>();
  return static_cast<double>(parse_duration_ns(value.get<std::string>()));
}

Limit limit_from(const Json& json) {
  Limit limit;
  limit.phase = json.at("phase");
  limit.measure = measure_named(json.at("measure"));
  if (limit.measure == Measure::kShareOver) limit.limit_ns = value_of(json.at("limit"));
  limit.good = value_of(json.at("good"));
  limit.ugly = value_of(json.at("ugly"));
  limit.source = json.at("source");
  limit.url = json.value("url", "");
  const bool ordered = limit.measure == Measure::kUnitsPerSecond ? limit.good >= limit.ugly
                                                                 : limit.good <= limit.ugly;
  if (!ordered) throw Error(EINVAL, fmt::format("{}: good is worse than ugly", limit.phase));
  return limit;
}

}  // namespace

std::vector<Role> parse_thresholds(std::string_view text, std::string_view origin) {
  try {
    const Json json = Json::parse(text);
    if (json.at("schema") != "ethio-thresholds" || json.at("version") != 1) {
      throw Error(EINVAL, "\"schema\" and \"version\" are not \"ethio-thresholds\" and 1");
    }
    std::vector<Role> roles;
    for (const Json& from : json.at("roles")) {
      Role role{from.at("name"), from.at("summary"), {}};
      for (const Json& limit : from.at("limits")) role.limits.push_back(limit_from(limit));
      roles.push_back(std::move(role));
    }
    return roles;
  } catch (const Json::exception& error) {
    throw Error(EINVAL, fmt::format("{}: {}", origin, error.what()));
  } catch (const Error& error) {
    throw Error(EINVAL, fmt::format("{}: {}", origin, error.what()));
  }
}

const std::vector<Role>& built_in_roles() {
  static const std::vector<Role> roles = [] {
    for (const EmbeddedFile& file : reference_files::files()) {
      if (file.name == kFile) return parse_thresholds(file.text, file.name);
    }
    throw Error(ENOENT, fmt::format("{} was not compiled in", kFile));
  }();
  return roles;
}

}  // namespace ethio
