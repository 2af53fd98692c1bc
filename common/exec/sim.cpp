// The sim executor: a deterministic drive on a virtual clock. Equal calls give equal completions,
// times and order, to the bit and on every machine: all is integer arithmetic on a seed. The clock
// moves only while the harness waits in reap or idle_until, so a loop that polls with min = 0
// must idle in between.
//
// The model. A read is served by the die that its address falls on, for a time drawn from the
// drive's latency distribution, then crosses the link; reads of one die queue. A write goes to the
// write cache, which drains at a steady rate; when it is full, a write ends as soon as enough has
// drained. While the cache drains, the dies have only a part of their time for reads, which take
// that much longer; how long it drains is what was known when the read began. A sync is a flush: it
// begins when the writes before it have ended, one at a time. No bytes are moved.
#include <algorithm>
#include <bit>
#include <cerrno>
#include <vector>

#include "common/base/error.h"
#include "common/base/hash.h"
#include "common/exec/registry.h"

namespace ethio {
namespace {

// Service times as a piecewise-linear inverse distribution function. The shape is assumed: a steep
// body around the median and a tail that reaches read_tail_ns at 99.9 % and goes on to 1.5 times
// the way.
class LatencyCurve {
 public:
  LatencyCurve(uint64_t median_ns, uint64_t tail_ns) {
    const uint64_t stretch = tail_ns - median_ns;
    const uint64_t knots[kPieces + 1][2] = {
        // per mille of reads, nanoseconds
        {0, median_ns - median_ns / 5},      {500, median_ns}, {900, median_ns + stretch / 10},
        {990, median_ns + stretch * 3 / 10}, {999, tail_ns},   {1000, tail_ns + stretch / 2},
    };
    for (uint32_t i = 0; i < kPieces; ++i) {
      const uint64_t width = knots[i + 1][0] - knots[i][0];
      pieces_[i] = {knots[i][0] * kPerMille, knots[i][1],
                    (knots[i + 1][1] - knots[i][1]) * 1000 / width};
    }
  }

  // The service time for a uniform random word.
  uint64_t operator()(uint64_t uniform) const noexcept {
    uint32_t i = kPieces - 1;
    while (uniform < pieces_[i].from) --i;
    return pieces_[i].base_ns + mul_high(uniform - pieces_[i].from, pieces_[i].slope);
  }

 private:
  static constexpr uint32_t kPieces = 5;
  static constexpr uint64_t kPerMille = ~uint64_t{0} / 1000;
  struct Piece {
    uint64_t from;     // of the uniform word
    uint64_t base_ns;  // at `from`
    uint64_t slope;    // nanoseconds the whole 64-bit range would add
  };
  Piece pieces_[kPieces];
};

// Bytes to nanoseconds at a fixed rate, without a division.
class Rate {
 public:
  explicit Rate(uint64_t bytes_per_s)
      : ns_per_byte_(static_cast<uint64_t>(
            (static_cast<unsigned __int128>(1'000'000'000) << kFraction) / bytes_per_s)) {}
  uint64_t ns(uint64_t bytes) const noexcept {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(bytes) * ns_per_byte_) >>
                                 kFraction);
  }

 private:
  static constexpr int kFraction = 32;
  uint64_t ns_per_byte_;
};

// Reads beside a drain: how far a share of the die's time gets them. Fixed point, without a
// division.
class SharedTime {
 public:
  explicit SharedTime(uint32_t drain_percent)
      : slower_((uint64_t{100} << kFraction) / (100 - drain_percent)),
        progress_((uint64_t{100 - drain_percent} << kFraction) / 100) {}

  // How long a service of `service_ns` takes when the cache drains for another `drain_ns`.
  uint64_t ns(uint64_t service_ns, uint64_t drain_ns) const noexcept {
    const uint64_t shared_ns = times(service_ns, slower_);
    return shared_ns <= drain_ns ? shared_ns : drain_ns + service_ns - times(drain_ns, progress_);
  }

 private:
  static uint64_t times(uint64_t ns, uint64_t factor) {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(ns) * factor) >> kFraction);
  }

  static constexpr int kFraction = 32;
  uint64_t slower_;
  uint64_t progress_;
};

struct Event {
  uint64_t at_ns;
  uint64_t number;  // of the access: ties end in the order in which they began
  Completion completion;
};
bool later(const Event& a, const Event& b) {
  return a.at_ns != b.at_ns ? a.at_ns > b.at_ns : a.number > b.number;
}

void check(const SimDrive& drive) {
  const auto refuse = [](const char* what) { throw Error(EINVAL, what); };
  if (!std::has_single_bit(drive.parallel_units)) refuse("parallel_units must be a power of two");
  if (drive.read_tail_ns < drive.read_median_ns) refuse("read_tail_ns is below read_median_ns");
  if (drive.link_bytes_per_s == 0) refuse("link_bytes_per_s must be above 0");
  if (drive.drain_bytes_per_s == 0) refuse("drain_bytes_per_s must be above 0");
  if (drive.drain_percent >= 100) refuse("drain_percent must be below 100");
}

class SimExecutor final : public Executor {
 public:
  explicit SimExecutor(const ExecutorConfig& config)
      : depth_(config.depth),
        drive_(config.sim),
        read_time_(drive_.read_median_ns, drive_.read_tail_ns),
        link_(drive_.link_bytes_per_s),
        drain_(drive_.drain_bytes_per_s),
        shared_time_(drive_.drain_percent),
        cache_ns_(drain_.ns(drive_.cache_bytes)),
        die_free_(drive_.parallel_units) {
    queued_.reserve(depth_);
    events_.reserve(depth_);
  }

  int queue(const Access& access, void*, uint32_t slot) noexcept override {
    if (queued_.size() + events_.size() == depth_) return -EAGAIN;
    queued_.push_back({access, slot});
    return 0;
  }

  int submit() noexcept override {
    for (const auto& [access, slot] : queued_) {
      const int64_t moved = access.kind == AccessKind::kSync ? 0 : access.length;
      events_.push_back({end_of(access), started_, {slot, moved}});
      std::push_heap(events_.begin(), events_.end(), later);
      ++started_;
    }
    queued_.clear();
    return 0;
  }

  int reap(std::span<Completion> out, uint32_t min, uint64_t timeout_ns) noexcept override {
    submit();
    const uint64_t deadline = timeout_ns < kForever - now_ns_ ? now_ns_ + timeout_ns : kForever;
    uint32_t taken = 0;
    while (taken < out.size() && !events_.empty()) {
      const Event& first = events_.front();
      if (first.at_ns > now_ns_) {
        if (taken >= min) break;
        if (first.at_ns > deadline) {
          now_ns_ = deadline;
          break;
        }
        now_ns_ = first.at_ns;
      }
      out[taken++] = first.completion;
      std::pop_heap(events_.begin(), events_.end(), later);
      events_.pop_back();
    }
    return static_cast<int>(taken);
  }

  uint64_t now_ns() const noexcept override { return now_ns_; }
  void idle_until(uint64_t t_ns) noexcept override { now_ns_ = std::max(now_ns_, t_ns); }

  std::string_view notice() const override { return ""; }
  std::string_view name() const override { return "sim"; }

 private:
  struct Queued {
    Access access;
    uint32_t slot;
  };

  uint64_t end_of(const Access& access) noexcept {
    switch (access.kind) {
      case AccessKind::kRead:
        return end_of_read(access);
      case AccessKind::kWrite:
        return end_of_write(access);
      case AccessKind::kSync:
        break;
    }
    flushed_ns_ = std::max({now_ns_, written_ns_, flushed_ns_}) + drive_.sync_ns;
    return flushed_ns_;
  }

  uint64_t end_of_read(const Access& access) noexcept {
    const uint64_t stripe = access.offset >> kStripeBits;
    uint64_t& free = die_free_[mix64(drive_.seed, stripe) & (drive_.parallel_units - 1)];
    const uint64_t service = read_time_(mix64(drive_.seed, stripe, started_));
    const uint64_t begin = std::max(free, now_ns_);
    const uint64_t drain_ns = cache_empty_ns_ > begin ? cache_empty_ns_ - begin : 0;
    free = begin + shared_time_.ns(service, drain_ns);
    return free + link_.ns(access.length);
  }

  // The fill of the cache is kept as the time at which it would be empty.
  uint64_t end_of_write(const Access& access) noexcept {
    cache_empty_ns_ = std::max(cache_empty_ns_, now_ns_) + drain_.ns(access.length);
    const uint64_t fits_ns = cache_empty_ns_ > cache_ns_ ? cache_empty_ns_ - cache_ns_ : 0;
    const uint64_t end = std::max(fits_ns, now_ns_ + drive_.write_ns + link_.ns(access.length));
    written_ns_ = std::max(written_ns_, end);
    return end;
  }

  static constexpr uint32_t kStripeBits =
      14;  // consecutive bytes on one die, assumed: a 16 KiB NAND page
  static constexpr uint64_t kStartNs =
      1'000'000'000;  // not 0, which means "none" to those who keep times

  const uint32_t depth_;
  const SimDrive drive_;
  const LatencyCurve read_time_;
  const Rate link_;
  const Rate drain_;
  const SharedTime shared_time_;
  const uint64_t cache_ns_;  // how long a full cache takes to drain
  std::vector<uint64_t> die_free_;
  uint64_t now_ns_ = kStartNs;
  uint64_t started_ = 0;  // accesses so far
  uint64_t cache_empty_ns_ = 0;
  uint64_t written_ns_ = 0;  // end of the last write
  uint64_t flushed_ns_ = 0;  // end of the last flush
  std::vector<Queued> queued_;
  std::vector<Event> events_;  // a heap, the next to end in front
};

}  // namespace

std::unique_ptr<Executor> make_sim_executor(const ExecutorConfig& config) {
  check(config.sim);
  return std::make_unique<SimExecutor>(config);
}

}  // namespace ethio
