// What the writers of Markdown, XML and HTML share: escaping, and the mark by which ethio knows a
// document of its own again (output_file.h replaces only such files).
#pragma once

#include <string>
#include <string_view>

namespace ethio {

// &, <, >, " and ' as entities; characters that XML 1.0 cannot hold become U+FFFD.
std::string escape_xml(std::string_view text);

// Text as the cell of a Markdown table: no bar, no line break, no HTML.
std::string escape_markdown(std::string_view text);

// "<!-- ethio-compare -->" for "compare"; stands in the first lines of a document that is not JSON.
std::string document_mark(std::string_view kind);

}  // namespace ethio
