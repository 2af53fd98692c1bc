// The file system that a directory lies on: type, options, space, and what kind of thing it is for
// a benchmark.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cli/facts/fact.h"
#include "cli/process/interrupt.h"

namespace ethio {

struct Mount {
  std::string point;    // "/var/lib"
  std::string type;     // "ext4"
  std::string source;   // "/dev/nvme0n1p2", "tank/geth"
  std::string options;  // of the mount and of the file system: "rw,noatime,discard"
};

// From the text of /proc/self/mountinfo: the mount that holds `path` (absolute, without symbolic
// links): the longest mount point that is a prefix of it, the last one where several lie on the
// same point.
Mount find_mount(std::string_view mountinfo, std::string_view path);
Mount mount_of(const std::string& path);  // throws Error

struct Space {
  uint64_t total_bytes = 0;
  uint64_t free_bytes = 0;       // for root
  uint64_t available_bytes = 0;  // for this user
};
Space space_of(const std::string& path);  // throws Error

// True when an O_DIRECT file can be opened, written and read in the directory. Leaves nothing
// behind.
bool supports_direct_io(const std::string& directory);

// With what only the file system's own tools know (ZFS: record size, compression, ashift), where
// they are installed.
FactGroup file_system_facts(const std::string& path, Interrupt& interrupt);

}  // namespace ethio
