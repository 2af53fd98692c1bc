// A block device as the thing to measure: everything on it is overwritten, so it is taken only when
// the user has typed its path twice and nothing says that anybody needs it.
#pragma once

#include <cstdint>
#include <string>

#include "cli/process/interrupt.h"

namespace ethio {

bool is_block_device(const std::string& path);

// Holds the device exclusively, as a mount would, for as long as it lives.
class DeviceHold {
 public:
  // Refuses, with UsageError, a device that is mounted, held by another (LVM, md, swap, LUKS), has
  // partitions, or on which blkid finds a file system, a partition table or any other signature;
  // also when blkid is not there to ask.
  DeviceHold(const std::string& path, Interrupt& interrupt);
  ~DeviceHold();
  DeviceHold(const DeviceHold&) = delete;
  DeviceHold& operator=(const DeviceHold&) = delete;

  uint64_t bytes() const { return bytes_; }

 private:
  int fd_ = -1;
  uint64_t bytes_ = 0;
};

}  // namespace ethio
