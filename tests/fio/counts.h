// What fio counted and what the sidecar counted, to be compared access for access.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

namespace ethio {

struct Counts {
  uint64_t reads = 0, writes = 0, syncs = 0, read_bytes = 0, written_bytes = 0;
  bool operator==(const Counts&) const = default;
  Counts& operator+=(const Counts& other);
  uint64_t accesses() const { return reads + writes + syncs; }
  uint64_t bytes() const { return read_bytes + written_bytes; }
  friend std::ostream& operator<<(std::ostream& out, const Counts& counts);
};

// All jobs of a report in fio's JSON, and one sidecar.
Counts counts_of_fio(const nlohmann::json& report);
Counts counts_of_sidecar(const nlohmann::json& sidecar);

// The identity of the stream of a sidecar's one job.
std::string digest_of(const nlohmann::json& sidecar);

}  // namespace ethio
