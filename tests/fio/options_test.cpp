// Options of fio that may change how the accesses are done, and must change neither which they are
// nor how they are counted.
#include <gmock/gmock.h>

#include <filesystem>

#include "tests/fio/counts.h"
#include "tests/fio/fixture.h"

namespace ethio {
namespace {

using ::testing::HasSubstr;

class Options : public FioTest {
 protected:
  // The digest of one small block.
  std::string digest(std::vector<std::string> more) {
    more.insert(more.begin(), {"--size=16m", "--ethio_workload=chain-head", "--ethio_gas=1m",
                               "--ethio_units=1", "--ethio_out=out.json"});
    const auto report = fio_report(more);
    const auto sidecar = json_file("out.json");
    EXPECT_EQ(counts_of_sidecar(sidecar), counts_of_fio(report)) << more.back();
    return digest_of(sidecar);
  }

  // That of the stream itself: nothing is done.
  std::string bare() { return digest({"--ethio_executor=null"}); }
};

TEST_F(Options, IodepthBatches) {
  const std::string expected = bare();
  EXPECT_EQ(digest({"--iodepth=1"}), expected);
  EXPECT_EQ(digest({"--iodepth=32", "--iodepth_batch=8", "--iodepth_low=8",
                    "--iodepth_batch_complete_min=4", "--iodepth_batch_complete_max=32"}),
            expected);
}

TEST_F(Options, BlockSizesBelowAndAboveTheAccesses) {
  const std::string expected = bare();
  EXPECT_EQ(digest({"--bs=512"}), expected);
  EXPECT_EQ(digest({"--bs=1m"}), expected);
  EXPECT_EQ(digest({"--bsrange=4k-64k"}), expected);
}

TEST_F(Options, ThroughThePageCacheAndPastIt) {
  const std::string expected = bare();
  EXPECT_EQ(digest({"--direct=0"}), expected);
  EXPECT_EQ(digest({"--direct=1"}), expected);
}

TEST_F(Options, SyncsAtTheEndAreNotTheWorkloads) {
  const std::string expected = bare();
  EXPECT_EQ(digest({"--end_fsync=1"}), expected);
  EXPECT_EQ(digest({"--fsync_on_close=1"}), expected);
}

TEST_F(Options, ContentsOfWrites) {
  const std::string expected = bare();
  EXPECT_EQ(digest({"--refill_buffers", "--buffer_compress_percentage=50"}), expected);
  EXPECT_EQ(digest({"--zero_buffers"}), expected);
}

TEST_F(Options, FewerLooksAtTheClock) {
  EXPECT_EQ(digest({"--gtod_reduce=1"}), bare());
}

// A database writes over what is there.
TEST_F(Options, ANewFileIsWrittenInFullFirst) {
  fio_report({"--size=16m", "--rw=randwrite", "--ethio_workload=trie-commit", "--number_ios=1"});
  const std::string content = testing::read_file(folder() / "target");
  ASSERT_EQ(content.size(), 16u << 20);
  for (size_t at = 0; at < content.size(); at += 1 << 20) {
    EXPECT_NE(content.substr(at, 4096), std::string(4096, '\0')) << at;
  }
}

TEST_F(Options, UnlinkRemovesTheTarget) {
  digest({"--unlink=1"});
  EXPECT_FALSE(std::filesystem::exists(folder() / "target"));
}

TEST_F(Options, ReadonlyIsHonoured) {
  testing::write_file(folder() / "target", std::string(16 << 20, 'x'));  // fio may not make it
  const auto reads = fio({"--size=16m", "--rw=randread", "--readonly", "--ethio_workload=trie-read",
                          "--ethio_units=10"});
  EXPECT_EQ(reads.exit_code, 0) << reads.err;
  const auto writes = fio({"--size=16m", "--readonly", "--ethio_workload=chain-head"});
  EXPECT_NE(writes.exit_code, 0);
  EXPECT_THAT(writes.out + writes.err, HasSubstr("--readonly"));
}

// A part of a file: nothing outside it is touched.
TEST_F(Options, Offset) {
  testing::write_file(folder() / "target", std::string(52 << 20, 'x'));
  EXPECT_EQ(digest({"--offset=32m"}), bare());
  const std::string content = testing::read_file(folder() / "target");
  const size_t first = content.find_first_not_of('x');
  ASSERT_NE(first, std::string::npos);  // it has written
  EXPECT_GE(first, 32u << 20);
  EXPECT_LT(content.find_last_not_of('x'), 48u << 20);
}

}  // namespace
}  // namespace ethio
