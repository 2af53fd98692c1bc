// Broken definitions: tests/spec/broken/expected.txt holds the message for every file below it.
// syntax/ is no JSON, schema/ is refused by the parser and by the schema alike (schema_test.cpp),
// beyond/ can only the parser tell.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/spec/parse.h"
#include "tests/support/source_file.h"

namespace ethio {
namespace {

const std::string kFolder = "tests/spec/broken/";

// File name below kFolder -> the whole message, which begins with it.
std::map<std::string, std::string> expected_messages() {
  std::map<std::string, std::string> messages;
  std::istringstream lines(read_file(kFolder + "expected.txt"));
  for (std::string line; std::getline(lines, line);)
    messages[line.substr(0, line.find(": "))] = line;
  return messages;
}

std::vector<std::string> broken_files() {
  std::vector<std::string> files;
  const std::filesystem::path folder = source_path(kFolder);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".json") {
      files.push_back(std::filesystem::relative(entry.path(), folder).string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST(Broken, HasAMessageForEveryFile) {
  std::vector<std::string> listed;
  for (const auto& entry : expected_messages()) listed.push_back(entry.first);
  EXPECT_THAT(listed, ::testing::ElementsAreArray(broken_files()));
}

class BrokenFile : public ::testing::TestWithParam<std::string> {};

TEST_P(BrokenFile, IsRefusedWithItsMessage) {
  const std::string& name = GetParam();
  const std::string expected = expected_messages()[name];
  std::string message = "accepted";
  try {
    parse_workload(read_file(kFolder + name), name);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), EINVAL);
    message = error.what();
  }
  EXPECT_EQ(message.find('\n'), std::string::npos);
  if (name.starts_with("syntax/")) {
    // What the JSON library says after the place differs between its versions.
    EXPECT_EQ(message.substr(0, expected.size()), expected) << message;
  } else {
    EXPECT_EQ(message, expected);
  }
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param.substr(0, info.param.rfind('.'));
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '/' || c == '-'; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Corpus, BrokenFile, ::testing::ValuesIn(broken_files()), test_name);

}  // namespace
}  // namespace ethio
