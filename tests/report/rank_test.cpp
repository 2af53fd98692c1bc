// What ethio rank prints: all posted outputs in one text, one result in full, and its JSON against
// the schema.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/rank/ranking.h"
#include "common/report/fio_reader.h"
#include "tests/report/test_data.h"
#include "tests/support/json_schema.h"

namespace ethio {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

std::vector<RankedResult> ranked(const std::string& text) {
  return rank_results(fio::merge_groups(fio::read(text, "page")), hall_of_blame());
}

// The outputs of the Hall of Blame one after the other, as on its page.
std::string all_outputs() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(data_path("hall-of-blame"))) {
    names.push_back("hall-of-blame/" + entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  std::string page;
  for (const std::string& name : names) page += data_file(name) + "\nThanks for sharing!\n\n";
  return page;
}

TEST(Rank, PlacesEveryPostedOutput) {
  const auto ranking = ranked(all_outputs());
  ASSERT_EQ(ranking.size(), 19u);
  size_t repeats = 0;
  for (const RankedResult& result : ranking) {
    EXPECT_TRUE(result.placement.rank) << result.where();
    EXPECT_TRUE(result.placement.comparable()) << result.where();
    repeats += result.repeats ? 1 : 0;
  }
  EXPECT_EQ(repeats, 1u);
  EXPECT_EQ(ranking[1].repeats, 0u);
  const std::string text = ranking_text(ranking, hall_of_blame());
  EXPECT_THAT(text, HasSubstr("repeats the measurement of page:7"));
  EXPECT_THAT(text, HasSubstr("3 of 23"));
  EXPECT_THAT(text, Not(HasSubstr("differs")));
}

TEST(Rank, ShowsOneResultInFull) {
  const std::string text =
      ranking_text(ranked(data_file("hall-of-blame/04-solidigm-p44-pro-2tb.txt")), hall_of_blame());
  EXPECT_THAT(
      text,
      HasSubstr("page:7: test: randrw, 75 % reads, blocks of 4 KiB, depth 64, a file of 150 GiB, "
                "libaio, fio 3.35"));
  EXPECT_THAT(text, HasSubstr("98973 reads/s"));
  EXPECT_THAT(text, HasSubstr("32986 writes/s"));
  EXPECT_THAT(text, HasSubstr("Place 17 of 23 by reads, faster than 27 %"));
  EXPECT_THAT(text, HasSubstr("Within 5 % of it stand drives of 2 tiers"));
  EXPECT_THAT(text, HasSubstr("each access took 485 us on average"));
}

// Why 98k/33k stands in two tiers, and why no latency comes with it.
TEST(Rank, SaysWhatSuchANumberCannotTell) {
  std::string limits;
  for (const std::string& limit : limits_of_the_profile(hall_of_blame())) limits += limit + "\n";
  EXPECT_THAT(limits, HasSubstr("gtod_reduce=1 switches fio's latencies off"));
  EXPECT_THAT(
      limits,
      HasSubstr("SK Hynix P41 Platinum / Solidigm P44 Pro (good: TLC, with DRAM) is listed with "
                "99k/33k, Intel 660p (ugly: QLC) with 98k/33k"));
  EXPECT_THAT(limits, HasSubstr("from 99k to 250k reads/s"));
  EXPECT_THAT(limits, HasSubstr("depth of about 1"));
}

TEST(Rank, DoesNotPassOffAnotherProfileAsThisOne) {
  const auto ranking = ranked(data_file("ext4-vs-zfs/summaries.txt"));
  const std::string text = ranking_text(ranking, hall_of_blame());
  EXPECT_THAT(text, HasSubstr("(1 of 23)"));
  EXPECT_THAT(text, HasSubstr("not the profile of the table: 98 % reads, not 75 %, 3 jobs, not 1"));
  EXPECT_THAT(text, HasSubstr("without IOPS it has no place"));
  const std::string single = ranking_text({ranking[0]}, hall_of_blame());
  EXPECT_THAT(single, HasSubstr("but of another profile"));
}

TEST(Rank, JsonObeysItsSchema) {
  for (const std::string& text :
       {all_outputs(), data_file("ext4-vs-zfs/summaries.txt"),
        data_file("fio-3.33/several-jobs.txt"), data_file("fio-3.33/randrw.json")}) {
    const json document = json::parse(ranking_json(ranked(text), hall_of_blame()));
    EXPECT_EQ(errors_against_schema("workloads/schema/rank.schema.json", document), "");
  }
  const json document = json::parse(ranking_json(ranked(all_outputs()), hall_of_blame()));
  EXPECT_EQ(document["results"].size(), 19u);
  EXPECT_EQ(document["results"][3]["rank"]["below"]["name"], "Intel 660p");
  EXPECT_EQ(document["results"][1]["repeats"], 0);
}

}  // namespace
}  // namespace ethio
