#include "cli/process/interrupt.h"

#include <fmt/format.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>

namespace ethio {
namespace {

sigset_t stopping_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&set, signal);
  return set;
}

}  // namespace

Interrupted::Interrupted(int signal)
    : Error(EINTR, fmt::format("stopped by SIG{}", sigabbrev_np(signal))), signal_(signal) {}

Interrupt::Interrupt() {
  const sigset_t stopping = stopping_signals();
  fd_ = signalfd(-1, &stopping, SFD_CLOEXEC | SFD_NONBLOCK);
  if (fd_ < 0) throw Error(errno, "signals: signalfd failed: " + errno_text(errno));
  sigprocmask(SIG_BLOCK, &stopping, &original_mask_);
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &original_pipe_);
}

Interrupt::~Interrupt() {
  // A second Ctrl-C during the clean-up has done its work: it must not kill us now that the mask is
  // lifted.
  signalfd_siginfo info;
  while (read(fd_, &info, sizeof(info)) == sizeof(info)) {
  }
  close(fd_);
  sigaction(SIGPIPE, &original_pipe_, nullptr);
  sigprocmask(SIG_SETMASK, &original_mask_, nullptr);
}

void Interrupt::check() {
  signalfd_siginfo info;
  if (seen_ == 0 && read(fd_, &info, sizeof(info)) == sizeof(info)) {
    seen_ = static_cast<int>(info.ssi_signo);
  }
  if (seen_ != 0) throw Interrupted(seen_);
}

void Interrupt::restore_in_child() const {
  sigaction(SIGPIPE, &original_pipe_, nullptr);
  sigprocmask(SIG_SETMASK, &original_mask_, nullptr);
}

}  // namespace ethio
