// Files of the source tree, for tests that compare with what is published there.
#pragma once

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace ethio {

// ETHIO_SOURCE_DIR is defined by tests/CMakeLists.txt.
inline std::string source_path(const std::string& path) {
  return ETHIO_SOURCE_DIR "/" + path;
}

inline std::string read_file(const std::string& path) {
  std::ifstream file(source_path(path), std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + source_path(path));
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace ethio
