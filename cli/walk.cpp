#include "cli/walk.h"

#include <algorithm>
#include <cerrno>
#include <deque>

#include "common/base/error.h"

namespace ethio {
namespace {

constexpr uint64_t kAccessNs =
    100'000;  // an SSD's read, so that paced and rate-limited streams take their turns

struct InFlight {
  uint32_t lane;
  uint32_t length;
  uint64_t done_ns;
};

}  // namespace

void walk(Session& session, const std::function<void(const Access&)>& visit) {
  if (session.spec().units == 0) throw Error(EINVAL, "a walk needs a number of units");
  std::deque<InFlight> in_flight;  // all take the same time, so the oldest is done first
  uint64_t now_ns = 0;
  const auto complete_oldest = [&] {
    const InFlight oldest = in_flight.front();
    in_flight.pop_front();
    now_ns = std::max(now_ns, oldest.done_ns);
    session.complete(oldest.lane, oldest.length, now_ns);
  };
  for (;;) {
    Access access;
    switch (session.next(now_ns, access)) {
      case Next::kAccess:
        visit(access);
        in_flight.push_back({access.lane, access.length, now_ns + kAccessNs});
        break;
      case Next::kStall:
        if (in_flight.empty())
          throw Error(EDEADLK, "the stream waits for an access that was never made");
        complete_oldest();
        break;
      case Next::kIdle:
        if (!in_flight.empty() && in_flight.front().done_ns <= access.offset) {
          complete_oldest();
        } else {
          now_ns = std::max(now_ns, access.offset);
        }
        break;
      case Next::kEnd:
        return;
    }
  }
}

}  // namespace ethio
