// Runs the real fio with the engine loaded, in a folder of its own.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/process.h"

namespace ethio {

class FioTest : public ::testing::Test {
 protected:
  // fio --ioengine=external:ENGINE --name=t --filename=target --size=64m --rw=randrw, then `more`,
  // in folder().
  testing::ProcessResult fio(const std::vector<std::string>& more);
  // The same with --output-format=json; the report, which must be valid JSON. Fails the test if fio
  // does.
  nlohmann::json fio_report(std::vector<std::string> more);
  testing::ProcessResult run(const std::vector<std::string>& argv,
                             testing::ProcessOptions options = {});

  const testing::TempDir& folder() const { return folder_; }
  static std::string engine() { return ETHIO_ENGINE; }
  nlohmann::json json_file(const std::string& name) const;

 private:
  testing::TempDir folder_;
};

// The lines that the engine itself wrote.
std::vector<std::string> ethio_lines(const std::string& text);

}  // namespace ethio
