// Byte strings of the oracle: std::string and std::string_view hold bytes, not text. Base of
// everything in tests/oracle/; the only place that knows hexadecimal and nibbles.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ethio::oracle {

inline uint8_t byte_at(std::string_view bytes, size_t i) {
  return static_cast<uint8_t>(bytes[i]);
}

// Nibble i of a key, the high half of a byte first.
inline unsigned nibble_at(std::string_view key, size_t i) {
  const unsigned byte = byte_at(key, i / 2);
  return i % 2 == 0 ? byte >> 4 : byte & 15;
}

inline size_t nibbles_of(std::string_view key) {
  return key.size() * 2;
}

// How many leading nibbles two keys share.
size_t common_nibbles(std::string_view a, std::string_view b);

// "56e8..." or "0x56e8..." to bytes and back (without "0x"). Throws std::invalid_argument.
std::string from_hex(std::string_view hex);
std::string to_hex(std::string_view bytes);

}  // namespace ethio::oracle
