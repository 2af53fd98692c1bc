// bench: the workloads of ethio as a Google Benchmark executable.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <optional>

#include "common/base/error.h"
#include "gbench-suite/options.h"
#include "gbench-suite/suite.h"

namespace {

constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;

void print_help() {
  fmt::print(
      "bench: workloads shaped like an Ethereum node, on Google Benchmark.\n\n"
      "Each knob is a flag, or a variable of the environment (--ethio_cache=614m, "
      "ETHIO_CACHE=614m):\n{}\n",
      ethio::knob_help());
}

int complain(const std::exception& error, int exit_code) noexcept {
  std::fprintf(stderr, "ethio: %s\n", error.what());
  return exit_code;
}

// Everything that can be wrong with what the user wrote; an empty pointer after the message.
std::unique_ptr<ethio::Suite> suite_from(int& argc, char** argv) {
  try {
    return std::make_unique<ethio::Suite>(ethio::take_knobs(argc, argv));
  } catch (const ethio::Error& error) {
    complain(error, kExitUsage);
    return nullptr;
  }
}

int run(int argc, char** argv) {
  const std::unique_ptr<ethio::Suite> suite = suite_from(argc, argv);
  if (!suite) return kExitUsage;
  const ethio::BenchmarkRequest request = ethio::benchmark_request(argc, argv);
  if (request.help) print_help();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return kExitUsage;

  suite->register_all();
  if (!request.list_only) suite->prepare(ethio::select_benchmarks(suite->names(), request.filter));
  const size_t matched = benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  if (matched == 0) return kExitUsage;
  return suite->failed() ? kExitFailed : 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    return complain(error, kExitFailed);
  }
}
