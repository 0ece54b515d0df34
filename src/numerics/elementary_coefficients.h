// Coefficients of elementary-inl.h, low order first. Written by fit_coefficients.py.
#pragma once

namespace trainyard::numerics {

// (exp(r) - 1 - r) / r^2 for |r| <= log(2)/2
inline constexpr double exp_terms[] = {
    0x1.0000000000001p-1,  0x1.5555555555556p-3,  0x1.5555555553d63p-5,  0x1.11111111109b3p-7,
    0x1.6c16c1788bd90p-10, 0x1.a01a01a7c41d5p-13, 0x1.a019b90d2ae7ap-16, 0x1.71de0dae63bb3p-19,
    0x1.289185613a3d6p-22, 0x1.af38a9b0ec855p-26,
};

// (log((1+s)/(1-s)) - 2s) / s^3 in s^2 for |s| <= (sqrt(2)-1)/(sqrt(2)+1)
inline constexpr double log_terms[] = {
    0x1.5555555555558p-1, 0x1.99999999952e2p-2, 0x1.2492492df148dp-2, 0x1.c71c62e5800a1p-3,
    0x1.7462b4ab2ef6bp-3, 0x1.39fe606542ddep-3, 0x1.2b584aae78a57p-3,
};

// (sin(x) - x) / x^3 in x^2 for |x| <= pi/2
inline constexpr double sin_terms[] = {
    -0x1.5555555555555p-3,  0x1.1111111111107p-7,  -0x1.a01a01a018aadp-13, 0x1.71de3a5456716p-19,
    -0x1.ae6455a1d7087p-26, 0x1.6124015b5ee3ap-33, -0x1.ae5138c1216b3p-41, 0x1.89a4866f527ebp-49,
};

// (arctan(x) - x) / x^3 in x^2 for |x| <= sqrt(2)-1
inline constexpr double arctan_terms[] = {
    -0x1.5555555555546p-2, 0x1.9999999990a9fp-3, -0x1.2492491dd4b29p-3, 0x1.c71c6dd1ca28cp-4,
    -0x1.745c7f8421f5cp-4, 0x1.3b068efc532d3p-4, -0x1.105e40d85ead1p-4, 0x1.d5eb9ad0804d0p-5,
    -0x1.6f4657797fec4p-5, 0x1.74bea059cee82p-6,
};

// (erf(x) - 2/sqrt(pi) x) / x^3 in x^2 for |x| <= 1/4
inline constexpr double erf_terms[] = {
    -0x1.812746b0379dfp-2, 0x1.ce2f21a03a1e4p-4,   -0x1.b82ce2f95df9dp-6,
    0x1.565bb22f1c37ep-8,  -0x1.c013bd5b90e18p-11, 0x1.ee0cb2f189ed4p-14,
};

// exp(x^2/2) * Phi(-x) = numerator / denominator for 0 <= x <= 15
inline constexpr double tail_numerator[] = {
    0x1.0000000000001p-1,  0x1.605e08e62a795p-1,  0x1.e1210cf8e7e01p-2,
    0x1.9ca0674b20ca3p-3,  0x1.e073cdfac0bbep-5,  0x1.831fb7557a8b0p-7,
    0x1.a5dd53b0ea9e5p-10, 0x1.1dcbd67c4e1c3p-13, 0x1.7527606feef49p-18,
};

// Phi is the normal distribution function.
inline constexpr double tail_denominator[] = {
    0x1.0000000000000p+0,  0x1.16501942661adp+1,  0x1.16580544ef25cp+1, 0x1.511a36b9b58ddp+0,
    0x1.11637840cb0b3p-1,  0x1.3548702c16c8bp-3,  0x1.eac8e07bfb8f3p-6, 0x1.09472020b7544p-8,
    0x1.663145e36f904p-12, 0x1.d3adcfc03446dp-17,
};

}  // namespace trainyard::numerics
