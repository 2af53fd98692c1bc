#include "tests/oracle/bytes.h"

#include <algorithm>
#include <stdexcept>

namespace ethio::oracle {
namespace {

unsigned digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  throw std::invalid_argument("not a hexadecimal digit");
}

}  // namespace

size_t common_nibbles(std::string_view a, std::string_view b) {
  const size_t shorter = std::min(a.size(), b.size());
  size_t i = 0;
  while (i < shorter && a[i] == b[i]) ++i;
  if (i == shorter) return 2 * shorter;
  return 2 * i + (nibble_at(a, 2 * i) == nibble_at(b, 2 * i) ? 1 : 0);
}

std::string from_hex(std::string_view hex) {
  if (hex.substr(0, 2) == "0x") hex.remove_prefix(2);
  if (hex.size() % 2 != 0) throw std::invalid_argument("odd number of hexadecimal digits");
  std::string bytes;
  for (size_t i = 0; i < hex.size(); i += 2) {
    bytes.push_back(static_cast<char>(digit(hex[i]) << 4 | digit(hex[i + 1])));
  }
  return bytes;
}

std::string to_hex(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (size_t i = 0; i < nibbles_of(bytes); ++i) hex.push_back(kDigits[nibble_at(bytes, i)]);
  return hex;
}

}  // namespace ethio::oracle
