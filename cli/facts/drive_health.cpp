#include "cli/facts/drive_health.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/process/process.h"
#include "common/base/quantity.h"

namespace ethio {
namespace {

using Json = nlohmann::json;

// NVM Express base specification, SMART / Health log: data units are thousands of 512 bytes; bit 1
// of the critical warning is the temperature.
constexpr uint64_t kDataUnit = 512'000;
constexpr uint64_t kTemperatureBit = 2;
constexpr double kKelvin = 273;

template <typename T>
std::optional<T> number(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  return found->get<T>();
}

std::optional<uint64_t> bytes_of(std::optional<uint64_t> units) {
  if (!units.has_value()) return std::nullopt;
  return *units * kDataUnit;
}

// The parts that smartctl and nvme-cli call by the same names.
void read_common(const Json& log, DriveHealth& health) {
  health.written_bytes = bytes_of(number<uint64_t>(log, "data_units_written"));
  health.read_bytes = bytes_of(number<uint64_t>(log, "data_units_read"));
  health.warning_minutes = number<uint64_t>(log, "warning_temp_time");
  health.critical_minutes = number<uint64_t>(log, "critical_comp_time");
  health.temperature_alarm =
      (number<uint64_t>(log, "critical_warning").value_or(0) & kTemperatureBit) != 0;
}

// What the program prints, or nothing when it is not installed.
std::optional<std::string> output_of(const std::vector<std::string>& argv, Interrupt& interrupt) {
  try {
    return run_process({argv, "", {}, std::chrono::seconds(20)}, interrupt).out;
  } catch (const Interrupted&) {
    throw;
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool is_empty(const DriveHealth& health) {
  return !health.celsius && !health.wear_percent && !health.written_bytes &&
         !health.warning_minutes;
}

// "3.2 TiB, +1.1 GiB by this run"
std::string change_text(uint64_t before, uint64_t after) {
  return fmt::format("{}, {} more after this run", format_bytes(before),
                     format_bytes(after - before));
}

bool has_grown(const std::optional<uint64_t>& before, const std::optional<uint64_t>& after) {
  return before.has_value() && after.has_value() && *after > *before;
}

}  // namespace

void read_smartctl(std::string_view text, DriveHealth& health) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return;
  if (const auto log = json.find("nvme_smart_health_information_log");
      log != json.end() && log->is_object()) {
    read_common(*log, health);
    health.wear_percent = number<double>(*log, "percentage_used");
  }
  if (const auto temperature = json.find("temperature");
      temperature != json.end() && temperature->is_object()) {
    health.celsius = number<double>(*temperature, "current");
  }
}

void read_nvme_smart_log(std::string_view text, DriveHealth& health) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return;
  if (is_empty(health)) {
    read_common(json, health);
    health.wear_percent = number<double>(json, "percent_used");
    if (const auto kelvin = number<double>(json, "temperature")) health.celsius = *kelvin - kKelvin;
  }
  const auto first = number<uint64_t>(json, "thm_temp1_trans_count");
  const auto second = number<uint64_t>(json, "thm_temp2_trans_count");
  if (first || second) health.throttle_count = first.value_or(0) + second.value_or(0);
}

DriveHealth health_of(const BlockDevice& drive, Interrupt& interrupt) {
  DriveHealth health;
  health.device = drive.name;
  const std::string path = "/dev/" + drive.name;
  const auto smart = output_of({"smartctl", "--json=c", "-a", path}, interrupt);
  if (smart.has_value()) read_smartctl(*smart, health);
  const bool is_nvme = drive.name.rfind("nvme", 0) == 0;
  const auto log =
      is_nvme ? output_of({"nvme", "smart-log", path, "-o", "json"}, interrupt) : std::nullopt;
  if (log.has_value()) read_nvme_smart_log(*log, health);
  if (is_empty(health)) {
    health.missing = smart.has_value() || log.has_value()
                         ? "the drive gives none, or not to this user"
                         : "smartctl is not installed";
  }
  return health;
}

FactGroup health_facts(const DriveHealth& before, const DriveHealth& after) {
  FactGroup group{"health of " + after.device, {}};
  if (!after.missing.empty()) {
    group.add_missing("health", after.missing);
    return group;
  }
  if (before.celsius && after.celsius) {
    group.add("temperature",
              fmt::format("{:.0f} C before, {:.0f} C after", *before.celsius, *after.celsius));
  }
  if (after.wear_percent) group.add("endurance used", fmt::format("{:.0f} %", *after.wear_percent));
  if (before.written_bytes && after.written_bytes) {
    group.add("written in its life", change_text(*before.written_bytes, *after.written_bytes));
  }
  if (before.read_bytes && after.read_bytes) {
    group.add("read in its life", change_text(*before.read_bytes, *after.read_bytes));
  }
  if (after.throttle_count)
    group.add("thermal transitions", fmt::format("{}", *after.throttle_count));
  return group;
}

std::optional<std::string> throttled(const DriveHealth& before, const DriveHealth& after) {
  if (after.temperature_alarm) return fmt::format("{} reports that it is too hot", after.device);
  if (has_grown(before.throttle_count, after.throttle_count)) {
    return fmt::format("{} slowed itself down because of heat during the run", after.device);
  }
  if (has_grown(before.warning_minutes, after.warning_minutes) ||
      has_grown(before.critical_minutes, after.critical_minutes)) {
    return fmt::format("{} was above its warning temperature during the run", after.device);
  }
  return std::nullopt;
}

}  // namespace ethio
