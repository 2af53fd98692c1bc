#include "common/report/session_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "common/base/error.h"
#include "common/base/hash.h"
#include "common/base/version.h"
#include "common/spec/parse.h"

namespace ethio {
namespace {

using Json = nlohmann::ordered_json;

struct Percentile {
  const char* name;
  double percent;
};
constexpr Percentile kPercentiles[] = {{"p50", 50}, {"p90", 90}, {"p99", 99}, {"p99.9", 99.9}};

double ratio(double numerator, double denominator) {
  return denominator > 0 ? numerator / denominator : 0;
}

// 128 bits over a text, as 32 digits. Two chains over words of eight bytes; the length closes each.
std::string fingerprint(std::string_view text) {
  uint64_t low = 1;
  uint64_t high = 2;
  for (size_t at = 0; at < text.size(); at += sizeof(uint64_t)) {
    uint64_t word = 0;
    for (size_t i = 0; i < sizeof(word) && at + i < text.size(); ++i) {
      word |= uint64_t{static_cast<unsigned char>(text[at + i])} << (8 * i);
    }
    low = mix64(low, word);
    high = mix64(high, word);
  }
  return fmt::format("{:016x}{:016x}", mix64(high, text.size()), mix64(low, text.size()));
}

// ---- writing ----

Json json_of(const Histogram& histogram) {
  Json json = {{"count", histogram.count()}, {"min", histogram.min()}, {"mean", histogram.mean()}};
  for (const Percentile& percentile : kPercentiles) {
    json[percentile.name] = histogram.percentile(percentile.percent);
  }
  json["max"] = histogram.max();
  json["sum"] = histogram.sum();
  Json buckets = Json::array();
  histogram.for_each_bucket([&buckets](uint32_t bucket, uint64_t count) {
    buckets.push_back({Histogram::bucket_low(bucket), count});
  });
  json["buckets"] = std::move(buckets);
  return json;
}

Json accesses_json(const Metrics& metrics) {
  Json json;
  for (int i = 0; i < kAccessKinds; ++i) {
    const AccessMetrics& kind = metrics.access[i];
    json[name_of(static_cast<AccessKind>(i))] = {{"count", kind.count},
                                                 {"bytes", kind.bytes},
                                                 {"errors", kind.errors},
                                                 {"latency_ns", json_of(kind.latency)}};
  }
  return json;
}

Json ops_json(const SessionResult& result) {
  Json json = Json::array();
  for (size_t i = 0; i < result.metrics.ops.size(); ++i) {
    const OpMetrics& op = result.metrics.ops[i];
    json.push_back({{"name", op.name},
                    {"stage", result.op_stages.at(i)},
                    {"count", op.count},
                    {"cached", op.cached},
                    {"accesses", op.accesses},
                    {"latency_ns", json_of(op.latency)}});
  }
  return json;
}

Json stages_json(const Metrics& metrics) {
  Json json = Json::array();
  for (const StageMetrics& stage : metrics.stages) {
    json.push_back({{"name", stage.name},
                    {"background", stage.background},
                    {"accesses", stage.accesses},
                    {"latency_ns", json_of(stage.latency)}});
  }
  return json;
}

Json streams_json(const SessionResult& result) {
  Json json = Json::array();
  for (const StreamIdentity& stream : result.streams) {
    json.push_back({{"job", stream.job}, {"digest", stream.digest}});
  }
  return json;
}

// Indented, but for what is not made of objects: a histogram is one line, not thousands.
void write_json(const Json& json, const std::string& indent, std::string& text) {
  const bool of_objects =
      json.is_object() || (json.is_array() && !json.empty() && json.front().is_object());
  if (json.empty() || !of_objects) {
    text += json.dump();
    return;
  }
  text += json.is_object() ? "{" : "[";
  const char* separator = "\n";
  for (const auto& item : json.items()) {
    text += separator + indent + "  ";
    if (json.is_object()) text += Json(item.key()).dump() + ": ";
    write_json(item.value(), indent + "  ", text);
    separator = ",\n";
  }
  text += "\n" + indent + (json.is_object() ? "}" : "]");
}

// ---- reading ----

Histogram histogram_from(const Json& json) {
  Histogram histogram;
  for (const Json& bucket : json.at("buckets")) {
    const auto low = bucket.at(0).get<uint64_t>();
    const uint32_t index = Histogram::bucket_of(low);
    if (Histogram::bucket_low(index) != low) {
      throw Error(EINVAL, fmt::format("latency_ns.buckets: no bucket begins at {}", low));
    }
    histogram.add_bucket(index, bucket.at(1).get<uint64_t>());
  }
  if (histogram.count() != json.at("count").get<uint64_t>()) {
    throw Error(EINVAL, "latency_ns: the buckets do not add up to count");
  }
  histogram.set_range(json.at("min"), json.at("max"), json.at("sum"));
  return histogram;
}

void read_accesses(const Json& json, Metrics& metrics) {
  for (int i = 0; i < kAccessKinds; ++i) {
    const Json& from = json.at(name_of(static_cast<AccessKind>(i)));
    AccessMetrics& kind = metrics.access[i];
    kind.count = from.at("count");
    kind.bytes = from.at("bytes");
    kind.errors = from.at("errors");
    kind.latency = histogram_from(from.at("latency_ns"));
  }
}

void read_ops(const Json& json, SessionResult& result) {
  for (const Json& from : json) {
    OpMetrics op;
    op.name = from.at("name");
    op.count = from.at("count");
    op.cached = from.at("cached");
    op.accesses = from.at("accesses");
    op.latency = histogram_from(from.at("latency_ns"));
    result.metrics.ops.push_back(std::move(op));
    result.op_stages.push_back(from.at("stage"));
  }
}

void read_stages(const Json& json, Metrics& metrics) {
  for (const Json& from : json) {
    StageMetrics stage;
    stage.name = from.at("name");
    stage.background = from.at("background");
    stage.accesses = from.at("accesses");
    stage.latency = histogram_from(from.at("latency_ns"));
    metrics.stages.push_back(std::move(stage));
  }
}

void read_metrics(const Json& json, SessionResult& result) {
  Metrics& metrics = result.metrics;
  metrics.unit = json.at("unit").at("kind");
  metrics.units = json.at("unit").at("count");
  metrics.missed_slots = json.at("unit").at("missed_slots");
  metrics.unit_latency = histogram_from(json.at("unit").at("latency_ns"));
  read_accesses(json.at("access"), metrics);
  read_ops(json.at("ops"), result);
  read_stages(json.at("stages"), metrics);
  metrics.useful_bytes_read = json.at("amplification").at("useful_bytes_read");
  metrics.useful_bytes_written = json.at("amplification").at("useful_bytes_written");
  const Json& time = json.at("time");
  metrics.first_ns = time.at("first_ns");
  metrics.last_ns = time.at("last_ns");
  metrics.stall_ns = time.at("stall_ns");
  metrics.idle_ns = time.at("idle_ns");
}

SessionResult result_from(const Json& json) {
  if (!json.is_object() || json.value("schema", "") != kResultSchema) {
    throw Error(EINVAL,
                fmt::format("is not a result of ethio: \"schema\" is not \"{}\"", kResultSchema));
  }
  const auto version = json.at("version").get<uint64_t>();
  if (version != kResultVersion) {
    throw Error(EINVAL, fmt::format("is a result of version {}; this ethio reads version {}",
                                    version, kResultVersion));
  }
  SessionResult result;
  result.ethio_version = json.at("ethio_version");
  result.workload = json.at("workload");
  result.definition = json.at("definition").dump();
  result.definition_digest = json.at("definition_digest");
  result.seed = json.at("seed");
  result.jobs = json.at("jobs");
  result.target_bytes = json.at("target_bytes");
  result.alignment = json.at("alignment");
  result.notes = json.at("notes");
  result.harness = json.at("harness").get<std::map<std::string, std::string>>();
  for (const Json& stream : json.at("streams")) {
    result.streams.push_back({stream.at("job"), stream.at("digest")});
  }
  read_metrics(json, result);
  return result;
}

// ---- merging ----

template <typename T>
void require_equal(const T& first, const T& other, const char* field) {
  if (first == other) return;
  throw Error(EINVAL,
              fmt::format("results differ in {}: {} and {}; only jobs of one run can be merged",
                          field, first, other));
}

void merge_into(SessionResult& all, const SessionResult& other) {
  require_equal(all.workload, other.workload, "workload");
  require_equal(all.definition_digest, other.definition_digest, "definition_digest");
  require_equal(all.seed, other.seed, "seed");
  require_equal(all.jobs, other.jobs, "jobs");
  require_equal(all.target_bytes, other.target_bytes, "target_bytes");
  require_equal(all.alignment, other.alignment, "alignment");
  require_equal(all.metrics.ops.size(), other.metrics.ops.size(), "number of ops");
  require_equal(all.metrics.stages.size(), other.metrics.stages.size(), "number of stages");
  for (const StreamIdentity& stream : other.streams) {
    const auto same = [&](const StreamIdentity& known) { return known.job == stream.job; };
    if (std::any_of(all.streams.begin(), all.streams.end(), same)) {
      throw Error(EINVAL,
                  fmt::format("results hold job {} twice; give each job's file once", stream.job));
    }
    all.streams.push_back(stream);
  }
  std::sort(all.streams.begin(), all.streams.end(),
            [](const StreamIdentity& a, const StreamIdentity& b) { return a.job < b.job; });
  // What the jobs do not agree on is true of none of them alone.
  std::erase_if(all.harness, [&](const auto& entry) {
    const auto found = other.harness.find(entry.first);
    return found == other.harness.end() || found->second != entry.second;
  });
  all.metrics.merge(other.metrics);
}

}  // namespace

// Where a number comes from and how people describe a workload decides no access.
std::string definition_digest(WorkloadSpec spec) {
  spec.summary = spec.description = spec.phase = spec.client = "";
  spec.sources.clear();
  spec.cited.clear();
  spec.uncited.clear();
  return fingerprint(to_json(spec));
}

RunFacts run_facts(const SessionConfig& config) {
  RunFacts facts;
  facts.job = config.job;
  facts.jobs = config.jobs;
  facts.target_bytes = config.target_bytes;
  facts.alignment = config.alignment;
  return facts;
}

SessionResult result_of(const Session& session, const RunFacts& facts) {
  const WorkloadSpec& spec = session.spec();
  SessionResult result;
  result.ethio_version = kVersion;
  result.workload = spec.name;
  result.definition = to_json(spec);
  result.definition_digest = definition_digest(spec);
  result.seed = spec.seed;
  result.jobs = facts.jobs;
  result.target_bytes = facts.target_bytes;
  result.alignment = facts.alignment;
  result.notes = session.scaling_note();
  result.harness = facts.harness;
  result.streams = {{facts.job, to_hex(session.digest())}};
  for (const StageSpec& stage : spec.stages) {
    result.op_stages.insert(result.op_stages.end(), stage.ops.size(), stage.name);
  }
  for (const BackgroundSpec& stage : spec.background) {
    result.op_stages.insert(result.op_stages.end(), stage.ops.size(), stage.name);
  }
  result.metrics = session.metrics();
  return result;
}

std::string to_json(const SessionResult& result) {
  const Metrics& metrics = result.metrics;
  const double seconds = seconds_of(metrics);
  Json json = {{"schema", kResultSchema},
               {"version", kResultVersion},
               {"ethio_version", result.ethio_version},
               {"workload", result.workload},
               {"definition_digest", result.definition_digest},
               {"seed", result.seed},
               {"jobs", result.jobs},
               {"target_bytes", result.target_bytes},
               {"alignment", result.alignment},
               {"notes", result.notes},
               {"harness", result.harness},
               {"streams", streams_json(result)}};
  json["time"] = {{"first_ns", metrics.first_ns},
                  {"last_ns", metrics.last_ns},
                  {"seconds", seconds},
                  {"stall_ns", metrics.stall_ns},
                  {"idle_ns", metrics.idle_ns}};
  json["unit"] = {{"kind", metrics.unit},
                  {"count", metrics.units},
                  {"per_second", ratio(static_cast<double>(metrics.units), seconds)},
                  {"missed_slots", metrics.missed_slots},
                  {"latency_ns", json_of(metrics.unit_latency)}};
  json["access"] = accesses_json(metrics);
  json["amplification"] = {{"useful_bytes_read", metrics.useful_bytes_read},
                           {"useful_bytes_written", metrics.useful_bytes_written},
                           {"read", read_amplification(metrics)},
                           {"write", write_amplification(metrics)}};
  json["ops"] = ops_json(result);
  json["stages"] = stages_json(metrics);
  json["definition"] = Json::parse(result.definition);
  std::string text;
  write_json(json, "", text);
  return text + "\n";
}

SessionResult parse_result(std::string_view text, std::string_view origin) {
  try {
    return result_from(Json::parse(text));
  } catch (const Json::parse_error& error) {
    throw Error(EINVAL,
                fmt::format("{}: is not JSON, or not all of it: byte {}", origin, error.byte));
  } catch (const Json::exception& error) {
    throw Error(EINVAL,
                fmt::format("{}: is not a whole result of ethio: {}", origin, error.what()));
  } catch (const Error& error) {
    throw Error(EINVAL, fmt::format("{}: {}", origin, error.what()));
  }
}

SessionResult load_result(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(errno, fmt::format("{}: {}", path, errno_text(errno)));
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (file.bad()) throw Error(EIO, fmt::format("{}: {}", path, errno_text(EIO)));
  return parse_result(text, path);
}

SessionResult merge_results(std::span<const SessionResult> results) {
  if (results.empty()) throw Error(EINVAL, "no result to merge; give at least one");
  SessionResult all = results[0];
  for (const SessionResult& result : results.subspan(1)) merge_into(all, result);
  return all;
}

double seconds_of(const Metrics& metrics) {
  return metrics.last_ns > metrics.first_ns
             ? static_cast<double>(metrics.last_ns - metrics.first_ns) * 1e-9
             : 0;
}

double read_amplification(const Metrics& metrics) {
  const AccessMetrics& reads = metrics.access[static_cast<int>(AccessKind::kRead)];
  return ratio(static_cast<double>(reads.bytes), static_cast<double>(metrics.useful_bytes_read));
}

double write_amplification(const Metrics& metrics) {
  const AccessMetrics& writes = metrics.access[static_cast<int>(AccessKind::kWrite)];
  return ratio(static_cast<double>(writes.bytes),
               static_cast<double>(metrics.useful_bytes_written));
}

}  // namespace ethio
