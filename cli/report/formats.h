// The forms of a report, one row each. A form's writer gives the whole document; those that are not
// JSON of ethio carry document_mark() so that their file can be written again.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/report/model.h"

namespace ethio::report {

struct Format {
  std::string_view name;    // for --format
  std::string_view suffix;  // of the files that are written in it
  std::string_view summary;
  std::string (*write)(const Report&);
};

std::span<const Format> formats();
// By name, or by the suffix of a path; nullptr when none fits.
const Format* format_named(std::string_view name);
const Format* format_for(std::string_view path);

std::string html_report(const Report& report);
std::string markdown_report(const Report& report);
std::string junit_report(const Report& report);
std::string json_report(const Report& report);    // schema "ethio-report"
std::string action_report(const Report& report);  // the array that github-action-benchmark reads

}  // namespace ethio::report
