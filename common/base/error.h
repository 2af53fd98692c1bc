// The one exception of the control plane: an errno and one sentence that says what was wrong,
// where, and what would be right. The data plane does not throw; it returns -errno.
#pragma once

#include <stdexcept>
#include <string>

namespace ethio {

class Error : public std::runtime_error {
 public:
  Error(int code, const std::string& message) : std::runtime_error(message), code_(code) {}
  int code() const { return code_; }  // a positive errno

 private:
  int code_;
};

// "No such file or directory" for ENOENT, thread-safe.
std::string errno_text(int code);

}  // namespace ethio
