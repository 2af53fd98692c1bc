#include "tests/exec/testing.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include "common/base/error.h"
#include "common/base/hash.h"

namespace ethio::testing {
namespace {

std::string failure(const char* what) {
  return std::string(what) + ": " + errno_text(errno);
}

}  // namespace

TempFile::TempFile(uint64_t bytes) : content_(bytes) {
  std::string path = std::filesystem::temp_directory_path() / "ethio-test-XXXXXX";
  fd_ = mkostemp(path.data(), O_CLOEXEC);
  if (fd_ < 0) throw std::runtime_error(failure(path.c_str()));
  unlink(path.c_str());
  for (uint64_t at = 0; at + sizeof(uint64_t) <= bytes; at += sizeof(uint64_t)) {
    const uint64_t word = mix64(at + 1);
    std::memcpy(&content_[at], &word, sizeof word);
  }
  for (uint64_t at = 0; at < bytes;) {
    const ssize_t written = pwrite(fd_, &content_[at], bytes - at, static_cast<off_t>(at));
    if (written <= 0) throw std::runtime_error(failure("pwrite"));
    at += static_cast<uint64_t>(written);
  }
}

TempFile::~TempFile() {
  close(fd_);
}

int TempFile::reopen(int flags) const {
  const std::string path = "/proc/self/fd/" + std::to_string(fd_);
  const int fd = open(path.c_str(), flags | O_CLOEXEC);
  return fd < 0 ? -errno : fd;
}

Buffers::Buffers(uint32_t count, size_t bytes)
    : bytes_(bytes), memory_(static_cast<std::byte*>(std::aligned_alloc(4096, count * bytes))) {
  std::memset(memory_.get(), 0, count * bytes);
  for (uint32_t slot = 0; slot < count; ++slot) list_.push_back({(*this)[slot], bytes});
}

int64_t run(Executor& executor, const Access& access, void* buffer) {
  int status = executor.queue(access, buffer, 0);
  if (status == 0) status = executor.submit();
  if (status < 0) return status;
  Completion completion;
  status = executor.reap({&completion, 1}, 1, Executor::kForever);
  return status == 1 ? completion.result : status - 1000;
}

std::string in_child(const std::function<std::string()>& body) {
  int ends[2];
  if (pipe(ends) != 0) return failure("pipe");
  const pid_t child = fork();
  if (child < 0) return failure("fork");
  if (child == 0) {
    close(ends[0]);
    alarm(60);
    std::string answer;
    try {
      answer = body();
    } catch (const std::exception& error) {
      answer = std::string("exception: ") + error.what();
    }
    const bool told =
        write(ends[1], answer.data(), answer.size()) == static_cast<ssize_t>(answer.size());
    _exit(told ? 0 : 1);
  }
  close(ends[1]);
  std::string answer;
  char piece[512];
  for (ssize_t got; (got = read(ends[0], piece, sizeof piece)) > 0;) {
    answer.append(piece, static_cast<size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return std::string("killed: ") + strsignal(WTERMSIG(status));
  if (WEXITSTATUS(status) != 0 && answer.empty()) {
    return "exit status " + std::to_string(WEXITSTATUS(status));
  }
  return answer;
}

std::string limit_locked_memory(uint64_t bytes) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2]{};  // none
  if (syscall(SYS_capset, &header, data) != 0) return failure("capset");
  const rlimit locked{bytes, bytes};
  if (setrlimit(RLIMIT_MEMLOCK, &locked) != 0) return failure("setrlimit");
  return "";
}

std::string allow_few_threads(uint32_t count) {
  // The limit counts a user's threads and spares root: become a user who has none.
  constexpr uid_t kNobodyElse = 1'954'321;
  if (setresuid(kNobodyElse, kNobodyElse, kNobodyElse) != 0) return failure("setresuid");
  const rlimit threads{count + 1, count + 1};
  return setrlimit(RLIMIT_NPROC, &threads) == 0 ? "" : failure("setrlimit");
}

namespace {

// Installs `filter` on the calling thread; returns the listener's descriptor, 0 without one, or -1.
int install(std::span<sock_filter> filter, unsigned flags) {
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return static_cast<int>(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program));
}

constexpr uint32_t kNumber = offsetof(seccomp_data, nr);
constexpr uint32_t low_word(int argument) {
  return static_cast<uint32_t>(offsetof(seccomp_data, args) +
                               sizeof(uint64_t) * static_cast<size_t>(argument));
}

sock_filter load(uint32_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset);
}
sock_filter skip_unless_equal(uint32_t value, uint8_t instructions) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, instructions);
}
sock_filter answer(uint32_t what) {
  return BPF_STMT(BPF_RET | BPF_K, what);
}

// Answers each io_uring_setup of the filtered thread: EINVAL for flags that an older kernel would
// not know.
void supervise(int listener, uint32_t known) {
  for (;;) {
    seccomp_notif request{};
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &request) != 0) return;
    io_uring_params params{};
    const iovec here{&params, sizeof params};
    const iovec there{std::bit_cast<void*>(request.data.args[1]), sizeof params};
    if (process_vm_readv(static_cast<pid_t>(request.pid), &here, 1, &there, 1, 0) < 0) return;
    seccomp_notif_resp response{};
    response.id = request.id;
    if ((params.flags & ~known) != 0) {
      response.error = -EINVAL;
    } else {
      response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    }
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
  }
}

}  // namespace

std::string forbid(const Forbidden& what) {
  const uint32_t refuse = SECCOMP_RET_ERRNO | static_cast<uint32_t>(what.error);
  std::vector<sock_filter> filter;
  const bool any = what.argument < 0;
  filter.push_back(load(kNumber));
  filter.push_back(skip_unless_equal(static_cast<uint32_t>(what.number), any ? 1 : 3));
  if (!any) {
    filter.push_back(load(low_word(what.argument)));
    filter.push_back(skip_unless_equal(what.value, 1));
  }
  filter.push_back(answer(refuse));
  filter.push_back(answer(SECCOMP_RET_ALLOW));
  return install(filter, 0) < 0 ? failure("seccomp") : "";
}

std::string forbid_direct_io() {
  sock_filter filter[] = {
      load(kNumber),
      skip_unless_equal(SYS_openat, 3),
      load(low_word(2)),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_DIRECT, 0, 1),
      answer(SECCOMP_RET_ERRNO | EINVAL),
      answer(SECCOMP_RET_ALLOW),
  };
  return install(filter, 0) < 0 ? failure("seccomp") : "";
}

std::string play_older_kernel(uint32_t known) {
  // The supervisor starts first, so that the filter is not on it.
  static int listener = -1;
  int ready[2];
  if (pipe(ready) != 0) return failure("pipe");
  std::thread([from = ready[0], known] {
    char go = 0;
    if (read(from, &go, 1) == 1) supervise(listener, known);
  }).detach();
  sock_filter filter[] = {load(kNumber), skip_unless_equal(__NR_io_uring_setup, 1),
                          answer(SECCOMP_RET_USER_NOTIF), answer(SECCOMP_RET_ALLOW)};
  listener = install(filter, SECCOMP_FILTER_FLAG_NEW_LISTENER);
  if (listener < 0) return failure("seccomp with a listener");
  return write(ready[1], "g", 1) == 1 ? "" : failure("write");
}

}  // namespace ethio::testing
