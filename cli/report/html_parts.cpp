#include "cli/report/html_parts.h"

#include <fmt/format.h>

#include "cli/report/words.h"
#include "common/report/markup.h"

namespace ethio::report {
namespace {

constexpr size_t kShort = 24;  // a cell of one line, however narrow the page

}  // namespace

std::string element(const char* name, std::string_view text, std::string_view style_class) {
  const std::string attribute =
      style_class.empty() ? "" : fmt::format(" class=\"{}\"", style_class);
  return fmt::format("<{0}{1}>{2}</{0}>\n", name, attribute, escape_xml(text));
}

std::string figure(const std::string& chart, std::string_view caption) {
  return figure_with_markup(chart, escape_xml(caption));
}

std::string figure_with_markup(const std::string& chart, std::string_view caption_markup) {
  if (chart.empty()) return "";
  return fmt::format("<figure><div class=\"scroll\">{}</div><figcaption>{}</figcaption></figure>\n",
                     chart, caption_markup);
}

Table::Table(const std::vector<Column>& columns)
    : text_("<div class=\"scroll\"><table><thead><tr>") {
  for (const Column& column : columns) {
    text_ += fmt::format("<th{}>{}</th>", column.is_number ? " class=\"number\"" : "",
                         escape_xml(column.heading));
  }
  text_ += "</tr></thead><tbody>\n";
}

void Table::begin_row() {
  text_ += "<tr>";
}

void Table::name(std::string_view cell) {
  text_ += fmt::format("<th scope=\"row\"{}>{}</th>",
                       cell.size() <= kShort ? " class=\"short\"" : "", escape_xml(cell));
}

void Table::number(std::string_view cell) {
  text_ += fmt::format("<td class=\"number\">{}</td>", escape_xml(cell));
}

void Table::words(std::string_view cell) {
  text_ += fmt::format("<td{}>{}</td>", cell.size() > kShort ? " class=\"prose\"" : "",
                       escape_xml(cell));
}

void Table::badge(const std::string& grade) {
  text_ += fmt::format("<td><span class=\"badge {}\">{} {}</span></td>", class_of(grade),
                       symbol_of(grade), escape_xml(grade));
}

void Table::end_row() {
  text_ += "</tr>\n";
  ++rows_;
}

std::string Table::finish() && {
  return std::move(text_) + "</tbody></table></div>\n";
}

}  // namespace ethio::report
