// Integer mixing: the source of every "random" bit in ethio. Pure functions of their arguments, the
// same on every machine; no state, no libm.
#pragma once

#include <cstdint>

namespace ethio {

inline uint64_t mul_high(uint64_t a, uint64_t b) {
  return static_cast<uint64_t>((static_cast<unsigned __int128>(a) * b) >> 64);
}

// splitmix64 finaliser (Stafford's variant 13): a bijection in which every input bit reaches every
// output bit.
constexpr uint64_t mix64(uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebULL;
  x ^= x >> 31;
  return x;
}

constexpr uint64_t kGolden = 0x9e3779b97f4a7c15ULL;  // 2^64 / golden ratio, splitmix64's increment

// A hash of two and three words. The order of the arguments matters.
constexpr uint64_t mix64(uint64_t a, uint64_t b) {
  return mix64(mix64(a + kGolden) ^ b);
}
constexpr uint64_t mix64(uint64_t a, uint64_t b, uint64_t c) {
  return mix64(mix64(a, b) + kGolden, c);
}

// The sequence of an op: splitmix64, seeded with a hash of what identifies the op.
class Rng {
 public:
  explicit Rng(uint64_t seed) : state_(seed) {}
  uint64_t next() { return mix64(state_ += kGolden); }
  // Uniform in [0, bound), bias below 2^-64 * bound, without a division.
  uint64_t below(uint64_t bound) { return mul_high(next(), bound); }
  // True with probability threshold / 2^64; see probability().
  bool chance(uint64_t threshold) { return next() < threshold; }

 private:
  uint64_t state_;
};

// A probability in [0, 1] as the threshold that chance() takes.
constexpr uint64_t probability(double p) {
  if (p <= 0) return 0;
  if (p >= 1) return ~uint64_t{0};
  return static_cast<uint64_t>(p * 18446744073709551616.0);
}

}  // namespace ethio
