// What `ethio check` knows of fio: the stock profiles against the commands as published, and fio's
// JSON as the installed fio writes it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/fio/output.h"
#include "cli/fio/profile.h"
#include "cli/process/process.h"
#include "common/base/error.h"

namespace ethio {
namespace {

using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

TEST(FioProfile, HallOfBlameHasThePublishedOptions) {
  const FioProfile profile = load_profile("hall-of-blame");
  EXPECT_THAT(
      profile.arguments({}),
      UnorderedElementsAre("--randrepeat=1", "--ioengine=libaio", "--direct=1", "--gtod_reduce=1",
                           "--name=test", "--filename=test", "--bs=4k", "--iodepth=64",
                           "--size=150G", "--readwrite=randrw", "--rwmixread=75"));
  EXPECT_THAT(profile.sources, ::testing::Contains(HasSubstr("f3a3e79a573bf35767cd002cc977b038")));
}

TEST(FioProfile, TheThreeTestsOfArsTechnicaHaveTheirOptions) {
  EXPECT_THAT(load_profile("random-write-4k").arguments({}),
              UnorderedElementsAre("--name=random-write", "--ioengine=posixaio", "--rw=randwrite",
                                   "--bs=4k", "--size=4g", "--numjobs=1", "--iodepth=1",
                                   "--runtime=60", "--time_based", "--end_fsync=1"));
  EXPECT_THAT(load_profile("random-write-64k-16").arguments({}),
              UnorderedElementsAre("--name=random-write", "--ioengine=posixaio", "--rw=randwrite",
                                   "--bs=64k", "--size=256m", "--numjobs=16", "--iodepth=16",
                                   "--runtime=60", "--time_based", "--end_fsync=1"));
  EXPECT_THAT(load_profile("random-write-1m").arguments({}),
              UnorderedElementsAre("--name=random-write", "--ioengine=posixaio", "--rw=randwrite",
                                   "--bs=1m", "--size=16g", "--numjobs=1", "--iodepth=1",
                                   "--runtime=60", "--time_based", "--end_fsync=1"));
}

TEST(FioProfile, Ext4AgainstZfsHasThePublishedOptions) {
  EXPECT_THAT(load_profile("mixed-98").arguments({}),
              UnorderedElementsAre("--randrepeat=1", "--numjobs=3", "--ioengine=posixaio",
                                   "--name=test", "--bs=4k", "--iodepth=2", "--readwrite=randrw",
                                   "--rwmixread=98", "--size=1G", "--filename=testfile"));
}

TEST(FioProfile, EveryProfileSaysWhatItIsAndIsAcceptedByFio) {
  Interrupt interrupt;
  ASSERT_FALSE(stock::files().empty());
  for (const EmbeddedFile& file : stock::files()) {
    SCOPED_TRACE(file.name);
    const FioProfile profile = parse_profile(file.text, file.name);
    EXPECT_FALSE(profile.summary.empty());
    std::vector<std::string> argv = {"fio", "--parse-only"};
    for (const std::string& argument : profile.arguments({})) argv.push_back(argument);
    const ProcessResult result = run_process({argv, "", {}, {}}, interrupt);
    EXPECT_EQ(result.exit_code, 0) << result.err;
  }
}

TEST(FioProfile, ChangesReplaceInPlaceAndNewOptionsComeLast) {
  const FioProfile profile =
      parse_profile("# summary: s\n[job]\nsize=1g\ntime_based\nbs=4k\n", "p.fio");
  const FioOption changes[] = {{"size", "64m"}, {"runtime", "5"}};
  EXPECT_THAT(
      profile.arguments(changes),
      ::testing::ElementsAre("--name=job", "--size=64m", "--time_based", "--bs=4k", "--runtime=5"));
}

TEST(FioProfile, RefusesASecondJobAndAnOptionOutsideOfAJob) {
  EXPECT_THROW(parse_profile("[a]\nbs=4k\n[b]\n", "p.fio"), Error);
  EXPECT_THROW(parse_profile("bs=4k\n", "p.fio"), Error);
  EXPECT_THROW(parse_profile("# nothing\n", "p.fio"), Error);
  EXPECT_THROW(load_profile("hall-of-fame"), Error);
}

// One short run of the real fio on its null engine: no disk needed for the form of its JSON.
std::string real_output(const std::vector<std::string>& more) {
  Interrupt interrupt;
  ProcessRequest request;
  request.argv = {"fio",         "--name=t", "--ioengine=null", "--size=64m",
                  "--rw=randrw", "--bs=4k",  "--randrepeat=1",  "--output-format=json"};
  request.argv.insert(request.argv.end(), more.begin(), more.end());
  request.directory = std::filesystem::temp_directory_path();
  const ProcessResult result = run_process(request, interrupt);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result.out;
}

TEST(FioOutput, ReadsWhatTheInstalledFioWrites) {
  const fio::Result job = parse_fio_output(real_output({}));
  EXPECT_EQ(job.job_name, "t");
  EXPECT_EQ(job.error, 0);
  EXPECT_EQ(job.read.total_ios + job.write.total_ios, 64u * 256);
  EXPECT_EQ(job.read.total_bytes + job.write.total_bytes, 64u << 20);
  EXPECT_EQ(job.read.completion.count, job.read.total_ios);
  EXPECT_LE(job.read.completion.at(50), job.read.completion.at(99));
  EXPECT_LE(job.read.completion.at(99), job.read.completion.at(99.9));
  EXPECT_GT(job.user_cpu + job.system_cpu, 0);
}

TEST(FioOutput, KnowsThatGtodReduceTimesNothing) {
  const fio::Result job = parse_fio_output(real_output({"--gtod_reduce=1"}));
  EXPECT_EQ(job.read.completion.count, 0u);
  EXPECT_FALSE(job.read.completion.at(50).has_value());
}

TEST(FioOutput, SkipsChatterBeforeTheJson) {
  EXPECT_EQ(parse_fio_output("note: both iodepth >= 1 and\n" + real_output({})).job_name, "t");
}

TEST(FioOutput, RefusesWhatIsNotAWholeResult) {
  const std::string whole = real_output({});
  EXPECT_THROW(parse_fio_output(""), Error);
  EXPECT_THROW(parse_fio_output("fio: job failed\n"), Error);
  EXPECT_THROW(parse_fio_output("{}"), Error);
  EXPECT_THROW(parse_fio_output(std::string_view(whole).substr(0, whole.size() / 2)), Error);
  EXPECT_THROW(parse_fio_output(whole + whole), Error);
  EXPECT_THROW(parse_fio_output(real_output({"--percentile_list=50"})), Error);
}

TEST(FioOutput, FindsTheLineThatSaysWhatWentWrong) {
  EXPECT_EQ(
      relevant_line(
          "fio: starting\nfio: io_u error on file test: No space left on device\nfio: pid=7\n"),
      "fio: io_u error on file test: No space left on device");
  EXPECT_EQ(relevant_line("ethio: workload: 'x' is not one of a\nfio: failed to load engine\n"),
            "ethio: workload: 'x' is not one of a");
  EXPECT_EQ(relevant_line("one\ntwo\n"), "two");
  EXPECT_EQ(relevant_line(""), "");
}

}  // namespace
}  // namespace ethio
