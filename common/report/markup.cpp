#include "common/report/markup.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace ethio {
namespace {

struct Escape {
  char of;
  std::string_view by;
};

constexpr Escape kXml[] = {
    {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
constexpr Escape kMarkdown[] = {{'|', "\\|"},   {'<', "&lt;"}, {'>', "&gt;"},
                                {'&', "&amp;"}, {'\n', " "},   {'*', "\\*"},
                                {'_', "\\_"},   {'`', "\\`"},  {'\\', "\\\\"}};

std::string escape(std::string_view text, std::span<const Escape> escapes) {
  std::string escaped;
  for (const char c : text) {
    const auto found =
        std::find_if(escapes.begin(), escapes.end(), [c](const Escape& e) { return e.of == c; });
    if (found == escapes.end()) {
      escaped += c;
    } else {
      escaped += found->by;
    }
  }
  return escaped;
}

// Neither XML nor HTML can hold these, escaped or not.
bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
}

}  // namespace

std::string escape_xml(std::string_view text) {
  std::string printable;
  for (const char c : text) {
    if (is_control(c)) {
      printable += "\xEF\xBF\xBD";
    } else {
      printable += c;
    }
  }
  return escape(printable, kXml);
}

std::string escape_markdown(std::string_view text) {
  return escape(text, kMarkdown);
}

std::string document_mark(std::string_view kind) {
  return fmt::format("<!-- ethio-{} -->", kind);
}

}  // namespace ethio
