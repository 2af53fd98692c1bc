// A table for the terminal: columns as wide as their widest cell, two blanks between them, the
// first column to the left and the others to the right. No cell holds two blanks in a row, so a
// script can split lines at two or more.
#pragma once

#include <string>
#include <vector>

namespace ethio {

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header) { rows_.push_back(std::move(header)); }
  void add_row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  void add_heading(std::string text) { rows_.push_back({std::move(text)}); }  // spans the line
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace ethio
