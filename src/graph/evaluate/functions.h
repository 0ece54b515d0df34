// Functions of one number: the unary operations of StableHLO, and the special functions of CHLO.
#pragma once

#include <complex>
#include <cstdint>

#include "graph/op_kind.h"

namespace trainyard::graph {

[[nodiscard]] bool is_unary(OpKind kind);

// `width`: bits of the format, for integers. Instantiated for the six computing types.
template <typename T>
[[nodiscard]] T unary(OpKind kind, T value, int width, bool boolean);

template <typename T>
[[nodiscard]] T complex_power(T base, T exponent);

// Accurate to a few units in the last place of float64.
[[nodiscard]] double inverse_erf(double value);
[[nodiscard]] double digamma(double value);
[[nodiscard]] double bessel_i1e(double value);  // exp(-|x|) I1(x)

// -NaN < -infinity < ... < -0 < +0 < ... < NaN, as integers: IEEE's totalOrder.
[[nodiscard]] std::int64_t total_order(double value);

}  // namespace trainyard::graph
