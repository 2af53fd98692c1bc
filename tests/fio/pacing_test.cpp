// Options of fio that hold a job back or leave part of it out of the counts. Bounds that a slow
// machine keeps too: no more than was allowed in the time that fio itself measured.
#include <gmock/gmock.h>

#include "tests/fio/counts.h"
#include "tests/fio/fixture.h"

namespace ethio {
namespace {

constexpr uint64_t kLongestAccess = 128 << 10;  // of chain-head
constexpr uint64_t kDepth = 16;                 // of chain-head

class Pacing : public FioTest {
 protected:
  struct Run {
    Counts by_fio, by_sidecar;
    double seconds = 0;  // as fio measured
  };

  Run run_for(std::vector<std::string> more) {
    more.insert(more.begin(), {"--size=16m", "--ethio_out=out.json", "--time_based"});
    const auto report = fio_report(more);
    Run run;
    job_ = report["jobs"][0];
    sidecar_ = json_file("out.json");
    run.by_fio = counts_of_fio(report);
    run.by_sidecar = counts_of_sidecar(sidecar_);
    run.seconds =
        std::max(job_["read"]["runtime"].get<double>(), job_["write"]["runtime"].get<double>()) /
        1000;
    EXPECT_GT(run.by_fio.accesses(), 0u);
    return run;
  }

  nlohmann::json job_, sidecar_;  // of the last run
};

TEST_F(Pacing, RateIopsCountsAccessesOfEitherDirectionAndAnyLength) {
  const Run run = run_for({"--ethio_workload=chain-head", "--ethio_gas=1m", "--bs=64k",
                           "--rate_iops=2000,10", "--runtime=1"});
  EXPECT_EQ(run.by_fio, run.by_sidecar);
  EXPECT_LE(static_cast<double>(run.by_fio.reads), 2000 * run.seconds + 10);
  EXPECT_LE(static_cast<double>(run.by_fio.writes), 10 * run.seconds + 10);
}

TEST_F(Pacing, TheWaitForARateIsInNoLatencyOfAnAccess) {
  const Run run =
      run_for({"--ethio_workload=chain-head", "--ethio_gas=1m", "--rate_iops=50", "--runtime=1"});
  const double latencies_ns = sidecar_["access"]["read"]["latency_ns"]["sum"];
  EXPECT_LT(latencies_ns / 1e9, run.seconds / 2);  // nearly all of the time is spent waiting
}

TEST_F(Pacing, RateCountsBytes) {
  const Run run = run_for({"--ethio_workload=chain-head", "--rate=1m", "--runtime=1"});
  EXPECT_EQ(run.by_fio, run.by_sidecar);
  EXPECT_LE(static_cast<double>(run.by_fio.read_bytes), (1 << 20) * run.seconds + kLongestAccess);
}

TEST_F(Pacing, PoissonArrivalsForAWorkloadThatOnlyReads) {
  const Run run = run_for({"--ethio_workload=flat-read", "--rw=randread", "--rate_iops=1000",
                           "--rate_process=poisson", "--runtime=1"});
  EXPECT_EQ(run.by_fio, run.by_sidecar);
}

TEST_F(Pacing, ThinktimeFollowsEachAccess) {
  const Run run = run_for({"--ethio_workload=chain-head", "--thinktime=2ms", "--runtime=1"});
  EXPECT_EQ(run.by_fio, run.by_sidecar);
  EXPECT_LE(static_cast<double>(run.by_fio.accesses()), run.seconds / 0.002 + 10);
}

// fio counts an I/O when it begins and its bytes when it ends: what is under way when the ramp ends
// is in its bytes and latencies but not in total_ios. The sidecar counts what ends.
TEST_F(Pacing, RampTimeIsInNeitherReport) {
  const Run run = run_for(
      {"--ethio_workload=chain-head", "--ethio_gas=1m", "--ramp_time=500ms", "--runtime=1"});
  EXPECT_EQ(run.by_fio.bytes(), run.by_sidecar.bytes());
  EXPECT_GE(run.by_sidecar.accesses(), run.by_fio.accesses());
  EXPECT_LE(run.by_sidecar.accesses(), run.by_fio.accesses() + kDepth);
  EXPECT_LT(sidecar_["time"]["seconds"].get<double>(), run.seconds + 0.25);
}

TEST_F(Pacing, RampTimeIsNotInTheOpsEither) {
  const Run run =
      run_for({"--ethio_workload=uniform-read", "--ramp_time=500ms", "--runtime=500ms"});
  uint64_t ops = 0;
  for (const auto& op : sidecar_["ops"]) ops += op["count"].get<uint64_t>();
  EXPECT_EQ(ops, run.by_sidecar.reads);  // an op of this workload is one read
}

TEST_F(Pacing, SteadyStateEndsTheJob) {
  const Run run = run_for({"--ethio_workload=uniform-read", "--rate_iops=2000", "--runtime=20",
                           "--steadystate=iops:90%", "--ss_dur=1"});
  EXPECT_EQ(run.by_fio, run.by_sidecar);
  EXPECT_EQ(job_["steadystate"]["attained"], 1);
}

// fio ends such a job with I/O under way, which it has counted but does not wait for.
TEST_F(Pacing, LatencyTarget) {
  const Run run = run_for({"--ethio_workload=chain-head", "--runtime=1", "--latency_target=100ms",
                           "--latency_window=100ms", "--latency_percentile=90"});
  EXPECT_EQ(run.by_fio.bytes(), run.by_sidecar.bytes());
  EXPECT_LE(run.by_sidecar.accesses(), run.by_fio.accesses());
  EXPECT_GE(run.by_sidecar.accesses() + kDepth, run.by_fio.accesses());
}

}  // namespace
}  // namespace ethio
