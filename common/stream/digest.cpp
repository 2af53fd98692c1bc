#include "common/stream/digest.h"

#include <fmt/format.h>

namespace ethio {

std::string to_hex(const Digest& digest) {
  return fmt::format("{:016x}{:016x}", digest.high, digest.low);
}

}  // namespace ethio
