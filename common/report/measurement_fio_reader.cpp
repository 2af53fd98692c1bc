// fio's output as measurements: results of the same job are repetitions.
#include <fmt/format.h>

#include <algorithm>

#include "common/base/quantity.h"
#include "common/report/fio_reader.h"
#include "common/report/measurement.h"

namespace ethio {
namespace {

std::string size_text(uint64_t bytes) {
  return bytes == 0 ? "" : format_bytes(bytes);
}

std::map<std::string, std::string> identity_of(const fio::Result& result) {
  return {{"rw", result.rw},
          {"read block size", size_text(result.read.block_bytes)},
          {"write block size", size_text(result.write.block_bytes)},
          {"depth", result.iodepth == 0 ? "" : fmt::format("{}", result.iodepth)},
          {"jobs", fmt::format("{}", result.jobs)},
          {"size", size_text(result.size_bytes)},
          {"ioengine", result.ioengine},
          {"direct", !result.direct   ? ""
                     : *result.direct ? "yes"
                                      : "no"}};
}

void add_latency(std::vector<Metric>& metrics, const std::string& name,
                 const fio::Latency& latency) {
  for (const auto& [percent, label] : {std::pair{50.0, "p50"}, {99.0, "p99"}, {99.9, "p99.9"}}) {
    const auto value = latency.at(percent);
    if (!value || *value <= 0) continue;
    metrics.push_back(
        {fmt::format("{} {}", name, label), MetricKind::kDurationNs, percent == 99.0, {*value}});
  }
}

Benchmark benchmark_of(const fio::Result& result) {
  Benchmark benchmark;
  benchmark.name = result.job_name.empty() ? "fio" : result.job_name;
  benchmark.identity = identity_of(result);
  for (const auto& [direction, name] :
       {std::pair{&result.read, "read"}, {&result.write, "write"}}) {
    if (!direction->active()) continue;
    // Where the block size is lost, bandwidth is what is left.
    const bool has_iops = direction->iops.has_value();
    benchmark.metrics.push_back({fmt::format("{} {}", name, has_iops ? "IOPS" : "bytes/s"),
                                 MetricKind::kRate,
                                 true,
                                 {has_iops ? *direction->iops : direction->bandwidth}});
    add_latency(benchmark.metrics, name, direction->completion);
  }
  add_latency(benchmark.metrics, "sync", result.sync);
  benchmark.failure = fio::why_void(result);
  return benchmark;
}

}  // namespace

std::vector<Benchmark> read_fio_benchmarks(std::string_view text, std::string_view origin) {
  std::vector<Benchmark> benchmarks;
  for (const fio::Result& result : fio::merge_groups(fio::read(text, origin))) {
    Benchmark benchmark = benchmark_of(result);
    // Two jobs of one name that do different things (everybody calls his job "test") are not
    // repetitions.
    const auto clash =
        std::find_if(benchmarks.begin(), benchmarks.end(), [&](const Benchmark& other) {
          return other.name == benchmark.name && other.identity != benchmark.identity;
        });
    if (clash != benchmarks.end()) {
      benchmark.name += fmt::format(
          " {} {} depth {}", result.rw,
          size_text(std::max(result.read.block_bytes, result.write.block_bytes)), result.iodepth);
    }
    benchmarks.push_back(std::move(benchmark));
  }
  return benchmarks;
}

}  // namespace ethio
