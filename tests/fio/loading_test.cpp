// Every way in which fio can be told to load the engine, and what the library exports.
#include <gmock/gmock.h>

#include <filesystem>
#include <set>
#include <sstream>

#include "tests/fio/fixture.h"

namespace ethio {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Loading : public FioTest {
 protected:
  void expect_runs(const std::string& ioengine, const testing::ProcessOptions& options) {
    const auto result = run({"fio", "--ioengine=" + ioengine, "--name=t", "--size=16m",
                             "--rw=randread", "--filename=" + (folder() / "target").string(),
                             "--ethio_workload=flat-read", "--ethio_units=10"},
                            options);
    EXPECT_EQ(result.exit_code, 0) << ioengine << ": " << result.err;
    EXPECT_THAT(result.err, HasSubstr("ethio flat-read: 10 ops")) << ioengine;
  }
};

TEST_F(Loading, EverySpellingWorks) {
  const fs::path build = fs::path(engine()).parent_path();
  testing::ProcessOptions in_build;
  in_build.cwd = build;
  expect_runs("external:./libethio.so", in_build);
  expect_runs("external:" + engine(), {});
  testing::ProcessOptions on_library_path = in_build;
  on_library_path.env["LD_LIBRARY_PATH"] = ".";
  expect_runs("external:libethio.so", on_library_path);
  testing::ProcessOptions elsewhere;
  elsewhere.env["LD_LIBRARY_PATH"] = build;
  expect_runs("libethio.so", elsewhere);
}

TEST_F(Loading, ABareCommandSetsWhatThePatternNeedsAndSaysSo) {
  const auto result = fio({"--ethio_workload=chain-head"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err,
              HasSubstr("chain-head: for its accesses fio has norandommap=1, bs=128k, iodepth=16"));
  EXPECT_THAT(result.out, HasSubstr("READ: bw="));
}

TEST_F(Loading, EnghelpListsTheKnobs) {
  const auto result = run({"fio", "--enghelp=" + engine()});
  for (const char* knob :
       {"ethio_workload", "ethio_seed", "ethio_executor", "ethio_lanes", "ethio_accounts",
        "ethio_slots", "ethio_cache", "ethio_gas", "ethio_slot_time", "ethio_units", "ethio_out"}) {
    EXPECT_THAT(result.out + result.err, HasSubstr(knob));
  }
}

TEST_F(Loading, AFioOfAnotherVersionIsRefused) {
  const auto result = run({"fio", std::string("--ioengine=external:") + ETHIO_ENGINE_OTHER_FIO,
                           "--name=t", "--size=16m", "--rw=randread"});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("this libethio.so is for fio-9.99 but was loaded by fio-"));
  EXPECT_THAT(result.err, HasSubstr("./bootstrap.sh build"));
}

TEST_F(Loading, AFioOfAnotherLayoutIsRefused) {
  const auto result = run({"fio", std::string("--ioengine=external:") + ETHIO_ENGINE_OTHER_LAYOUT,
                           "--name=t", "--size=16m", "--rw=randread"});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("whose structs are laid out in another way"));
}

// What the build does with each engine. It must find out what no comparison of versions can.
class Probe : public FioTest {
 protected:
  testing::ProcessResult probe(const std::string& engine) {
    return run({ETHIO_CMAKE, "-DFIO=" + testing::find_program("fio"), "-DENGINE=" + engine, "-P",
                ETHIO_FIO_PROBE});
  }
};

TEST_F(Probe, PassesTheEngine) {
  const auto result = probe(engine());
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST_F(Probe, StopsAnEngineForAFioOfAnotherVersion) {
  EXPECT_NE(probe(ETHIO_ENGINE_OTHER_FIO).exit_code, 0);
}

TEST_F(Probe, StopsAnEngineForStructsOfAnotherLayout) {
  const auto result = probe(ETHIO_ENGINE_OTHER_LAYOUT);
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("the engine does not fit"));
}

std::set<std::string> symbols(const std::string& nm_output) {
  std::set<std::string> names;
  std::istringstream lines(nm_output);
  for (std::string line; std::getline(lines, line);) {
    std::string name = line.substr(line.rfind(' ') + 1);
    names.insert(name.substr(0, name.find('@')));
  }
  return names;
}

TEST_F(Loading, OneSymbolIsExportedAndNoneIsMissing) {
  if (testing::find_program("nm").empty())
    GTEST_SKIP() << "SKIPPED: nm (binutils) is not installed";
  const auto defined = run({"nm", "-D", "--defined-only", engine()});
  EXPECT_EQ(symbols(defined.out), std::set<std::string>{"get_ioengine"});
  std::set<std::string> known =
      symbols(run({"nm", "-D", "--defined-only", testing::find_program("fio")}).out);
  std::istringstream libraries(run({"ldd", engine()}).out);
  for (std::string word; libraries >> word;) {
    if (word[0] == '/') known.merge(symbols(run({"nm", "-D", "--defined-only", word}).out));
  }
  std::istringstream wanted(run({"nm", "-D", "--undefined-only", engine()}).out);
  for (std::string line; std::getline(wanted, line);) {
    const bool weak = line.find(" w ") != std::string::npos;
    const std::string name = *symbols(line).begin();
    EXPECT_TRUE(weak || known.count(name) > 0)
        << name << " is exported neither by fio nor by a library";
  }
}

}  // namespace
}  // namespace ethio
