// Facts of the machine as the user should see them beside a number: a value, or why it is missing.
// Gathered by facts/, printed and written to JSON by check/. Gathering never fails: what cannot be
// read is a missing fact.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ethio {

struct Fact {
  std::string name;
  std::string value;
  std::string missing;  // why there is no value; "" when there is one
};

struct FactGroup {
  std::string name;  // "file system", "device vda"
  std::vector<Fact> facts;

  void add(std::string fact, std::string value) {
    facts.push_back({std::move(fact), std::move(value), ""});
  }
  void add_missing(std::string fact, std::string why) {
    facts.push_back({std::move(fact), "", std::move(why)});
  }
  // The value when there is one; else missing because of `why`.
  void add_or(std::string fact, std::optional<std::string> value, std::string why);
};

// First line of a file without trailing blanks; nothing when it cannot be read or is empty. For
// /sys and /proc.
std::optional<std::string> read_line_of(const std::filesystem::path& path);

}  // namespace ethio
