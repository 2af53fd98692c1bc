// What `ethio check` could have found on one directory, made by hand: a layout, a stock profile and
// a workload that ran `repeats` times, so that readers of its JSON have one of everything.
#pragma once

#include "cli/check/result.h"
#include "tests/report/sample_result.h"

namespace ethio {

inline fio::Direction sample_direction(double iops, double latency_ns) {
  fio::Direction direction;
  direction.total_ios = static_cast<uint64_t>(10 * iops);
  direction.total_bytes = direction.total_ios * 4096;
  direction.runtime_ms = 10'000;
  direction.iops = iops;
  direction.bandwidth = iops * 4096;
  direction.block_bytes = 4096;
  direction.completion.count = direction.total_ios;
  direction.completion.mean_ns = latency_ns;
  direction.completion.max_ns = 50 * latency_ns;
  direction.completion.percentiles = {
      {50, latency_ns}, {99, 4 * latency_ns}, {99.9, 20 * latency_ns}};
  return direction;
}

// Ten seconds, a sample each.
inline std::vector<Sample> sample_timeline() {
  std::vector<Sample> samples(1);
  for (uint64_t i = 1; i <= 10; ++i) {
    Sample sample = samples.back();
    sample.seconds = static_cast<double>(i);
    sample.did.reads += 10'000;
    sample.did.read_bytes += 40'000'000 + (i % 3) * 5'000'000;
    sample.did.writes += 1'000;
    sample.did.written_bytes += i % 4 == 0 ? 200'000'000 : 4'000'000;
    samples.push_back(sample);
  }
  return samples;
}

inline Row sample_row(const std::string& name, PhaseKind kind, uint32_t repeats) {
  Row row;
  row.phase.name = name;
  row.phase.kind = kind;
  row.phase.summary = "A phase of the sample.";
  for (uint32_t i = 0; i < repeats; ++i) {
    PhaseRun run;
    run.command = "fio --name=" + name + " --filename=test";
    run.seconds = 10;
    run.fio.read = sample_direction(12'000 + 100 * i, 80'000);
    run.timeline = sample_timeline();
    if (kind == PhaseKind::kEthio) run.session = sample_result();
    row.runs.push_back(std::move(run));
  }
  return row;
}

inline CheckResult sample_check(uint32_t repeats = 1) {
  CheckResult check;
  check.options.directories = {"/data"};
  check.options.command = {"ethio", "check", "/data", "--json", "check.json"};
  check.options.repeat = repeats;
  check.started = "2026-08-01T12:00:00Z";
  check.fio_version = "fio-3.33";
  TargetResult target;
  target.directory = "/data";
  target.size_bytes = uint64_t{1} << 30;
  FactGroup file_system{"file system", {}};
  file_system.add("type", "ext4");
  file_system.add_missing("recordsize", "only ZFS has one");
  target.facts = {file_system};
  target.rows = {sample_row("layout", PhaseKind::kLayout, 1),
                 sample_row("hall-of-blame", PhaseKind::kStock, repeats),
                 sample_row("chain-head", PhaseKind::kEthio, repeats)};
  target.rows[0].phase.timed = Timed::kNothing;
  target.rows[1].phase.remark = "not comparable with published numbers: 1 GiB instead of 150G";
  check.targets = {std::move(target)};
  check.verdicts = {{{"validator", "executes each block", Grade::kUgly, 0.4,
                      "chain-head: 1 of 3 blocks took longer than 2 s", "dependent reads"},
                     {"archive", "answers queries", Grade::kUnknown, 0, "", ""}}};
  check.advice = {"mount with noatime"};
  return check;
}

}  // namespace ethio
