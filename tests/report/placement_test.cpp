// The reference table against its schema and against the outputs it cites, and where results land
// in it.
#include "common/report/placement.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>

#include "common/base/error.h"
#include "common/report/fio_reader.h"
#include "tests/report/test_data.h"
#include "tests/support/json_schema.h"

namespace ethio {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

nlohmann::json drives_json() {
  for (const EmbeddedFile& file : reference_files::files()) {
    if (file.name == "reference/drives.json") return nlohmann::json::parse(file.text);
  }
  ADD_FAILURE() << "drives.json is not compiled in";
  return {};
}

fio::Result posted(const std::string& file) {
  return fio::read(data_file("hall-of-blame/" + file), file).at(0);
}

const ReferenceDrive* drive_named(const std::string& name) {
  for (const ReferenceDrive& drive : hall_of_blame().drives) {
    if (drive.name == name) return &drive;
  }
  return nullptr;
}

TEST(Reference, ObeysItsSchema) {
  EXPECT_EQ(errors_against_schema("workloads/schema/drives.schema.json", drives_json()), "");
  nlohmann::json broken = drives_json();
  broken["drives"][0]["tier"] = "splendid";
  EXPECT_NE(errors_against_schema("workloads/schema/drives.schema.json", broken), "");
}

TEST(Reference, HoldsEveryDriveOnce) {
  std::set<std::string> names;
  size_t good = 0, ugly = 0, bad = 0, figures = 0;
  for (const ReferenceDrive& drive : hall_of_blame().drives) {
    EXPECT_TRUE(names.insert(drive.name).second) << drive.name;
    good += drive.tier == "good" ? 1 : 0;
    ugly += drive.tier == "ugly" ? 1 : 0;
    bad += drive.tier == "bad" ? 1 : 0;
    figures += drive.listed.empty() ? 0 : 1;
  }
  EXPECT_EQ(good, 32u);
  EXPECT_EQ(ugly, 15u);
  EXPECT_EQ(bad, 12u);
  EXPECT_EQ(figures, 22u);
}

TEST(Reference, TakesTheMiddleOfARange) {
  const ReferenceDrive* drive = drive_named("Teamgroup MP34");
  ASSERT_NE(drive, nullptr);
  EXPECT_EQ(drive->figure().read, 106000);
  EXPECT_EQ(drive->figure().write, 35000);
}

// Each figure "posted" is the total over the run time of the output that it names.
TEST(Reference, PostedFiguresAreThoseOfTheOutputs) {
  std::set<std::string> cited;
  const nlohmann::json table = drives_json();
  for (const nlohmann::json& drive : table["drives"]) {
    for (const nlohmann::json& entry : drive.value("posted", nlohmann::json::array())) {
      const std::string file = entry["output"];
      EXPECT_TRUE(cited.insert(file).second) << file;
      const fio::Result result = posted(file);
      EXPECT_NEAR(result.read.iops.value_or(0), entry["read"].get<double>(), 0.5) << file;
      EXPECT_NEAR(result.write.iops.value_or(0), entry["write"].get<double>(), 0.5) << file;
    }
  }
  EXPECT_EQ(cited.size(), 18u);  // 19 outputs, one of them quoted twice
}

TEST(Reference, SaysWhatIsWrongWithATable) {
  EXPECT_THROW(parse_reference("{", "x"), Error);
  EXPECT_THROW(parse_reference("{}", "x"), Error);
  EXPECT_THROW(parse_reference(R"({"schema": "other", "version": 1})", "x"), Error);
}

TEST(Placement, PutsAResultBetweenItsNeighbours) {
  const Placement placement = place(posted("04-solidigm-p44-pro-2tb.txt"), hall_of_blame());
  EXPECT_TRUE(placement.comparable());
  EXPECT_THAT(placement.unstated, IsEmpty());
  ASSERT_TRUE(placement.rank);
  // 98,973 reads/s: below the P44 Pro's own 99k, above the Intel 660p's 98k.
  EXPECT_EQ(placement.rank->above->name, "SK Hynix P41 Platinum / Solidigm P44 Pro");
  EXPECT_EQ(placement.rank->below->name, "Intel 660p");
  EXPECT_EQ(placement.rank->drives, 22u);
  EXPECT_EQ(placement.rank->position, 17u);
  EXPECT_DOUBLE_EQ(placement.rank->faster_than, 6.0 / 22);
  std::set<std::string> tiers;
  for (const ReferenceDrive* drive : placement.rank->alike) tiers.insert(drive->tier);
  EXPECT_THAT(tiers, ElementsAre("good", "ugly"));
}

TEST(Placement, HandlesBothEndsOfTheTable) {
  fio::Result fastest = posted("14-kingston-fury-renegade-4tb.txt");
  fastest.read.iops = 1e6;
  const Placement top = place(fastest, hall_of_blame());
  EXPECT_EQ(top.rank->position, 1u);
  EXPECT_EQ(top.rank->above, nullptr);
  EXPECT_EQ(top.rank->faster_than, 1);
  fastest.read.iops = 10;
  const Placement bottom = place(fastest, hall_of_blame());
  EXPECT_EQ(bottom.rank->position, 23u);
  EXPECT_EQ(bottom.rank->below, nullptr);
  EXPECT_EQ(bottom.rank->faster_than, 0);
}

TEST(Placement, EveryPostedOutputIsOfTheProfile) {
  const nlohmann::json table = drives_json();
  for (const nlohmann::json& drive : table["drives"]) {
    for (const nlohmann::json& entry : drive.value("posted", nlohmann::json::array())) {
      const std::string file = entry["output"];
      const Placement placement = place(posted(file), hall_of_blame());
      EXPECT_THAT(placement.differences, IsEmpty()) << file;
      EXPECT_TRUE(placement.rank) << file;
    }
  }
  EXPECT_THAT(place(posted("14-kingston-fury-renegade-4tb.txt"), hall_of_blame()).unstated,
              ElementsAre("the pattern (rw)", HasSubstr("page cache")));
}

TEST(Placement, NamesEveryDifferenceFromTheProfile) {
  const auto summaries = fio::read(data_file("ext4-vs-zfs/summaries.txt"), "article");
  const Placement placement = place(summaries.at(0), hall_of_blame());
  EXPECT_THAT(placement.differences,
              ElementsAre("98 % reads, not 75 %", "3 jobs, not 1", "depth 2, not 64",
                          "a file of 1 GiB, not 150 GiB"));
  EXPECT_TRUE(placement.rank);
  EXPECT_EQ(place(summaries.at(2), hall_of_blame()).rank, std::nullopt) << "no block size, no IOPS";

  fio::Result changed = posted("04-solidigm-p44-pro-2tb.txt");
  changed.rw = "randread";
  changed.read.block_bytes = 16384;
  changed.direct = false;
  changed.interrupted = true;
  changed.error = 5;
  EXPECT_THAT(place(changed, hall_of_blame()).differences,
              ElementsAre("rw=randread, not randrw", "blocks of 16 KiB, not 4 KiB",
                          "fio was interrupted", "through the page cache (direct=0)"));
}

TEST(Placement, KnowsLittlesLaw) {
  const fio::Result result = posted("01-samsung-990-pro-4tb.txt");
  const double rate = 39321600 / 113.384;
  EXPECT_NEAR(mean_time_in_flight_ns(result), 64 / rate * 1e9, 1);
}

}  // namespace
}  // namespace ethio
