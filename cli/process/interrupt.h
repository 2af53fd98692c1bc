// SIGINT, SIGTERM, SIGHUP and SIGQUIT as something to wait for instead of something that kills, so
// that `ethio check` always removes what it made. While an Interrupt lives the signals are blocked
// and SIGPIPE is ignored; children get the original dispositions back
// (Interrupt::restore_in_child).
#pragma once

#include <signal.h>

#include "common/base/error.h"

namespace ethio {

// The user or the system asked to stop; unwinds to where the files are removed.
class Interrupted : public Error {
 public:
  explicit Interrupted(int signal);
  int signal() const { return signal_; }
  int exit_code() const {
    return 128 + signal_;
  }  // what a shell reports for a command that a signal ended

 private:
  int signal_;
};

class Interrupt {
 public:
  Interrupt();  // throws Error
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  int fd() const { return fd_; }  // readable when a signal has come
  void check();                   // throws Interrupted when a signal has come
  void restore_in_child() const;  // between fork and exec: only async-signal-safe calls

 private:
  int fd_ = -1;
  int seen_ = 0;
  sigset_t original_mask_;
  struct sigaction original_pipe_;
};

}  // namespace ethio
