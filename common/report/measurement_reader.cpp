// Which tool a document is of, and repetitions spread over several files.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/report/input_file.h"
#include "common/report/measurement.h"
#include "common/report/output_file.h"
#include "common/report/run_files.h"

namespace ethio {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr size_t kMostNamed = 3;  // differences named before "and N more"

void append(Benchmark& all, Benchmark more, const std::string& origin) {
  const std::vector<std::string> against = differences(all, more);
  if (!against.empty()) {
    throw Error(
        EINVAL,
        fmt::format("{}: holds {} twice with different settings ({}); repetitions have the same",
                    origin, all.name, joined(against)));
  }
  for (Metric& metric : all.metrics) {
    const auto found = std::find_if(more.metrics.begin(), more.metrics.end(),
                                    [&](const Metric& other) { return other.name == metric.name; });
    if (found == more.metrics.end()) continue;
    metric.samples.insert(metric.samples.end(), found->samples.begin(), found->samples.end());
  }
  // Repetitions that counted differently were not of the same units: nothing exact is left.
  const auto same = [](const ExactCounter& a, const ExactCounter& b) {
    return a.name == b.name && a.value == b.value;
  };
  if (all.units != more.units || all.digest != more.digest ||
      !std::equal(all.counters.begin(), all.counters.end(), more.counters.begin(),
                  more.counters.end(), same)) {
    all.counters.clear();
    all.digest.clear();
  }
  if (all.failure.empty()) all.failure = more.failure;
}

void add(std::vector<Benchmark>& all, Benchmark more, const std::string& origin) {
  const auto known = std::find_if(all.begin(), all.end(),
                                  [&](const Benchmark& other) { return other.name == more.name; });
  if (known == all.end()) {
    all.push_back(std::move(more));
  } else {
    append(*known, std::move(more), origin);
  }
}

Measurements measurements_of(std::vector<Benchmark> benchmarks, std::string_view origin) {
  Measurements measurements;
  measurements.origin = origin;
  for (Benchmark& benchmark : benchmarks) {
    add(measurements.benchmarks, std::move(benchmark), measurements.origin);
  }
  return measurements;
}

// A number with its source: {"value": 16, "source": "..."}. Where it is from decides nothing.
bool is_cited(const json& node) {
  return node.is_object() && node.contains("value") && node.contains("source");
}
const json& value_of(const json& node) {
  return is_cited(node) ? node.at("value") : node;
}

// "state.accounts: 16 and 32" for each leaf in which two definitions differ.
void definition_differences(const json& base, const json& next, const std::string& path,
                            std::vector<std::string>& found) {
  if (base == next) return;
  if (is_cited(base) || is_cited(next)) {
    definition_differences(value_of(base), value_of(next), path, found);
    return;
  }
  if (base.is_object() && next.is_object()) {
    json keys = base;
    keys.update(next);
    for (const auto& [key, unused] : keys.items()) {
      if (key == "sources" || key == "summary" || key == "phase" || key == "client") continue;
      definition_differences(base.value(key, json()), next.value(key, json()),
                             path.empty() ? key : fmt::format("{}.{}", path, key), found);
    }
    return;
  }
  if (base.is_array() && next.is_array() && base.size() == next.size()) {
    for (size_t i = 0; i < base.size(); ++i) {
      definition_differences(base[i], next[i], fmt::format("{}[{}]", path, i), found);
    }
    return;
  }
  found.push_back(fmt::format("definition: {}: {} and {}", path, base.dump(), next.dump()));
}

std::vector<fs::path> files_in(const std::string& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_regular_file() && name.front() != '.') files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) throw Error(ENOENT, folder + ": holds no file; give a folder of results");
  return files;
}

// The runs of ethio among the documents, their jobs merged, then all others: each a repetition.
Measurements measurements_of(const std::vector<InputDocument>& documents) {
  Measurements all;
  RunCollector runs;
  for (const InputDocument& document : documents) {
    if (schema_of(document.text) == kResultSchema) {
      runs.add(parse_result(document.text, document.origin), document.origin);
    } else {
      add_repetitions(all, parse_measurements(document.text, document.origin));
    }
  }
  for (const CollectedRun& run : std::move(runs).finish()) {
    add_repetitions(all, measurements_of({benchmark_of_run(run.result)}, run.origin));
  }
  return all;
}

}  // namespace

// Its context comes first and may be long: a file that was cut off has nothing else.
bool is_google_benchmark(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || text[begin] != '{') return false;
  const size_t key = text.find('"', begin);
  return (text.find("\"benchmarks\"") != std::string_view::npos ||
          (key != std::string_view::npos && text.substr(key).starts_with("\"context\""))) &&
         text.find("\"fio version\"") == std::string_view::npos;
}

std::vector<std::string> differences(const Benchmark& base, const Benchmark& next) {
  std::vector<std::string> found;
  std::map<std::string, std::string> keys = base.identity;
  keys.insert(next.identity.begin(), next.identity.end());
  const auto value = [](const Benchmark& of, const std::string& key) {
    const auto at = of.identity.find(key);
    return at == of.identity.end() || at->second.empty() ? std::string("not stated") : at->second;
  };
  for (const auto& [key, unused] : keys) {
    if (key == "definition" && base.definition != next.definition) {
      const size_t before = found.size();
      definition_differences(json::parse(base.definition, nullptr, false),
                             json::parse(next.definition, nullptr, false), "", found);
      if (found.size() > before + kMostNamed) {
        const size_t more = found.size() - before - kMostNamed;
        found.resize(before + kMostNamed);
        found.push_back(fmt::format("{} more fields of the definition", more));
      }
      if (found.size() > before) continue;
    }
    if (value(base, key) == value(next, key)) continue;
    found.push_back(fmt::format("{}: {} and {}", key, value(base, key), value(next, key)));
  }
  return found;
}

void add_repetitions(Measurements& all, Measurements more) {
  for (Benchmark& benchmark : more.benchmarks)
    add(all.benchmarks, std::move(benchmark), more.origin);
  all.voids.insert(all.voids.end(), more.voids.begin(), more.voids.end());
}

Measurements parse_measurements(std::string_view text, std::string_view origin) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    throw Error(
        EINVAL,
        fmt::format("{}: is empty; expected results of ethio, fio or Google Benchmark", origin));
  }
  if (is_ethio_document(text)) {
    const std::string schema = schema_of(text);
    if (schema == kResultSchema) {
      return measurements_of({benchmark_of_run(parse_result(text, origin))}, origin);
    }
    if (schema == "ethio-check") return read_ethio_check(text, origin);
    throw Error(
        EINVAL,
        fmt::format("{}: is of schema {}; compare reads ethio-result, ethio-check, fio's output "
                    "and Google Benchmark's JSON",
                    origin, schema));
  }
  if (is_google_benchmark(text))
    return measurements_of(read_google_benchmark(text, origin), origin);
  return measurements_of(read_fio_benchmarks(text, origin), origin);
}

Measurements load_measurements(const std::string& path) {
  std::error_code ignored;
  std::vector<InputDocument> documents;
  if (path == "-" || !fs::is_directory(path, ignored)) {
    documents = read_run_files(path);
  } else {
    for (const fs::path& file : files_in(path)) {
      documents.push_back({read_input(file.string()), file.string()});
    }
  }
  Measurements all = measurements_of(documents);
  all.origin = input_name(path);
  return all;
}

}  // namespace ethio
