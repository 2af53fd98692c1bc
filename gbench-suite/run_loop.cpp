#include "gbench-suite/run_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "common/base/error.h"

namespace ethio {
namespace {

// The session's clock begins at one second: 0 means "never" in Metrics.
constexpr uint64_t kStart = 1'000'000'000;

}  // namespace

RunLoop::RunLoop(Session& session, Executor& executor, LaneBuffers& buffers)
    : session_(session),
      executor_(executor),
      buffers_(buffers),
      in_flight_access_(session.lanes()),
      completions_(session.lanes()),
      now_ns_(kStart) {}

bool RunLoop::run_units(uint64_t units) {
  skipped_ns_ = executor_.now_ns() - now_ns_;
  const uint64_t goal = session_.units() + units;
  bool more = true;
  while (more && failure_ == 0 && session_.units() < goal) more = step();
  if (failure_ != 0) throw_failure();
  return more;
}

void RunLoop::settle() {
  skipped_ns_ = executor_.now_ns() - now_ns_;
  while (in_flight_ > 0) collect(1, Executor::kForever);
  if (failure_ != 0) throw_failure();
}

bool RunLoop::step() {
  Access access;
  switch (session_.next(now_ns_, access)) {
    case Next::kAccess:
      start(access);
      return true;
    case Next::kStall:
      if (in_flight_ == 0)
        throw Error(EPROTO, "the session waits for a completion with nothing in flight");
      collect(1, Executor::kForever);
      return true;
    case Next::kIdle:
      wait_until(access.offset);
      return true;
    case Next::kEnd:
      return false;
  }
  return false;
}

void RunLoop::start(const Access& access) {
  void* buffer = access.kind == AccessKind::kWrite ? buffers_.for_write(access.lane, access.length)
                                                   : buffers_.for_read(access.lane);
  in_flight_access_[access.lane] = access;
  const int result = executor_.queue(access, buffer, access.lane);
  ++in_flight_;
  if (result == 0) return;
  // The depth is the number of lanes, so there is room: only a broken executor comes here.
  --in_flight_;
  const Completion refused{access.lane, result};
  note_failure(refused);
  session_.complete(access.lane, result, now_ns_);
}

void RunLoop::collect(uint32_t min, uint64_t timeout_ns) {
  const int count = executor_.reap(completions_, min, timeout_ns);
  now_ns_ = clock();
  if (count < 0)
    throw Error(-count, fmt::format("executor {}: {}", executor_.name(), errno_text(-count)));
  for (int i = 0; i < count; ++i) {
    const Completion& completion = completions_[i];
    if (completion.result < 0) note_failure(completion);
    session_.complete(completion.slot, completion.result, now_ns_);
  }
  in_flight_ -= static_cast<uint32_t>(count);
}

void RunLoop::wait_until(uint64_t time_ns) {
  if (in_flight_ > 0) {
    collect(1, time_ns > now_ns_ ? time_ns - now_ns_ : 0);
    return;
  }
  executor_.idle_until(time_ns + skipped_ns_);
  now_ns_ = clock();
}

void RunLoop::note_failure(const Completion& completion) {
  if (failure_ != 0) return;
  failure_ = static_cast<int>(-completion.result);
  failed_access_ = in_flight_access_[completion.slot];
}

void RunLoop::throw_failure() {
  while (in_flight_ > 0) collect(1, Executor::kForever);
  const int code = failure_;
  failure_ = 0;
  throw Error(code, fmt::format("{} of {} bytes at offset {}: {}", name_of(failed_access_.kind),
                                failed_access_.length, failed_access_.offset, errno_text(code)));
}

}  // namespace ethio
