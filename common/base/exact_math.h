// exp and log from additions and multiplications alone, so that samplers give the same value on
// every machine (libm's differ in the last digit between versions). Accuracy is about 1e-13, plenty
// for a sampler. Build with -ffp-contract=off.
#pragma once

#include <bit>
#include <cstdint>

namespace ethio {

inline constexpr double kLn2 = 0.693147180559945309417;
inline constexpr double kTwo64 = 18446744073709551616.0;  // how many values 64 bits have

// Natural logarithm of x > 0 (normal numbers).
inline double exact_log(double x) {
  const auto bits = std::bit_cast<uint64_t>(x);
  int exponent = static_cast<int>((bits >> 52) & 0x7ff) - 1023;
  double m = std::bit_cast<double>((bits & 0x000fffffffffffffULL) | 0x3ff0000000000000ULL);
  if (m > 1.41421356237309504880) {  // centre on 1, where the series is shortest
    m *= 0.5;
    ++exponent;
  }
  const double t = (m - 1) / (m + 1);  // log m = 2 atanh t, |t| < 0.172
  const double s = t * t;
  double sum = 0;
  for (int k = 17; k >= 1; k -= 2) sum = sum * s + 1.0 / k;
  return exponent * kLn2 + 2 * t * sum;
}

// e^x for x < 700; 0 below -700, where doubles end.
inline double exact_exp(double x) {
  if (x < -700) return 0;
  const double scaled = x * (1 / kLn2);
  const int n = static_cast<int>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
  const double r = x - n * kLn2;  // |r| <= ln2 / 2
  double sum = 1;
  for (int k = 14; k >= 1; --k) sum = 1 + sum * r / k;
  return sum * std::bit_cast<double>(static_cast<uint64_t>(n + 1023) << 52);
}

inline double exact_pow(double x, double y) {
  return exact_exp(y * exact_log(x));
}

// A standard exponential variate from 64 uniform bits: the gap between the events of a Poisson
// process. The hot path's logarithm: a division-free polynomial, relative error below 1e-7.
double exponential_from_bits(uint64_t bits);

}  // namespace ethio
