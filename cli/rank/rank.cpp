// ethio rank: places fio results, as people have them, among the drives of the reference table.
#include <fmt/format.h>

#include <algorithm>

#include "cli/command_line.h"
#include "cli/rank/ranking.h"
#include "cli/subcommand.h"
#include "common/report/fio_reader.h"
#include "common/report/input_file.h"
#include "common/report/output_file.h"

namespace ethio {
namespace {

std::vector<fio::Result> read_results(const std::string& path) {
  const std::string text = read_input(path);
  if (is_ethio_document(text)) {
    throw Error(EINVAL, fmt::format("{}: is a result of ethio; rank reads the output of fio",
                                    input_name(path)));
  }
  return fio::merge_groups(fio::read(text, input_name(path)));
}

}  // namespace

int run_rank(int argc, char** argv) {
  CLI::App app(
      "Reads fio results (normal output as pasted, READ/WRITE summaries, JSON, JSON+; any number "
      "in one file) and "
      "places each among the drives of the Hall of Blame. Exit code: 0 fine, 1 tool error, 2 "
      "usage, "
      "5 when fio was interrupted or failed in every one.",
      "rank");
  std::vector<std::string> files;
  bool json = false;
  app.add_option("FILE", files, "fio output; - for standard input")->required();
  app.add_flag("--json", json, "JSON on standard output (schema ethio-rank) instead of text");
  if (const auto exit_code = parse_command_line(app, argc, argv)) return *exit_code;

  std::vector<fio::Result> results;
  for (const std::string& file : files) {
    std::vector<fio::Result> more = read_results(file);
    results.insert(results.end(), std::make_move_iterator(more.begin()),
                   std::make_move_iterator(more.end()));
  }
  const Reference& reference = hall_of_blame();
  const std::vector<RankedResult> ranking = rank_results(results, reference);
  fmt::print("{}", json ? ranking_json(ranking, reference) : ranking_text(ranking, reference));
  const bool all_void = std::all_of(results.begin(), results.end(), [](const fio::Result& result) {
    return !fio::why_void(result).empty();
  });
  return all_void ? kExitVoid : kExitOk;
}

}  // namespace ethio
