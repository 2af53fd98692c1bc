// The knobs (common/spec/knobs.h) as options of a subcommand: --cache, --lanes, ... with the help
// of their one declaration.
#pragma once

#include <list>
#include <string>

#include "common/spec/knobs.h"

namespace CLI {
class App;
}

namespace ethio {

class KnobOptions {
 public:
  // One option for each knob that changes the stream; `workload` is the positional NAME.
  explicit KnobOptions(CLI::App& app);
  // What the user set, over the defaults. Throws UsageError.
  Knobs knobs() const;

 private:
  struct Given {
    const KnobInfo* knob;
    std::string text;  // "" = not given
  };
  std::list<Given> given_;  // a list, since CLI11 keeps pointers to the texts
};

}  // namespace ethio
