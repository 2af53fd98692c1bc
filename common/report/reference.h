// The reference table: drives, what users of one fio profile measured on them and what became of
// them as the disk of an Ethereum node. Read from workloads/reference/drives.json, which is
// compiled in; used by rank and report.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/embedded.h"

namespace ethio {

namespace reference_files {
std::span<const EmbeddedFile> files();  // workloads/reference/*.json
}  // namespace reference_files

struct Rates {
  double read = 0;   // IOPS
  double write = 0;  // IOPS
};

struct PostedRates : Rates {
  std::string setup;  // what is known of the machine
};

struct ReferenceDrive {
  std::string name;
  bool is_class = false;  // a rule of thumb ("any data centre drive"), not a model
  std::string tier;       // "good", "ugly", "bad", "unlisted"
  std::string interface, capacity, nand, dram;
  std::vector<Rates> listed;  // none, one, or the ends of a range
  std::vector<PostedRates> posted;
  std::string notes;

  // The middle of what is listed; zeros when nothing is.
  Rates figure() const;
};

// The fio profile behind the figures.
struct StockProfile {
  std::string rw, ioengine, command;
  double read_share = 0;  // 0 .. 1
  uint64_t block_bytes = 0;
  uint32_t iodepth = 0;
  uint64_t size_bytes = 0;
};

struct Reference {
  std::string title, url;
  StockProfile profile;
  std::vector<ReferenceDrive> drives;
};

// Throws Error(EINVAL) naming `origin` and the field.
Reference parse_reference(std::string_view text, std::string_view origin);

// The built-in table.
const Reference& hall_of_blame();

}  // namespace ethio
