#include "cli/check/node_lock.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace ethio {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 5;
constexpr const char* kLockFiles[] = {"LOCK", "mdbx.lck", "lock", "lock.mdb"};

// Files that any process has locked, as /proc/locks names them: "MAJOR:MINOR:INODE", the numbers of
// the device in hexadecimal.
std::set<std::string> locked_files() {
  std::set<std::string> files;
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    // "1: POSIX  ADVISORY  WRITE 1234 103:02:5678 0 EOF"
    std::istringstream words(line);
    std::string number, kind, advisory, mode, process, file;
    if (words >> number >> kind >> advisory >> mode >> process >> file) files.insert(file);
  }
  return files;
}

std::string lock_name(const struct stat& info) {
  return fmt::format("{:02x}:{:02x}:{}", major(info.st_dev), minor(info.st_dev), info.st_ino);
}

bool is_lock_file(const fs::path& path) {
  const std::string name = path.filename();
  return std::find(std::begin(kLockFiles), std::end(kLockFiles), name) != std::end(kLockFiles);
}

}  // namespace

std::optional<std::string> held_lock_below(const std::string& directory) {
  const std::set<std::string> locked = locked_files();
  if (locked.empty()) return std::nullopt;
  std::error_code error;
  fs::recursive_directory_iterator walk(directory, fs::directory_options::skip_permission_denied,
                                        error);
  for (; !error && walk != fs::end(walk); walk.increment(error)) {
    if (walk.depth() >= kDeepest) walk.disable_recursion_pending();
    struct stat info;
    if (!is_lock_file(walk->path()) || lstat(walk->path().c_str(), &info) != 0) continue;
    if (locked.contains(lock_name(info))) return walk->path().string();
  }
  return std::nullopt;
}

}  // namespace ethio
