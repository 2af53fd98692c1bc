// Every workload on every executor, and every generator alone, as Google Benchmarks:
//
//   chain-head/uring/real_time  an iteration is one unit (block, batch or op), on the executor
//   stream/chain-head           an iteration is one access, handed out and done at once
//   state-size/350M/null        the same lookups in states of different sizes: a ratio of 1
//
// A benchmark's stream goes on from call to call, so that a longer estimate never repeats accesses
// that a cache has seen. With the knob `units` every call runs exactly so many, from the start.
#pragma once

#include <benchmark/benchmark.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "common/exec/executor.h"
#include "common/spec/knobs.h"
#include "gbench-suite/target_file.h"
#include "gbench-suite/workload_run.h"

namespace ethio {

class Suite {
 public:
  explicit Suite(Knobs knobs);  // throws Error for an unknown workload or executor

  // Hands all benchmarks to Google Benchmark. The suite must outlive the run.
  void register_all();
  // Their names as Google Benchmark will print and filter them.
  std::vector<std::string> names() const;

  // Makes the target file if one of `selected` needs it, checks where results go, and says in the
  // context block where and how the benchmarks run. Throws Error.
  void prepare(const std::vector<std::string>& selected);

  bool failed() const { return failed_; }  // whether a benchmark ended in an error

 private:
  struct WorkloadBenchmark {
    std::string name;  // without Google Benchmark's endings
    std::string full_name;
    WorkloadSpec spec;
    const ExecutorInfo* executor;
  };
  struct StreamBenchmark {
    std::string name;
    WorkloadSpec spec;
  };

  void add_workload(const std::string& workload);
  void add_state_size(const std::string& size, uint64_t accounts, uint64_t slots);
  void add_benchmark(const std::string& name, const WorkloadSpec& spec,
                     const ExecutorInfo& executor);
  void run_workload(benchmark::State& state, const WorkloadBenchmark& benchmark);
  void run_stream(benchmark::State& state, const StreamBenchmark& benchmark) const;
  WorkloadRun& run_for(const WorkloadBenchmark& benchmark);
  void describe_target() const;
  void write_result(const WorkloadBenchmark& benchmark, const WorkloadRun& run) const;
  std::string out_path(const WorkloadBenchmark& benchmark) const;

  Knobs knobs_;
  uint64_t target_bytes_;
  std::vector<WorkloadBenchmark> workloads_;
  std::vector<StreamBenchmark> streams_;
  std::unique_ptr<TargetFile> target_;
  std::unique_ptr<WorkloadRun> current_;  // of the benchmark below
  const WorkloadBenchmark* current_benchmark_ = nullptr;
  std::set<std::string> notices_said_;
  bool failed_ = false;
};

}  // namespace ethio
