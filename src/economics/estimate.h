// A quantity with a range and a word on how sure it is; sums and products keep all three.
#pragma once

#include <algorithm>

#include "machine/figure.h"

namespace trainyard::economics {

// Strong units: a sum or comparison never mixes them.
struct Joules {
  double value = 0;
};
struct Dollars {
  double value = 0;
};
struct DollarsPerHour {
  double value = 0;
};
struct Kilowatts {
  double value = 0;
};

// `low` and `high` take every figure at its low or high end at once: a bracket, not a confidence
// interval. `kind` is that of the least sure figure that went in.
template <typename Unit>
struct Estimate {
  Unit low, value, high;
  machine::Kind kind = machine::Kind::published;

  Estimate& operator+=(const Estimate& other) {
    low.value += other.low.value;
    value.value += other.value.value;
    high.value += other.high.value;
    kind = std::max(kind, other.kind);
    return *this;
  }
  friend Estimate operator+(Estimate a, const Estimate& b) { return a += b; }
  // Scaling by an exact number that is not negative.
  friend Estimate operator*(Estimate a, double factor) {
    return {{a.low.value * factor}, {a.value.value * factor}, {a.high.value * factor}, a.kind};
  }
};

}  // namespace trainyard::economics
