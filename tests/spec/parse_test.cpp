// Definitions: read strictly, written out in full, and the same after a round trip.
#include "common/spec/parse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "common/base/hash.h"
#include "common/spec/catalogue.h"
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
  ASSERT_EQ(spec.stages.size(), 3U);
  EXPECT_EQ(spec.stages[0].lanes, 4U);
  ASSERT_EQ(spec.stages[0].ops.size(), 2U);
  EXPECT_EQ(spec.stages[0].ops[0].kind, OpKind::kAccountGet);
  EXPECT_EQ(spec.stages[0].ops[0].count, 311U);
  EXPECT_TRUE(spec.stages[0].ops[0].per_gas);
  EXPECT_EQ(spec.stages[0].ops[1].count, 600U);
  EXPECT_EQ(spec.stages[0].ops[1].order, Order::kSorted);
  EXPECT_FALSE(spec.stages[0].together);
  EXPECT_TRUE(spec.stages[1].together);
  EXPECT_EQ(spec.stages[1].gap, 50'000U);
  EXPECT_EQ(spec.stages[2].name, "stage-3");
  EXPECT_EQ(spec.stages[2].ops[0].bytes, 65536U);
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
                  "stages[2].ops[0].bytes", "background[0].ops[0].bytes", "background[0].burst"));
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

// One to three pieces of the text overwritten, doubled or cut out.
std::string mutated(std::string text, Rng& rng) {
  static const std::string kPieces[] = {"0",   "-",    "\"",       "{",      "}",  "[",
                                        "]",   ",",    ":",        "null",   "9e", "true",
                                        "\\u", "\xff", "\"\": 1,", "assumed"};
  for (uint64_t n = 1 + rng.below(3); n > 0; --n) {
    const size_t at = rng.below(text.size());
    const size_t length = rng.below(12);
    switch (rng.below(3)) {
      case 0:
        text.replace(at, length, kPieces[rng.below(std::size(kPieces))]);
        break;
      case 1:
        text.insert(at, text.substr(at, length * 10));
        break;
      default:
        text.erase(at, length);
    }
  }
  return text;
}

TEST(ParseWorkload, AnswersAnyTextWithASpecOrAnError) {
  Rng rng(1);
  int accepted = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = mutated(kFull, rng);
    try {
      const WorkloadSpec spec = parse_workload(text, "mutant");
      ++accepted;
      EXPECT_EQ(parse_workload(to_json(spec), "again"), spec) << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), EINVAL) << text;
      EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos) << text;
    }
  }
  EXPECT_GT(accepted, 100);
  EXPECT_LT(accepted, 15'000);
}

TEST(ParseWorkload, SurvivesARoundTripOfEveryBuiltIn) {
  for (const std::string& name : workload_names()) {
    const WorkloadSpec spec = load_workload(name);
    EXPECT_EQ(parse_workload(to_json(spec), "again"), spec) << name;
  }
}

TEST(ParseWorkload, AcceptsAByteOrderMarkAndAnyWhiteSpace) {
  EXPECT_NO_THROW(parse_workload("\xef\xbb\xbf\r\n" + kFull + "\n\n", "full.json"));
}

}  // namespace
}  // namespace ethio
