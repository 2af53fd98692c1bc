// The reader of fio's JSON and JSON+, on what fio 3.33 wrote.
#include <gmock/gmock.h>

#include "common/base/error.h"
#include "common/report/fio_reader.h"
#include "tests/report/test_data.h"

namespace ethio::fio {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(FioJson, ReadsCountsRatesLatenciesAndOptions) {
  const auto results = read(data_file("fio-3.33/randrw.json"), "randrw.json");
  ASSERT_EQ(results.size(), 1u);
  const Result& result = results[0];
  EXPECT_EQ(result.form, Form::kJson);
  EXPECT_EQ(result.line, 1u);
  EXPECT_EQ(result.fio_version, "3.33");
  EXPECT_EQ(result.job_name, "test");
  EXPECT_EQ(result.rw, "randrw");
  EXPECT_EQ(result.ioengine, "libaio");
  EXPECT_EQ(result.iodepth, 4u);
  EXPECT_EQ(result.size_bytes, 16u << 20);
  EXPECT_EQ(result.direct, true);
  EXPECT_EQ(result.gtod_reduce, false);
  EXPECT_EQ(result.read.block_bytes, 4096u);
  EXPECT_EQ(result.read.total_ios, 3046u);
  EXPECT_EQ(result.read.total_bytes, 12476416u);
  EXPECT_EQ(result.read.runtime_ms, 88u);
  EXPECT_DOUBLE_EQ(result.read.iops.value_or(0), 34613.636364);
  EXPECT_DOUBLE_EQ(result.read.bandwidth, 141777454);
  EXPECT_EQ(result.write.total_ios, 1050u);
  EXPECT_DOUBLE_EQ(result.write.iops.value_or(0), 11931.818182);
  EXPECT_EQ(result.read.completion.count, 3046u);
  EXPECT_EQ(result.read.completion.at(99), 183296);
  EXPECT_EQ(result.read.completion.at(99.42), std::nullopt);
  EXPECT_THAT(result.remarks, IsEmpty());
}

TEST(FioJson, ReadsJsonPlusAndFillsInWhatFioTakesByDefault) {
  const Result result = read(data_file("fio-3.33/randread.json+"), "plus").at(0);
  EXPECT_EQ(result.rw, "randread");
  EXPECT_EQ(result.iodepth, 1u);
  EXPECT_EQ(result.jobs, 1u);
  EXPECT_EQ(result.read.completion.at(99), 156672);
  EXPECT_FALSE(result.write.active());
  EXPECT_EQ(result.read_share(), 1);
}

TEST(FioJson, KnowsWhenLatenciesWereSwitchedOff) {
  const Result result = read(data_file("fio-3.33/gtod-reduce.json"), "gtod").at(0);
  EXPECT_EQ(result.gtod_reduce, true);
  EXPECT_EQ(result.write.completion.count, 0u);
  EXPECT_THAT(result.write.completion.percentiles, IsEmpty());
  EXPECT_DOUBLE_EQ(result.write.iops.value_or(0), 46545.454545);
}

TEST(FioJson, TakesOneOfTheTwoFormsOfNormalAndJson) {
  const auto results = read(data_file("fio-3.33/normal-and-json.txt"), "both");
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].form, Form::kJson);
  EXPECT_EQ(results[0].line, 4u);
}

TEST(FioJson, ReadsSeveralObjectsWithTextAround) {
  const std::string text = "fio: cannot set affinity {so what}\nnote: engine says hello\n" +
                           data_file("fio-3.33/randrw.json") + "and again\n" +
                           data_file("fio-3.33/randread.json+") +
                           data_file("hall-of-blame/04-solidigm-p44-pro-2tb.txt");
  const auto results = read(text, "mixed");
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0].line, 3u);
  EXPECT_EQ(results[0].rw, "randrw");
  EXPECT_EQ(results[1].rw, "randread");
  EXPECT_EQ(results[2].form, Form::kText);
  EXPECT_EQ(results[2].read.total_ios, 29492326u);
  EXPECT_EQ(results[0].run, 0u);
  EXPECT_EQ(results[1].run, 1u);
  EXPECT_EQ(results[2].run, 2u);
}

TEST(FioJson, ReadsClientsAndLeavesOutTheirSum) {
  std::string text = data_file("fio-3.33/randrw.json");
  text.replace(text.find("\"jobs\""), 6, "\"client_stats\"");
  const size_t open = text.find('{', text.find("client_stats"));
  const std::string sum =
      R"({"jobname": "All clients", "read": {"total_ios": 1, "io_bytes": 4096, "iops": 1.0}}, )";
  text.insert(open, sum);
  const auto results = read(text, "clients");
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].job_name, "test");
}

TEST(FioJson, SaysInOneSentenceWhatIsWrong) {
  const std::string whole = data_file("fio-3.33/randrw.json");
  const struct {
    std::string text;
    const char* message;
  } cases[] = {
      {whole.substr(0, whole.size() / 2),
       "x: line 1: the JSON that begins here is cut off; was fio interrupted?"},
      {"note\n" + whole.substr(0, 300),
       "x: line 2: the JSON that begins here is cut off; was fio interrupted?"},
      {R"({"schema": "other"})",
       R"(x: line 1: is JSON, but not of fio: "fio version" and "jobs" are missing)"},
      {R"({"fio version": "fio-3.33", "jobs": 5})",
       R"(x: line 1: is JSON, but not of fio: "fio version" and "jobs" are missing)"},
      {R"({"fio version" "fio-3.33"})", "x: line 1: is not valid JSON"},
      {R"({"fio version": "fio-3.33", "jobs": []})",
       "x: holds no result of fio; expected its normal output, its READ/WRITE summary, JSON or "
       "JSON+"},
  };
  for (const auto& bad : cases) {
    try {
      read(bad.text, "x");
      ADD_FAILURE() << bad.message;
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), bad.message);
    }
  }
}

TEST(FioJson, NeverCrashesOnACutOrGarbledText) {
  const std::string text = data_file("fio-3.33/randrw.json");
  for (size_t cut = 0; cut < text.size(); cut += 11) {
    std::string garbled = text;
    garbled[cut] = "{}[]\",:9"[cut % 8];
    for (const std::string& variant : {text.substr(0, cut), text.substr(cut), garbled}) {
      try {
        EXPECT_FALSE(read(variant, "cut").empty());
      } catch (const Error&) {
        continue;
      }
    }
  }
}

}  // namespace
}  // namespace ethio::fio
