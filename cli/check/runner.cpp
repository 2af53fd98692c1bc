#include "cli/check/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

#include "cli/fio/output.h"
#include "cli/process/process.h"
#include "common/base/error.h"
#include "common/base/quantity.h"

namespace ethio {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

DeviceCounters difference(const DeviceCounters& after, const DeviceCounters& before) {
  return {after.reads - before.reads, after.read_bytes - before.read_bytes,
          after.writes - before.writes, after.written_bytes - before.written_bytes,
          after.busy_ms - before.busy_ms};
}

// "12.3k reads/s, 4.1k writes/s", from the drive's own counters, so that it is the same for every
// engine.
class Speed {
 public:
  std::string text(const std::optional<DeviceCounters>& now) {
    const double seconds = seconds_since(since_);
    if (!now.has_value() || seconds < 1) return text_;
    if (before_.has_value()) {
      const DeviceCounters did = difference(*now, *before_);
      text_ = fmt::format("{} reads/s, {} writes/s",
                          format_count(static_cast<double>(did.reads) / seconds),
                          format_count(static_cast<double>(did.writes) / seconds));
    }
    before_ = now;
    since_ = Clock::now();
    return text_;
  }

 private:
  std::optional<DeviceCounters> before_;
  Clock::time_point since_;
  std::string text_;
};

[[noreturn]] void fail(const Phase& phase, const std::string& why, const std::string& command) {
  throw Error(EIO, fmt::format("phase {}: {}; the command was: {}", phase.name, why, command));
}

// fio's one job of the phase; whatever is wrong with the run becomes one sentence.
fio::Result job_of(const Phase& phase, const ProcessResult& ran, const std::string& command) {
  const std::string line = relevant_line(ran.err);
  const std::string said = line.empty() ? "" : fmt::format(": {}", line);
  if (ran.timed_out) fail(phase, "fio did not end in time and was stopped" + said, command);
  if (ran.signal != 0) fail(phase, fmt::format("signal {} ended fio{}", ran.signal, said), command);
  if (ran.exit_code != 0)
    fail(phase, fmt::format("fio exited with {}{}", ran.exit_code, said), command);
  fio::Result job;
  try {
    job = parse_fio_output(ran.out);
  } catch (const Error& error) {
    fail(phase, error.what(), command);
  }
  if (job.error != 0)
    fail(phase, fmt::format("fio reports {}{}", errno_text(job.error), said), command);
  if (job.read.total_ios + job.write.total_ios == 0)
    fail(phase, "fio did not read or write anything" + said, command);
  return job;
}

}  // namespace

std::optional<DeviceCounters> PhaseRunner::counters() const {
  if (devices_.empty()) return std::nullopt;
  return counters_of(devices_.front());
}

PhaseResult PhaseRunner::run(const Phase& phase) {
  ProcessRequest request;
  request.argv = {programs_.fio};
  request.argv.insert(request.argv.end(), phase.arguments.begin(), phase.arguments.end());
  request.argv.insert(request.argv.end(), {"--output-format=json", "--eta=never"});
  request.directory = directory_.path();
  // A stuck drive must not hold the command for ever, a slow one may take its time.
  request.limit = std::chrono::seconds(static_cast<int64_t>(10 * phase.seconds) + 120);
  Speed speed;
  request.tick = [&] { progress_.update(speed.text(counters())); };

  PhaseResult result;
  result.phase = phase;
  result.command = shell_command(request.argv);
  progress_.begin_next();
  const auto before = counters();
  const Clock::time_point begin = Clock::now();
  const ProcessResult ran = run_process(request, interrupt_);
  result.seconds = seconds_since(begin);
  const auto after = counters();
  if (before.has_value() && after.has_value()) result.device_did = difference(*after, *before);
  result.fio = job_of(phase, ran, result.command);
  if (!phase.sidecar.empty()) result.session = load_result(directory_.file(phase.sidecar));
  return result;
}

}  // namespace ethio
