// Runs the phases of a plan, one fio after the other over the one test file, and reads back what
// fio and the engine wrote.
#pragma once

#include <vector>

#include "cli/check/result.h"
#include "cli/check/test_directory.h"
#include "cli/fio/programs.h"
#include "cli/process/interrupt.h"
#include "cli/screen/progress.h"

namespace ethio {

class PhaseRunner {
 public:
  // `devices` is the chain under the directory, for the counters; may be empty.
  PhaseRunner(const FioPrograms& programs, const TestDirectory& directory,
              std::vector<BlockDevice> devices, Interrupt& interrupt, Progress& progress)
      : programs_(programs),
        directory_(directory),
        devices_(std::move(devices)),
        interrupt_(interrupt),
        progress_(progress) {}

  // Leaves nothing in the directory but the test file. Throws Error with one sentence when fio
  // fails, Interrupted when the user stops it.
  PhaseRun run(const Phase& phase);

 private:
  const FioPrograms& programs_;
  const TestDirectory& directory_;
  std::vector<BlockDevice> devices_;
  Interrupt& interrupt_;
  Progress& progress_;
};

}  // namespace ethio
