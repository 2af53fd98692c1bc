// What the tests of the executors share: a file that is gone when the test ends, aligned buffers, a
// loop that does one access, and a child process with fewer rights.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/exec/executor.h"

namespace ethio::testing {

// A file of `bytes` in the temporary directory, filled with words that follow from their offsets;
// unlinked at once.
class TempFile {
 public:
  explicit TempFile(uint64_t bytes);
  ~TempFile();
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;

  int fd() const { return fd_; }
  uint64_t bytes() const { return content_.size(); }
  const std::vector<std::byte>& content() const { return content_; }  // as it was filled
  int reopen(int flags) const;  // another descriptor, which the caller closes; or -errno

 private:
  int fd_ = -1;
  std::vector<std::byte> content_;
};

// `count` buffers of `bytes` each, aligned for direct I/O, in one allocation.
class Buffers {
 public:
  Buffers(uint32_t count, size_t bytes);

  std::byte* operator[](uint32_t slot) const { return memory_.get() + slot * bytes_; }
  std::span<const Buffer> list() const { return list_; }

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  const size_t bytes_;
  const std::unique_ptr<std::byte, Free> memory_;
  std::vector<Buffer> list_;
};

// Queues one access in slot 0, waits for it and returns its result.
int64_t run(Executor& executor, const Access& access, void* buffer);

// Runs `body` in a forked child and returns what it returned: "" when all was well. A child that
// dies or takes longer than a minute is an answer too.
std::string in_child(const std::function<std::string()>& body);

// In a child: no privileges that exempt from limits, and no more than `bytes` of memory locked.
// "" or why not.
std::string limit_locked_memory(uint64_t bytes);

// In a child of root: about `count` further threads can be started, no more. "" or why not.
std::string allow_few_threads(uint32_t count);

// In a child: a system call that fails with `error` from here on, where `argument` is given only
// when that argument is `value`. "" or why seccomp is not to be had.
struct Forbidden {
  int number;
  int error;
  int argument = -1;
  uint32_t value = 0;
};
std::string forbid(const Forbidden& what);

// In a child: no file can be opened for direct I/O. "" or why not.
std::string forbid_direct_io();

// In a child: io_uring_setup refuses every flag outside `known`, as an older kernel would. "" or
// why not.
std::string play_older_kernel(uint32_t known);

}  // namespace ethio::testing
