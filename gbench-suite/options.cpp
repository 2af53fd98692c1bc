#include "gbench-suite/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <regex>
#include <string_view>

#include "common/base/error.h"
#include "common/base/text.h"

namespace ethio {
namespace {

constexpr std::string_view kPrefix = "--ethio_";

bool is_for_bench(const KnobInfo& knob) {
  return std::string_view(knob.front_doors).find('b') != std::string_view::npos;
}

std::vector<const KnobInfo*> bench_knobs() {
  std::vector<const KnobInfo*> knobs;
  for (const KnobInfo& knob : knob_table()) {
    if (is_for_bench(knob)) knobs.push_back(&knob);
  }
  return knobs;
}

std::string environment_name(const KnobInfo& knob) {
  std::string name = "ETHIO_";
  for (const char* c = knob.name; *c != '\0'; ++c)
    name += static_cast<char>(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
  return name;
}

// Sets a knob and names the setting as the user wrote it when it is refused.
void set(Knobs& knobs, const KnobInfo& knob, std::string_view value,
         const std::string& written_as) {
  try {
    knob.set(knobs, value);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: {}", written_as, error.what()));
  }
}

void take_flag(Knobs& knobs, std::string_view argument) {
  const size_t equals = argument.find('=');
  const std::string_view name = argument.substr(kPrefix.size(), equals - kPrefix.size());
  std::vector<std::string> known;
  for (const KnobInfo* knob : bench_knobs()) {
    known.push_back(fmt::format("{}{}", kPrefix, knob->name));
    if (name != knob->name) continue;
    if (equals == std::string_view::npos) {
      throw Error(EINVAL, fmt::format("{}: a value is missing; write {}={}", known.back(),
                                      known.back(), knob->value_name));
    }
    set(knobs, *knob, argument.substr(equals + 1), known.back());
    return;
  }
  throw Error(EINVAL, fmt::format("{} is not a flag; known: {}",
                                  in_quotes(argument.substr(0, equals)), joined(known)));
}

// "--benchmark_NAME" or "--benchmark_NAME=VALUE"; an empty optional for another flag.
std::optional<std::string> value_of(std::string_view argument, std::string_view name) {
  if (!argument.starts_with(name)) return std::nullopt;
  argument.remove_prefix(name.size());
  if (argument.empty()) return "";
  if (argument.front() != '=') return std::nullopt;
  return std::string(argument.substr(1));
}

// Google Benchmark's reading of a boolean flag.
bool is_true(std::string value) {
  std::transform(value.begin(), value.end(), value.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  if (value.size() == 1) return value == "1" || value == "t" || value == "y";
  return value.empty() || value == "true" || value == "yes" || value == "on";
}

const char* environment(const char* name) {
  return std::getenv(name);  // NOLINT(concurrency-mt-unsafe): before any thread
}

}  // namespace

Knobs take_knobs(int& argc, char** argv) {
  Knobs knobs;
  for (const KnobInfo* knob : bench_knobs()) {
    const std::string name = environment_name(*knob);
    if (const char* value = environment(name.c_str())) set(knobs, *knob, value, name);
  }
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]).starts_with(kPrefix)) {
      take_flag(knobs, argv[i]);
    } else {
      argv[kept++] = argv[i];
    }
  }
  argc = kept;
  argv[argc] = nullptr;
  return knobs;
}

std::string knob_help() {
  std::string text;
  for (const KnobInfo* knob : bench_knobs()) {
    const std::string flag = fmt::format("{}{}=<{}>", kPrefix, knob->name, knob->value_name);
    text += fmt::format("  {:<28} {}", flag, knob->help);
    if (*knob->default_value != '\0') text += fmt::format(" [{}]", knob->default_value);
    text += '\n';
  }
  return text;
}

BenchmarkRequest benchmark_request(int argc, char** argv) {
  BenchmarkRequest request;
  if (const char* filter = environment("BENCHMARK_FILTER")) request.filter = filter;
  if (const char* list = environment("BENCHMARK_LIST_TESTS")) request.list_only = is_true(list);
  for (int i = 1; i < argc; ++i) {
    if (value_of(argv[i], "--help")) request.help = true;
    if (const auto value = value_of(argv[i], "--benchmark_filter")) request.filter = *value;
    if (const auto value = value_of(argv[i], "--benchmark_list_tests"))
      request.list_only = is_true(*value);
  }
  return request;
}

std::vector<std::string> select_benchmarks(const std::vector<std::string>& names,
                                           std::string filter) {
  if (filter.empty() || filter == "all") filter = ".";
  const bool negative = filter.front() == '-';
  if (negative) filter.erase(0, 1);
  std::vector<std::string> selected;
  try {
    const std::regex pattern(filter, std::regex::extended);
    for (const std::string& name : names) {
      if (std::regex_search(name, pattern) != negative) selected.push_back(name);
    }
  } catch (const std::regex_error&) {
    selected.clear();
  }
  return selected;
}

}  // namespace ethio
