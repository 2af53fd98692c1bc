#include "cli/facts/fact.h"

#include <fstream>

namespace ethio {

void FactGroup::add_or(std::string fact, std::optional<std::string> value, std::string why) {
  if (value.has_value()) {
    add(std::move(fact), *std::move(value));
  } else {
    add_missing(std::move(fact), std::move(why));
  }
}

std::optional<std::string> read_line_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  line.erase(line.find_last_not_of(" \t\r\n") + 1);
  if (line.empty()) return std::nullopt;
  return line;
}

}  // namespace ethio
