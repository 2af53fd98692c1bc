// ethio's own documents as measurements: the result of one run, and a check with its phases.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "common/base/error.h"
#include "common/base/quantity.h"
#include "common/report/measurement.h"
#include "common/report/session_json.h"

namespace ethio {
namespace {

using nlohmann::json;

constexpr uint64_t kCheckVersion = 1;

void add_percentiles(std::vector<Metric>& metrics, const std::string& name,
                     const Histogram& latency, bool gates) {
  if (latency.count() == 0) return;
  constexpr struct {
    const char* name;
    double percent;
    bool gates;
  } kPercentiles[] = {{"p50", 50, true}, {"p99", 99, true}, {"p99.9", 99.9, false}};
  for (const auto& percentile : kPercentiles) {
    metrics.push_back({fmt::format("{} {}", name, percentile.name),
                       MetricKind::kDurationNs,
                       gates && percentile.gates,
                       {static_cast<double>(latency.percentile(percentile.percent))}});
  }
}

std::vector<ExactCounter> counters_of(const Metrics& metrics) {
  std::vector<ExactCounter> counters;
  if (metrics.units == 0) return counters;
  const auto units = static_cast<double>(metrics.units);
  for (int i = 0; i < kAccessKinds; ++i) {
    const std::string kind = name_of(static_cast<AccessKind>(i));
    const AccessMetrics& access = metrics.access[i];
    counters.push_back(
        {fmt::format("{}s/{}", kind, metrics.unit), static_cast<double>(access.count) / units});
    if (static_cast<AccessKind>(i) == AccessKind::kSync) continue;
    counters.push_back({fmt::format("{} bytes/{}", kind, metrics.unit),
                        static_cast<double>(access.bytes) / units});
  }
  return counters;
}

std::string in_harness(const SessionResult& result, const std::string& key) {
  const auto found = result.harness.find(key);
  return found == result.harness.end() ? "" : found->second;
}

// "latency_ns": {"p50": ..., "p99": ...}, or null where fio timed nothing.
void add_fio_percentiles(std::vector<Metric>& metrics, const std::string& name,
                         const json& latency) {
  if (!latency.is_object()) return;
  for (const char* percentile : {"p50", "p99", "p99.9"}) {
    const auto found = latency.find(percentile);
    if (found == latency.end() || !found->is_number()) continue;
    metrics.push_back({fmt::format("{} {}", name, percentile),
                       MetricKind::kDurationNs,
                       std::string_view(percentile) != "p99.9",
                       {found->get<double>()}});
  }
}

Benchmark stock_run(const json& run) {
  Benchmark benchmark;
  for (const char* direction : {"read", "write"}) {
    const json& part = run.at(direction);
    if (part.at("count") == 0) continue;
    benchmark.metrics.push_back({fmt::format("{} IOPS", direction),
                                 MetricKind::kRate,
                                 true,
                                 {part.at("iops").get<double>()}});
    add_fio_percentiles(benchmark.metrics, direction, part.at("latency_ns"));
  }
  add_fio_percentiles(benchmark.metrics, "sync", run.at("sync").at("latency_ns"));
  if (benchmark.metrics.empty()) benchmark.failure = "fio did no I/O";
  return benchmark;
}

Benchmark benchmark_of_run(const json& run, const json& phase, const json& target,
                           std::string_view origin) {
  const json& result = run.at("result");
  Benchmark benchmark =
      result.is_object() ? benchmark_of_run(parse_result(result.dump(), origin)) : stock_run(run);
  benchmark.name = phase.at("name");
  benchmark.identity["kind"] = phase.at("kind");
  benchmark.identity["size"] = format_bytes(target.at("size_bytes").get<uint64_t>());
  benchmark.identity["direct"] = phase.at("direct").get<bool>() ? "yes" : "no";
  benchmark.identity["changed from the published profile"] = phase.at("remark");
  return benchmark;
}

// The runs of a phase are its repetitions. Where several directories were checked, each has
// benchmarks of its own.
void add_check(const json& check, std::string_view origin, Measurements& measurements) {
  const json& targets = check.at("targets");
  for (const json& target : targets) {
    const std::string prefix =
        targets.size() > 1 ? target.at("directory").get<std::string>() + ": " : "";
    for (const json& phase : target.at("phases")) {
      if (phase.at("kind") == "layout") continue;
      for (const json& run : phase.at("runs")) {
        Measurements one;
        one.origin = origin;
        one.benchmarks.push_back(benchmark_of_run(run, phase, target, origin));
        one.benchmarks.back().name.insert(0, prefix);
        add_repetitions(measurements, std::move(one));
      }
    }
  }
  for (const json& reason : check.at("void_reasons")) measurements.voids.push_back(reason);
}

}  // namespace

Benchmark benchmark_of_run(const SessionResult& result) {
  Benchmark benchmark;
  benchmark.name = result.workload;
  benchmark.definition = result.definition;
  benchmark.identity = {{"definition", result.definition_digest},
                        {"seed", fmt::format("{}", result.seed)},
                        {"jobs", fmt::format("{} of {}", result.streams.size(), result.jobs)},
                        {"target size", format_bytes(result.target_bytes)},
                        {"alignment", format_bytes(result.alignment)},
                        {"harness", in_harness(result, "name")},
                        {"executor", in_harness(result, "executor")},
                        {"direct", in_harness(result, "direct")}};
  const Metrics& metrics = result.metrics;
  add_percentiles(benchmark.metrics, metrics.unit, metrics.unit_latency, true);
  for (int i = 0; i < kAccessKinds; ++i) {
    add_percentiles(benchmark.metrics, name_of(static_cast<AccessKind>(i)),
                    metrics.access[i].latency, false);
  }
  const double seconds = seconds_of(metrics);
  if (seconds > 0) {
    benchmark.metrics.push_back({fmt::format("{} rate", metrics.unit),
                                 MetricKind::kRate,
                                 false,
                                 {static_cast<double>(metrics.units) / seconds}});
  }
  benchmark.counters = counters_of(metrics);
  benchmark.units = metrics.units;
  for (const StreamIdentity& stream : result.streams) benchmark.digest += stream.digest;
  if (metrics.units == 0) benchmark.failure = fmt::format("no {} was completed", metrics.unit);
  return benchmark;
}

Measurements read_ethio_check(std::string_view text, std::string_view origin) {
  Measurements measurements;
  measurements.origin = origin;
  try {
    const json check = json::parse(text);
    const auto version = check.at("version").get<uint64_t>();
    if (version != kCheckVersion) {
      throw Error(EINVAL, fmt::format("{}: is a check of version {}; this ethio reads version {}",
                                      origin, version, kCheckVersion));
    }
    add_check(check, origin, measurements);
  } catch (const json::parse_error& error) {
    throw Error(EINVAL,
                fmt::format("{}: is not JSON, or not all of it: byte {}", origin, error.byte));
  } catch (const json::exception& error) {
    throw Error(EINVAL, fmt::format("{}: is not a whole check of ethio: {}", origin, error.what()));
  }
  return measurements;
}

}  // namespace ethio
