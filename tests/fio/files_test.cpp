// filename= with several files, and directory= with nrfiles=: the target is all of them, one after
// the other, and nothing else differs from a target in one file.
#include <gmock/gmock.h>

#include <filesystem>
#include <set>

#include "tests/fio/counts.h"
#include "tests/fio/fixture.h"

namespace ethio {
namespace {

using ::testing::HasSubstr;

constexpr uint64_t kMiB = 1 << 20;

class Files : public FioTest {
 protected:
  // fio without a file name.
  testing::ProcessResult unnamed(const std::vector<std::string>& more) {
    std::vector<std::string> argv = {"fio", "--ioengine=external:" + engine(), "--name=t",
                                     "--rw=randrw", "--output-format=json"};
    argv.insert(argv.end(), more.begin(), more.end());
    return run(argv);
  }

  // The digest of small blocks, after the checks that hold for every run.
  std::string digest(std::vector<std::string> more, const std::string& workload = "chain-head") {
    more.insert(more.begin(), {"--ethio_workload=" + workload, "--ethio_gas=1m", "--ethio_units=2",
                               "--ethio_out=out.json"});
    const auto result = unnamed(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const auto sidecar = json_file("out.json");
    EXPECT_EQ(counts_of_sidecar(sidecar), counts_of_fio(nlohmann::json::parse(result.out)))
        << more.back();
    EXPECT_EQ(sidecar["unit"]["count"], 2);
    return digest_of(sidecar);
  }

  std::string of_one_file(const std::string& size, const std::string& workload = "chain-head") {
    return digest({"--filename=one", "--size=" + size}, workload);
  }

  // Files that are there, full of x.
  void make_files(const std::vector<std::string>& names, uint64_t bytes) {
    for (const std::string& name : names) {
      testing::write_file(folder() / name, std::string(bytes, 'x'));
    }
  }

  // Where what is not x begins and where it ends; npos if all is x.
  std::pair<size_t, size_t> written(const std::string& name) const {
    const std::string content = testing::read_file(folder() / name);
    return {content.find_first_not_of('x'), content.find_last_not_of('x')};
  }

  void expect_refused(const std::vector<std::string>& more, const std::string& sentence) {
    std::vector<std::string> arguments = {"--ethio_workload=chain-head"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto result = unnamed(arguments);
    EXPECT_NE(result.exit_code, 0);
    ASSERT_EQ(ethio_lines(result.err).size(), 1u) << result.err;
    EXPECT_THAT(result.err, HasSubstr(sentence));
  }
};

TEST_F(Files, TheStreamIsThatOfOneFileOfTheirSize) {
  const std::string expected = of_one_file("256m");
  EXPECT_EQ(digest({"--directory=.", "--nrfiles=4", "--size=256m"}), expected);
  for (const char* name : {"t.0.0", "t.0.1", "t.0.2", "t.0.3"}) {
    EXPECT_EQ(std::filesystem::file_size(folder() / name), 64 * kMiB) << name;
  }
  EXPECT_EQ(json_file("out.json")["target_bytes"], 256 * kMiB);
  EXPECT_EQ(json_file("out.json")["harness"]["files"], "4");
  EXPECT_EQ(digest({"--filename=t.0.3:t.0.1", "--filesize=64m"}), of_one_file("128m"));
}

TEST_F(Files, EveryExecutorTakesThem) {
  const std::string expected = of_one_file("16m");
  for (const char* executor : {"uring", "psync", "mmap", "null"}) {
    EXPECT_EQ(digest({"--directory=.", "--nrfiles=4", "--size=16m",
                      std::string("--ethio_executor=") + executor}),
              expected);
  }
}

TEST_F(Files, TheEngineSaysWhatTheTargetIs) {
  const auto result = unnamed({"--ethio_workload=flat-read", "--ethio_units=1", "--size=100m",
                               "--directory=.", "--nrfiles=3", "--ethio_out=out.json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("its 3 files, one after the other and each in whole blocks of "
                                    "4k, are one target of 99 MiB"));
  // fio gives each a third, and of that whole blocks count.
  EXPECT_EQ(json_file("out.json")["target_bytes"], 3 * (100 * kMiB / 3 / 4096 * 4096));
}

TEST_F(Files, EachOfThemIsWritten) {
  const std::vector<std::string> names = {"a", "b", "c", "d"};
  for (const char* executor : {"uring", "psync", "mmap"}) {
    make_files(names, 4 * kMiB);
    digest({"--filename=a:b:c:d", "--size=16m", std::string("--ethio_executor=") + executor},
           "trie-commit");
    for (const std::string& name : names) {
      EXPECT_NE(written(name).first, std::string::npos) << executor << " " << name;
      EXPECT_EQ(std::filesystem::file_size(folder() / name), 4 * kMiB);
    }
  }
}

// The order in which files are named is that of the target: where one file is written, so are they.
TEST_F(Files, TheyHoldWhatOneFileHolds) {
  make_files({"one"}, 16 * kMiB);
  make_files({"c", "a", "d", "b"}, 4 * kMiB);
  const std::vector<std::string> same = {"--zero_buffers", "--size=16m"};
  std::vector<std::string> several = same;
  several.emplace_back("--filename=c:a:d:b");
  std::vector<std::string> one = same;
  one.emplace_back("--filename=one");
  EXPECT_EQ(digest(several), digest(one));
  std::string whole;
  for (const char* name : {"c", "a", "d", "b"}) whole += testing::read_file(folder() / name);
  EXPECT_TRUE(whole == testing::read_file(folder() / "one"));
  EXPECT_NE(whole.find_first_not_of('x'), std::string::npos);
}

TEST_F(Files, AnOffsetHoldsInEach) {
  make_files({"a", "b"}, 24 * kMiB);
  digest({"--filename=a:b", "--offset=8m", "--size=16m"}, "trie-commit");
  for (const char* name : {"a", "b"}) {
    EXPECT_GE(written(name).first, 8 * kMiB) << name;
    EXPECT_LT(written(name).second, 16 * kMiB) << name;
  }
}

TEST_F(Files, DirectOrNot) {
  const std::string expected = of_one_file("16m");
  EXPECT_EQ(digest({"--filename=a:b", "--size=16m", "--direct=1"}), expected);
  EXPECT_EQ(digest({"--filename=a:b", "--size=16m", "--direct=0"}), expected);
}

TEST_F(Files, WhichOneFioWouldServeNextIsIgnored) {
  const std::string expected = of_one_file("16m");
  for (const char* type : {"random", "roundrobin:4", "sequential", "zipf:1.2"}) {
    EXPECT_EQ(digest({"--directory=.", "--nrfiles=4", "--size=16m",
                      std::string("--file_service_type=") + type}),
              expected);
  }
}

TEST_F(Files, SyncsAtTheEndAreNotTheWorkloads) {
  const std::string expected = of_one_file("16m");
  EXPECT_EQ(digest({"--filename=a:b", "--size=16m", "--end_fsync=1"}), expected);
  EXPECT_EQ(digest({"--filename=a:b", "--size=16m", "--fsync_on_close=1"}), expected);
}

TEST_F(Files, LoopsOpenThemAnew) {
  EXPECT_EQ(digest({"--filename=a:b:c", "--filesize=5m", "--loops=3"}), of_one_file("15m"));
  const auto result = unnamed({"--ethio_workload=uniform-read", "--rw=randread", "--directory=.",
                               "--nrfiles=3", "--size=3m", "--loops=4", "--ethio_out=out.json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Counts counts = counts_of_sidecar(json_file("out.json"));
  EXPECT_EQ(counts, counts_of_fio(nlohmann::json::parse(result.out)));
  EXPECT_EQ(counts.reads, 4 * 768u);
}

TEST_F(Files, ByTheClock) {
  const auto result =
      unnamed({"--ethio_workload=chain-head", "--directory=.", "--nrfiles=4", "--size=16m",
               "--time_based", "--runtime=1", "--ethio_out=out.json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Counts counts = counts_of_sidecar(json_file("out.json"));
  EXPECT_EQ(counts, counts_of_fio(nlohmann::json::parse(result.out)));
  EXPECT_GT(counts.bytes(), 16 * kMiB);
}

TEST_F(Files, UnlinkRemovesThemAll) {
  digest({"--directory=.", "--nrfiles=4", "--size=16m", "--unlink=1"});
  for (const auto& entry : std::filesystem::directory_iterator(folder().path())) {
    EXPECT_EQ(entry.path().filename(), "out.json");
  }
}

class FilesOfJobs : public Files, public ::testing::WithParamInterface<const char*> {
 protected:
  std::vector<std::string> digests(std::vector<std::string> more) {
    more.insert(more.end(), {"--numjobs=2", "--size=16m", "--ethio_workload=chain-head",
                             "--ethio_gas=1m", "--ethio_units=2", "--ethio_out=out.json"});
    if (*GetParam() != '\0') more.emplace_back(GetParam());
    const auto result = unnamed(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    Counts counts;
    std::vector<std::string> digests;
    for (const char* name : {"out.json.0", "out.json.1"}) {
      counts += counts_of_sidecar(json_file(name));
      digests.push_back(digest_of(json_file(name)));
    }
    EXPECT_EQ(counts, counts_of_fio(nlohmann::json::parse(result.out)));
    EXPECT_NE(digests[0], digests[1]);
    return digests;
  }
};

TEST_P(FilesOfJobs, OwnOrShared) {
  const auto expected = digests({"--filename=one"});
  EXPECT_EQ(digests({"--directory=.", "--nrfiles=2"}), expected);
  for (const char* name : {"t.0.0", "t.0.1", "t.1.0", "t.1.1"}) {
    EXPECT_EQ(std::filesystem::file_size(folder() / name), 8 * kMiB) << name;
  }
  EXPECT_EQ(digests({"--filename=a:b"}), expected);
  EXPECT_EQ(std::filesystem::file_size(folder() / "b"), 8 * kMiB);
}

INSTANTIATE_TEST_SUITE_P(As, FilesOfJobs, ::testing::Values("", "--thread"), [](const auto& info) {
  return *info.param == '\0' ? "Forks" : "Threads";
});

TEST_F(Files, WhatCannotWorkIsRefused) {
  expect_refused({"--directory=.", "--nrfiles=4", "--size=16m", "--openfiles=2"},
                 "t: openfiles=: the files are one target, and all of them are open; remove it");
  expect_refused({"--filename=a:b:a", "--size=48m"}, "t: filename=: names a file twice");
  expect_refused({"--filename=a:/dev/zero", "--size=48m"},
                 "t: the target must be a regular file or a block device, or several");
  expect_refused({"--directory=.", "--nrfiles=1000", "--size=64m"},
                 "67108 bytes of it are in the target, and each of several files must hold a block "
                 "of 128k; set a larger size= or fewer files");
  EXPECT_TRUE(std::filesystem::is_empty(folder().path()));
}

TEST_F(Files, OneThatCannotBeOpenedEndsTheJob) {
  const auto result = run(
      {"sh", "-c", "ulimit -n 16 && exec \"$@\"", "sh", "fio", "--ioengine=external:" + engine(),
       "--name=t", "--rw=randrw", "--directory=.", "--nrfiles=20", "--size=20m",
       "--ethio_workload=chain-head", "--ethio_units=1", "--ethio_out=out.json"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out + result.err, HasSubstr("Too many open files"));
  EXPECT_FALSE(std::filesystem::exists(folder() / "out.json"));  // nothing was measured
}

}  // namespace
}  // namespace ethio
