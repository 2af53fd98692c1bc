// What the layouts make of ops: how many accesses, where, in which order. Driven through Session,
// as every harness does.
#include "common/layout/layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "common/spec/catalogue.h"
#include "common/spec/parse.h"
#include "tests/stream/drive.h"

namespace ethio::test {
namespace {

constexpr uint64_t kTarget = 256u << 20;

struct Played {
  std::vector<Access> accesses;
  Metrics metrics;

  double per_op(size_t op_class) const {
    const OpMetrics& op = metrics.ops.at(op_class);
    return static_cast<double>(op.accesses) / static_cast<double>(op.count);
  }
  std::vector<Access> of(AccessKind kind) const {
    std::vector<Access> found;
    for (const Access& access : accesses) {
      if (access.kind == kind) found.push_back(access);
    }
    return found;
  }
};

Played run(const WorkloadSpec& spec, uint64_t units, uint64_t target_bytes = kTarget) {
  SessionConfig config;
  config.spec = spec;
  config.spec.units = units;
  config.target_bytes = target_bytes;
  Session session(config);
  Played result;
  EXPECT_TRUE(
      drive(session, {}, [&](const Access& access) { result.accesses.push_back(access); }).ended);
  result.metrics = session.metrics();
  return result;
}

// A definition with these stages over the small state.
WorkloadSpec spec_of(const std::string& layout, const std::string& stages,
                     const std::string& unit = "batch") {
  return parse_workload(R"({"name": "x", "summary": "x", "unit": ")" + unit +
                            R"(", "state": {"preset": "small"}, "layout": )" + layout +
                            R"(, "stages": )" + stages + "}",
                        "x.json");
}

std::string one_stage(const std::string& ops, int lanes = 1) {
  return R"([{"lanes": )" + std::to_string(lanes) + R"(, "in_order": true, "ops": [)" + ops + "]}]";
}

// ---- page_table

TEST(PageTable, ReadsTheColdTriePagesThenTheValue) {
  for (const int cold : {1, 2, 3}) {
    const WorkloadSpec spec =
        spec_of(R"({"type": "page_table", "cold_pages": )" + std::to_string(cold) + "}",
                one_stage(R"({"op": "slot_walk", "count": 500})"));
    EXPECT_NEAR(run(spec, 1).per_op(0), cold + 1, 0.1);
  }
}

// 370,000 slots lie some 20 levels deep, hence in the fourth page of six levels: 64 and 4,096 pages
// at the levels below the root.
TEST(PageTable, CommitsEveryPageOfAPathOnceABatch) {
  const WorkloadSpec spec =
      spec_of(R"({"type": "page_table"})",
              one_stage(R"({"op": "slot_commit", "count": 2000, "order": "sorted"})"));
  const double pages = run(spec, 4).per_op(0);
  EXPECT_GT(pages, 1 + 1 + 0.6);  // value, last page, most of 4,096
  EXPECT_LT(pages, 1 + 1 + 1 + 0.1);
  for (const Access& write : run(spec, 1).of(AccessKind::kWrite)) EXPECT_EQ(write.length, 4096u);
}

TEST(PageTable, FindsAPageAtTheSamePlaceAgain) {
  const WorkloadSpec read = spec_of(R"({"type": "page_table", "cold_pages": 6})",
                                    one_stage(R"({"op": "account_walk", "count": 3})"));
  const Played once = run(read, 1);
  // The root page is the first of every walk.
  std::map<uint64_t, int> seen;
  for (const Access& access : once.accesses) ++seen[access.offset];
  EXPECT_EQ(seen.begin()->second, 1) << "consecutive walks share the root page, read once";
  EXPECT_EQ(run(read, 1).accesses.size(), once.accesses.size());
}

// ---- append

TEST(Append, FilesTakeTurnsAndKeepToTheirOwnRanges) {
  const WorkloadSpec spec =
      spec_of(R"({"type": "append", "files": 4, "append_share": 0.5, "write_chunk": "64k"})",
              one_stage(R"({"op": "append", "bytes": "64k", "count": 40})"));
  const std::vector<Access> writes = run(spec, 1).of(AccessKind::kWrite);
  ASSERT_EQ(writes.size(), 40u);
  for (size_t i = 4; i < writes.size(); ++i) {
    EXPECT_EQ(writes[i].offset, writes[i - 4].offset + (64 << 10)) << i;
  }
}

TEST(Append, ASyncFlushesOneFileAndItsIndex) {
  const WorkloadSpec spec = spec_of(
      R"({"type": "append", "files": 2, "append_share": 0.5, "write_chunk": "1m"})",
      one_stage(R"({"op": "append", "bytes": 100000, "count": 6}, {"op": "sync", "count": 2})"));
  const Played result = run(spec, 1);
  std::vector<AccessKind> kinds;
  for (const Access& access : result.accesses) kinds.push_back(access.kind);
  using enum AccessKind;
  EXPECT_THAT(kinds,
              testing::ElementsAre(kWrite, kWrite, kSync, kSync, kWrite, kWrite, kSync, kSync));
  EXPECT_EQ(result.accesses[0].length, 303'104u) << "three items of 100,000 B, whole pages";
  EXPECT_EQ(result.accesses[1].length, 4096u) << "three index entries";
}

TEST(Append, StaysInItsRangeWhenItWrapsAround) {
  const WorkloadSpec spec =
      spec_of(R"({"type": "append", "files": 3, "append_share": 0.25, "write_chunk": "128k"})",
              one_stage(R"({"op": "append", "bytes": "128k", "count": 2000})"));
  std::set<uint64_t> offsets;
  for (const Access& write : run(spec, 1, 64u << 20).of(AccessKind::kWrite)) {
    EXPECT_GE(write.offset, 48u << 20);
    EXPECT_LE(write.offset + write.length, 64u << 20);
    offsets.insert(write.offset);
  }
  EXPECT_LT(offsets.size(), 130u);
}

// ---- btree

TEST(Btree, JoinsDirtyPagesToLongerWritesAndFlushesTheRestAtASync) {
  const auto pages = [](const std::string& write_run) {
    const WorkloadSpec spec = spec_of(
        R"({"type": "btree", "write_run": )" + write_run + "}",
        one_stage(R"({"op": "slot_commit", "count": 300, "order": "sorted"}, {"op": "sync"})"));
    uint64_t bytes = 0;
    size_t writes = 0;
    for (const Access& write : run(spec, 1).of(AccessKind::kWrite)) {
      bytes += write.length;
      ++writes;
    }
    return std::pair(bytes / 4096, writes);
  };
  const auto single = pages("1");
  const auto joined = pages("16");
  EXPECT_EQ(single.first, single.second);
  EXPECT_EQ(joined.first, single.first);
  EXPECT_EQ(joined.second, (single.first + 15) / 16);
}

// reth keeps no leaf and no branch right above leaves: of a trie of a few keys nothing but the
// record.
TEST(Btree, StoresOnlyBranchesAboveBranches) {
  StateModel::WalkTo to;
  to.nodes = StateModel::Nodes::kAll;
  const StateModel model(load_workload("trie-read").state, 1);
  uint64_t stored = 0;
  uint64_t nodes = 0;
  Walk walk;
  for (uint64_t i = 0; i < 5'000; ++i) {
    Rng rng(i);
    model.account_walk(rng, to, walk);
    for (uint32_t n = 0; n < walk.path.count; ++n) {
      const TrieNode& node = walk.path.nodes[n];
      stored += node.above_branch ? 1 : 0;
      if (node.above_branch) {
        EXPECT_EQ(node.kind, NodeKind::kBranch);
      }
      if (node.kind == NodeKind::kBranch && n + 2 < walk.path.count) {
        EXPECT_TRUE(node.above_branch) << "more branches follow on the path";
      }
      ++nodes;
    }
  }
  EXPECT_GT(stored, nodes / 2);
  EXPECT_LT(stored, nodes - 5'000);
}

// ---- lsm

TEST(Lsm, MergesReadRunsOfTheLevelsAndWriteOnceForSoManyReads) {
  for (const int reads : {1, 3}) {
    const WorkloadSpec spec =
        spec_of(R"({"type": "lsm", "merge_reads": )" + std::to_string(reads) + "}",
                one_stage(R"({"op": "compact", "bytes": "128k", "count": 400})"));
    const Played result = run(spec, 1);
    EXPECT_EQ(result.of(AccessKind::kRead).size(), 400u * static_cast<size_t>(reads));
    EXPECT_EQ(result.of(AccessKind::kWrite).size(), 400u);
    const std::vector<Access> read = result.of(AccessKind::kRead);
    size_t sequential = 0;
    for (size_t i = 1; i < read.size(); ++i) {
      sequential += read[i].offset == read[i - 1].offset + read[i - 1].length ? 1 : 0;
    }
    EXPECT_GT(sequential, read.size() * 9 / 10) << "runs of 4 MiB and longer, in steps of 128 KiB";
  }
}

TEST(Lsm, AnAbsentKeyCostsWhatItsFiltersDoNotTurnAway) {
  const auto reads = [](const std::string& last_level) {
    return run(spec_of(
                   R"({"type": "lsm", "index_cached": 1, "bloom_last_level": )" + last_level + "}",
                   one_stage(R"({"op": "slot_get", "count": 1, "absent": 1})"), "op"),
               20'000)
        .per_op(0);
  };
  EXPECT_NEAR(reads("false"), 1.05, 0.05);
  EXPECT_NEAR(reads("true"), 0.0575, 0.01);  // seven levels, 0.82 % each
}

// ---- all with tables

class History : public testing::TestWithParam<const char*> {};

TEST_P(History, IsAnIndexThenTheChangeOrTheState) {
  const auto chain = [&](double absent) {
    return run(spec_of(
                   std::string(R"({"type": ")") + GetParam() +
                       R"(", "index_cached": 1, "cold_pages": 1})",
                   one_stage(R"({"op": "history_get", "absent": )" + std::to_string(absent) + "}"),
                   "op"),
               2'000)
        .per_op(0);
  };
  EXPECT_NEAR(chain(0), 2, 0.15);
  EXPECT_NEAR(chain(1), 2, 0.15);
}

INSTANTIATE_TEST_SUITE_P(Layouts, History, testing::Values("lsm", "btree", "page_table"),
                         [](const auto& info) { return std::string(info.param); });

// A table that no op touches takes no room: the others spread over the whole target.
TEST(Tables, ShareTheTargetAmongThoseInUse) {
  const auto last = [](const std::string& op) {
    uint64_t end = 0;
    const WorkloadSpec spec = spec_of(R"({"type": "btree", "cold_pages": 1})",
                                      one_stage(R"({"op": ")" + op + R"("})"), "op");
    for (const Access& access : run(spec, 5'000, 8u << 20).accesses) {
      end = std::max(end, access.offset + access.length);
    }
    return end;
  };
  EXPECT_GT(last("slot_get"), (8u << 20) * 99 / 100);
  EXPECT_GT(last("code_get"), (8u << 20) * 9 / 10);
  EXPECT_LT(last("account_get"), 8u << 20);
}

}  // namespace
}  // namespace ethio::test
