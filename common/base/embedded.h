// A data file compiled into the binary (cmake/EthioEmbed.cmake): its path below workloads/ and its
// text.
#pragma once

#include <span>
#include <string_view>

namespace ethio {

struct EmbeddedFile {
  std::string_view name;
  std::string_view text;
};

namespace workloads {
std::span<const EmbeddedFile> files();  // workloads/*.json, workloads/state/*.json
}  // namespace workloads

}  // namespace ethio
