// One line on stderr while a long run goes on: which phase, how much of the whole is done, how long
// it will still take, and what the disk does. On a terminal the line is rewritten in place;
// elsewhere plain lines come when a phase begins and every ten seconds.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace ethio {

class Progress {
 public:
  struct Phase {
    std::string name;
    double seconds;  // planned
  };

  explicit Progress(std::vector<Phase> phases);  // in the order in which they will run
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void begin_next();                      // the next phase starts now
  void update(const std::string& doing);  // called often; "12.3k reads/s"
  void clear();  // takes the line away so that something else can be printed

 private:
  using Clock = std::chrono::steady_clock;
  void print(const std::string& doing);

  std::vector<Phase> phases_;
  double total_seconds_ = 0;
  size_t running_ = 0;           // 1-based; 0 = not begun
  double finished_seconds_ = 0;  // planned seconds of the phases before the running one
  Clock::time_point phase_began_;
  Clock::time_point printed_;
  bool terminal_;
  bool line_is_up_ = false;
};

// "1m 20s", "45s".
std::string clock_text(double seconds);

}  // namespace ethio
