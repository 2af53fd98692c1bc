// What ethio report takes from each kind of document, and the sentence for each thing that a kind
// does not hold.
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/check/check_json.h"
#include "cli/report/formats.h"
#include "tests/report/sample_check.h"
#include "tests/report/test_data.h"

namespace ethio::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
namespace fs = std::filesystem;

class Loading : public testing::Test {
 protected:
  Loading() { fs::create_directory(folder_); }
  ~Loading() override { fs::remove_all(folder_); }

  std::string put(const std::string& name, const std::string& text) const {
    const std::string path = folder_ / name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  ReportTarget only(const std::string& path) const {
    Report report = load_report({path});
    EXPECT_EQ(report.targets.size(), 1u);
    return report.targets.at(0);
  }

  const fs::path folder_ =
      fs::temp_directory_path() / ("ethio-report-loading." + std::to_string(getpid()));
};

// Each part either has something to show or says why not; never both nor neither.
void expect_explained(const ReportTarget& target) {
  const bool has[] = {!target.roles.empty(),
                      std::any_of(target.workloads.begin(), target.workloads.end(),
                                  [](const WorkloadLine& line) { return !line.stock; }),
                      std::any_of(target.workloads.begin(), target.workloads.end(),
                                  [](const WorkloadLine& line) {
                                    return !line.access.points.empty() ||
                                           !line.unit_time.points.empty();
                                  }),
                      !target.strips.empty(),
                      !target.timelines.empty(),
                      target.has_celsius(),
                      target.has_background(),
                      target.stock_rates.has_value(),
                      !target.facts.empty(),
                      !target.commands.empty()};
  static_assert(std::size(has) == kParts);
  for (size_t i = 0; i < kParts; ++i) {
    const auto part = static_cast<Part>(i);
    EXPECT_EQ(has[i], target.why_absent(part).empty()) << name_of(part);
  }
}

TEST_F(Loading, ACheckFillsItsParts) {
  const ReportTarget target = only(put("check.json", check_json(sample_check(2))));
  expect_explained(target);
  EXPECT_EQ(target.headline,
            "UGLY for validator: chain-head: 1 of 3 blocks took longer than 2 s; it waits for "
            "dependent reads.");
  ASSERT_EQ(target.workloads.size(), 2u);
  EXPECT_EQ(target.workloads[0].runs, 2u);
  EXPECT_DOUBLE_EQ(target.workloads[0].reads_per_second, 12'050) << "the median of the runs";
  EXPECT_EQ(target.workloads[1].units, 6u) << "the blocks of both";
  EXPECT_EQ(target.strips.at(0).blocks(), 6u);
  EXPECT_EQ(target.commands.size(), 3u) << "the layout is a command, too";
  ASSERT_EQ(target.timelines.size(), 2u);
  EXPECT_EQ(target.timelines[0].points.size(), 10u);
  EXPECT_DOUBLE_EQ(target.timelines[0].points[3].written_bytes, 200e6);
  EXPECT_THAT(target.why_absent(Part::kTemperature), StartsWith("No temperature was recorded"));
}

TEST_F(Loading, ACheckShowsTemperatureAndBackgroundWhereRecorded) {
  CheckResult check = sample_check();
  Row& row = check.targets[0].rows.back();
  for (Sample& sample : row.runs[0].timeline) sample.celsius = 40 + sample.seconds;
  row.runs[0].session->metrics.stages.push_back({"compaction", true, 4'000, Histogram()});
  const ReportTarget target = only(put("check.json", check_json(check)));
  expect_explained(target);
  EXPECT_EQ(target.timelines[1].points.back().celsius, 50);
  EXPECT_EQ(target.timelines[1].background, "compaction: 4,000 accesses");
  EXPECT_THAT(target.timelines[0].background, IsEmpty());
}

TEST_F(Loading, AVoidCheckHasNoVerdicts) {
  CheckResult check = sample_check();
  check.targets[0].problems.push_back({"others used the drive", true});
  const ReportTarget target = only(put("check.json", check_json(check)));
  expect_explained(target);
  EXPECT_EQ(target.headline, "VOID: others used the drive.");
  EXPECT_EQ(target.why_absent(Part::kRoles), "The result is void, so no role has a verdict.");
}

TEST_F(Loading, JobsOfOneRunAreOneTarget) {
  const std::string first = put("run.json.0", to_json(sample_result(0)));
  const std::string second = put("run.json.1", to_json(sample_result(1)));
  for (const std::vector<std::string>& paths :
       {std::vector<std::string>{first, second}, {second, first}, {folder_ / "run.json"}}) {
    const Report report = load_report(paths);
    ASSERT_EQ(report.targets.size(), 1u);
    expect_explained(report.targets[0]);
    EXPECT_EQ(report.targets[0].workloads.at(0).units, 6u);
    EXPECT_THAT(report.targets[0].facts,
                testing::Contains(testing::Field(&FactLine::value, "2 of 2")));
  }
  // The same job again is another run.
  EXPECT_EQ(load_report({first, first}).targets.size(), 2u);
}

TEST_F(Loading, FioOutputTakesItsPlaceAmongTheDrives) {
  const ReportTarget target = only(data_path("hall-of-blame/04-solidigm-p44-pro-2tb.txt"));
  expect_explained(target);
  EXPECT_EQ(target.headline, "No verdict, but place 17 of 23 by reads among the reference drives.");
  EXPECT_EQ(target.why_absent(Part::kLatency), "gtod_reduce=1 switched fio's latencies off.");
}

TEST_F(Loading, FioOutputOfAnotherProfileDoesNot) {
  const ReportTarget target = only(data_path("fio-3.33/randread.json+"));
  expect_explained(target);
  EXPECT_FALSE(target.workloads.at(0).access.points.empty());
  EXPECT_THAT(target.why_absent(Part::kDrives),
              StartsWith("The reference drives were measured with another profile: here "));
}

TEST_F(Loading, GoogleBenchmarksRepetitionsBecomeMedians) {
  nlohmann::json document = {{"context", {{"executable", "./bench"}, {"num_cpus", 2}}},
                             {"benchmarks", nlohmann::json::array()}};
  for (const double p99 : {900.0, 1000.0, 1100.0}) {
    document["benchmarks"].push_back({{"name", "trie-read/sim"},
                                      {"run_name", "trie-read/sim"},
                                      {"run_type", "iteration"},
                                      {"iterations", 100},
                                      {"real_time", 463.0},
                                      {"cpu_time", 3.0},
                                      {"time_unit", "us"},
                                      {"accesses/op", 4.8},
                                      {"op_p50_us", 400.0},
                                      {"op_p99_us", p99},
                                      {"read_p50_us", 80.0}});
  }
  const ReportTarget target = only(put("bench.json", document.dump()));
  expect_explained(target);
  const WorkloadLine& line = target.workloads.at(0);
  EXPECT_EQ(line.runs, 3u);
  EXPECT_EQ(line.unit, "op");
  EXPECT_DOUBLE_EQ(line.unit_time.at(99), 1e6);
  EXPECT_DOUBLE_EQ(line.access.at(50), 80e3);
  EXPECT_EQ(line.remark, "463 us an iteration, median of 3 runs");
  EXPECT_EQ(target.headline, "No verdict: 1 benchmark of ./bench.");
}

}  // namespace
}  // namespace ethio::report
