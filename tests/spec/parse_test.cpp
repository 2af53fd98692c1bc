// Definitions: read strictly, written out in full, and the same after a round trip.
#include "common/spec/parse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "tests/support/source_file.h"

namespace ethio {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;

// A definition in which every kind of field is written in every way.
const std::string kFull = read_file("tests/spec/sound/full.json");

TEST(ParseWorkload, ReadsEveryKindOfField) {
  const WorkloadSpec spec = parse_workload(kFull, "full.json");
  EXPECT_EQ(spec.name, "full");
  EXPECT_EQ(spec.description, "First line, second line.");
  EXPECT_EQ(spec.unit, UnitKind::kBlock);
  EXPECT_EQ(spec.gas, 36'000'000U);
  EXPECT_EQ(spec.slot_time, 12'000'000'000U);
  EXPECT_EQ(spec.layout.type, LayoutType::kLsm);
  EXPECT_EQ(spec.layout.block_bytes, 16384U);
  EXPECT_EQ(spec.layout.index_cached, 0.25);
  EXPECT_TRUE(spec.layout.bloom_last_level);
  ASSERT_EQ(spec.stages.size(), 2U);
  EXPECT_EQ(spec.stages[0].lanes, 4U);
  ASSERT_EQ(spec.stages[0].ops.size(), 2U);
  EXPECT_EQ(spec.stages[0].ops[0].kind, OpKind::kAccountGet);
  EXPECT_EQ(spec.stages[0].ops[0].count, 311U);
  EXPECT_TRUE(spec.stages[0].ops[0].per_gas);
  EXPECT_EQ(spec.stages[0].ops[1].count, 600U);
  EXPECT_EQ(spec.stages[0].ops[1].order, Order::kSorted);
  EXPECT_EQ(spec.stages[1].name, "stage-2");
  EXPECT_EQ(spec.stages[1].ops[0].bytes, 65536U);
  ASSERT_EQ(spec.background.size(), 1U);
  EXPECT_EQ(spec.background[0].name, "background-1");
  EXPECT_EQ(spec.background[0].burst, 100U << 20);
  EXPECT_EQ(spec.background[0].ops[0].kind, OpKind::kCompact);
}

TEST(ParseWorkload, SortsNumbersByWhetherTheyHaveASource) {
  const WorkloadSpec spec = parse_workload(kFull, "full.json");
  EXPECT_THAT(spec.cited, Contains(Pair("stages[0].ops[0].count", "pub")));
  EXPECT_THAT(spec.cited, Contains(Pair("layout.filter_cached", "assumed: a test")));
  EXPECT_THAT(spec.cited, Contains(Pair("unit", "pub")));
  // In the order of the fields, not of the file; flags, choices and defaults (lanes 1) are no
  // claims.
  EXPECT_THAT(
      spec.uncited,
      ElementsAre("gas", "slot_time", "state.slots", "layout.index_cached", "stages[0].lanes",
                  "stages[0].ops[0].absent", "stages[0].ops[1].count", "stages[0].ops[1].repeat",
                  "stages[1].ops[0].bytes", "background[0].ops[0].bytes", "background[0].burst"));
}

TEST(ParseWorkload, LaysTheDefinitionOverItsStatePreset) {
  const WorkloadSpec spec = parse_workload(kFull, "full.json");
  EXPECT_EQ(spec.state.preset, "small");
  EXPECT_EQ(spec.state.accounts, 90'000U);
  EXPECT_EQ(spec.state.contracts, 12'000U);
  EXPECT_THAT(spec.cited, Contains(Pair("state.accounts", "assumed: a test")));
  EXPECT_THAT(spec.cited,
              Contains(Pair("state.contracts", "assumed: mainnet-2026 divided by 4000")));
  EXPECT_THAT(spec.cited, Not(Contains(Pair("state.slots", ::testing::_))));
}

TEST(ParseWorkload, BorrowsTheSourcesOfThePresetThatItUses) {
  const WorkloadSpec spec = parse_workload(
      R"({"name": "x", "summary": "x", "unit": "op", "state": {"cache": {"value": 0, "source": "assumed: none"}},
          "stages": [{"ops": [{"op": "sync"}]}]})",
      "x.json");
  EXPECT_EQ(spec.state.preset, "mainnet-2026");
  EXPECT_EQ(spec.state.cache, 0U);
  EXPECT_TRUE(spec.sources.contains("geth-33721"));
  EXPECT_FALSE(spec.sources.contains("geth-cache")) << "nothing here cites it any more";
}

TEST(ParseWorkload, SurvivesARoundTrip) {
  const WorkloadSpec spec = parse_workload(kFull, "full.json");
  const std::string json = to_json(spec);
  EXPECT_EQ(parse_workload(json, "again"), spec);
  EXPECT_EQ(to_json(parse_workload(json, "again")), json);
}

TEST(ToJson, WritesEveryDefaultOut) {
  const std::string json = to_json(parse_workload(kFull, "full.json"));
  for (const char* text : {R"("reference_gas": 60000000)", R"("slot_time": "12s")",
                           R"("max_debt": 8)", R"("page_fill": 0.7)", R"("per_gas": false)",
                           R"("order": "random")", R"("value": 16384,)"}) {
    EXPECT_THAT(json, ::testing::HasSubstr(text));
  }
}

TEST(ParseWorkload, TakesWholeNumbersInAnyForm) {
  for (const char* gas : {"60000000", "6e7", "6.0e7", "\"60m\"", "\"0.06g\"", "60000000.0"}) {
    const std::string text = std::string(R"({"name": "x", "summary": "x", "unit": "op", "gas": )") +
                             gas + R"(, "stages": [{"ops": [{"op": "sync"}]}]})";
    EXPECT_EQ(parse_workload(text, gas).gas, 60'000'000U);
  }
}

TEST(ParseWorkload, AcceptsAByteOrderMarkAndAnyWhiteSpace) {
  EXPECT_NO_THROW(parse_workload("\xef\xbb\xbf\r\n" + kFull + "\n\n", "full.json"));
}

}  // namespace
}  // namespace ethio
