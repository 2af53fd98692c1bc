#include "common/base/exact_math.h"

#include <array>

namespace ethio {
namespace {

constexpr int kTableBits = 7;

// Per table interval of the mantissa [1, 2): the centre's reciprocal and logarithm.
struct LogTable {
  std::array<double, 1 << kTableBits> reciprocal;
  std::array<double, 1 << kTableBits> log;
};

const LogTable kLogTable = [] {
  LogTable table{};
  for (int i = 0; i < 1 << kTableBits; ++i) {
    const double centre = 1 + (i + 0.5) / (1 << kTableBits);
    table.reciprocal[i] = 1 / centre;
    table.log[i] = exact_log(centre);
  }
  return table;
}();

}  // namespace

double exponential_from_bits(uint64_t bits) {
  const uint64_t u = bits | 1;  // in (0, 2^64)
  const int shift = __builtin_clzll(u);
  const uint64_t mantissa = (u << shift) << 1;  // without its leading one
  const auto index = mantissa >> (64 - kTableBits);
  const double m = std::bit_cast<double>((mantissa >> 12) | 0x3ff0000000000000ULL);
  const double d = m * kLogTable.reciprocal[index] - 1;  // |d| < 2^-8
  const double log_m = kLogTable.log[index] + d * (1 + d * (-0.5 + d * (1.0 / 3)));
  return (shift + 1) * kLn2 - log_m;  // -log(u / 2^64)
}

}  // namespace ethio
