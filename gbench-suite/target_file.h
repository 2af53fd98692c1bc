// The file that benchmarks run on: made fresh and exclusively, filled, and gone afterwards, also
// after SIGINT, SIGTERM or SIGHUP. Nothing of the user's is ever opened.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ethio {

class TargetFile {
 public:
  // A file of `bytes` in the directory `dir` ("" = the working directory). `direct`: whether
  // O_DIRECT; empty = where the file system can. Throws Error for a missing directory, too little
  // space, or O_DIRECT asked for where it cannot be had. At most one exists at a time.
  TargetFile(const std::string& dir, uint64_t bytes, std::optional<bool> direct);
  ~TargetFile();
  TargetFile(const TargetFile&) = delete;
  TargetFile& operator=(const TargetFile&) = delete;

  // Writes incompressible bytes all over and has them reach the device; the first call does it.
  void fill();

  int fd() const { return fd_; }
  uint64_t bytes() const { return bytes_; }
  const std::string& path() const { return path_; }
  bool direct() const { return direct_; }
  const std::string& direct_note() const { return direct_note_; }  // why not, if not
  std::string file_system() const;  // "ext4"; "0x1234" for an unknown one

 private:
  void open_fresh(const std::string& dir);
  void use_direct(std::optional<bool> wanted);

  std::string path_;
  uint64_t bytes_ = 0;
  int fd_ = -1;
  bool direct_ = false;
  bool filled_ = false;
  std::string direct_note_;
};

}  // namespace ethio
