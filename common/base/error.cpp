#include "common/base/error.h"

#include <system_error>

namespace ethio {

std::string errno_text(int code) {
  return std::generic_category().message(code);
}

}  // namespace ethio
