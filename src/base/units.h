// Strong types for quantities, so that cycles never meet bytes, and the integer time base of the
// simulator.
#pragma once

#include <compare>
#include <cstdint>

namespace trainyard::base {

// A count of one unit. Same-unit sums and integer scaling only; everything else must say what it
// means.
template <typename Tag>
struct Quantity {
  std::int64_t value = 0;

  friend constexpr auto operator<=>(Quantity, Quantity) = default;
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return {a.value + b.value}; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return {a.value - b.value}; }
  friend constexpr Quantity operator*(Quantity a, std::int64_t n) { return {a.value * n}; }
  friend constexpr Quantity operator*(std::int64_t n, Quantity a) { return {a.value * n}; }
  friend constexpr std::int64_t operator/(Quantity a, Quantity b) { return a.value / b.value; }
  constexpr Quantity& operator+=(Quantity other) {
    value += other.value;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity other) {
    value -= other.value;
    return *this;
  }
};

using Cycles = Quantity<struct CyclesTag>;
using Bytes = Quantity<struct BytesTag>;

// The base tick of time: 1/168 ns. It divides a nanosecond and one cycle of every published
// Trainium clock (2.8, 2.4, 1.4, 1.2, 1.12 and 0.96 GHz) without remainder, so simulated time is
// never rounded.
using Ticks = Quantity<struct TicksTag>;
inline constexpr std::int64_t ticks_per_nanosecond = 168;

[[nodiscard]] constexpr Ticks nanoseconds(std::int64_t ns) { return {ns * ticks_per_nanosecond}; }
[[nodiscard]] constexpr double to_nanoseconds(Ticks t) {
  return static_cast<double>(t.value) / static_cast<double>(ticks_per_nanosecond);
}

// A clock whose period is a whole number of ticks.
struct Clock {
  std::int64_t ticks_per_cycle = 0;

  [[nodiscard]] constexpr Ticks operator()(Cycles c) const { return {c.value * ticks_per_cycle}; }
  [[nodiscard]] constexpr double gigahertz() const {
    return static_cast<double>(ticks_per_nanosecond) / static_cast<double>(ticks_per_cycle);
  }
  friend constexpr bool operator==(Clock, Clock) = default;
};

[[nodiscard]] constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}
[[nodiscard]] constexpr std::int64_t round_up(std::int64_t a, std::int64_t multiple) {
  return ceil_div(a, multiple) * multiple;
}

}  // namespace trainyard::base
