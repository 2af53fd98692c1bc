#include "cli/fio/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "common/base/error.h"

namespace ethio {
namespace {

constexpr std::string_view kPrefix = "stock/";
constexpr std::string_view kSuffix = ".fio";

std::string_view name_of(const EmbeddedFile& file) {
  std::string_view name = file.name;
  name.remove_prefix(kPrefix.size());
  name.remove_suffix(kSuffix.size());
  return name;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

// What follows `label` in a comment line, or nothing.
std::string_view labelled(std::string_view comment, std::string_view label) {
  comment = trimmed(comment.substr(1));
  if (comment.substr(0, label.size()) != label) return {};
  return trimmed(comment.substr(label.size()));
}

void read_line(std::string_view line, std::string_view where, FioProfile& profile) {
  if (line.empty()) return;
  if (line[0] == '#' || line[0] == ';') {
    if (const auto summary = labelled(line, "summary:"); !summary.empty())
      profile.summary = summary;
    if (const auto source = labelled(line, "source:"); !source.empty()) {
      profile.sources.emplace_back(source);
    }
  } else if (line[0] == '[') {
    if (!profile.job.empty() || line.back() != ']' || line.size() < 3) {
      throw Error(EINVAL, fmt::format("{}: '{}': a profile has one job, [NAME]", where, line));
    }
    profile.job = line.substr(1, line.size() - 2);
  } else {
    const size_t equals = line.find('=');
    FioOption option{std::string(trimmed(line.substr(0, equals))), ""};
    if (equals != std::string_view::npos) option.value = trimmed(line.substr(equals + 1));
    if (profile.job.empty() || option.name.empty()) {
      throw Error(EINVAL, fmt::format("{}: '{}' stands before the job's [NAME]", where, line));
    }
    profile.options.push_back(std::move(option));
  }
}

std::string argument(const FioOption& option) {
  return option.value.empty() ? "--" + option.name
                              : fmt::format("--{}={}", option.name, option.value);
}

}  // namespace

const std::string* FioProfile::option(std::string_view option_name) const {
  for (const FioOption& option : options) {
    if (option.name == option_name) return &option.value;
  }
  return nullptr;
}

std::vector<std::string> FioProfile::arguments(std::span<const FioOption> changes) const {
  std::vector<std::string> result = {"--name=" + job};
  for (const FioOption& own : options) {
    const auto changed = std::find_if(changes.begin(), changes.end(), [&](const FioOption& change) {
      return change.name == own.name;
    });
    result.push_back(argument(changed == changes.end() ? own : *changed));
  }
  for (const FioOption& change : changes) {
    if (option(change.name) == nullptr) result.push_back(argument(change));
  }
  return result;
}

FioProfile parse_profile(std::string_view text, std::string_view origin) {
  FioProfile profile;
  for (int number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    read_line(trimmed(text.substr(0, end)), fmt::format("{}:{}", origin, number), profile);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (profile.job.empty()) throw Error(EINVAL, fmt::format("{}: it has no job, [NAME]", origin));
  return profile;
}

FioProfile load_profile(std::string_view name) {
  std::string known;
  for (const EmbeddedFile& file : stock::files()) {
    if (name_of(file) == name) {
      FioProfile profile = parse_profile(file.text, file.name);
      profile.name = name;
      return profile;
    }
    known += fmt::format("{}{}", known.empty() ? "" : ", ", name_of(file));
  }
  throw Error(ENOENT, fmt::format("stock profile '{}' is not one of {}", name, known));
}

}  // namespace ethio
