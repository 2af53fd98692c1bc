// io_uring_enter(2) itself, for the uring executor. In line where the compiler can: in profiles the
// time behind a system call stands at the returns that follow it, and the C library's wrapper is
// one more.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace ethio {

// What the kernel took of `submit` entries, or -errno.
inline long ring_enter(int ring, unsigned submit, unsigned wait_for, unsigned flags,
                       const void* argument, size_t argument_bytes) noexcept {
#ifdef __x86_64__
  long answer = __NR_io_uring_enter;
  register long fourth asm("r10") = flags;
  register const void* fifth asm("r8") = argument;
  register size_t sixth asm("r9") = argument_bytes;
  asm volatile("syscall"
               : "+a"(answer)
               : "D"(static_cast<long>(ring)), "S"(static_cast<long>(submit)),
                 "d"(static_cast<long>(wait_for)), "r"(fourth), "r"(fifth), "r"(sixth)
               : "rcx", "r11", "memory");
  return answer;
#else
  const long answer =
      syscall(__NR_io_uring_enter, ring, submit, wait_for, flags, argument, argument_bytes);
  return answer < 0 ? -errno : answer;
#endif
}

}  // namespace ethio
