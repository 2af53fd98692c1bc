// Where the reports' tests find their data, and how they read it.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace ethio {

inline std::string data_path(const std::string& name) {
  return ETHIO_TEST_DATA "/" + name;
}

inline std::string data_file(const std::string& name) {
  std::ifstream file(data_path(name), std::ios::binary);
  EXPECT_TRUE(file) << data_path(name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace ethio
