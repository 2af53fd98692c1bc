// The elements that the HTML report is put together from: everything that is text is escaped here.
// Internal to html.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ethio::report {

std::string element(const char* name, std::string_view text, std::string_view style_class = "");

// A chart with its caption; "" without a chart.
std::string figure(const std::string& chart, std::string_view caption);
std::string figure_with_markup(const std::string& chart, std::string_view caption_markup);

class Table {
 public:
  struct Column {
    std::string heading;
    bool is_number = false;
  };
  explicit Table(const std::vector<Column>& columns);
  void begin_row();
  void name(std::string_view cell);
  void number(std::string_view cell);
  void words(std::string_view cell);
  void badge(const std::string& grade);
  void end_row();
  bool empty() const { return rows_ == 0; }
  std::string finish() &&;

 private:
  std::string text_;
  size_t rows_ = 0;
};

}  // namespace ethio::report
