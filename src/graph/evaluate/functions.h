// Functions that operations and CHLO compute with.
#pragma once

#include <complex>
#include <cstdint>

namespace trainyard::graph {

template <typename T>
[[nodiscard]] T complex_power(T base, T exponent);

// Accurate to a few units in the last place of float64.
[[nodiscard]] double inverse_erf(double value);
[[nodiscard]] double digamma(double value);
[[nodiscard]] double bessel_i1e(double value);  // exp(-|x|) I1(x)

// -NaN < -infinity < ... < -0 < +0 < ... < NaN, as integers: IEEE's totalOrder.
[[nodiscard]] std::int64_t total_order(double value);

}  // namespace trainyard::graph
