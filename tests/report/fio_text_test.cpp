// The reader of fio's normal output, on what people have posted and on what fio 3.33 printed.
#include <gmock/gmock.h>

#include <cmath>

#include "common/base/error.h"
#include "common/report/fio_reader.h"
#include "tests/report/test_data.h"

namespace ethio::fio {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Posted {
  const char* file;
  const char* fio_version;  // "" where the paste lost it
  uint64_t runtime_ms;
  double printed_read, printed_write;  // as fio printed them, three digits
};

// Every raw output of the page, in its order. fio's size=150G with randrepeat=1 is the same
// 39,321,600 I/Os for all.
constexpr Posted kPosted[] = {
    {"01-samsung-990-pro-4tb.txt", "3.28", 113384, 260e3, 86.7e3},
    {"02-samsung-990-pro-4tb-quoted.txt", "3.28", 113384, 260e3, 86.7e3},
    {"03-samsung-pm963-sm963-raid0-btrfs.txt", "3.33", 548945, 53.7e3, 17.9e3},
    {"04-solidigm-p44-pro-2tb.txt", "3.35", 297984, 99.0e3, 33.0e3},
    {"05-samsung-990-pro-4tb-pcie3.txt", "3.28", 217450, 136e3, 45.2e3},
    {"06-samsung-990-pro-4tb-pcie3-no-powersave.txt", "3.28", 212288, 139e3, 46.3e3},
    {"07-samsung-990-pro-4tb-pcie4.txt", "3.28", 154814, 191e3, 63.5e3},
    {"08-samsung-990-pro-4tb-pcie4-no-powersave.txt", "3.28", 155805, 189e3, 63.1e3},
    {"09-samsung-990-pro-4tb-not-booted.txt", "3.29", 143193, 206e3, 68.6e3},
    {"10-acer-gm7000-4tb.txt", "3.36", 235221, 125e3, 41.8e3},
    {"11-corsair-mp600-pro-xt-4tb.txt", "3.28", 213411, 138e3, 46.1e3},
    {"12-transcend-250s-4tb.txt", "3.28", 232211, 127e3, 42.3e3},
    {"13-sabrent-rocket-4-plus-4tb.txt", "3.28", 198335, 149e3, 49.6e3},
    {"14-kingston-fury-renegade-4tb.txt", "", 79135, 373e3, 124e3},
    {"15-crucial-mx500-2tb.txt", "3.36", 735227, 40.1e3, 13.4e3},
    {"16-samsung-pm9a3-7t6-x4-lvm-raid0.txt", "3.28", 277427, 106e3, 35.4e3},
    {"17-solidigm-p44-pro-2tb-second.txt", "3.36", 117867, 250e3, 83.4e3},
    {"18-adata-s70-blade-4tb.txt", "3.28", 97929, 301e3, 100e3},
    {"19-emtec-x400-10.txt", "3.36", 491712, 60.0e3, 20.0e3},
};
constexpr uint64_t kReads = 29492326;
constexpr uint64_t kWrites = 9829274;

void expect_posted(const Result& result, const Posted& posted) {
  SCOPED_TRACE(posted.file);
  EXPECT_EQ(result.job_name, "test");
  EXPECT_EQ(result.form, Form::kText);
  EXPECT_EQ(result.fio_version, posted.fio_version);
  EXPECT_EQ(result.iodepth, 64u);
  EXPECT_EQ(result.jobs, 1u);
  EXPECT_EQ(result.size_bytes, 150ull << 30);
  EXPECT_EQ(result.total_bytes(), 150ull << 30);
  EXPECT_EQ(result.error, 0);
  EXPECT_FALSE(result.interrupted);
  EXPECT_EQ(result.read.total_ios, kReads);
  EXPECT_EQ(result.write.total_ios, kWrites);
  EXPECT_EQ(result.read.runtime_ms, posted.runtime_ms);
  EXPECT_EQ(result.write.runtime_ms, posted.runtime_ms);
  const double seconds = static_cast<double>(posted.runtime_ms) / 1e3;
  EXPECT_DOUBLE_EQ(result.read.iops.value_or(0), kReads / seconds);
  EXPECT_DOUBLE_EQ(result.write.iops.value_or(0), kWrites / seconds);
  EXPECT_DOUBLE_EQ(result.read.bandwidth, 4096 * kReads / seconds);
  EXPECT_DOUBLE_EQ(result.write.bandwidth, 4096 * kWrites / seconds);
  // What fio printed is the same number, to its three digits.
  EXPECT_NEAR(result.read.iops.value_or(0), posted.printed_read, 0.006 * posted.printed_read);
  EXPECT_NEAR(result.write.iops.value_or(0), posted.printed_write, 0.006 * posted.printed_write);
  EXPECT_EQ(result.read.block_bytes, 4096u);
  EXPECT_EQ(result.write.block_bytes, 4096u);
  EXPECT_NEAR(result.read_share(), 0.75, 0.001);
  EXPECT_THAT(result.read.completion.percentiles, IsEmpty());  // gtod_reduce=1
}

TEST(FioText, ReadsEveryOutputOfTheHallOfBlame) {
  for (const Posted& posted : kPosted) {
    const auto results = read(data_file(std::string("hall-of-blame/") + posted.file), posted.file);
    ASSERT_EQ(results.size(), 1u) << posted.file;
    expect_posted(results[0], posted);
  }
}

TEST(FioText, TellsWhatALostHeaderTookWithIt) {
  const auto with = read(data_file("hall-of-blame/11-corsair-mp600-pro-xt-4tb.txt"), "a").at(0);
  EXPECT_EQ(with.rw, "randrw");
  EXPECT_EQ(with.ioengine, "libaio");
  EXPECT_EQ(with.direct, true);
  EXPECT_EQ(with.gtod_reduce, true);
  EXPECT_THAT(with.remarks, IsEmpty());

  const auto no_command = read(data_file("hall-of-blame/10-acer-gm7000-4tb.txt"), "b").at(0);
  EXPECT_EQ(no_command.rw, "randrw");
  EXPECT_EQ(no_command.direct, std::nullopt);

  const auto without =
      read(data_file("hall-of-blame/14-kingston-fury-renegade-4tb.txt"), "c").at(0);
  EXPECT_EQ(without.rw, "");
  EXPECT_EQ(without.ioengine, "");
  EXPECT_EQ(without.direct, std::nullopt);
  EXPECT_THAT(without.remarks, ElementsAre(HasSubstr("block size worked out")));
}

// The page as it stands on the web: one text, outputs one after the other with prose between.
TEST(FioText, ReadsAllOutputsFromOneTextWithProseBetween) {
  std::string page =
      "Some drives and what they did. Try fio yourself; {braces} and READ: are harmless.\n\n";
  std::vector<uint32_t> lines;
  for (const Posted& posted : kPosted) {
    const std::string text = data_file(std::string("hall-of-blame/") + posted.file);
    const size_t block = text.find("(groupid=");
    const std::string before = page + text.substr(0, block);
    lines.push_back(static_cast<uint32_t>(1 + std::count(before.begin(), before.end(), '\n')));
    page += text + "\nThat is read: fine, write: fine. It got warm (61 C).\n\n";
  }
  const auto results = read(page, "page");
  ASSERT_EQ(results.size(), std::size(kPosted));
  for (size_t i = 0; i < results.size(); ++i) {
    expect_posted(results[i], kPosted[i]);
    EXPECT_EQ(results[i].line, lines[i]);
    EXPECT_EQ(results[i].run, i);
  }
  EXPECT_TRUE(same_measurement(results[0], results[1]));
  EXPECT_FALSE(same_measurement(results[6], results[7]));
  EXPECT_EQ(merge_groups(results).size(), results.size());
}

TEST(FioText, SurvivesQuotationCarriageReturnsAndNoBreakSpaces) {
  const std::string text = data_file("hall-of-blame/04-solidigm-p44-pro-2tb.txt");
  std::string quoted, windows, hard_spaces;
  for (size_t from = 0; from < text.size();) {
    const size_t end = text.find('\n', from);
    quoted += "> > " + text.substr(from, end - from) + "\n";
    windows += text.substr(from, end - from) + "\r\n";
    from = end + 1;
  }
  for (const char c : text) hard_spaces += c == ' ' ? std::string("\xC2\xA0") : std::string(1, c);
  for (const std::string& variant : {quoted, windows, hard_spaces}) {
    const auto results = read(variant, "variant");
    ASSERT_EQ(results.size(), 1u);
    expect_posted(results[0], kPosted[3]);
  }
}

TEST(FioText, SurvivesAPasteWithoutLineBreaks) {
  std::string text = data_file("hall-of-blame/04-solidigm-p44-pro-2tb.txt");
  text = text.substr(text.find("Jobs: 1"));
  std::replace(text.begin(), text.end(), '\n', ' ');
  const auto results = read(text, "joined");
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].job_name, "test");
  EXPECT_EQ(results[0].read.total_ios, kReads);
  EXPECT_DOUBLE_EQ(results[0].write.iops.value_or(0), kWrites / 297.984);
}

TEST(FioText, KeepsThePrintedNumberWhenTheTotalContradictsIt) {
  std::string text = data_file("hall-of-blame/04-solidigm-p44-pro-2tb.txt");
  text.replace(text.find("total=29492326"), 14, "total=39492326");
  EXPECT_DOUBLE_EQ(read(text, "changed").at(0).read.iops.value_or(0), 99.0e3);
}

// The ext4 and ZFS article: one command, then pairs of summary lines, the last two of another run's
// mix.
TEST(FioText, ReadsTheTwoLineSummaries) {
  const auto results = read(data_file("ext4-vs-zfs/summaries.txt"), "article");
  ASSERT_EQ(results.size(), 4u);
  const double mib = 1 << 20;
  const struct {
    double read, write, read_bytes, write_bytes;
    uint64_t runtime_ms;
  } expected[] = {
      {494 * mib, 10.1 * mib, 3010 * mib, 61.7 * mib, 6099},
      {1813 * mib, 37.2 * mib, 3010 * mib, 61.7 * mib, 1660},
      {5347 * 1024.0, 596 * 1024.0, 2764 * mib, 308 * mib, 529277},
      {240 * mib, 26.8 * mib, 2764 * mib, 308 * mib, 11514},
  };
  for (size_t i = 0; i < results.size(); ++i) {
    SCOPED_TRACE(i);
    const Result& result = results[i];
    EXPECT_EQ(result.form, Form::kSummary);
    EXPECT_DOUBLE_EQ(result.read.bandwidth, expected[i].read);
    EXPECT_DOUBLE_EQ(result.write.bandwidth, expected[i].write);
    EXPECT_NEAR(static_cast<double>(result.read.total_bytes), expected[i].read_bytes, 1);
    EXPECT_NEAR(static_cast<double>(result.write.total_bytes), expected[i].write_bytes, 1);
    EXPECT_EQ(result.read.runtime_ms, expected[i].runtime_ms);
  }
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(results[i].rw, "randrw");
    EXPECT_EQ(results[i].ioengine, "posixaio");
    EXPECT_EQ(results[i].iodepth, 2u);
    EXPECT_EQ(results[i].jobs, 3u);
    EXPECT_EQ(results[i].size_bytes, 1ull << 30);
    EXPECT_DOUBLE_EQ(results[i].read.iops.value_or(0), expected[i].read / 4096);
    EXPECT_THAT(results[i].remarks, ElementsAre("IOPS worked out as bandwidth / block size"));
  }
  for (size_t i = 2; i < 4; ++i) {
    EXPECT_EQ(results[i].read.iops, std::nullopt) << "no block size is known";
    EXPECT_THAT(results[i].remarks, ElementsAre(HasSubstr("rwmixread=98")));
  }
}

TEST(FioText, ReadsLatenciesSyncsAndGroupsOfSeveralJobs) {
  const auto results = read(data_file("fio-3.33/several-jobs.txt"), "jobs");
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0].job_name, "a");
  EXPECT_EQ(results[0].group, 0u);
  EXPECT_EQ(results[0].rw, "randread");
  EXPECT_FALSE(results[0].write.active());
  EXPECT_EQ(results[0].read.total_ios, 1024u);
  EXPECT_EQ(results[0].read.completion.percentiles.size(), 17u);
  EXPECT_EQ(results[0].read.completion.at(99), 2671e3);
  EXPECT_EQ(results[0].read.completion.at(99.9), 6783e3);
  EXPECT_EQ(results[0].read.completion.mean_ns, 232570);
  EXPECT_EQ(results[0].read.completion.max_ns, 12779e3);
  EXPECT_EQ(results[2].job_name, "b");
  EXPECT_EQ(results[2].group, 1u);
  EXPECT_EQ(results[2].write.block_bytes, 16384u);
  EXPECT_EQ(results[2].sync.at(50), 223e3);
  EXPECT_EQ(results[2].sync.at(99.99), 7111e3);
  EXPECT_EQ(results[2].sync.max_ns, 7108e3);

  const auto groups = merge_groups(results);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].jobs, 2u);
  EXPECT_EQ(groups[0].read.total_ios, 2048u);
  EXPECT_DOUBLE_EQ(groups[0].read.iops.value_or(0), 1024 / 0.240 + 1024 / 0.238);
  EXPECT_THAT(groups[0].read.completion.percentiles, IsEmpty());
  EXPECT_EQ(groups[1].sync.at(50), 223e3);
}

TEST(FioText, ReadsTheFormOfFio2) {
  const auto result =
      read(
          "test: (g=0): rw=randrw, bs=4K-4K/4K-4K/4K-4K, ioengine=libaio, iodepth=64\n"
          "fio-2.16\n"
          "Starting 1 process\n"
          "test: (groupid=0, jobs=1): err= 0: pid=4242: Mon Jan  2 10:00:00 2017\n"
          "  read : io=3071.7MB, bw=45678KB/s, iops=11419, runt= 68860msec\n"
          "  write: io=1024.4MB, bw=15233KB/s, iops=3808, runt= 68860msec\n"
          "     issued    : total=r=786347/w=262229/d=0, short=r=0/w=0/d=0, drop=r=0/w=0/d=0\n"
          "Run status group 0 (all jobs):\n"
          "   READ: io=3071.7MB, aggrb=45678KB/s, minb=45678KB/s, maxb=45678KB/s, "
          "mint=68860msec, maxt=68860msec\n"
          "  WRITE: io=1024.4MB, aggrb=15233KB/s, minb=15233KB/s, maxb=15233KB/s, "
          "mint=68860msec, maxt=68860msec\n",
          "old")
          .at(0);
  EXPECT_EQ(result.fio_version, "2.16");
  EXPECT_EQ(result.rw, "randrw");
  EXPECT_EQ(result.read.total_ios, 786347u);
  EXPECT_EQ(result.write.total_ios, 262229u);
  EXPECT_DOUBLE_EQ(result.read.iops.value_or(0), 786347 / 68.860);
  EXPECT_EQ(result.total_bytes(), 4ull << 30);
}

TEST(FioText, MarksAnInterruptedRunAndAnError) {
  const std::string text = data_file("hall-of-blame/04-solidigm-p44-pro-2tb.txt");
  std::string interrupted = text;
  interrupted.insert(interrupted.find("test: (groupid"), "fio: terminating on signal 2\n");
  EXPECT_TRUE(read(interrupted, "a").at(0).interrupted);
  EXPECT_FALSE(read(interrupted + text, "a").at(1).interrupted);
  std::string failed = text;
  failed.replace(failed.find("err= 0"), 6,
                 "err=28 (file:filesetup.c:240, func=write, error=No space left)");
  EXPECT_EQ(read(failed, "a").at(0).error, 28);
}

struct Bad {
  std::string text;
  const char* message;
};

TEST(FioText, SaysInOneSentenceWhyATextIsNone) {
  const Bad cases[] = {
      {"", "x: is empty; expected the output of fio"},
      {"\n \t\n", "x: is empty; expected the output of fio"},
      {std::string("\x7F"
                   "ELF\x02\x01\x01\0\0",
                   9),
       "x: is a program, not the output of fio"},
      {std::string("GIF89a\0\0", 8), "x: holds binary data, not the output of fio"},
      {"nothing to see here\n",
       "x: holds no result of fio; expected its normal output, its READ/WRITE summary, JSON or "
       "JSON+"},
      {"test: (g=0): rw=randrw, bs=(R) 4096B-4096B, ioengine=libaio, "
       "iodepth=64\nfio-3.33\nStarting 1 process\n",
       "x: holds no result of fio; expected its normal output, its READ/WRITE summary, JSON or "
       "JSON+"},
  };
  for (const Bad& bad : cases) {
    try {
      read(bad.text, "x");
      ADD_FAILURE() << bad.message;
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), bad.message);
    }
  }
}

// Whatever is cut or garbled, the reader answers or throws an Error; nothing else.
TEST(FioText, NeverCrashesOnACutOrGarbledText) {
  const std::string text = data_file("hall-of-blame/16-samsung-pm9a3-7t6-x4-lvm-raid0.txt");
  for (size_t cut = 0; cut < text.size(); cut += 7) {
    std::string garbled = text;
    garbled[cut] = "=,:(/ 9k"[cut % 8];
    for (const std::string& variant : {text.substr(0, cut), text.substr(cut), garbled}) {
      try {
        EXPECT_FALSE(read(variant, "cut").empty());
      } catch (const Error&) {
        continue;
      }
    }
  }
}

}  // namespace
}  // namespace ethio::fio
