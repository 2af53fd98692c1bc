#include "common/report/markup.h"

#include <fmt/format.h>

namespace ethio {

std::string escape_xml(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default: {
        const bool control = static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
        escaped += control ? std::string("\xEF\xBF\xBD") : std::string(1, c);
      }
    }
  }
  return escaped;
}

std::string escape_markdown(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '|':
        escaped += "\\|";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      case '\n':
        escaped += ' ';
        break;
      case '*':
      case '_':
      case '`':
      case '\\':
        escaped += fmt::format("\\{}", c);
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string document_mark(std::string_view kind) {
  return fmt::format("<!-- ethio-{} -->", kind);
}

}  // namespace ethio
