#include "tests/cli/command.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace ethio {

namespace fs = std::filesystem;

CommandTest::CommandTest() {
  std::string name = (fs::current_path() / "ethio-command-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw std::runtime_error("no directory for the test: " + name);
  directory_ = name;
}

CommandTest::~CommandTest() {
  fs::remove_all(directory_);
}

ProcessResult CommandTest::ethio(const std::vector<std::string>& arguments) {
  std::vector<std::string> argv = {ethio_path()};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return run(argv);
}

ProcessResult CommandTest::run(const std::vector<std::string>& argv) {
  Interrupt interrupt;
  ProcessRequest request;
  request.argv = argv;
  request.directory = directory_;
  request.limit = std::chrono::seconds(200);
  return run_process(request, interrupt);
}

std::string CommandTest::read(const std::string& name) const {
  return text_of(directory_ / name);
}

void CommandTest::put(const std::string& name, const std::string& text) const {
  std::ofstream(directory_ / name, std::ios::binary) << text;
}

std::vector<std::string> CommandTest::files_in(const fs::path& folder) const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

void CommandTest::expect_refusals(const std::string& subcommand,
                                  const std::vector<Refusal>& refusals) {
  for (const Refusal& refusal : refusals) {
    std::vector<std::string> arguments = {subcommand};
    arguments.insert(arguments.end(), refusal.arguments.begin(), refusal.arguments.end());
    const ProcessResult result = ethio(arguments);
    EXPECT_EQ(result.exit_code, refusal.exit_code) << refusal.sentence;
    EXPECT_THAT(result.err, testing::StartsWith(refusal.sentence));
    EXPECT_EQ(lines_of(result.err).size(), 1u) << result.err;
    EXPECT_THAT(result.out, testing::IsEmpty());
  }
}

std::string CommandTest::ethio_path() {
  return ETHIO_COMMAND;
}

bool CommandTest::has_engine() {
  return fs::exists(fs::path(ethio_path()).parent_path() / "libethio.so");
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  for (size_t begin = line.find_first_not_of(' '); begin < line.size();) {
    const size_t end = std::min(line.find("  ", begin), line.size());
    cells.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(' ', end);
  }
  return cells;
}

}  // namespace ethio
