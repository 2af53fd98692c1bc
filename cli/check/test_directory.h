// The directory that `ethio check` works in: a new one below the user's, and nothing of his is ever
// touched. Made only after the place has been found fit, removed with all it holds whatever
// happens.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "cli/check/options.h"

namespace ethio {

// Refuses, with UsageError, what is not a directory that this user can write to, and, unless
// forced, a file system that says nothing about a drive (memory, overlay).
void require_fit(const std::string& directory, bool force);

// The size of the test file: `wanted`, or when that is 0 1 GiB (16 GiB at full pace) and less where
// space is short. Throws Error, naming the place, when twice as much is not available.
uint64_t choose_size(const std::string& place, uint64_t available_bytes, uint64_t wanted,
                     Pace pace);

class TestDirectory {
 public:
  explicit TestDirectory(const std::string& parent);  // throws Error
  ~TestDirectory();
  TestDirectory(const TestDirectory&) = delete;
  TestDirectory& operator=(const TestDirectory&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  // Removes every file in it but one; throws Error when something stays.
  void remove_all_but(const std::string& name) const;
  // Removes it now; throws Error when something stays. The destructor does the same without a word.
  void remove();

 private:
  std::string path_;  // "" once removed
};

}  // namespace ethio
