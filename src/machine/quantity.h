// The quantities of a machine file that base/units.h does not hold: data rates, element rates,
// energy, power, shares. Rates are integers or fractions of integers, so a duration computed from
// one is exact on every host.
#pragma once

#include <compare>
#include <cstdint>

#include "base/units.h"

namespace trainyard::machine {

// Bytes per second.
struct Bandwidth {
  std::int64_t bytes_per_second = 0;

  // The time to move `bytes`, rounded up to a whole tick. The rate must not be zero.
  [[nodiscard]] constexpr base::Ticks operator()(base::Bytes bytes) const {
    // 128 bit in two steps: bytes * ticks per second overflows 64 bit from 54 MB on.
    const std::int64_t ticks_per_second = base::ticks_per_nanosecond * 1'000'000'000;
    const std::int64_t whole = bytes.value / bytes_per_second;
    const std::int64_t rest = bytes.value % bytes_per_second;
    __extension__ using Wide = __int128;
    const Wide ticks =
        (static_cast<Wide>(rest) * ticks_per_second + bytes_per_second - 1) / bytes_per_second;
    return {whole * ticks_per_second + static_cast<std::int64_t>(ticks)};
  }
  [[nodiscard]] constexpr double gigabytes_per_second() const {
    return static_cast<double>(bytes_per_second) / 1e9;
  }
  friend constexpr auto operator<=>(Bandwidth, Bandwidth) = default;
};

// Elements per lane and cycle, as a fraction: 4, 1/2, 3/13.
struct Rate {
  std::int64_t elements = 1;
  std::int64_t cycles = 1;

  // The cycles in which one lane streams `count` elements, rounded up.
  [[nodiscard]] constexpr base::Cycles operator()(std::int64_t count) const {
    return {base::ceil_div(count * cycles, elements)};
  }
  [[nodiscard]] constexpr double value() const {
    return static_cast<double>(elements) / static_cast<double>(cycles);
  }
  friend constexpr bool operator==(Rate, Rate) = default;
};

// Energy of one operation or one byte. Below a picojoule in places, hence not an integer.
struct Energy {
  double picojoules = 0;
  friend constexpr auto operator<=>(Energy, Energy) = default;
};

struct Power {
  double watts = 0;
  friend constexpr auto operator<=>(Power, Power) = default;
};

// A share: 0.957 of a peak, a probability, a multiplier.
struct Fraction {
  double value = 0;
  friend constexpr auto operator<=>(Fraction, Fraction) = default;
};

// A published peak, kept to be compared with the one derived from clocks and rates.
struct Teraflops {
  double value = 0;
  friend constexpr auto operator<=>(Teraflops, Teraflops) = default;
};

}  // namespace trainyard::machine
