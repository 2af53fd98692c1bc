#include "cli/check/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

#include "cli/fio/output.h"
#include "cli/process/process.h"
#include "common/base/error.h"

namespace ethio {
namespace {

using Clock = std::chrono::steady_clock;

// Of the timeline: some thirty samples a phase, but not so many that they cost, nor so few that
// nothing shows.
constexpr double kSamples = 30;
constexpr double kShortestSample = 0.2;  // seconds
constexpr double kLongestSample = 1;

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

PhaseRun PhaseRunner::run(const Phase& phase) {
  ProcessRequest request;
  request.argv = {programs_.fio};
  request.argv.insert(request.argv.end(), phase.arguments.begin(), phase.arguments.end());
  request.argv.insert(request.argv.end(), {"--output-format=json", "--eta=never"});
  request.directory = directory_.path();
  // A stuck drive must not hold the command for ever, a slow one may take its time.
  request.limit = std::chrono::seconds(static_cast<int64_t>(10 * phase.seconds) + 120);

  PhaseRun run;
  run.command = shell_command(request.argv);
  progress_.begin_next();
  Timeline timeline(devices_,
                    std::clamp(phase.seconds / kSamples, kShortestSample, kLongestSample));
  request.tick = [&] {
    timeline.tick();
    progress_.update(timeline.speed());
  };
  const Clock::time_point begin = Clock::now();
  const ProcessResult ran = run_process(request, interrupt_);
  run.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  timeline.finish();
  run.timeline = timeline.samples();
  run.top_did = timeline.top_did();
  run.drives_did = timeline.drives_did();
  run.fio = job_of(phase, ran, run.command);
  if (!phase.sidecar.empty()) run.session = load_result(directory_.file(phase.sidecar));
  directory_.remove_all_but(kTestFile);
  return run;
}

}  // namespace ethio
