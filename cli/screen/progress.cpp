#include "cli/screen/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ethio {

Progress::Progress(std::vector<Phase> phases)
    : phases_(std::move(phases)), terminal_(isatty(STDERR_FILENO) == 1) {
  for (const Phase& phase : phases_) total_seconds_ += phase.seconds;
}

Progress::~Progress() {
  clear();
}

void Progress::begin_next() {
  if (running_ > 0) finished_seconds_ += phases_[running_ - 1].seconds;
  ++running_;
  phase_began_ = Clock::now();
  print("");
}

void Progress::update(const std::string& doing) {
  const auto pause = terminal_ ? std::chrono::milliseconds(500) : std::chrono::milliseconds(10'000);
  if (Clock::now() - printed_ >= pause) print(doing);
}

void Progress::print(const std::string& doing) {
  printed_ = Clock::now();
  const Phase& phase = phases_[running_ - 1];
  const double in_phase = std::chrono::duration<double>(printed_ - phase_began_).count();
  const double done = finished_seconds_ + std::min(in_phase, phase.seconds);
  const double share = total_seconds_ > 0 ? done / total_seconds_ : 1;
  const std::string line =
      fmt::format("[{}/{}] {:<16} {:3.0f} %  {} left{}{}", running_, phases_.size(), phase.name,
                  100 * share, clock_text(total_seconds_ - done), doing.empty() ? "" : "  ", doing);
  if (terminal_) {
    fmt::print(stderr, "\r\033[K{}", line);
    std::fflush(stderr);
    line_is_up_ = true;
  } else {
    fmt::print(stderr, "{}\n", line);
  }
}

void Progress::clear() {
  if (!line_is_up_) return;
  std::fputs("\r\033[K", stderr);  // not fmt, which would throw where stderr cannot be written to
  std::fflush(stderr);
  line_is_up_ = false;
}

std::string clock_text(double seconds) {
  const long whole = std::lround(std::max(0.0, seconds));
  return whole < 60 ? fmt::format("{}s", whole) : fmt::format("{}m {:02}s", whole / 60, whole % 60);
}

}  // namespace ethio
