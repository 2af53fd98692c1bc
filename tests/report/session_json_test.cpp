#include "common/report/session_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "common/base/error.h"
#include "common/spec/catalogue.h"
#include "tests/report/sample_result.h"
#include "tests/support/json_schema.h"

namespace ethio {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::json;

std::string schema_errors(const std::string& result_json) {
  return errors_against_schema("workloads/schema/result.schema.json", Json::parse(result_json));
}

// What parse_result says of a text, "" if it takes it.
std::string refusal(const std::string& text) {
  try {
    parse_result(text, "r.json");
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(SessionJson, IsReadBackWhole) {
  const std::string written = to_json(sample_result());
  const SessionResult read = parse_result(written, "r.json");
  EXPECT_EQ(to_json(read), written);
  EXPECT_EQ(read.seed, sample_result().seed);
  EXPECT_EQ(read.metrics.access[0].latency.percentile(99),
            sample_result().metrics.access[0].latency.percentile(99));
}

TEST(SessionJson, KeepsTheLargestNumbers) {
  SessionResult result = sample_result();
  result.seed = ~uint64_t{0};
  result.metrics.access[0].bytes = ~uint64_t{0};
  const SessionResult read = parse_result(to_json(result), "r.json");
  EXPECT_EQ(read.seed, ~uint64_t{0});
  EXPECT_EQ(read.metrics.access[0].bytes, ~uint64_t{0});
}

TEST(SessionJson, BeginsWithTheMarkerOfEthio) {
  EXPECT_THAT(to_json(sample_result()), StartsWith("{\n  \"schema\": \"ethio-result\""));
}

TEST(SessionJson, ObeysTheSchema) {
  EXPECT_EQ(schema_errors(to_json(sample_result())), "");
}

TEST(SessionJson, EmptyMetricsObeyTheSchema) {
  SessionResult result = sample_result();
  result.metrics.reset();
  EXPECT_EQ(schema_errors(to_json(result)), "");
  EXPECT_EQ(to_json(parse_result(to_json(result), "r.json")), to_json(result));
}

TEST(SessionJson, TheSchemaRefusesWhatIsNotAResult) {
  Json json = Json::parse(to_json(sample_result()));
  json["access"]["read"]["count"] = -1;
  EXPECT_NE(schema_errors(json.dump()), "");
  json = Json::parse(to_json(sample_result()));
  json.erase("seed");
  EXPECT_NE(schema_errors(json.dump()), "");
  json = Json::parse(to_json(sample_result()));
  json["surprise"] = 1;
  EXPECT_NE(schema_errors(json.dump()), "");
}

TEST(SessionJson, ARealSessionsResultObeysTheSchema) {
  for (const std::string& name : workload_names()) {
    SessionConfig config;
    config.spec = load_workload(name);
    config.spec.slot_time = 0;
    config.spec.units = 3;
    config.target_bytes = uint64_t{256} << 20;
    Session session(config);
    Access access;
    uint64_t now_ns = 1'000;
    for (Next next = Next::kAccess; next != Next::kEnd;) {
      next = session.next(now_ns, access);
      if (next == Next::kIdle) now_ns = access.offset;
      if (next == Next::kAccess) session.complete(access.lane, access.length, now_ns += 1'000);
    }
    const SessionResult result = result_of(session, run_facts(config));
    EXPECT_EQ(schema_errors(to_json(result)), "") << name;
    EXPECT_EQ(to_json(parse_result(to_json(result), name)), to_json(result));
    EXPECT_EQ(result.metrics.units, 3U) << name;
    EXPECT_EQ(result.op_stages.size(), result.metrics.ops.size()) << name;
    EXPECT_EQ(result.streams[0].digest, to_hex(session.digest()));
  }
}

TEST(SessionJson, TheDefinitionDigestIgnoresProseAndFollowsNumbers) {
  SessionConfig config;
  config.spec = load_workload("uniform-read");
  config.target_bytes = uint64_t{64} << 20;
  const auto digest = [&config] {
    return result_of(Session(config), run_facts(config)).definition_digest;
  };
  const std::string original = digest();
  config.spec.summary = "Something else.";
  config.spec.sources.clear();
  config.spec.cited.clear();
  EXPECT_EQ(digest(), original);
  config.spec.stages[0].lanes += 1;
  EXPECT_NE(digest(), original);
}

TEST(SessionJson, JobsMergeExactly) {
  const SessionResult jobs[] = {sample_result(1), sample_result(0)};
  const SessionResult all = merge_results(jobs);
  EXPECT_EQ(all.metrics.access[0].count, 600U);
  EXPECT_EQ(all.metrics.access[0].latency.count(), 600U);
  EXPECT_EQ(all.metrics.access[1].errors, 2U);
  EXPECT_EQ(all.metrics.units, 6U);
  EXPECT_EQ(all.metrics.first_ns, 1'000'000'000U);
  EXPECT_EQ(all.metrics.last_ns, 3'000'000'001U);
  ASSERT_EQ(all.streams.size(), 2U);
  EXPECT_EQ(all.streams[0].job, 0U);
  EXPECT_EQ(schema_errors(to_json(all)), "");

  // From files as from memory.
  const SessionResult read[] = {parse_result(to_json(jobs[0]), "0"),
                                parse_result(to_json(jobs[1]), "1")};
  EXPECT_EQ(to_json(merge_results(read)), to_json(all));
}

TEST(SessionJson, KeepsOfTheHarnessWhatAllJobsAgreeOn) {
  SessionResult jobs[] = {sample_result(0), sample_result(1)};
  jobs[1].harness["executor"] = "psync";
  const SessionResult all = merge_results(jobs);
  EXPECT_EQ(all.harness.count("executor"), 0U);
  EXPECT_EQ(all.harness.at("name"), "fio");
}

TEST(SessionJson, WhatDoesNotBelongTogetherIsNotMerged) {
  const auto merge_with = [](auto change) -> std::string {
    SessionResult results[] = {sample_result(0), sample_result(1)};
    change(results[1]);
    try {
      merge_results(results);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(merge_with([](SessionResult&) {}), "");
  EXPECT_THAT(merge_with([](SessionResult& r) { r.seed = 2; }), HasSubstr("seed"));
  EXPECT_THAT(merge_with([](SessionResult& r) { r.definition_digest[0] = 'f'; }),
              HasSubstr("definition_digest"));
  EXPECT_THAT(merge_with([](SessionResult& r) { r.target_bytes = 1; }), HasSubstr("target_bytes"));
  EXPECT_THAT(merge_with([](SessionResult& r) { r.jobs = 3; }), HasSubstr("jobs"));
  EXPECT_THAT(merge_with([](SessionResult& r) { r.streams[0].job = 0; }), HasSubstr("job 0 twice"));
  EXPECT_THROW(merge_results({}), Error);
}

TEST(SessionJson, BrokenFilesAreRefusedInOneSentence) {
  const std::string whole = to_json(sample_result());
  EXPECT_THAT(refusal(""), StartsWith("r.json: "));
  EXPECT_THAT(refusal("[]"), HasSubstr("not a result of ethio"));
  EXPECT_THAT(refusal("{}"), HasSubstr("not a result of ethio"));
  EXPECT_THAT(refusal(R"({"schema": 3})"), StartsWith("r.json: "));
  EXPECT_THAT(refusal(R"({"schema": "ethio-result", "version": 2})"), HasSubstr("version 2"));
  for (size_t length = 0; length + 2 < whole.size(); length += 97) {
    EXPECT_THAT(refusal(whole.substr(0, length)), StartsWith("r.json: ")) << length;
  }
  Json json = Json::parse(whole);
  json["access"]["read"]["latency_ns"]["buckets"][0][1] = 1'000'000;
  EXPECT_THAT(refusal(json.dump()), HasSubstr("do not add up"));
  json = Json::parse(whole);
  json["access"]["read"]["latency_ns"]["buckets"][0][0] = 80'001;
  EXPECT_THAT(refusal(json.dump()), HasSubstr("80001"));
}

TEST(SessionJson, AMissingFileIsNamed) {
  try {
    load_result("/nonexistent/r.json");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ENOENT);
    EXPECT_THAT(error.what(), StartsWith("/nonexistent/r.json: "));
  }
}

}  // namespace
}  // namespace ethio
