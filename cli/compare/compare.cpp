// ethio compare: did the new build make it slower? For CI: the exit code is the answer.
#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>

#include "cli/command_line.h"
#include "cli/compare/writers.h"
#include "cli/subcommand.h"
#include "common/base/text.h"
#include "common/report/comparison.h"
#include "common/report/output_file.h"

namespace ethio {
namespace {

struct Options {
  std::string base, next;
  std::string threshold = "5%";
  bool strict = false;
  std::string noise, record_noise;
  std::string json, markdown, junit;
};

// One row a form that goes to a file.
struct Output {
  std::string Options::*path;
  std::string (*write)(const Comparison&);
};
constexpr Output kOutputs[] = {{&Options::json, comparison_json},
                               {&Options::markdown, comparison_markdown},
                               {&Options::junit, comparison_junit}};

double parse_percent(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || std::string_view(end) != "%" || !(value >= 0) || value > 1000) {
    throw UsageError(fmt::format("compare: --threshold: {} is not a percentage; write 5% or 2.5%",
                                 in_quotes(text)));
  }
  return value / 100;
}

void check_outputs(const Options& options) {
  int to_stdout = 0;
  for (const Output& output : kOutputs) {
    const std::string& path = options.*output.path;
    if (path == "-") ++to_stdout;
    if (!path.empty() && path != "-") check_output_file(path);
  }
  if (to_stdout > 1) throw UsageError("compare: only one form can go to standard output (-)");
  if (!options.record_noise.empty()) check_output_file(options.record_noise);
}

// The table for people goes to standard output unless another form was asked for there.
void write_outputs(const Options& options, const Comparison& comparison) {
  bool stdout_taken = false;
  for (const Output& output : kOutputs) {
    const std::string& path = options.*output.path;
    if (path.empty()) continue;
    if (path == "-") {
      fmt::print("{}", output.write(comparison));
      stdout_taken = true;
    } else {
      write_output_file(path, output.write(comparison));
    }
  }
  fmt::print(stdout_taken ? stderr : stdout, "{}", comparison_text(comparison));
}

int exit_code_of(const Comparison& comparison, bool strict) {
  switch (verdict_of(comparison)) {
    case Verdict::kVoid:
      return kExitVoid;
    case Verdict::kRegression:
      return kExitRegression;
    case Verdict::kFailed:
      return kExitToolError;
    case Verdict::kInconclusive:
      return strict ? kExitInconclusive : kExitOk;
    case Verdict::kFine:
      break;
  }
  return kExitOk;
}

NoiseFloors known_floors(const std::string& path) {
  NoiseFloors floors;
  try {
    floors = NoiseFloors::load(path);
  } catch (const Error& error) {
    if (error.code() != ENOENT) throw;
  }
  if (floors.runner.empty()) floors.runner = this_runner();
  if (floors.runner != this_runner()) {
    throw Error(EINVAL,
                fmt::format("{}: holds the noise of {}, this is {}; give each runner its own file",
                            path, floors.runner, this_runner()));
  }
  return floors;
}

// Two runs of the same build: whatever differs is noise.
int record_noise(const Options& options, const Comparison& comparison) {
  if (!comparison.voids.empty() || !comparison.failures.empty()) {
    fmt::print("{}", comparison_text(comparison));
    return comparison.voids.empty() ? kExitToolError : kExitVoid;
  }
  NoiseFloors floors = known_floors(options.record_noise);
  for (const MetricComparison& row : comparison.metrics) {
    if (row.slowdown.estimate > 0) floors.record(row.benchmark, row.metric, row.slowdown.estimate);
  }
  write_output_file(options.record_noise, floors.to_json());
  for (const MetricComparison& row : comparison.metrics) {
    fmt::print("{} {}: differed by {:.2f} %, floor {:.2f} %\n", row.benchmark, row.metric,
               100 * std::abs(row.slowdown.estimate - 1),
               100 * floors.floor(row.benchmark, row.metric));
  }
  return kExitOk;
}

}  // namespace

int run_compare(int argc, char** argv) {
  CLI::App app(
      "Compares two sets of results with repetitions: ethio's own, fio's output, or Google "
      "Benchmark's JSON. BASE and "
      "NEW are files, or folders whose files are repetitions. Exit code: 0 fine, 1 tool error, 2 "
      "usage, 3 regression, "
      "4 inconclusive (with --strict), 5 not comparable.",
      "compare");
  Options options;
  app.add_option("BASE", options.base, "the results to hold against; - for standard input")
      ->required();
  app.add_option("NEW", options.next, "the results in question")->required();
  app.add_option("--threshold", options.threshold, "smallest slow-down that fails, as 5%")
      ->capture_default_str();
  app.add_flag("--strict", options.strict, "exit with 4 when a comparison is inconclusive");
  app.add_option("--noise", options.noise,
                 "noise floors of this runner; nothing below twice its floor fails");
  app.add_option("--record-noise", options.record_noise,
                 "BASE and NEW are of one build: add their difference to the floors in this file");
  app.add_option("--json", options.json,
                 "write the comparison here (schema ethio-compare); - for standard output");
  app.add_option("--markdown", options.markdown,
                 "write a table for a CI summary here; - for standard output");
  app.add_option("--junit", options.junit,
                 "write JUnit XML here, a case a metric; - for standard output");
  if (const auto exit_code = parse_command_line(app, argc, argv)) return *exit_code;

  CompareOptions compare_options;
  compare_options.threshold = parse_percent(options.threshold);
  check_outputs(options);
  NoiseFloors floors;
  if (!options.noise.empty()) {
    floors = NoiseFloors::load(options.noise);
    compare_options.noise = &floors;
  }
  const Measurements base = load_measurements(options.base);
  const Measurements next = load_measurements(options.next);
  Comparison comparison = compare(base, next, compare_options);
  if (!options.record_noise.empty()) return record_noise(options, comparison);
  if (!floors.runner.empty() && floors.runner != this_runner()) {
    comparison.notes.push_back(
        fmt::format("the noise floors are of {}, this is {}", floors.runner, this_runner()));
  }
  write_outputs(options, comparison);
  return exit_code_of(comparison, options.strict);
}

}  // namespace ethio
