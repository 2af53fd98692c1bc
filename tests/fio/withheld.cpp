// withheld WHAT PROGRAM ARGUMENT...: runs a program on a machine that lacks something. WHAT is
// io_uring (forbidden by a filter), memlock (no memory may be locked), direct (no O_DIRECT) or
// blocks (each pread of 4 KiB is an I/O error). Exits with 77 where this machine cannot play that.
#include <linux/securebits.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "tests/exec/testing.h"

namespace {

// Root's programs would get their privileges back, and with them the right to lock memory.
std::string limit_for_good() {
  if (geteuid() == 0 && prctl(PR_SET_SECUREBITS, SECBIT_NOROOT) != 0) return std::strerror(errno);
  return ethio::testing::limit_locked_memory(0);
}

std::string withhold(std::string_view what) {
  if (what == "io_uring") return ethio::testing::forbid({__NR_io_uring_setup, EPERM});
  if (what == "memlock") return limit_for_good();
  if (what == "blocks") return ethio::testing::forbid({__NR_pread64, EIO, 2, 4096});
  if (what == "direct") return ethio::testing::forbid_direct_io();
  return "nothing known by that name";
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kSkip = 77;
  if (argc < 3) return kSkip;
  const std::string problem = withhold(argv[1]);
  if (!problem.empty()) {
    std::fprintf(stderr, "%s: %s\n", argv[1], problem.c_str());
    return kSkip;
  }
  execvp(argv[2], argv + 2);
  std::fprintf(stderr, "%s: %s\n", argv[2], std::strerror(errno));
  return kSkip;
}
