#include "common/report/fio_result.h"

#include <algorithm>
#include <cmath>

namespace ethio::fio {
namespace {

void add(Direction& sum, const Direction& part) {
  if (!part.active()) return;
  if (!sum.active()) {
    sum = part;
    sum.completion = {};
    return;
  }
  sum.total_ios += part.total_ios;
  sum.total_bytes += part.total_bytes;
  sum.runtime_ms = std::max(sum.runtime_ms, part.runtime_ms);
  sum.bandwidth += part.bandwidth;
  if (sum.iops && part.iops) sum.iops = *sum.iops + *part.iops;
  if (sum.block_bytes != part.block_bytes) sum.block_bytes = 0;
}

Result merged(const std::vector<const Result*>& parts) {
  if (parts.size() == 1) return *parts.front();
  Result sum = *parts.front();
  sum.read = sum.write = {};
  sum.sync = {};
  sum.jobs = 0;
  for (const Result* part : parts) {
    add(sum.read, part->read);
    add(sum.write, part->write);
    sum.jobs += part->jobs;
    if (part->error != 0) sum.error = part->error;
    sum.interrupted = sum.interrupted || part->interrupted;
    if (part->job_name != sum.job_name) sum.job_name = "group " + std::to_string(sum.group);
    if (part->rw != sum.rw) sum.rw.clear();
  }
  return sum;
}

}  // namespace

std::optional<double> Latency::at(double percent) const {
  for (const Percentile& entry : percentiles) {
    if (std::abs(entry.percent - percent) < 1e-6) return entry.latency_ns;
  }
  return std::nullopt;
}

double Result::read_share() const {
  auto reads = static_cast<double>(read.total_ios);
  auto writes = static_cast<double>(write.total_ios);
  if (reads + writes == 0) {
    reads = static_cast<double>(read.total_bytes);
    writes = static_cast<double>(write.total_bytes);
  }
  return reads + writes == 0 ? 0 : reads / (reads + writes);
}

std::string why_void(const Result& result) {
  if (result.interrupted) return "fio was interrupted";
  return result.error == 0 ? "" : "fio ended with error " + std::to_string(result.error);
}

bool same_measurement(const Result& a, const Result& b) {
  const auto same = [](const Direction& x, const Direction& y) {
    return x.total_ios == y.total_ios && x.total_bytes == y.total_bytes &&
           x.runtime_ms == y.runtime_ms;
  };
  return a.job_name == b.job_name && same(a.read, b.read) && same(a.write, b.write);
}

std::vector<Result> merge_groups(const std::vector<Result>& results) {
  std::vector<Result> groups;
  for (size_t first = 0; first < results.size();) {
    std::vector<const Result*> parts;
    const Result& head = results[first];
    for (; first < results.size() && results[first].run == head.run &&
           results[first].group == head.group && results[first].origin == head.origin;
         ++first) {
      parts.push_back(&results[first]);
    }
    groups.push_back(merged(parts));
  }
  return groups;
}

}  // namespace ethio::fio
