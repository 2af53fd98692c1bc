// Every job file in workloads/jobs runs as it is, at tiny size.
#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <sstream>

#include "tests/fio/fixture.h"

namespace ethio {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::vector<std::string> job_files() {
  std::vector<std::string> paths;
  for (const auto& entry : fs::directory_iterator(ETHIO_JOB_FILES)) {
    if (entry.path().extension() == ".fio") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// The file with the values of options replaced, wherever it sets them.
std::string with_values(const std::string& text, const std::map<std::string, std::string>& values) {
  std::istringstream lines(text);
  std::string changed;
  for (std::string line; std::getline(lines, line);) {
    const std::string name = line.substr(0, line.find('='));
    const auto value = values.find(name);
    changed += value == values.end() ? line : name + "=" + value->second;
    changed += '\n';
  }
  return changed;
}

class JobFile : public FioTest, public ::testing::WithParamInterface<std::string> {};

TEST_P(JobFile, Runs) {
  std::string text = with_values(testing::read_file(GetParam()), {{"size", "32m"},
                                                                  {"runtime", "200ms"},
                                                                  {"ramp_time", "100ms"},
                                                                  {"ss_dur", "1"},
                                                                  {"ethio_gas", "1m"}});
  const std::string library = "external:./build/libethio.so";
  ASSERT_THAT(text, HasSubstr("ioengine=" + library));
  for (size_t at; (at = text.find(library)) != std::string::npos;) {
    text.replace(at, library.size(), "external:" + engine());
  }
  testing::write_file(folder() / "job.fio", text);
  const auto result = run({"fio", "job.fio"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("stream digest"));
}

INSTANTIATE_TEST_SUITE_P(All, JobFile, ::testing::ValuesIn(job_files()), [](const auto& info) {
  std::string name = fs::path(info.param).stem();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

}  // namespace
}  // namespace ethio
