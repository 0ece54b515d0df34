// Seeded random numbers, for tests and for orders that a test's seed chooses. Never seeded from a
// clock.
#pragma once

#include <cstdint>

namespace trainyard::base {

// SplitMix64 (Steele, Lea, Flood 2014): one word of state, full period.
class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  constexpr std::uint32_t next32() { return static_cast<std::uint32_t>(next() >> 32); }
  // Uniform in [0, bound); bound > 0. The bias is below 2^-32 for bounds below 2^32.
  constexpr std::uint64_t below(std::uint64_t bound) { return next() % bound; }
  // Uniform in [0, 1).
  constexpr double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace trainyard::base
