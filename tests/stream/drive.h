// Drives a Session in virtual time: a drive with one latency for every access and as much
// parallelism as the session asks for, completing in an order that the test chooses. No I/O, no
// clock.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "common/base/hash.h"
#include "common/stream/session.h"

namespace ethio::test {

enum class CompletionOrder { kFirstIn, kLastIn, kShuffled };

struct DriveOptions {
  uint64_t latency_ns = 100'000;
  CompletionOrder order = CompletionOrder::kFirstIn;
  uint32_t max_in_flight = 4096;
  uint64_t max_accesses = 10'000'000;  // stop after so many
};

struct DriveResult {
  uint64_t accesses = 0;
  uint64_t bytes = 0;
  uint64_t syncs = 0;
  uint32_t most_in_flight = 0;
  uint64_t now_ns = 0;
  bool ended = false;
};

// Calls `seen` for each access as it is handed out.
inline DriveResult drive(Session& session, const DriveOptions& options = {},
                         const std::function<void(const Access&)>& seen = {}) {
  DriveResult result;
  std::vector<Access> in_flight;
  Rng rng(99);
  const auto complete_one = [&] {
    size_t pick = 0;
    if (options.order == CompletionOrder::kLastIn) pick = in_flight.size() - 1;
    if (options.order == CompletionOrder::kShuffled) pick = rng.below(in_flight.size());
    const Access done = in_flight[pick];
    in_flight.erase(in_flight.begin() + static_cast<std::ptrdiff_t>(pick));
    result.now_ns += options.latency_ns;
    session.complete(done.lane, done.length, result.now_ns);
  };
  while (result.accesses < options.max_accesses) {
    if (in_flight.size() >= options.max_in_flight) complete_one();
    Access access;
    const Next next = session.next(result.now_ns, access);
    if (next == Next::kEnd) {
      result.ended = true;
      break;
    }
    if (next == Next::kStall) {
      complete_one();
    } else if (next == Next::kIdle) {
      result.now_ns = access.offset;
    } else {
      ++result.accesses;
      result.bytes += access.length;
      result.syncs += access.kind == AccessKind::kSync ? 1 : 0;
      if (seen) seen(access);
      in_flight.push_back(access);
      result.most_in_flight = std::max<uint32_t>(result.most_in_flight, in_flight.size());
    }
  }
  while (!result.ended && !in_flight.empty()) complete_one();
  return result;
}

}  // namespace ethio::test
