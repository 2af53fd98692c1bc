#include "common/exec/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "common/base/error.h"
#include "common/exec/ring.h"

namespace ethio {
namespace {

struct Job {
  Access access;
  void* buffer = nullptr;
  uint32_t slot = 0;
};

// Signals are for the thread that runs the loop: a worker that took SIGINT would leave it asleep.
// Faults stay with the thread that made them.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigdelset(&all, fault);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

// Depth 1: the access is done where it is submitted.
class InlineExecutor final : public Executor {
 public:
  InlineExecutor(std::string_view name, std::string notice, std::unique_ptr<BlockingTarget> target)
      : name_(name), notice_(std::move(notice)), target_(std::move(target)) {}

  int queue(const Access& access, void* buffer, uint32_t slot) noexcept override {
    if (state_ != State::kFree) return -EAGAIN;
    job_ = {access, buffer, slot};
    state_ = State::kQueued;
    return 0;
  }

  int submit() noexcept override {
    if (state_ != State::kQueued) return 0;
    result_ = target_->perform(job_.access, job_.buffer);
    state_ = State::kDone;
    return 0;
  }

  int reap(std::span<Completion> out, uint32_t, uint64_t) noexcept override {
    submit();
    if (state_ != State::kDone || out.empty()) return 0;
    out[0] = {job_.slot, result_};
    state_ = State::kFree;
    return 1;
  }

  std::string_view notice() const override { return notice_; }
  std::string_view name() const override { return name_; }

 private:
  enum class State { kFree, kQueued, kDone };

  const std::string name_;
  const std::string notice_;
  const std::unique_ptr<BlockingTarget> target_;
  Job job_;
  State state_ = State::kFree;
  int64_t result_ = 0;
};

class PoolExecutor final : public Executor {
 public:
  PoolExecutor(std::string_view name, std::string notice, std::unique_ptr<BlockingTarget> target,
               uint32_t depth)
      : name_(name),
        notice_(std::move(notice)),
        target_(std::move(target)),
        depth_(depth),
        queued_(depth),
        work_(depth),
        done_(depth) {
    const uint32_t wanted = std::min(depth, kMaxWorkers);
    threads_.reserve(wanted);
    const int error = start_threads(wanted);
    if (threads_.size() < depth) {
      notice_ += fmt::format("{}{}: depth {} runs on {} threads{}", notice_.empty() ? "" : "; ",
                             name_, depth, threads_.size(),
                             error == 0 ? "" : fmt::format(" ({})", errno_text(error)));
    }
  }

  ~PoolExecutor() override {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    work_ready_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  PoolExecutor(const PoolExecutor&) = delete;
  PoolExecutor& operator=(const PoolExecutor&) = delete;

  int queue(const Access& access, void* buffer, uint32_t slot) noexcept override {
    if (in_flight_ == depth_) return -EAGAIN;
    queued_.push({access, buffer, slot});
    ++in_flight_;
    return 0;
  }

  int submit() noexcept override {
    const uint32_t count = queued_.size();
    if (count == 0) return 0;
    {
      const std::lock_guard lock(mutex_);
      while (!queued_.empty()) work_.push(queued_.pop());
    }
    for (uint32_t i = 0; i < count && i < threads_.size(); ++i) work_ready_.notify_one();
    return 0;
  }

  int reap(std::span<Completion> out, uint32_t min, uint64_t timeout_ns) noexcept override {
    submit();
    const auto wanted = static_cast<uint32_t>(std::min<uint64_t>({min, in_flight_, out.size()}));
    std::unique_lock lock(mutex_);
    if (done_.size() < wanted) wait_for(lock, wanted, timeout_ns);
    uint32_t taken = 0;
    while (taken < out.size() && !done_.empty()) out[taken++] = done_.pop();
    in_flight_ -= taken;
    return static_cast<int>(taken);
  }

  std::string_view notice() const override { return notice_; }
  std::string_view name() const override { return name_; }

 private:
  // Starts up to `wanted` threads; fewer will do. Returns the errno that stopped it, or 0.
  int start_threads(uint32_t wanted) {
    const SignalsBlocked inherited;
    try {
      while (threads_.size() < wanted) threads_.emplace_back([this] { work(); });
    } catch (const std::system_error& error) {
      if (threads_.empty()) {
        throw Error(error.code().value(),
                    fmt::format("no thread can be started ({})", errno_text(error.code().value())));
      }
      return error.code().value();
    }
    return 0;
  }

  void work() noexcept {
    std::unique_lock lock(mutex_);
    for (;;) {
      work_ready_.wait(lock, [this] { return stopping_ || !work_.empty(); });
      if (stopping_) return;
      const Job job = work_.pop();
      lock.unlock();
      const int64_t result = target_->perform(job.access, job.buffer);
      lock.lock();
      done_.push({job.slot, result});
      if (done_.size() >= awaited_) done_ready_.notify_one();
    }
  }

  void wait_for(std::unique_lock<std::mutex>& lock, uint32_t wanted, uint64_t timeout_ns) noexcept {
    awaited_ = wanted;
    const auto enough = [&] { return done_.size() >= wanted; };
    if (timeout_ns > kLongestWaitNs) {
      done_ready_.wait(lock, enough);
    } else {
      done_ready_.wait_for(lock, std::chrono::nanoseconds(timeout_ns), enough);
    }
    awaited_ = kNobodyWaits;
  }

  static constexpr uint32_t kNobodyWaits = ~uint32_t{0};
  static constexpr uint64_t kLongestWaitNs = uint64_t{1} << 60;  // longer is for ever: no overflow

  const std::string name_;
  std::string notice_;
  const std::unique_ptr<BlockingTarget> target_;
  const uint32_t depth_;
  uint32_t in_flight_ = 0;
  Ring<Job> queued_;  // the caller's own, until submit

  std::mutex mutex_;  // guards what follows
  std::condition_variable work_ready_;
  std::condition_variable done_ready_;
  Ring<Job> work_;
  Ring<Completion> done_;
  uint32_t awaited_ = kNobodyWaits;
  bool stopping_ = false;

  std::vector<std::thread> threads_;
};

}  // namespace

std::unique_ptr<Executor> make_blocking_executor(std::string_view name, std::string notice,
                                                 std::unique_ptr<BlockingTarget> target,
                                                 uint32_t depth) {
  if (depth == 1) {
    return std::make_unique<InlineExecutor>(name, std::move(notice), std::move(target));
  }
  return std::make_unique<PoolExecutor>(name, std::move(notice), std::move(target), depth);
}

}  // namespace ethio
