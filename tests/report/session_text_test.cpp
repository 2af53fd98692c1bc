#include "common/report/session_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/report/sample_result.h"

namespace ethio {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(SessionText, SaysWhatRanAndHowLong) {
  EXPECT_EQ(lines_of(to_text(sample_result())).front(),
            "ethio chain-head: 3 blocks in 2 s, executor uring, job 0 of 2");
}

TEST(SessionText, HasARowForEachThingThatWasTimed) {
  const std::string text = to_text(sample_result());
  for (const char* row :
       {"access read", "access write", "access sync", "unit block", "stage execute", "stage commit",
        "op execute slot_get", "op commit sync"}) {
    EXPECT_THAT(text, HasSubstr(row));
  }
  EXPECT_THAT(text, HasSubstr("1 accesses FAILED"));
  EXPECT_THAT(text, HasSubstr("00000000000000000000000000000001"));
  EXPECT_THAT(text, HasSubstr("The state was scaled."));
}

TEST(SessionText, LeavesOutWhatDidNotHappen) {
  SessionResult result = sample_result();
  result.metrics.access[1] = {};
  EXPECT_THAT(to_text(result), Not(HasSubstr("access write")));
  EXPECT_THAT(to_text(result), Not(HasSubstr("FAILED")));
}

TEST(SessionText, AlignsItsColumns) {
  const std::vector<std::string> lines = lines_of(to_text(sample_result()));
  const size_t right_edge = lines[1].size();  // of the last column's name
  for (size_t i = 2; i <= 9; ++i) EXPECT_EQ(lines[i].size(), right_edge) << lines[i];
}

TEST(SessionText, IsAtMostTwentyFiveLines) {
  SessionResult result = sample_result();
  for (int i = 0; i < 40; ++i) {
    result.metrics.ops.push_back(result.metrics.ops[0]);
    result.op_stages.push_back("execute");
  }
  result.notes = "One.\nTwo.";
  const std::string text = to_text(result);
  EXPECT_LE(lines_of(text).size(), 25U);
  EXPECT_THAT(text, HasSubstr("more rows in the result file"));
}

TEST(SessionText, BreaksLongNotesBetweenWords) {
  SessionResult result = sample_result();
  result.notes.clear();
  for (int i = 0; i < 60; ++i) result.notes += "word ";
  result.notes += "end";
  for (const std::string& line : lines_of(to_text(result))) EXPECT_LE(line.size(), 100U) << line;
  EXPECT_THAT(to_text(result), HasSubstr("  note: word word"));
  EXPECT_THAT(to_text(result), HasSubstr("word end\n"));
}

TEST(SessionText, ARunWithoutAccessesIsNoProblem) {
  SessionResult result = sample_result();
  result.metrics.reset();
  EXPECT_THAT(to_text(result), HasSubstr("0 blocks"));
}

}  // namespace
}  // namespace ethio
