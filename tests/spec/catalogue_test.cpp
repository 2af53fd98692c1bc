// Where definitions come from: every built-in one is sound, and every wrong name or path is one
// sentence.
#include "common/spec/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "common/base/error.h"
#include "common/spec/parse.h"
#include "common/spec/preset.h"
#include "tests/support/source_file.h"
#include "tests/support/temp_dir.h"

namespace ethio {
namespace {

using ::testing::_;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using ::testing::StartsWith;

std::string refusal(std::string_view name, int code) {
  try {
    load_workload(name);
    return "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
}

TEST(Catalogue, LoadsEveryBuiltInUnderItsOwnName) {
  ASSERT_THAT(workload_names(), Contains("uniform-read"));
  for (const std::string& name : workload_names()) {
    SCOPED_TRACE(name);
    const WorkloadSpec spec = load_workload(name);
    EXPECT_EQ(spec.name, name);
    EXPECT_FALSE(spec.description.empty());
    EXPECT_THAT(spec.uncited, IsEmpty()) << "each number has a source or says that it is assumed";
  }
}

TEST(Catalogue, CitesEverySourceThatABuiltInLists) {
  for (const std::string& name : workload_names()) {
    const WorkloadSpec spec = load_workload(name);
    for (const auto& [key, source] : spec.sources) {
      EXPECT_THAT(spec.cited, Contains(Pair(_, key))) << name << ": " << key;
      EXPECT_THAT(source.url, StartsWith("https://")) << name << ": " << key;
    }
  }
}

TEST(Catalogue, ExplainsEachBuiltInInTheDocs) {
  const std::string text = read_file("docs/workloads.md");
  for (const std::string& name : workload_names()) {
    EXPECT_THAT(text, testing::ContainsRegex("\n#+ [^\n]*`" + name + "`")) << name;
  }
}

TEST(Catalogue, LoadsAFileByPath) {
  const TempDir dir;
  const WorkloadSpec built_in = load_workload("uniform-read");
  EXPECT_EQ(load_workload(dir.file("mine.json", to_json(built_in))), built_in);
}

TEST(Catalogue, NamesTheKnownOnes) {
  const std::string message = refusal("uniform-raed", ENOENT);
  EXPECT_THAT(message, StartsWith("workload: 'uniform-raed' is not known; known: "));
  EXPECT_THAT(message, HasSubstr("uniform-read"));
  EXPECT_THAT(message, Not(HasSubstr("state/")));
  EXPECT_THAT(refusal("", EINVAL), HasSubstr("none given"));
}

TEST(Catalogue, RefusesFilesThatAreNone) {
  const TempDir dir;
  EXPECT_THAT(refusal(dir.path() + "/none.json", ENOENT),
              HasSubstr("cannot be opened: No such file or directory"));
  EXPECT_THAT(refusal("none.json", ENOENT), StartsWith("definition 'none.json' cannot be opened"));
  EXPECT_THAT(refusal(dir.path() + "/", EISDIR), HasSubstr("cannot be read: Is a directory"));
  EXPECT_THAT(refusal(dir.file("empty.json", ""), EINVAL), HasSubstr("empty.json: empty"));
  EXPECT_THAT(refusal(dir.file("large.json", std::string((1 << 20) + 1, ' ')), EFBIG),
              HasSubstr("is larger than 1 MiB"));
  EXPECT_THAT(refusal("/dev/zero", EFBIG), HasSubstr("is larger than 1 MiB"));
}

TEST(Presets, AreCompleteAndConsistent) {
  EXPECT_THAT(state_preset_names(), ElementsAre("mainnet-2024", "mainnet-2026", "small"));
  EXPECT_EQ(state_preset("mainnet-2077"), nullptr);
  for (const std::string& name : state_preset_names()) {
    const std::string text =
        R"({"name": "x", "summary": "x", "unit": "op", "state": {"preset": ")" + name +
        R"("}, "stages": [{"ops": [{"op": "sync"}]}]})";
    EXPECT_NO_THROW(parse_workload(text, name));
  }
}

TEST(Presets, SmallFitsItsFile) {
  ASSERT_NE(state_preset("small"), nullptr);
  const StateSpec& state = state_preset("small")->state;
  const auto accounts = static_cast<double>(state.accounts);
  const auto slots = static_cast<double>(state.slots);
  const double nodes = 1.351 * accounts + 1.329 * slots;  // see the preset mainnet-2026
  const double bytes = accounts * static_cast<double>(state.account_bytes) +
                       slots * static_cast<double>(state.slot_bytes) +
                       nodes * static_cast<double>(state.node_bytes) +
                       static_cast<double>(state.code_bytes);
  const LayoutSpec layout;
  EXPECT_LT(bytes / layout.page_fill, (1 - layout.append_share) * 256 * 1024 * 1024);
}

TEST(Presets, MustBeComplete) {
  try {
    parse_state_preset(R"({"name": "x", "summary": "x", "state": {"accounts": 20}})", "x.json");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "x.json: state.accounts: needed, as {\"value\": ..., \"source\": ...}");
  }
}

}  // namespace
}  // namespace ethio
