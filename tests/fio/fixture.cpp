#include "tests/fio/fixture.h"

#include <sstream>

namespace ethio {

testing::ProcessResult FioTest::run(const std::vector<std::string>& argv,
                                    testing::ProcessOptions options) {
  if (options.cwd.empty()) options.cwd = folder_.path();
  testing::ProcessResult result = testing::run_process(argv, options);
  EXPECT_FALSE(result.timed_out) << argv[0] << " hung";
  return result;
}

testing::ProcessResult FioTest::fio(const std::vector<std::string>& more) {
  std::vector<std::string> argv = {"fio",        "--ioengine=external:" + engine(),
                                   "--name=t",   "--filename=target",
                                   "--size=64m", "--rw=randrw"};
  argv.insert(argv.end(), more.begin(), more.end());
  return run(argv);
}

nlohmann::json FioTest::fio_report(std::vector<std::string> more) {
  more.push_back("--output-format=json");
  const testing::ProcessResult result = fio(more);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  nlohmann::json report = nlohmann::json::parse(result.out, nullptr, false);
  EXPECT_FALSE(report.is_discarded()) << "not JSON: " << result.out;
  return report;
}

nlohmann::json FioTest::json_file(const std::string& name) const {
  return nlohmann::json::parse(testing::read_file(folder_ / name));
}

std::vector<std::string> ethio_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("ethio: ")) lines.push_back(line);
  }
  return lines;
}

}  // namespace ethio
