// Google Benchmark's JSON as measurements: its repetitions are the samples. What ethio's bench adds
// as counters (gbench-suite/result_counters.cpp) is understood; of other programs the times and
// rates are.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/base/error.h"
#include "common/report/measurement.h"

namespace ethio {
namespace {

using nlohmann::json;

constexpr std::string_view kPercentileSuffix = "_us";
constexpr std::string_view kPerUnit[] = {"accesses/", "bytes/", "syncs/"};
constexpr std::string_view kDigestLabel = "digest ";

// Context entries of bench that make a run another run; key -> how a person calls it.
constexpr std::pair<const char*, const char*> kIdentity[] = {{"ethio_seed", "seed"},
                                                             {"ethio_target_bytes", "target size"},
                                                             {"ethio_filesystem", "file system"},
                                                             {"ethio_direct", "direct"}};

double unit_ns(const json& entry) {
  const std::string unit = entry.value("time_unit", "ns");
  constexpr std::pair<std::string_view, double> kUnits[] = {
      {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
  for (const auto& [name, ns] : kUnits) {
    if (unit == name) return ns;
  }
  throw Error(EINVAL, fmt::format("time_unit: '{}' is not one of ns, us, ms, s", unit));
}

void add_metric(Benchmark& benchmark, std::string name, MetricKind kind, bool gates, double value) {
  if (value > 0) benchmark.metrics.push_back({std::move(name), kind, gates, {value}});
}

bool is_rate(std::string_view key) {
  return key.ends_with("/s") || key.ends_with("_per_second");
}

// "block" of "accesses/block".
std::string unit_of(const json& entry) {
  for (const auto& [key, value] : entry.items()) {
    if (key.starts_with(kPerUnit[0]) && !is_rate(key)) return key.substr(kPerUnit[0].size());
  }
  return "";
}

void add_counter(Benchmark& benchmark, const std::string& key, double value,
                 const std::string& unit) {
  if (is_rate(key)) {
    add_metric(benchmark, key, MetricKind::kRate, false, value);
    return;
  }
  const auto per_unit = [&](std::string_view prefix) { return key.starts_with(prefix); };
  if (std::any_of(std::begin(kPerUnit), std::end(kPerUnit), per_unit)) {
    benchmark.counters.push_back({key, value});
    return;
  }
  const size_t percentile = key.rfind("_p");
  if (percentile != std::string::npos && key.ends_with(kPercentileSuffix)) {
    const std::string what = key.substr(0, percentile);
    const std::string which =
        key.substr(percentile + 1, key.size() - percentile - 1 - kPercentileSuffix.size());
    add_metric(benchmark, fmt::format("{} {}", what, which), MetricKind::kDurationNs,
               what == unit && which == "p99", value * 1e3);
    return;
  }
}

Benchmark benchmark_of(const json& entry, const std::map<std::string, std::string>& identity) {
  Benchmark benchmark;
  benchmark.name = entry.value("run_name", entry.at("name").get<std::string>());
  benchmark.identity = identity;
  benchmark.identity["threads"] = fmt::format("{}", entry.value("threads", 1));
  if (entry.value("error_occurred", false)) {
    benchmark.failure = entry.value("error_message", "it failed without a message");
    return benchmark;
  }
  add_metric(benchmark, "time", MetricKind::kDurationNs, true,
             entry.at("real_time").get<double>() * unit_ns(entry));
  add_metric(benchmark, "CPU time", MetricKind::kDurationNs, false,
             entry.at("cpu_time").get<double>() * unit_ns(entry));
  const std::string unit = unit_of(entry);
  for (const auto& [key, value] : entry.items()) {
    if (value.is_number_float() || value.is_number_integer())
      add_counter(benchmark, key, value, unit);
  }
  // bench labels a run with the digest of its stream when the number of units was fixed; else the
  // counts are over however many fitted into the time, and not exact.
  const std::string label = entry.value("label", "");
  if (label.starts_with(kDigestLabel)) {
    benchmark.digest = label.substr(kDigestLabel.size());
    benchmark.units = entry.at("iterations");
  } else {
    benchmark.counters.clear();
  }
  return benchmark;
}

// "trie-read" of "trie-read/uring/real_time" and of "stream/trie-read": what bench names its
// definitions by.
std::string workload_of(std::string_view name) {
  constexpr std::string_view kStream = "stream/";
  if (name.starts_with(kStream)) name.remove_prefix(kStream.size());
  return std::string(name.substr(0, name.find('/')));
}

std::map<std::string, std::string> identity_of(const json& context) {
  std::map<std::string, std::string> identity;
  for (const auto& [key, name] : kIdentity) {
    const auto found = context.find(key);
    if (found != context.end() && found->is_string()) identity[name] = found->get<std::string>();
  }
  if (context.contains("library_build_type"))
    identity["library build"] = context.at("library_build_type");
  return identity;
}

std::vector<Benchmark> benchmarks_of(const json& document, std::string_view origin) {
  const json context = document.value("context", json::object());
  const std::map<std::string, std::string> identity = identity_of(context);
  std::vector<Benchmark> benchmarks;
  bool aggregates = false;
  for (const json& entry : document.at("benchmarks")) {
    if (entry.value("run_type", "iteration") == "aggregate") {
      aggregates = true;
    } else {
      Benchmark& benchmark = benchmarks.emplace_back(benchmark_of(entry, identity));
      const std::string key = "ethio_definition." + workload_of(benchmark.name);
      if (context.contains(key)) benchmark.identity["definition"] = context.at(key);
    }
  }
  if (benchmarks.empty() && aggregates) {
    throw Error(
        EINVAL,
        fmt::format("{}: holds only aggregates; run without --benchmark_report_aggregates_only",
                    origin));
  }
  if (benchmarks.empty()) throw Error(EINVAL, fmt::format("{}: holds no benchmark", origin));
  return benchmarks;
}

}  // namespace

std::vector<Benchmark> read_google_benchmark(std::string_view text, std::string_view origin) {
  try {
    return benchmarks_of(json::parse(text), origin);
  } catch (const json::parse_error& error) {
    throw Error(EINVAL,
                fmt::format("{}: is not JSON, or not all of it: byte {}", origin, error.byte));
  } catch (const json::exception& error) {
    throw Error(EINVAL,
                fmt::format("{}: is not Google Benchmark's JSON: {}", origin, error.what()));
  }
}

}  // namespace ethio
