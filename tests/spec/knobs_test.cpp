// Knobs: the same names, units and ranges as the fields of a definition, and a state that stays
// consistent.
#include "common/spec/knobs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <set>
#include <utility>

#include "common/base/error.h"
#include "common/spec/catalogue.h"
#include "common/spec/parse.h"

namespace ethio {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kNames[] = {"workload", "seed",   "executor",  "lanes",  "accounts", "slots",
                                  "cache",    "gas",    "slot_time", "units",  "out",      "dir",
                                  "size",     "direct", "sqpoll",    "iopoll", "with",     "years"};

std::string refusal(std::string_view name, std::string_view value) {
  Knobs knobs;
  try {
    set_knob(knobs, name, value);
    return "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), EINVAL);
    return error.what();
  }
}

Knobs knobs_of(std::initializer_list<std::pair<const char*, const char*>> settings) {
  Knobs knobs;
  knobs.workload = "uniform-read";
  for (const auto& [name, value] : settings) set_knob(knobs, name, value);
  return knobs;
}

TEST(KnobTable, NamesEachKnobOnceWithHelp) {
  std::set<std::string> names;
  for (const KnobInfo& knob : knob_table()) {
    EXPECT_TRUE(names.insert(knob.name).second) << knob.name;
    EXPECT_NE(knob.set, nullptr) << knob.name;
    EXPECT_NE(std::string(knob.help), "") << knob.name;
    EXPECT_NE(std::string(knob.value_name), "") << knob.name;
    EXPECT_EQ(std::string(knob.front_doors).find_first_not_of("fbc"), std::string::npos);
  }
  EXPECT_EQ(names, std::set<std::string>(std::begin(kNames), std::end(kNames)));
}

TEST(KnobTable, TakesRangesFromTheSpec) {
  for (const KnobInfo& knob : knob_table()) {
    const std::string_view name = knob.name;
    if (name == "lanes") {
      EXPECT_THAT(knob.help, HasSubstr("1..4096"));
    }
    if (name == "slot_time") {
      EXPECT_THAT(knob.help, HasSubstr("0..3600s"));
    }
  }
}

TEST(KnobTable, GivesDefaultsThatCanBeSet) {
  for (const KnobInfo& knob : knob_table()) {
    Knobs knobs;
    if (*knob.default_value == '\0') continue;
    EXPECT_NO_THROW(set_knob(knobs, knob.name, knob.default_value)) << knob.name;
  }
}

TEST(SetKnob, SetsEveryField) {
  const Knobs knobs = knobs_of({{"workload", "w"},
                                {"seed", "7"},
                                {"executor", "psync"},
                                {"lanes", "32"},
                                {"accounts", "1m"},
                                {"slots", "2.5m"},
                                {"cache", "614m"},
                                {"gas", "36m"},
                                {"slot_time", "12s"},
                                {"units", "9"},
                                {"out", "o.json"},
                                {"dir", "/d"},
                                {"size", "1g"},
                                {"direct", "0"}});
  EXPECT_EQ(knobs.workload, "w");
  EXPECT_EQ(knobs.seed, 7U);
  EXPECT_EQ(knobs.executor, "psync");
  EXPECT_EQ(knobs.lanes, 32U);
  EXPECT_EQ(knobs.accounts, 1'000'000U);
  EXPECT_EQ(knobs.slots, 2'500'000U);
  EXPECT_EQ(knobs.cache_bytes, 614ULL << 20);
  EXPECT_EQ(knobs.gas, 36'000'000U);
  EXPECT_EQ(knobs.slot_time_ns, 12'000'000'000U);
  EXPECT_EQ(knobs.units, 9U);
  EXPECT_EQ(knobs.out, "o.json");
  EXPECT_EQ(knobs.dir, "/d");
  EXPECT_EQ(knobs.size_bytes, 1ULL << 30);
  EXPECT_EQ(knobs.direct, false);
}

TEST(SetKnob, SaysWhatWouldBeRight) {
  EXPECT_EQ(refusal("cache", "6q"), "cache: '6q' is not a size; write 4096, 64k, 614m, 1g");
  EXPECT_EQ(refusal("lanes", "0"), "lanes: 0 is not in 1..4096");
  EXPECT_EQ(refusal("lanes", "-1"), "lanes: -1 is not in 1..4096");
  EXPECT_EQ(refusal("slot_time", "1h"),
            "slot_time: '1h' is not a duration; write 12s, 500ms, 10us, or seconds as 12");
  EXPECT_EQ(refusal("slot_time", "3601"), "slot_time: 3601 is not in 0..3600s");
  EXPECT_EQ(refusal("direct", "yes"), "direct: 'yes' is not 0, 1 or auto");
  EXPECT_EQ(refusal("sqpoll", "auto"), "sqpoll: 'auto' is not 0 or 1");
  EXPECT_EQ(refusal("iopoll", "2"), "iopoll: '2' is not 0 or 1");
  EXPECT_THAT(refusal("lane", "1"), HasSubstr("'lane' is not a knob; known: workload, seed, "));
}

TEST(EffectiveSpec, IsTheDefinitionWhenNothingIsSet) {
  EXPECT_EQ(effective_spec(knobs_of({})), load_workload("uniform-read"));
}

TEST(EffectiveSpec, AppliesAndCitesKnobs) {
  const WorkloadSpec spec = effective_spec(knobs_of({{"lanes", "8"},
                                                     {"gas", "36m"},
                                                     {"slot_time", "12"},
                                                     {"cache", "1g"},
                                                     {"seed", "3"},
                                                     {"units", "5"}}));
  EXPECT_EQ(spec.stages[0].lanes, 8U);
  EXPECT_EQ(spec.gas, 36'000'000U);
  EXPECT_EQ(spec.slot_time, 12'000'000'000U);
  EXPECT_EQ(spec.state.cache, 1ULL << 30);
  EXPECT_EQ(spec.seed, 3U);
  EXPECT_EQ(spec.units, 5U);
  EXPECT_EQ(spec.cited.at("state.cache"), "assumed: set by the knob cache");
  EXPECT_EQ(spec.cited.at("stages[0].lanes"), "assumed: set by the knob lanes");
  EXPECT_THAT(spec.uncited, IsEmpty());
}

TEST(EffectiveSpec, StaysConsistentForEveryStateSize) {
  for (const char* accounts : {"16", "1000", "1m", "346m", "1t"}) {
    EXPECT_NO_THROW(effective_spec(knobs_of({{"accounts", accounts}})));
    for (const char* slots : {"16", "1000", "1m", "1.48g", "1t"}) {
      SCOPED_TRACE(std::string(accounts) + " accounts, " + slots + " slots");
      const WorkloadSpec spec =
          effective_spec(knobs_of({{"accounts", accounts}, {"slots", slots}}));
      EXPECT_EQ(parse_workload(to_json(spec), "again"), spec);
      EXPECT_NO_THROW(effective_spec(knobs_of({{"slots", slots}})));
    }
  }
}

TEST(EffectiveSpec, GrowsWithTheYears) {
  const StateSpec before = load_workload("uniform-read").state;
  const StateSpec grown = effective_spec(knobs_of({{"years", "2"}})).state;
  // 124 GiB a year on some 420 GB.
  const double growth = static_cast<double>(grown.slots) / static_cast<double>(before.slots);
  EXPECT_NEAR(growth, 1.63, 0.03);
  EXPECT_NEAR(static_cast<double>(grown.accounts), static_cast<double>(before.accounts) * growth,
              1);
  EXPECT_EQ(grown.p99_contract_slots, before.p99_contract_slots);
  EXPECT_NO_THROW(effective_spec(knobs_of({{"years", "50"}})));
  EXPECT_THROW(knobs_of({{"years", "51"}}), Error);
}

TEST(EffectiveSpec, RunsOptionalBackgroundsOnlyWhenTheyAreNamed) {
  const WorkloadSpec all = load_workload("chain-head-geth");
  const auto spec_with = [](const char* names) {
    return effective_spec(knobs_of({{"workload", "chain-head-geth"}, {"with", names}}));
  };
  const WorkloadSpec without = spec_with("");
  EXPECT_EQ(without.background.size(), all.background.size() - 1);
  for (const auto& background : without.background) EXPECT_FALSE(background.optional);
  EXPECT_EQ(without.cited.count("background[3].ops[0].bytes"), 0u);
  EXPECT_EQ(spec_with("consensus").background, all.background);
  EXPECT_EQ(spec_with("consensus").cited, all.cited);
  try {
    spec_with("consensus,rpc");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "with: 'rpc' is not an optional background of chain-head-geth; known: consensus");
  }
}

TEST(EffectiveSpec, ScalesWhatHangsOnAccountsAndSlots) {
  const StateSpec before = load_workload("uniform-read").state;
  const StateSpec accounts = effective_spec(knobs_of({{"accounts", "169800000"}})).state;
  EXPECT_EQ(accounts.contracts, before.contracts / 2);
  EXPECT_EQ(accounts.storage_tries, before.storage_tries / 2);
  EXPECT_EQ(accounts.code_bytes, before.code_bytes / 2);
  EXPECT_EQ(accounts.slots, before.slots);
  const StateSpec slots = effective_spec(knobs_of({{"slots", "740m"}})).state;
  EXPECT_EQ(slots.max_contract_slots, before.max_contract_slots / 2);
  EXPECT_EQ(slots.accounts, before.accounts);
  EXPECT_EQ(slots.p99_contract_slots, before.p99_contract_slots);
}

TEST(EffectiveSpec, RefusesAnUnknownWorkload) {
  Knobs knobs;
  EXPECT_THROW(effective_spec(knobs), Error);
  knobs.workload = "chain-haed";
  EXPECT_THROW(effective_spec(knobs), Error);
}

}  // namespace
}  // namespace ethio
