#include "common/report/comparison.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/hash.h"
#include "common/base/text.h"

namespace ethio {
namespace {

// Fewer repetitions than this on a side say nothing: even samples wholly apart could be luck.
constexpr size_t kFewestRepetitions = 4;
constexpr size_t kMostAdvised = 30;

template <typename T>
const T* named(const std::vector<T>& items, const std::string& name) {
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const T& item) { return item.name == name; });
  return found == items.end() ? nullptr : &*found;
}

// Samples as slowness: larger is slower, whichever way the metric counts.
std::vector<double> slowness(const Metric& metric) {
  std::vector<double> samples = metric.samples;
  if (metric.kind == MetricKind::kRate) {
    for (double& sample : samples) sample = 1 / sample;
  }
  return samples;
}

bool has_zero(const Metric& metric) {
  return std::any_of(metric.samples.begin(), metric.samples.end(),
                     [](double sample) { return sample <= 0; });
}

uint64_t seed_of(std::string_view text) {
  uint64_t seed = text.size();
  for (const char c : text) seed = mix64(seed, static_cast<unsigned char>(c));
  return seed;
}

class Comparer {
 public:
  Comparer(const Measurements& base, const Measurements& next, const CompareOptions& options)
      : base_(base), next_(next), options_(options) {}

  Comparison run() {
    result_.base = base_.origin;
    result_.next = next_.origin;
    take_voids(base_);
    take_voids(next_);
    const std::vector<Pair> pairs = pair_up();
    for (const auto& [base, next] : pairs) check_identity(*base, *next);
    if (!result_.voids.empty()) return std::move(result_);
    for (const auto& [base, next] : pairs) compare_benchmark(*base, *next);
    decide();
    return std::move(result_);
  }

 private:
  using Pair = std::pair<const Benchmark*, const Benchmark*>;

  void take_voids(const Measurements& side) {
    for (const std::string& reason : side.voids) {
      result_.voids.push_back(fmt::format("{} is void: {}", side.origin, reason));
    }
  }

  std::vector<Pair> pair_up() {
    std::vector<Pair> pairs;
    for (const Benchmark& base : base_.benchmarks) {
      if (const Benchmark* next = named(next_.benchmarks, base.name)) {
        pairs.emplace_back(&base, next);
      } else {
        result_.notes.push_back(fmt::format("{} is only in {}", base.name, base_.origin));
      }
    }
    for (const Benchmark& next : next_.benchmarks) {
      if (named(base_.benchmarks, next.name) != nullptr) continue;
      result_.notes.push_back(fmt::format("{} is only in {}", next.name, next_.origin));
    }
    if (pairs.empty()) {
      result_.voids.push_back(
          fmt::format("{} and {} have no benchmark in common", base_.origin, next_.origin));
    }
    return pairs;
  }

  void check_identity(const Benchmark& base, const Benchmark& next) {
    if (!base.failure.empty() || !next.failure.empty()) return;
    const std::vector<std::string> found = differences(base, next);
    if (!found.empty()) {
      result_.voids.push_back(
          fmt::format("{} is not the same on both sides: {}", base.name, joined(found)));
    }
  }

  void compare_benchmark(const Benchmark& base, const Benchmark& next) {
    for (const auto& [side, origin] : {std::pair{&base, &base_.origin}, {&next, &next_.origin}}) {
      if (side->failure.empty()) continue;
      result_.failures.push_back(fmt::format("{} in {}: {}", side->name, *origin, side->failure));
      return;
    }
    for (const Metric& metric : base.metrics) {
      if (const Metric* other = named(next.metrics, metric.name)) {
        compare_metric(base.name, metric, *other);
      } else {
        result_.notes.push_back(
            fmt::format("{} of {} is only in {}", metric.name, base.name, base_.origin));
      }
    }
    compare_counters(base, next);
  }

  void compare_metric(const std::string& benchmark, const Metric& base, const Metric& next) {
    MetricComparison row;
    row.benchmark = benchmark;
    row.metric = base.name;
    row.kind = base.kind;
    row.gates = base.gates;
    row.base = median(base.samples);
    row.next = median(next.samples);
    row.base_count = base.samples.size();
    row.next_count = next.samples.size();
    if (options_.noise != nullptr) row.floor = options_.noise->floor(benchmark, base.name);
    row.limit = std::max(options_.threshold, 2 * row.floor);
    if (has_zero(base) || has_zero(next)) {
      row.change = row.base == row.next ? Change::kUnchanged : Change::kInconclusive;
      row.reason = row.base == row.next ? "" : "a time or rate of zero has no ratio";
      row.slowdown = {0, 0, 0};
      result_.metrics.push_back(std::move(row));
      return;
    }
    const std::vector<double> slow_base = slowness(base);
    const std::vector<double> slow_next = slowness(next);
    BootstrapOptions bootstrap;
    bootstrap.confidence = options_.confidence;
    bootstrap.seed = seed_of(benchmark + base.name);
    row.slowdown = ratio_of_medians(slow_base, slow_next, bootstrap);
    row.p_value = mann_whitney(slow_base, slow_next).p_value;
    result_.metrics.push_back(std::move(row));
  }

  void compare_counters(const Benchmark& base, const Benchmark& next) {
    if (base.counters.empty() || next.counters.empty()) return;
    if (base.units != next.units) {
      result_.notes.push_back(
          fmt::format("{}: counters are not compared exactly, for the runs had {} and {} units; "
                      "fix the number with units=",
                      base.name, base.units, next.units));
      return;
    }
    bool equal = true;
    for (const ExactCounter& counter : base.counters) {
      const ExactCounter* other = named(next.counters, counter.name);
      if (other == nullptr) continue;
      CounterComparison row{base.name, counter.name, counter.value, other->value,
                            Change::kUnchanged};
      if (row.next > row.base) row.change = Change::kRegressed;
      if (row.next < row.base) row.change = Change::kBetter;
      equal = equal && row.next == row.base;
      result_.counters.push_back(std::move(row));
    }
    if (equal && base.digest != next.digest) {
      result_.notes.push_back(
          fmt::format("{}: as many accesses as before, but other ones: digests {} and {}",
                      base.name, base.digest, next.digest));
    }
  }

  // The correction is over what gates; what only informs is corrected for itself and never fails.
  void decide() {
    for (const bool gates : {true, false}) {
      std::vector<MetricComparison*> rows;
      std::vector<double> p_values;
      for (MetricComparison& row : result_.metrics) {
        if (row.gates != gates) continue;
        rows.push_back(&row);
        p_values.push_back(row.p_value);
      }
      const std::vector<double> corrected = holm(p_values);
      for (size_t i = 0; i < rows.size(); ++i) {
        rows[i]->p_value = corrected[i];
        decide(*rows[i], rows.size());
      }
    }
  }

  void decide(MetricComparison& row, size_t comparisons) const {
    if (row.slowdown.estimate == 0) return;  // decided already: there was no ratio
    if (std::min(row.base_count, row.next_count) < kFewestRepetitions) {
      row.reason = fmt::format("{} and {} repetitions; {} a side are the fewest that can tell",
                               row.base_count, row.next_count, needed(comparisons));
      return;
    }
    const bool significant = row.p_value < options_.alpha;
    const bool clears = row.slowdown.low > 1 + row.limit;
    if (clears && significant) {
      row.change = Change::kRegressed;
    } else if (clears) {
      row.reason =
          fmt::format("too few repetitions for {} comparisons; {} a side can tell", comparisons,
                      std::max(needed(comparisons), std::max(row.base_count, row.next_count) + 1));
    } else if (row.slowdown.high > 1 + row.limit) {
      row.reason =
          fmt::format("the interval holds changes on both sides of {:.1f} %", 100 * row.limit);
    } else {
      row.change = row.slowdown.high < 1 && significant ? Change::kBetter : Change::kUnchanged;
    }
  }

  // Repetitions a side from which samples wholly apart are significant after the correction.
  size_t needed(size_t comparisons) const {
    size_t repetitions = kFewestRepetitions;
    while (repetitions < kMostAdvised &&
           static_cast<double>(comparisons) * smallest_p_value(repetitions, repetitions) >=
               options_.alpha) {
      ++repetitions;
    }
    return repetitions;
  }

  const Measurements& base_;
  const Measurements& next_;
  const CompareOptions& options_;
  Comparison result_;
};

// "chain-head block p99 by 12 % (9 to 15 %)" for the worst, and how many more.
std::string worst_of(const Comparison& comparison) {
  const MetricComparison* worst = nullptr;
  for (const MetricComparison& row : comparison.metrics) {
    if (!row.gates || row.change != Change::kRegressed) continue;
    if (worst == nullptr || row.slowdown.estimate > worst->slowdown.estimate) worst = &row;
  }
  if (worst != nullptr) {
    return fmt::format("{} {} is {:.1f} % slower ({:.1f} to {:.1f} %)", worst->benchmark,
                       worst->metric, 100 * (worst->slowdown.estimate - 1),
                       100 * (worst->slowdown.low - 1), 100 * (worst->slowdown.high - 1));
  }
  for (const CounterComparison& row : comparison.counters) {
    if (row.change != Change::kRegressed) continue;
    return fmt::format("{} has {:g} {}, it had {:g}", row.benchmark, row.next, row.counter,
                       row.base);
  }
  return "";
}

}  // namespace

size_t Comparison::count(Change change) const {
  const auto metric = [change](const MetricComparison& row) {
    return row.gates && row.change == change;
  };
  const auto counter = [change](const CounterComparison& row) { return row.change == change; };
  return static_cast<size_t>(std::count_if(metrics.begin(), metrics.end(), metric) +
                             std::count_if(counters.begin(), counters.end(), counter));
}

Comparison compare(const Measurements& base, const Measurements& next,
                   const CompareOptions& options) {
  return Comparer(base, next, options).run();
}

Verdict verdict_of(const Comparison& comparison) {
  if (!comparison.voids.empty()) return Verdict::kVoid;
  if (comparison.count(Change::kRegressed) > 0) return Verdict::kRegression;
  if (!comparison.failures.empty()) return Verdict::kFailed;
  if (comparison.count(Change::kInconclusive) > 0) return Verdict::kInconclusive;
  return Verdict::kFine;
}

std::string sentence_of(const Comparison& comparison) {
  const size_t regressed = comparison.count(Change::kRegressed);
  const size_t inconclusive = comparison.count(Change::kInconclusive);
  switch (verdict_of(comparison)) {
    case Verdict::kVoid:
      return fmt::format("VOID: {}.", comparison.voids.front());
    case Verdict::kRegression:
      return fmt::format("REGRESSED: {}{}.", worst_of(comparison),
                         regressed > 1 ? fmt::format("; {} more regressed", regressed - 1) : "");
    case Verdict::kFailed:
      return fmt::format("FAILED: {}.", comparison.failures.front());
    case Verdict::kInconclusive:
      return fmt::format(
          "INCONCLUSIVE: {} of {} comparisons cannot be told from noise; none regressed.",
          inconclusive,
          inconclusive + comparison.count(Change::kUnchanged) + comparison.count(Change::kBetter));
    case Verdict::kFine:
      break;
  }
  return fmt::format("FINE: nothing regressed; {} unchanged, {} better.",
                     comparison.count(Change::kUnchanged), comparison.count(Change::kBetter));
}

}  // namespace ethio
