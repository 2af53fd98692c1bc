#include "common/report/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "common/base/error.h"

namespace ethio {
namespace {

constexpr size_t kMostBytes = size_t{256} << 20;

class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : owned_(path != "-"), fd_(owned_ ? open(path.c_str(), O_RDONLY | O_CLOEXEC) : STDIN_FILENO) {
    if (fd_ < 0) throw Error(errno, fmt::format("{}: {}", path, errno_text(errno)));
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (owned_) close(fd_);
  }
  int fd() const { return fd_; }

 private:
  bool owned_;
  int fd_;
};

}  // namespace

std::string input_name(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

std::string read_input(const std::string& path) {
  const Descriptor descriptor(path);
  std::string text;
  std::array<char, 65536> piece;
  for (;;) {
    const ssize_t got = read(descriptor.fd(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw Error(errno, fmt::format("{}: {}", input_name(path), errno_text(errno)));
    if (got == 0) return text;
    text.append(piece.data(), static_cast<size_t>(got));
    if (text.size() > kMostBytes) {
      throw Error(EFBIG, fmt::format("{}: is larger than 256 MiB; no result is", input_name(path)));
    }
  }
}

}  // namespace ethio
