// Writing a result where the user asked for it: whole or not at all, and never over a file of his
// own. Used by every front door that takes the name of an output file.
#pragma once

#include <string>
#include <string_view>

namespace ethio {

// Writes `text` to `path` through a temporary file beside it. `text` is a JSON document whose first
// member is "schema": "ethio-...", or one that carries document_mark() (markup.h) in its first
// lines. The path must be new, an empty file, or hold such a document; else throws Error(EEXIST).
void write_output_file(const std::string& path, std::string_view text);

// The same for a file that must not exist yet, whatever it holds. Throws Error(EEXIST) if it does.
void write_new_file(const std::string& path, std::string_view text);

// The check alone, for front doors that want to fail before they measure. Throws like
// write_output_file when the path cannot be taken or its folder does not exist or cannot be written
// to.
void check_output_file(const std::string& path);

// Whether a text begins as every JSON document that ethio writes.
bool is_ethio_document(std::string_view text);

// The schema that such a document names, "ethio-result"; "" for another text.
std::string schema_of(std::string_view text);

}  // namespace ethio
