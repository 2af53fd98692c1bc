#include "common/report/reference.h"

#include <nlohmann/json.hpp>

#include "common/base/error.h"

namespace ethio {
namespace {

using nlohmann::json;

constexpr std::string_view kSchema = "ethio-drives";
constexpr int kVersion = 1;

Rates rates_from(const json& from) {
  return {from.at("read"), from.at("write")};
}

ReferenceDrive drive_from(const json& from) {
  ReferenceDrive drive;
  drive.name = from.at("name");
  drive.is_class = from.at("kind") == "class";
  drive.tier = from.at("tier");
  drive.interface = from.at("interface");
  drive.capacity = from.at("capacity");
  drive.nand = from.at("nand");
  drive.dram = from.at("dram");
  drive.notes = from.value("notes", "");
  for (const json& rates : from.value("iops", json::array())) {
    drive.listed.push_back(rates_from(rates));
  }
  for (const json& posted : from.value("posted", json::array())) {
    drive.posted.push_back({rates_from(posted), posted.at("setup")});
  }
  return drive;
}

StockProfile profile_from(const json& from) {
  StockProfile profile;
  profile.rw = from.at("rw");
  profile.ioengine = from.at("ioengine");
  profile.command = from.at("command");
  profile.read_share = 0.01 * from.at("rwmixread").get<double>();
  profile.block_bytes = from.at("bs");
  profile.iodepth = from.at("iodepth");
  profile.size_bytes = from.at("size");
  return profile;
}

Reference reference_from(const json& from, const std::string& origin) {
  if (from.at("schema") != kSchema || from.at("version") != kVersion) {
    throw Error(EINVAL, origin + ": \"schema\" and \"version\" are not \"ethio-drives\" and 1");
  }
  Reference reference;
  reference.title = from.at("title");
  reference.url = from.at("url");
  reference.profile = profile_from(from.at("profile"));
  for (const json& drive : from.at("drives")) reference.drives.push_back(drive_from(drive));
  return reference;
}

}  // namespace

Rates ReferenceDrive::figure() const {
  Rates sum;
  for (const Rates& rates : listed) {
    sum.read += rates.read;
    sum.write += rates.write;
  }
  const double count = listed.empty() ? 1 : static_cast<double>(listed.size());
  return {sum.read / count, sum.write / count};
}

Reference parse_reference(std::string_view text, std::string_view origin) {
  const std::string name(origin);
  try {
    return reference_from(json::parse(text), name);
  } catch (const json::exception& error) {
    throw Error(EINVAL, name + ": " + error.what());
  }
}

const Reference& hall_of_blame() {
  static const Reference reference = [] {
    constexpr std::string_view kName = "reference/drives.json";
    for (const EmbeddedFile& file : reference_files::files()) {
      if (file.name == kName) return parse_reference(file.text, kName);
    }
    throw Error(ENOENT, "reference/drives.json is not compiled in");
  }();
  return reference;
}

}  // namespace ethio
