// Reading what the user names: a file, or standard input for "-". The counterpart of output_file.h
// for the subcommands that take results.
#pragma once

#include <string>

namespace ethio {

// The whole text. Throws Error for what cannot be read, a directory, or more than 256 MiB, which no
// result is.
std::string read_input(const std::string& path);

// "standard input" for "-", else the path itself: how messages call it.
std::string input_name(const std::string& path);

}  // namespace ethio
