#include "cli/report/formats.h"

namespace ethio::report {
namespace {

// The longer suffix first where one ends with another.
constexpr Format kFormats[] = {
    {"action", ".action.json", "the array that github-action-benchmark reads", action_report},
    {"html", ".html", "one page with charts, for people", html_report},
    {"markdown", ".md", "for $GITHUB_STEP_SUMMARY and issues", markdown_report},
    {"junit", ".xml", "a test case a workload and role, for CI", junit_report},
    {"json", ".json", "schema ethio-report", json_report},
};

}  // namespace

std::span<const Format> formats() {
  return kFormats;
}

const Format* format_named(std::string_view name) {
  for (const Format& format : kFormats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

const Format* format_for(std::string_view path) {
  for (const Format& format : kFormats) {
    if (path.ends_with(format.suffix)) return &format;
  }
  return nullptr;
}

}  // namespace ethio::report
