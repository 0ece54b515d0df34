// Elementary functions of float32 numbers that are no single IEEE operation, the same on every
// host: power and the two remainders. Special values follow C (power, fmod) and NumPy (mod).
#pragma once

namespace trainyard::numerics {

[[nodiscard]] float power(float base, float exponent);
// Exact remainder of a / b with the sign of a; NaN when b is 0 or a is infinite.
[[nodiscard]] float remainder_of_dividend_sign(float a, float b);
// Remainder with the sign of b: the exact one, plus b (rounded once) when the signs differ.
[[nodiscard]] float remainder_of_divisor_sign(float a, float b);

}  // namespace trainyard::numerics
