// ethio merge: the results that the jobs of one run wrote, as one.
#include <fmt/format.h>

#include <filesystem>

#include "cli/command_line.h"
#include "cli/subcommand.h"
#include "common/base/text.h"
#include "common/report/output_file.h"
#include "common/report/run_files.h"

namespace ethio {
namespace {

std::vector<InputDocument> read_all(const std::vector<std::string>& files) {
  std::vector<InputDocument> documents;
  for (const std::string& file : files) {
    for (InputDocument& document : read_run_files(file)) documents.push_back(std::move(document));
  }
  return documents;
}

// One after the other, so that what does not fit is named.
SessionResult merge(const std::vector<InputDocument>& documents) {
  SessionResult all = parse_result(documents.front().text, documents.front().origin);
  for (size_t i = 1; i < documents.size(); ++i) {
    const SessionResult both[] = {all, parse_result(documents[i].text, documents[i].origin)};
    try {
      all = merge_results(both);
    } catch (const Error& error) {
      throw Error(EINVAL, fmt::format("{}: {}", documents[i].origin, error.what()));
    }
  }
  return all;
}

void require_new(const std::string& path) {
  std::error_code ignored;
  if (path != "-" && std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) {
    throw UsageError(fmt::format("merge: -o: {} exists; give the path of a new file", path));
  }
}

// What a reader of the merged file should know; stdout may be the file.
void tell(const SessionResult& all) {
  fmt::print(stderr, "ethio: {}: {} of {} jobs merged\n", all.workload, all.streams.size(),
             all.jobs);
}

}  // namespace

int run_merge(int argc, char** argv) {
  CLI::App app(
      "Merges the results that the jobs of one run wrote (ethio_out=PATH gives PATH.0, PATH.1, "
      "...): counts and histograms add up, nothing is lost. compare and report do so by "
      "themselves.",
      "merge");
  std::vector<std::string> files;
  std::string out;
  app.add_option("FILE", files, "results of ethio, a job each; PATH for PATH.0, PATH.1, ...")
      ->required();
  app.add_option("-o,--output", out, "new file to write; - for standard output")->required();
  if (const auto exit_code = parse_command_line(app, argc, argv)) return *exit_code;
  require_new(out);
  const SessionResult all = merge(read_all(files));
  if (out == "-") {
    fmt::print("{}", to_json(all));
  } else {
    write_new_file(out, to_json(all));
  }
  tell(all);
  return kExitOk;
}

}  // namespace ethio
