#include "tests/fio/counts.h"

namespace ethio {

Counts& Counts::operator+=(const Counts& other) {
  reads += other.reads;
  writes += other.writes;
  syncs += other.syncs;
  read_bytes += other.read_bytes;
  written_bytes += other.written_bytes;
  return *this;
}

std::ostream& operator<<(std::ostream& out, const Counts& counts) {
  return out << counts.reads << " reads of " << counts.read_bytes << " B, " << counts.writes
             << " writes of " << counts.written_bytes << " B, " << counts.syncs << " syncs";
}

Counts counts_of_fio(const nlohmann::json& report) {
  Counts counts;
  for (const auto& job : report["jobs"]) {
    counts.reads += job["read"]["total_ios"].get<uint64_t>();
    counts.writes += job["write"]["total_ios"].get<uint64_t>();
    counts.syncs += job["sync"]["total_ios"].get<uint64_t>();
    counts.read_bytes += job["read"]["io_bytes"].get<uint64_t>();
    counts.written_bytes += job["write"]["io_bytes"].get<uint64_t>();
  }
  return counts;
}

Counts counts_of_sidecar(const nlohmann::json& sidecar) {
  const auto& access = sidecar["access"];
  Counts counts;
  counts.reads = access["read"]["count"].get<uint64_t>();
  counts.writes = access["write"]["count"].get<uint64_t>();
  counts.syncs = access["sync"]["count"].get<uint64_t>();
  counts.read_bytes = access["read"]["bytes"].get<uint64_t>();
  counts.written_bytes = access["write"]["bytes"].get<uint64_t>();
  return counts;
}

std::string digest_of(const nlohmann::json& sidecar) {
  return sidecar["streams"].at(0)["digest"];
}

}  // namespace ethio
