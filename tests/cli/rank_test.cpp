// ethio rank as a user runs it: files, standard input, JSON, and what is none.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/cli/command.h"

namespace ethio {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class RankCommand : public CommandTest {
 protected:
  static std::string posted(const std::string& name) {
    return ETHIO_SOURCE_DIR "/tests/data/hall-of-blame/" + name;
  }
};

TEST_F(RankCommand, PlacesAFile) {
  const ProcessResult result = ethio({"rank", posted("04-solidigm-p44-pro-2tb.txt")});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("Place 17 of 23"));
  EXPECT_THAT(result.err, IsEmpty());
}

TEST_F(RankCommand, ReadsStandardInputAndSeveralFiles) {
  const ProcessResult piped = run({"sh", "-c",
                                   "cat '" + posted("01-samsung-990-pro-4tb.txt") + "' | '" +
                                       ethio_path() + "' rank --json -"});
  EXPECT_EQ(piped.exit_code, 0) << piped.err;
  EXPECT_EQ(nlohmann::json::parse(piped.out)["results"][0]["file"], "standard input");
  const ProcessResult two = ethio({"rank", "--json", posted("01-samsung-990-pro-4tb.txt"),
                                   posted("02-samsung-990-pro-4tb-quoted.txt")});
  EXPECT_EQ(two.exit_code, 0) << two.err;
  EXPECT_EQ(nlohmann::json::parse(two.out)["results"][1]["repeats"], 0);
}

TEST_F(RankCommand, GivesOneSentenceForWhatIsNoResult) {
  put("empty", "");
  put("cut.json", "{\"fio version\": \"fio-3.33\", \"jobs\": [{\"jobname\"");
  put("prose", "It was a dark and stormy night.\n");
  put("own.json", "{\n \"schema\": \"ethio-result\"}");
  const std::pair<const char*, const char*> cases[] = {
      {"empty", "ethio: empty: is empty; expected the output of fio\n"},
      {"cut.json",
       "ethio: cut.json: line 1: the JSON that begins here is cut off; was fio interrupted?\n"},
      {"prose",
       "ethio: prose: holds no result of fio; expected its normal output, its READ/WRITE summary, "
       "JSON or JSON+\n"},
      {"own.json", "ethio: own.json: is a result of ethio; rank reads the output of fio\n"},
      {"nowhere", "ethio: nowhere: No such file or directory\n"},
      {".", "ethio: .: Is a directory\n"},
  };
  for (const auto& [file, message] : cases) {
    const ProcessResult result = ethio({"rank", file});
    EXPECT_EQ(result.exit_code, 1) << file;
    EXPECT_EQ(result.err, message);
    EXPECT_THAT(result.out, IsEmpty());
  }
  EXPECT_EQ(ethio({"rank"}).exit_code, 2);
  EXPECT_EQ(ethio({"rank", "--frobnicate", "x"}).exit_code, 2);
}

}  // namespace
}  // namespace ethio
