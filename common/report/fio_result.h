// One result of fio as plain data, whatever form it was printed in. Filled by fio_reader.h, used by
// rank, compare and report. A field that the output does not state is empty (0, "", nullopt); one
// that was worked out from others is listed in `remarks`, so that nothing passes for printed that
// was not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ethio::fio {

struct Percentile {
  double percent = 0;
  double latency_ns = 0;
};

struct Latency {
  uint64_t count = 0;  // 0 when fio measured none, as under gtod_reduce
  double mean_ns = 0;
  double max_ns = 0;
  std::vector<Percentile> percentiles;  // ascending

  // The value at `percent`, if fio printed that very percentile.
  std::optional<double> at(double percent) const;
};

struct Direction {
  uint64_t total_ios = 0;
  uint64_t total_bytes =
      0;  // total_ios x block size where both are known, else as printed (three digits)
  uint64_t runtime_ms = 0;
  std::optional<double> iops;  // total_ios / runtime where the output has both
  double bandwidth = 0;        // bytes a second
  uint64_t block_bytes = 0;    // 0 when unknown or a range
  Latency completion;          // clat
  bool active() const { return bandwidth > 0 || total_ios > 0 || total_bytes > 0; }
};

enum class Form : uint8_t { kText, kSummary, kJson };

struct Result {
  std::string job_name;
  std::string rw;  // "randrw"
  std::string ioengine;
  std::string fio_version;  // "3.33"
  uint32_t iodepth = 0;
  uint32_t jobs = 1;
  uint64_t size_bytes = 0;  // of one job's file
  std::optional<bool> direct;
  std::optional<bool> gtod_reduce;
  Direction read, write;
  Latency sync;                         // fsync and fdatasync
  double user_cpu = 0, system_cpu = 0;  // per cent of one core; 0 where not printed
  int error = 0;                        // fio's err=
  bool interrupted = false;
  std::vector<std::string> remarks;  // what was worked out or left unused, as sentences

  Form form = Form::kText;
  std::string origin;  // file
  uint32_t line = 0;   // where the result begins, from 1
  uint32_t run = 0;    // ordinal of the fio run within the file
  uint32_t group = 0;  // fio's groupid

  double read_share() const;  // of the I/Os, or of the bytes where I/Os are not known; 0 .. 1
  uint64_t total_bytes() const { return read.total_bytes + write.total_bytes; }
};

// Why a result measured nothing that was asked for: fio failed or was stopped; "" if it did.
std::string why_void(const Result& result);

// Whether two results are the same measurement, as when a forum post quotes another.
bool same_measurement(const Result& a, const Result& b);

// Jobs of one group become one result, as group_reporting would have shown them: counts and rates
// add up, latencies are left out (they do not add up).
std::vector<Result> merge_groups(const std::vector<Result>& results);

}  // namespace ethio::fio
