// The real `bench`, run in a folder of its own.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/process.h"

namespace ethio {

class BenchRunner {
 public:
  // ETHIO_* and BENCHMARK_* of the test's own environment are whatever they are: CI sets none.
  testing::ProcessResult run(std::vector<std::string> arguments,
                             testing::ProcessOptions options = {}) const {
    arguments.insert(arguments.begin(), ETHIO_BENCH);
    options.cwd = folder_.path();
    return testing::run_process(arguments, options);
  }

  // A short run on a small file, its standard output parsed; throws for what is not JSON.
  nlohmann::json json_of(std::vector<std::string> arguments,
                         const testing::ProcessOptions& options = {}) const {
    arguments.insert(arguments.end(),
                     {"--benchmark_format=json", "--benchmark_min_time=0.01", "--ethio_size=32m"});
    const testing::ProcessResult result = run(arguments, options);
    if (result.exit_code != 0) throw std::runtime_error("bench failed: " + result.err);
    return nlohmann::json::parse(result.out);
  }

  bool left_nothing() const { return std::filesystem::is_empty(folder_.path()); }
  std::filesystem::path operator/(const std::string& name) const { return folder_ / name; }

 private:
  testing::TempDir folder_;
};

}  // namespace ethio
