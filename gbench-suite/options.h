// What `bench` is told besides Google Benchmark's own flags: a knob `cache` is --ethio_cache=614m
// or, in the environment, ETHIO_CACHE=614m. Read strictly, and taken out of the command line before
// benchmark::Initialize, which would not know it.
#pragma once

#include <string>
#include <vector>

#include "common/spec/knobs.h"

namespace ethio {

// Throws Error(EINVAL) for an unknown --ethio_* flag or a value that its knob refuses. A flag wins
// over the environment.
Knobs take_knobs(int& argc, char** argv);

// One line a knob, for --help.
std::string knob_help();

// What Google Benchmark is going to do with what is left of the command line and with its
// environment variables.
struct BenchmarkRequest {
  bool help = false;
  bool list_only = false;
  std::string filter;  // as given; "" = all
};
BenchmarkRequest benchmark_request(int argc, char** argv);

// The names that a --benchmark_filter selects, as Google Benchmark reads it: an extended regular
// expression found anywhere in the name, a leading '-' for its opposite. An invalid one selects
// nothing.
std::vector<std::string> select_benchmarks(const std::vector<std::string>& names,
                                           std::string filter);

}  // namespace ethio
