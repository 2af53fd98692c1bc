// A target that is several files one after the other: what the executors that move bytes promise of
// one file holds of it as a whole, across the boundaries too.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "common/base/error.h"
#include "common/exec/executor.h"
#include "common/exec/uring_ring.h"
#include "tests/exec/testing.h"
#include "tests/exec/traffic.h"
#include "tests/support/allocation_count.h"

namespace ethio {
namespace {

using testing::allocation_count;
using testing::Buffers;
using ::testing::HasSubstr;
using testing::in_child;
using testing::run;
using testing::TempFile;
using testing::Traffic;

constexpr uint32_t kBlock = 4096;

struct Case {
  std::string_view name;
  uint32_t depth;
};

std::string name_of(const ::testing::TestParamInfo<Case>& info) {
  return std::string(info.param.name) + "_at_depth_" + std::to_string(info.param.depth);
}

std::vector<Case> cases(const std::vector<std::string_view>& names) {
  std::vector<Case> cases;
  for (const std::string_view name : names) {
    for (uint32_t depth : {1u, 4u, 64u}) cases.push_back({name, depth});
  }
  return cases;
}

constexpr Access read_at(uint64_t offset, uint32_t bytes) {
  return {offset, bytes, 0, AccessKind::kRead};
}
constexpr Access write_at(uint64_t offset, uint32_t bytes) {
  return {offset, bytes, 0, AccessKind::kWrite};
}
constexpr Access kSync{0, 0, 0, AccessKind::kSync};

// What a file holds now.
std::vector<std::byte> content_of(const TempFile& file) {
  std::vector<std::byte> content(file.bytes());
  EXPECT_EQ(pread(file.fd(), content.data(), content.size(), 0),
            static_cast<ssize_t>(content.size()));
  return content;
}

class Files : public ::testing::TestWithParam<Case> {
 protected:
  // The second file is a single block. Parts begin in the middle of their files and end before
  // them, but for the last, which ends with its file.
  Files() : buffers_(depth(), 8 * kBlock) {
    add(4, 63, 3);
    add(1, 1, 3);
    add(0, 90, 1);
    add(2, 102, 0);
  }

  uint32_t depth() const { return GetParam().depth; }

  // All in blocks.
  void add(uint64_t before, uint64_t part, uint64_t after) {
    files_.push_back(std::make_unique<TempFile>((before + part + after) * kBlock));
    parts_.push_back({files_.back()->fd(), before * kBlock, part * kBlock});
  }

  std::unique_ptr<Executor> make() const {
    ExecutorConfig config;
    config.depth = depth();
    config.files = parts_;
    config.buffers = buffers_.list();
    return make_executor(GetParam().name, config);
  }

  // The parts, one after the other.
  std::vector<std::byte> target() const {
    std::vector<std::byte> bytes;
    for (size_t i = 0; i < files_.size(); ++i) {
      const auto content = content_of(*files_[i]);
      const auto begin = content.begin() + static_cast<std::ptrdiff_t>(parts_[i].offset);
      bytes.insert(bytes.end(), begin, begin + static_cast<std::ptrdiff_t>(parts_[i].bytes));
    }
    return bytes;
  }

  void expect_the_rest_untouched() const {
    for (size_t i = 0; i < files_.size(); ++i) {
      const auto now = content_of(*files_[i]);
      const auto& before = files_[i]->content();
      const auto begin = static_cast<std::ptrdiff_t>(parts_[i].offset);
      const auto end = begin + static_cast<std::ptrdiff_t>(parts_[i].bytes);
      EXPECT_TRUE(std::equal(before.begin(), before.begin() + begin, now.begin())) << i;
      EXPECT_TRUE(std::equal(before.begin() + end, before.end(), now.begin() + end)) << i;
    }
  }

  std::vector<std::unique_ptr<TempFile>> files_;
  std::vector<FileExtent> parts_;
  Buffers buffers_;
};

// From the last block of the first file over the whole second one into the third.
constexpr uint64_t kAcross = uint64_t{62} * kBlock;
constexpr uint32_t kAcrossBytes = 4 * kBlock;

TEST_P(Files, AReadAcrossBoundariesIsOneAccess) {
  const auto executor = make();
  EXPECT_EQ(executor->notice(), "");
  const auto expected = target();
  for (const uint32_t odd : {0u, 512u, 4095u}) {
    ASSERT_EQ(run(*executor, read_at(kAcross + odd, kAcrossBytes), buffers_[0]), kAcrossBytes);
    EXPECT_EQ(std::memcmp(buffers_[0], &expected[kAcross + odd], kAcrossBytes), 0) << odd;
  }
}

TEST_P(Files, AWriteAcrossBoundariesIsOneAccess) {
  const auto executor = make();
  auto expected = target();
  std::memset(buffers_[0], 0x5a, kAcrossBytes);
  std::memset(&expected[kAcross], 0x5a, kAcrossBytes);
  EXPECT_EQ(run(*executor, write_at(kAcross, kAcrossBytes), buffers_[0]), kAcrossBytes);
  EXPECT_EQ(run(*executor, kSync, nullptr), 0);
  EXPECT_EQ(target(), expected);
  expect_the_rest_untouched();
}

TEST_P(Files, RandomAccessesKeepTheData) {
  const auto executor = make();
  Traffic traffic(*executor, buffers_, depth(), target());
  EXPECT_TRUE(traffic.run(3000));
  EXPECT_EQ(target(), traffic.shadow());
  expect_the_rest_untouched();
}

TEST_P(Files, ReadingBeyondTheEndIsAnErrorAndLeavesTheExecutorUsable) {
  const auto executor = make();
  constexpr uint64_t kBytes = uint64_t{256} * kBlock;
  EXPECT_EQ(run(*executor, read_at(kBytes, kBlock), buffers_[0]), -ENODATA);
  EXPECT_EQ(run(*executor, read_at(kBytes - kBlock, 2 * kBlock), buffers_[0]), -ENODATA);
  EXPECT_EQ(run(*executor, read_at(kBytes - kBlock, kBlock), buffers_[0]), kBlock);
}

TEST_P(Files, TheDataPlaneDoesNotAllocate) {
  const auto executor = make();
  const auto round = [&] {
    return run(*executor, read_at(kAcross, kAcrossBytes), buffers_[0]) == kAcrossBytes &&
           run(*executor, write_at(kAcross, kAcrossBytes), buffers_[0]) == kAcrossBytes &&
           run(*executor, kSync, nullptr) == 0;
  };
  ASSERT_TRUE(round());
  const uint64_t before = allocation_count();
  const bool well = round();
  EXPECT_EQ(allocation_count(), before);
  EXPECT_TRUE(well);
}

TEST_P(Files, APartOfOneFileIsATargetToo) {
  ExecutorConfig config;
  config.depth = depth();
  config.files = std::span(parts_).first(1);
  const auto executor = make_executor(GetParam().name, config);
  std::memset(buffers_[0], 0x5a, kBlock);
  EXPECT_EQ(run(*executor, write_at(kBlock, kBlock), buffers_[0]), kBlock);
  const auto now = content_of(*files_[0]);
  EXPECT_EQ(std::memcmp(&now[5 * kBlock], buffers_[0], kBlock), 0);
  expect_the_rest_untouched();
}

TEST_P(Files, EachMustBeOpenAndHoldSomething) {
  const auto message = [&] {
    try {
      make();
      return std::string();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  parts_[2].bytes = 0;
  EXPECT_THAT(message(), HasSubstr("holds 0 bytes"));
  parts_[2].bytes = kBlock;
  parts_[2].fd = files_[2]->reopen(O_RDWR);
  close(parts_[2].fd);
  EXPECT_THAT(message(), HasSubstr("is not open"));
}

INSTANTIATE_TEST_SUITE_P(Executor, Files, ::testing::ValuesIn(cases({"uring", "psync", "mmap"})),
                         name_of);

// A pipe cannot be synced: wherever it stands, the sync of the target has come to it.
class FilesSync : public ::testing::TestWithParam<Case> {};

TEST_P(FilesSync, IsOneOfEveryFile) {
  const TempFile first(kBlock);
  const TempFile second(kBlock);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  for (size_t place = 0; place < 3; ++place) {
    std::vector<FileExtent> files = {{first.fd(), 0, kBlock}, {second.fd(), 0, kBlock}};
    ExecutorConfig config;
    config.depth = GetParam().depth;
    config.files = files;
    EXPECT_EQ(run(*make_executor(GetParam().name, config), kSync, nullptr), 0);
    files.insert(files.begin() + static_cast<std::ptrdiff_t>(place), {ends[1], 0, kBlock});
    config.files = files;
    const auto executor = make_executor(GetParam().name, config);
    EXPECT_EQ(run(*executor, kSync, nullptr), -EINVAL) << place;
    EXPECT_EQ(run(*executor, kSync, nullptr), -EINVAL) << place;
  }
  close(ends[0]);
  close(ends[1]);
}

INSTANTIATE_TEST_SUITE_P(Executor, FilesSync, ::testing::ValuesIn(cases({"uring", "psync"})),
                         name_of);

TEST(FilesExecutor, UringWithoutRegisteredFilesUsesTheirDescriptors) {
  const TempFile first(kBlock);
  const TempFile second(kBlock);
  const Buffers buffers(1, 2 * kBlock);
  const std::vector<FileExtent> files = {{first.fd(), 0, kBlock}, {second.fd(), 0, kBlock}};
  const std::string answer = in_child([&] {
    const std::string error =
        testing::forbid({__NR_io_uring_register, ENOMEM, 1, IORING_REGISTER_FILES});
    if (!error.empty()) return "skip: " + error;
    ExecutorConfig config;
    config.files = files;
    const auto executor = make_executor("uring", config);
    if (run(*executor, read_at(0, 2 * kBlock), buffers[0]) != 2 * kBlock)
      return std::string("read");
    const bool same = std::memcmp(buffers[0], first.content().data(), kBlock) == 0 &&
                      std::memcmp(buffers[0] + kBlock, second.content().data(), kBlock) == 0;
    return (same ? "" : "other bytes; ") + std::string(executor->notice());
  });
  if (answer.starts_with("skip: ")) GTEST_SKIP() << answer;
  EXPECT_EQ(answer, "uring: goes without the registered file (Cannot allocate memory)");
}

TEST(FilesExecutor, MmapRefusesAPartThatBeginsWithinAPage) {
  const TempFile file(3 * kBlock);
  const std::vector<FileExtent> files = {{file.fd(), 512, kBlock}};
  ExecutorConfig config;
  config.files = files;
  try {
    make_executor("mmap", config);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "executor: mmap: a map cannot begin at offset 512; use a multiple of 4096");
  }
}

}  // namespace
}  // namespace ethio
