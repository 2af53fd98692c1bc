// ethio stream: what a workload asks of a drive, access by access, as its digest, or as an iolog
// that stock fio replays.
#include <fmt/format.h>

#include <cstdio>

#include "cli/command_line.h"
#include "cli/knob_options.h"
#include "cli/subcommand.h"
#include "cli/walk.h"
#include "common/stream/session.h"

namespace ethio {
namespace {

struct StreamOptions {
  bool digest = false;
  bool iolog = false;
  std::string file = "test";
  uint32_t job = 0;
  uint32_t jobs = 1;
};

void print_line(const Access& access) {
  if (access.kind == AccessKind::kSync) {
    fmt::print("sync lane {}\n", access.lane);
  } else {
    fmt::print("{} {} {} lane {}\n", name_of(access.kind), access.offset, access.length,
               access.lane);
  }
}

// Version 2 of fio's iolog, which every fio since 1.2 replays (--read_iolog).
void print_iolog(Session& session, const std::string& file) {
  fmt::print("fio version 2 iolog\n{0} add\n{0} open\n", file);
  walk(session, [&](const Access& access) {
    fmt::print("{} {} {} {}\n", file, name_of(access.kind), access.offset, access.length);
  });
  fmt::print("{} close\n", file);
}

}  // namespace

int run_stream(int argc, char** argv) {
  CLI::App app(
      "Prints the accesses of a workload in the order in which a drive is asked for them: kind, "
      "offset, length in "
      "bytes, and the lane, whose accesses wait for each other.",
      "stream");
  StreamOptions options;
  KnobOptions knob_options(app);
  CLI::Option* digest =
      app.add_flag("--digest", options.digest,
                   "print the identity of the stream, 32 hexadecimal digits, instead");
  app.add_flag("--iolog", options.iolog, "print an iolog for `fio --read_iolog=` instead")
      ->excludes(digest);
  app.add_option("--file", options.file, "name of the file in the iolog")->capture_default_str();
  app.add_option("--job", options.job, "which of --jobs workers, from 0")->capture_default_str();
  app.add_option("--jobs", options.jobs, "workers that share the target")->capture_default_str();
  if (const auto exit_code = parse_command_line(app, argc, argv)) return *exit_code;
  if (options.jobs == 0 || options.job >= options.jobs) {
    throw UsageError(
        fmt::format("stream: --job {} is not in 0..{}", options.job, options.jobs - 1));
  }

  SessionConfig config;
  Knobs knobs = knob_options.knobs();
  if (knobs.units == 0) knobs.units = 1;
  config.spec = effective_spec(knobs);
  config.target_bytes = *knobs.size_bytes;
  config.job = options.job;
  config.jobs = options.jobs;
  Session session(config);
  if (options.digest) {
    walk(session, [](const Access&) {});
    fmt::print("{}\n", to_hex(session.digest()));
  } else if (options.iolog) {
    print_iolog(session, options.file);
  } else {
    walk(session, print_line);
  }
  return kExitOk;
}

}  // namespace ethio
