#include "common/spec/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>

#include "common/base/embedded.h"
#include "common/base/error.h"
#include "common/base/text.h"
#include "common/spec/parse.h"

namespace ethio {
namespace {

constexpr std::string_view kSuffix = ".json";
constexpr size_t kLargestFile = 1 << 20;  // a definition has a few KB

bool is_workload(const EmbeddedFile& file) {
  return file.name.ends_with(kSuffix) && file.name.find('/') == std::string_view::npos;
}

std::string_view stem_of(const EmbeddedFile& file) {
  return file.name.substr(0, file.name.size() - kSuffix.size());
}

[[noreturn]] void refuse(int code, const std::string& path, std::string_view why) {
  throw Error(code, fmt::format("definition {} {}", in_quotes(path), why));
}

std::string read_file(const std::string& path) {
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "rbe"), std::fclose);
  if (file == nullptr) {
    const int code = errno;
    refuse(code, path, fmt::format("cannot be opened: {}", errno_text(code)));
  }
  std::string text(kLargestFile + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  if (std::ferror(file.get()) != 0) {
    const int code = errno;
    refuse(code, path, fmt::format("cannot be read: {}", errno_text(code)));
  }
  if (text.size() > kLargestFile)
    refuse(EFBIG, path, "is larger than 1 MiB, which no definition needs");
  return text;
}

}  // namespace

std::vector<std::string> workload_names() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : workloads::files()) {
    if (is_workload(file)) names.emplace_back(stem_of(file));
  }
  std::sort(names.begin(), names.end());
  return names;
}

WorkloadSpec load_workload(std::string_view name) {
  const std::string known = joined(workload_names());
  if (name.empty()) {
    throw Error(EINVAL,
                fmt::format("workload: none given; known: {}, or the path of a .json file", known));
  }
  if (name.find('/') != std::string_view::npos || name.ends_with(kSuffix)) {
    const std::string path(name);
    return parse_workload(read_file(path), path);
  }
  for (const EmbeddedFile& file : workloads::files()) {
    if (is_workload(file) && stem_of(file) == name) {
      return parse_workload(file.text, fmt::format("built-in {}", name));
    }
  }
  throw Error(ENOENT,
              fmt::format("workload: {} is not known; known: {}, or the path of a .json file",
                          in_quotes(name), known));
}

}  // namespace ethio
