// Keccak-256 as Ethereum uses it (the padding of the competition, not of SHA-3), by Crypto++.
#pragma once

#include <array>
#include <compare>
#include <string_view>

namespace ethio::oracle {

struct Hash {
  std::array<char, 32> bytes{};

  std::string_view view() const { return {bytes.data(), bytes.size()}; }
  // In key order, which is that of unsigned bytes.
  auto operator<=>(const Hash& other) const { return view() <=> other.view(); }
  bool operator==(const Hash& other) const { return view() == other.view(); }
};

Hash keccak256(std::string_view bytes);

}  // namespace ethio::oracle
