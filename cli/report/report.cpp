// ethio report: results of check and of single runs as documents for people and for CI.
#include <fmt/format.h>

#include <algorithm>

#include "cli/command_line.h"
#include "cli/report/formats.h"
#include "cli/subcommand.h"
#include "common/base/text.h"
#include "common/report/output_file.h"

namespace ethio {
namespace {

using report::Format;

struct Output {
  std::string path;
  const Format* format;
};

std::string known_formats() {
  std::vector<std::string> known;
  for (const Format& format : report::formats()) {
    known.push_back(fmt::format("{} ({})", format.name, format.suffix));
  }
  return joined(known);
}

Output output_for(const std::string& path, const std::string& format_name) {
  const Format* format =
      format_name.empty() ? report::format_for(path) : report::format_named(format_name);
  if (format == nullptr && !format_name.empty()) {
    throw UsageError(fmt::format("report: --format: {} is not one of {}", in_quotes(format_name),
                                 known_formats()));
  }
  if (format == nullptr) {
    throw UsageError(
        fmt::format("report: -o: the end of {} names no form; use one of {}, or say --format",
                    in_quotes(path), known_formats()));
  }
  if (path != "-") check_output_file(path);
  return {path, format};
}

}  // namespace

int run_report(int argc, char** argv) {
  CLI::App app(
      "Writes what check (--json), single runs (ethio_out=, --ethio_out), Google Benchmark and fio "
      "found as a page with charts, Markdown, JUnit XML, JSON or the array of "
      "github-action-benchmark.",
      "report");
  std::vector<std::string> results, paths;
  std::string format_name;
  app.add_option("RESULT", results,
                 "results of ethio, fio or Google Benchmark; - for standard input; where several "
                 "jobs of one "
                 "run wrote PATH.0, PATH.1, ..., PATH or all of them")
      ->required();
  app.add_option("-o,--output", paths, "where to; the suffix says the form: " + known_formats())
      ->required();
  app.add_option("--format", format_name, "the form, whatever the suffix; needed for -o -");
  if (const auto exit_code = parse_command_line(app, argc, argv)) return *exit_code;

  std::vector<Output> outputs;
  outputs.reserve(paths.size());
  for (const std::string& path : paths) outputs.push_back(output_for(path, format_name));
  if (std::count(paths.begin(), paths.end(), "-") > 1) {
    throw UsageError("report: only one form can go to standard output (-)");
  }
  const report::Report loaded = report::load_report(results);
  for (const Output& output : outputs) {
    const std::string document = output.format->write(loaded);
    if (output.path == "-") {
      fmt::print("{}", document);
    } else {
      write_output_file(output.path, document);
    }
  }
  return kExitOk;
}

}  // namespace ethio
