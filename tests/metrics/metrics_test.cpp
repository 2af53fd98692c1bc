// Metrics of jobs add up, and a reset keeps the names.
#include "common/metrics/metrics.h"

#include <gtest/gtest.h>

namespace ethio {
namespace {

// A Metrics with every number set, all different, scaled by `k`.
Metrics sample(uint64_t k) {
  Metrics metrics;
  for (int i = 0; i < kAccessKinds; ++i) {
    AccessMetrics& kind = metrics.access[i];
    kind.count = k * (1 + i);
    kind.bytes = k * (4096 + i);
    kind.errors = k * (20 + i);
    kind.latency.record(k * (1000 + i));
  }
  for (const char* name : {"slot_get", "account_get"}) {
    OpMetrics op;
    op.name = name;
    op.count = k * (30 + metrics.ops.size());
    op.cached = k * 40;
    op.accesses = k * 50;
    op.latency.record(k * 60);
    metrics.ops.push_back(op);
  }
  StageMetrics stage;
  stage.name = "compaction";
  stage.background = true;
  stage.accesses = k * 70;
  stage.latency.record(k * 80);
  metrics.stages.push_back(stage);
  metrics.unit_latency.record(k * 90);
  metrics.unit = "block";
  metrics.units = k * 100;
  metrics.useful_bytes_read = k * 110;
  metrics.useful_bytes_written = k * 120;
  metrics.missed_slots = k * 130;
  metrics.stall_ns = k * 140;
  metrics.idle_ns = k * 150;
  metrics.first_ns = k * 160;
  metrics.last_ns = k * 170;
  return metrics;
}

TEST(Metrics, MergeAddsEverything) {
  Metrics sum = sample(1);
  sum.merge(sample(10));
  for (int i = 0; i < kAccessKinds; ++i) {
    EXPECT_EQ(sum.access[i].count, 11u * (1 + i));
    EXPECT_EQ(sum.access[i].bytes, 11u * (4096 + i));
    EXPECT_EQ(sum.access[i].errors, 11u * (20 + i));
    EXPECT_EQ(sum.access[i].latency.count(), 2u);
    EXPECT_EQ(sum.access[i].latency.sum(), 11u * (1000 + i));
  }
  ASSERT_EQ(sum.ops.size(), 2u);
  EXPECT_EQ(sum.ops[0].name, "slot_get");
  EXPECT_EQ(sum.ops[0].count, 330u);
  EXPECT_EQ(sum.ops[1].count, 341u);
  EXPECT_EQ(sum.ops[1].cached, 440u);
  EXPECT_EQ(sum.ops[1].accesses, 550u);
  EXPECT_EQ(sum.ops[1].latency.sum(), 660u);
  ASSERT_EQ(sum.stages.size(), 1u);
  EXPECT_TRUE(sum.stages[0].background);
  EXPECT_EQ(sum.stages[0].accesses, 770u);
  EXPECT_EQ(sum.stages[0].latency.sum(), 880u);
  EXPECT_EQ(sum.unit_latency.sum(), 990u);
  EXPECT_EQ(sum.units, 1100u);
  EXPECT_EQ(sum.useful_bytes_read, 1210u);
  EXPECT_EQ(sum.useful_bytes_written, 1320u);
  EXPECT_EQ(sum.missed_slots, 1430u);
  EXPECT_EQ(sum.stall_ns, 1540u);
  EXPECT_EQ(sum.idle_ns, 1650u);
}

TEST(Metrics, MergeSpansTheClocksOfBoth) {
  Metrics early_then_late = sample(1);
  early_then_late.merge(sample(10));
  Metrics late_then_early = sample(10);
  late_then_early.merge(sample(1));
  for (const Metrics& merged : {early_then_late, late_then_early}) {
    EXPECT_EQ(merged.first_ns, 160u);
    EXPECT_EQ(merged.last_ns, 1700u);
  }
}

TEST(Metrics, AJobThatDidNothingDoesNotMoveTheStart) {
  Metrics idle = sample(1);
  idle.reset();
  Metrics busy = sample(2);
  busy.merge(idle);
  EXPECT_EQ(busy.first_ns, 320u);
  idle.merge(busy);
  EXPECT_EQ(idle.first_ns, 320u);
}

TEST(Metrics, AFreshOneTakesOverTheNames) {
  Metrics fresh;
  fresh.merge(sample(3));
  EXPECT_EQ(fresh.unit, "block");
  ASSERT_EQ(fresh.ops.size(), 2u);
  EXPECT_EQ(fresh.ops[1].name, "account_get");
  EXPECT_EQ(fresh.ops[1].count, 93u);
  EXPECT_EQ(fresh.stages[0].name, "compaction");
  EXPECT_EQ(fresh.access[2].count, 9u);
  EXPECT_EQ(fresh.first_ns, 480u);
}

TEST(Metrics, ResetZeroesAndKeepsNames) {
  Metrics metrics = sample(4);
  metrics.reset();
  for (const AccessMetrics& kind : metrics.access) {
    EXPECT_EQ(kind.count + kind.bytes + kind.errors + kind.latency.count(), 0u);
  }
  ASSERT_EQ(metrics.ops.size(), 2u);
  EXPECT_EQ(metrics.ops[0].name, "slot_get");
  for (const OpMetrics& op : metrics.ops) {
    EXPECT_EQ(op.count + op.cached + op.accesses + op.latency.count(), 0u);
  }
  ASSERT_EQ(metrics.stages.size(), 1u);
  EXPECT_EQ(metrics.stages[0].name, "compaction");
  EXPECT_TRUE(metrics.stages[0].background);
  EXPECT_EQ(metrics.stages[0].accesses + metrics.stages[0].latency.count(), 0u);
  EXPECT_EQ(metrics.unit, "block");
  EXPECT_EQ(metrics.units + metrics.unit_latency.count() + metrics.useful_bytes_read +
                metrics.useful_bytes_written + metrics.missed_slots + metrics.stall_ns +
                metrics.idle_ns + metrics.first_ns + metrics.last_ns,
            0u);
}

}  // namespace
}  // namespace ethio
