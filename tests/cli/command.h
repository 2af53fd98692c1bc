// Running build/ethio as a user does, for the end-to-end tests: in a directory of its own on the
// build folder's file system, which is removed afterwards.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "cli/process/process.h"

namespace ethio {

// Arguments of a subcommand that it must refuse, and how its one sentence on stderr begins.
struct Refusal {
  std::vector<std::string> arguments;
  int exit_code;
  std::string sentence;
};

class CommandTest : public ::testing::Test {
 protected:
  CommandTest();
  ~CommandTest() override;

  // ethio with these arguments, in directory().
  ProcessResult ethio(const std::vector<std::string>& arguments);
  ProcessResult run(const std::vector<std::string>& argv);

  const std::filesystem::path& directory() const { return directory_; }
  // A file in directory(); "" if there is none.
  std::string read(const std::string& name) const;
  void put(const std::string& name, const std::string& text) const;
  std::vector<std::string> files_in(const std::filesystem::path& folder) const;  // names, sorted

  void expect_refusals(const std::string& subcommand, const std::vector<Refusal>& refusals);

  static std::string ethio_path();
  static bool has_engine();  // whether libethio.so has been built beside it

 private:
  std::filesystem::path directory_;
};

// All of a file; "" if there is none.
std::string text_of(const std::filesystem::path& path);
// The lines of a text.
std::vector<std::string> lines_of(const std::string& text);
// A table line's cells: what stands between two or more blanks.
std::vector<std::string> cells_of(const std::string& line);

}  // namespace ethio
