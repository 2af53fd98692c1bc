// The files of one run. A harness with several jobs writes a result for each (ethio_out=PATH gives
// PATH.0, PATH.1, ...); whoever reads results takes PATH for all of them, and gets one result.
#pragma once

#include <string>
#include <vector>

#include "common/report/session_json.h"

namespace ethio {

struct InputDocument {
  std::string text;
  std::string origin;  // how messages call it
};

// What lies at `path`: a file, "-" for standard input, or, where no file has that name but PATH.0
// does, PATH.0, PATH.1, ... Throws Error for what cannot be read.
std::vector<InputDocument> read_run_files(const std::string& path);

struct CollectedRun {
  SessionResult result;  // all jobs that were given, merged
  std::string origin;    // "a.json.0 .. a.json.3"
};

// Puts results together that are jobs of one run: of one definition, seed, size, mode and number of
// jobs, each job once. Whatever is given in the order of its names finds its run.
class RunCollector {
 public:
  void add(SessionResult result, const std::string& origin);
  std::vector<CollectedRun> finish() &&;  // in order of appearance

 private:
  struct Open {
    std::vector<SessionResult> jobs;
    std::string first, last;  // origins
  };
  std::vector<Open> runs_;
};

}  // namespace ethio
