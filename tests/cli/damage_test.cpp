// What rank, compare and report say of files that are no results, or no longer: one sentence, the
// documented exit code, nothing written. With what a real fio leaves behind when it is stopped.
#include <gmock/gmock.h>

#include "tests/cli/command.h"

namespace ethio {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr int kToolError = 1, kVoid = 5;

class Damage : public CommandTest {
 protected:
  // A real fio that would run for a minute, stopped by a signal after it has done some I/O.
  void stop_fio(const std::string& signal, const std::string& format, const std::string& out) {
    if (run({"sh", "-c", "command -v fio"}).exit_code != 0) GTEST_SKIP() << "fio is not installed";
    const ProcessResult stopped =
        run({"timeout", "--signal=" + signal, "1.5", "fio", "--name=t", "--filename=t", "--size=4m",
             "--rw=randread", "--ioengine=psync", "--thread", "--time_based", "--runtime=60",
             "--output-format=" + format, "--output=" + out});
    ASSERT_NE(stopped.exit_code, 0) << "fio ended by itself";
  }

  // rank FILE, compare FILE FILE, report FILE, each with its exit code and the beginning of its one
  // sentence on stderr.
  void expect_refused(const std::string& file, const std::string& sentence,
                      const std::string& rank_sentence = "") {
    const std::string start = "ethio: " + file + ": ";
    const std::string rank_start = start + (rank_sentence.empty() ? sentence : rank_sentence);
    expect_refusals("rank", {{{file}, kToolError, rank_start}});
    expect_refusals("compare", {{{file, file}, kToolError, start + sentence}});
    expect_refusals("report", {{{file, "-o", "x.html"}, kToolError, start + sentence}});
    EXPECT_FALSE(std::filesystem::exists(directory() / "x.html"));
  }
};

TEST_F(Damage, FilesThatAreNoResults) {
  put("empty", "");
  expect_refused("empty", "is empty; expected");
  put("blank", "\n \n");
  expect_refused("blank", "is empty; expected");
  put("prose", "It was a dark and stormy night.\n");
  expect_refused("prose", "holds no result of fio");
  put("other.json", R"({"name": "package", "version": "1.0.0"})");
  expect_refused("other.json", "line 1: is JSON, but not of fio");
  put("program",
      "\x7F"
      "ELF\x02\x01\x01");
  expect_refused("program", "is a program, not the output of fio");
}

TEST_F(Damage, ResultsOfAnotherVersion) {
  const std::string of_ethio = "is a result of ethio; rank reads the output of fio";
  put("result.json", R"({"schema": "ethio-result", "version": 99, "ethio_version": "9.0.0"})");
  expect_refused("result.json", "is a result of version 99; this ethio reads version 1", of_ethio);
  put("check.json", R"({"schema": "ethio-check", "version": 99})");
  expect_refused("check.json", "is a check of version 99; this ethio reads version 1", of_ethio);
  put("noise.json", R"({"schema": "ethio-noise", "version": 1})");
  expect_refused("noise.json", "is of schema ethio-noise", of_ethio);
}

TEST_F(Damage, TruncatedJson) {
  const std::string whole = text_of(ETHIO_SOURCE_DIR "/tests/data/fio-3.33/randrw.json");
  ASSERT_GT(whole.size(), 1000u);
  // Wherever the disk was full: within a key, a number, between members, before the last brace.
  for (const size_t length : {size_t{20}, size_t{333}, whole.size() / 2, whole.size() - 4}) {
    put("cut.json", whole.substr(0, length));
    expect_refused("cut.json", "line 1: the JSON that begins here is cut off");
  }
  put("cut.json", R"({"schema": "ethio-result", "version": 1, "workl)");
  expect_refused("cut.json", "is not JSON, or not all of it",
                 "is a result of ethio; rank reads the output of fio");
}

TEST_F(Damage, AFioThatWasKilled) {
  stop_fio("KILL", "json", "killed.json");
  if (IsSkipped()) return;
  expect_refused("killed.json", "is empty; expected");
  stop_fio("KILL", "normal", "killed.txt");
  expect_refused("killed.txt",
                 read("killed.txt").empty() ? "is empty; expected" : "holds no result of fio");
}

// Stopped by Ctrl-C, fio prints the result of what it got to: no measurement of what was asked for.
TEST_F(Damage, AFioThatWasInterrupted) {
  for (const char* format : {"json", "normal"}) {
    const std::string file = std::string("interrupted.") + format;
    stop_fio("INT", format, file);
    if (IsSkipped()) return;
    const ProcessResult ranked = ethio({"rank", file});
    EXPECT_EQ(ranked.exit_code, kVoid) << ranked.out << ranked.err;
    EXPECT_THAT(ranked.out, HasSubstr("VOID: fio was interrupted"));
    const ProcessResult compared = ethio({"compare", file, file});
    EXPECT_EQ(compared.exit_code, kToolError) << compared.out;
    EXPECT_THAT(compared.out, StartsWith("FAILED: t in " + file + ": fio was interrupted."));
    // A report is written of it, and says so first.
    const ProcessResult report = ethio({"report", file, "-o", "-", "--format", "markdown"});
    EXPECT_EQ(report.exit_code, 0) << report.err;
    EXPECT_THAT(report.out, HasSubstr("**VOID: t: fio was interrupted.**"));
    const ProcessResult junit = ethio({"report", file, "-o", "-", "--format", "junit"});
    EXPECT_THAT(junit.out, HasSubstr("<error message=\"VOID: fio was interrupted\"/>"));
  }
}

}  // namespace
}  // namespace ethio
