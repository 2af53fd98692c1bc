#include "cli/fio/programs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "cli/process/process.h"
#include "common/base/error.h"

namespace ethio {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool is_program(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

std::string find_on_path(const std::string& name) {
  std::string path = environment("PATH");
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find(':', begin), path.size());
    const fs::path candidate = fs::path(path.substr(begin, end - begin)) / name;
    if (is_program(candidate)) return fs::absolute(candidate);
    begin = end + 1;
  }
  throw Error(ENOENT, fmt::format("{} is not on PATH; install it (apt install fio) or say where in "
                                  "ETHIO_FIO",
                                  name));
}

std::string find_fio_program() {
  const std::string chosen = environment("ETHIO_FIO");
  if (chosen.empty()) return find_on_path("fio");
  if (!is_program(chosen)) {
    throw Error(ENOENT, fmt::format("ETHIO_FIO: {} is not a program that can be run", chosen));
  }
  return fs::absolute(chosen);
}

std::string find_engine() {
  const std::string chosen = environment("ETHIO_ENGINE");
  if (!chosen.empty()) {
    if (fs::is_regular_file(chosen)) return fs::absolute(chosen);
    throw Error(ENOENT, fmt::format("ETHIO_ENGINE: {} is not a file", chosen));
  }
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  const fs::path installed = (here / ETHIO_ENGINE_FROM_BINDIR).lexically_normal();
  for (const fs::path& folder : {here, installed}) {
    if (fs::is_regular_file(folder / "libethio.so")) return folder / "libethio.so";
  }
  throw Error(ENOENT,
              fmt::format("libethio.so, the fio engine, is neither in {} nor in {}; build it or "
                          "say where in ETHIO_ENGINE",
                          here.string(), installed.string()));
}

std::string version_of(const std::string& fio, Interrupt& interrupt) {
  const ProcessResult result =
      run_process({{fio, "--version"}, "", {}, std::chrono::seconds(20)}, interrupt);
  std::string line = result.out.substr(0, result.out.find('\n'));
  if (result.exit_code != 0 || line.rfind("fio-", 0) != 0) {
    throw Error(ENOEXEC, fmt::format("{}: it does not answer --version as fio does", fio));
  }
  return line;
}

}  // namespace

FioPrograms find_fio(Interrupt& interrupt) {
  FioPrograms programs;
  programs.fio = find_fio_program();
  programs.fio_version = version_of(programs.fio, interrupt);
  programs.engine = find_engine();
  return programs;
}

}  // namespace ethio
