// The stock fio profiles (workloads/stock/*.fio), compiled in: published commands with their exact
// options and their sources. Feeds `ethio check`, which runs them beside the ethio workloads with
// as few changes as it says.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/embedded.h"

namespace ethio {

namespace stock {
std::span<const EmbeddedFile> files();  // workloads/stock/*.fio
}  // namespace stock

struct FioOption {
  std::string name;
  std::string value;  // "" for a switch such as time_based
};

struct FioProfile {
  std::string name;                  // file name without .fio
  std::string summary;               // its "# summary:" line
  std::vector<std::string> sources;  // its "# source:" lines
  std::string job;                   // the name of its one job
  std::vector<FioOption> options;    // in the order of the file

  // The value of an option; nullptr when it is not set.
  const std::string* option(std::string_view option_name) const;
  // As arguments for fio: --name=JOB first, then every option, those in `changes` with their new
  // value and the new ones of `changes` at the end.
  std::vector<std::string> arguments(std::span<const FioOption> changes) const;
};

// `origin` is how messages call the text. One job a profile; throws Error for anything else.
FioProfile parse_profile(std::string_view text, std::string_view origin);

// A built-in one by name; throws Error with the known names.
FioProfile load_profile(std::string_view name);

}  // namespace ethio
