#include "common/report/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <initializer_list>

#include "common/base/error.h"

namespace ethio {
namespace {

[[noreturn]] void fail(const std::string& path, int code) {
  throw Error(code, fmt::format("{}: {}", path, errno_text(code)));
}

// Closes, and removes the file unless it has been kept.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& beside)
      : path_(fmt::format("{}.{}.tmp", beside, getpid())) {
    fd_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd_ < 0) fail(path_, errno);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (fd_ >= 0) close(fd_);
    if (!path_.empty()) unlink(path_.c_str());
  }

  void write_all(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = write(fd_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail(path_, errno);
      text.remove_prefix(static_cast<size_t>(written));
    }
  }

  // Under its final name. `replace` says whether something may be there already.
  void keep_as(const std::string& path, bool replace) {
    const int fd = fd_;
    fd_ = -1;
    if (close(fd) != 0) fail(path_, errno);
    if (!replace &&
        renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0) {
      path_.clear();
      return;
    }
    // A file system without RENAME_NOREPLACE says EINVAL; the check just made has to do.
    if (!replace && errno != EINVAL && errno != ENOSYS) fail(path, errno);
    if (rename(path_.c_str(), path.c_str()) != 0) fail(path, errno);
    path_.clear();
  }

 private:
  std::string path_;
  int fd_ = -1;
};

std::string beginning_of(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail(path, errno);
  std::array<char, 256> text{};
  const ssize_t got = read(fd, text.data(), text.size());
  const int code = errno;
  close(fd);
  if (got < 0) fail(path, code);
  return {text.data(), static_cast<size_t>(got)};
}

// Whether the text begins so, whatever white space stands between.
bool begins_with_tokens(std::string_view text, std::initializer_list<std::string_view> tokens) {
  for (const std::string_view token : tokens) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (!text.starts_with(token)) return false;
    text.remove_prefix(token.size());
  }
  return true;
}

// The array for github-action-benchmark has no place for a schema; its names begin alike.
bool is_action_array(std::string_view text) {
  return begins_with_tokens(text, {"[", "{", "\"name\"", ":", "\"ethio/"});
}

// Markdown, XML and HTML carry a comment at their top, after at most a prologue.
bool is_marked(std::string_view text) {
  const size_t mark = text.find("<!-- ethio-");
  return mark == 0 || (mark != std::string_view::npos && text.starts_with("<?xml ")) ||
         (mark != std::string_view::npos && text.starts_with("<!DOCTYPE html>\n<!-- "));
}

// Whether something of ethio's is there already; throws when something of somebody else's is.
bool may_replace(const std::string& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0) {
    if (errno == ENOENT) return false;
    fail(path, errno);
  }
  if (!S_ISREG(status.st_mode)) {
    throw Error(EEXIST, fmt::format("{} is not a regular file; give the path of a new file", path));
  }
  const std::string beginning = status.st_size == 0 ? "" : beginning_of(path);
  if (!beginning.empty() && !is_ethio_document(beginning) && !is_marked(beginning) &&
      !is_action_array(beginning)) {
    throw Error(EEXIST,
                fmt::format("{} exists and was not written by ethio; give a new path", path));
  }
  return true;
}

void require_name(const std::string& path) {
  if (path.empty())
    throw Error(EINVAL, "the name of the output file is empty; give the path of a new file");
}

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

bool is_ethio_document(std::string_view text) {
  return begins_with_tokens(text, {"{", "\"schema\"", ":", "\"ethio-"});
}

std::string schema_of(std::string_view text) {
  if (!is_ethio_document(text)) return "";
  const size_t begin = text.find("\"ethio-") + 1;
  return std::string(text.substr(begin, text.find('"', begin) - begin));
}

void check_output_file(const std::string& path) {
  require_name(path);
  may_replace(path);
  const std::string folder = folder_of(path);
  if (access(folder.c_str(), W_OK | X_OK) != 0) fail(folder, errno);
}

void write_output_file(const std::string& path, std::string_view text) {
  require_name(path);
  const bool replace = may_replace(path);
  TemporaryFile temporary(path);
  temporary.write_all(text);
  temporary.keep_as(path, replace);
}

void write_new_file(const std::string& path, std::string_view text) {
  require_name(path);
  struct stat status {};
  if (lstat(path.c_str(), &status) == 0) {
    throw Error(EEXIST, fmt::format("{} exists; give the path of a new file", path));
  }
  TemporaryFile temporary(path);
  temporary.write_all(text);
  temporary.keep_as(path, false);
}

}  // namespace ethio
