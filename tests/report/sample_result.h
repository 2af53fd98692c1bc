// A result with something in every field, made by hand.
#pragma once

#include "common/report/session_json.h"

namespace ethio {

inline Histogram sample_histogram(uint64_t first_ns, uint64_t count) {
  Histogram histogram;
  for (uint64_t i = 0; i < count; ++i) histogram.record(first_ns + i * i * 1'000);
  return histogram;
}

inline SessionResult sample_result(uint32_t job = 0) {
  SessionResult result;
  result.ethio_version = "0.1.0";
  result.workload = "chain-head";
  result.definition = R"({"name": "chain-head", "unit": "block"})";
  result.definition_digest = "0123456789abcdef0123456789abcdef";
  result.seed = 1'234'567'890'123'456'789;
  result.jobs = 2;
  result.target_bytes = 256 << 20;
  result.notes = "The state was scaled.";
  result.harness = {{"name", "fio"}, {"executor", "uring"}};
  result.streams = {
      {job, job == 0 ? "00000000000000000000000000000001" : "00000000000000000000000000000002"}};
  result.op_stages = {"execute", "commit"};
  Metrics& metrics = result.metrics;
  metrics.access[0] = {300, 300 * 8192, 0, sample_histogram(80'000, 300)};
  metrics.access[1] = {20, 20 * 4096, 1, sample_histogram(15'000, 20)};
  metrics.access[2] = {3, 0, 0, sample_histogram(900'000, 3)};
  metrics.ops.push_back({"slot_get", 200, 50, 300, sample_histogram(90'000, 150)});
  metrics.ops.push_back({"sync", 3, 0, 3, sample_histogram(900'000, 3)});
  metrics.stages.push_back({"execute", false, 300, sample_histogram(10'000'000, 3)});
  metrics.stages.push_back({"commit", false, 23, sample_histogram(2'000'000, 3)});
  metrics.unit_latency = sample_histogram(12'000'000, 3);
  metrics.unit = "block";
  metrics.units = 3;
  metrics.useful_bytes_read = 300 * 100;
  metrics.useful_bytes_written = 20 * 1024;
  metrics.missed_slots = 1;
  metrics.stall_ns = 30'000'000;
  metrics.idle_ns = 5'000'000;
  metrics.first_ns = 1'000'000'000 + job;
  metrics.last_ns = 3'000'000'000 + job;
  return result;
}

}  // namespace ethio
