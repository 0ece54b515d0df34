// Coefficients of elementary-inl.h and quick_exp-inl.h, low order first. Written by
// fit_coefficients.py.
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

// 2^(i/32)
alignas(64) inline constexpr float exp_roots[] = {
    0x1.000000p+0f, 0x1.059b0ep+0f, 0x1.0b5586p+0f, 0x1.11301ep+0f, 0x1.172b84p+0f, 0x1.1d4874p+0f,
    0x1.2387a6p+0f, 0x1.29e9e0p+0f, 0x1.306fe0p+0f, 0x1.371a74p+0f, 0x1.3dea64p+0f, 0x1.44e086p+0f,
    0x1.4bfdaep+0f, 0x1.5342b6p+0f, 0x1.5ab07ep+0f, 0x1.6247ecp+0f, 0x1.6a09e6p+0f, 0x1.71f75ep+0f,
    0x1.7a1148p+0f, 0x1.82589ap+0f, 0x1.8ace54p+0f, 0x1.93737cp+0f, 0x1.9c4918p+0f, 0x1.a5503cp+0f,
    0x1.ae89fap+0f, 0x1.b7f770p+0f, 0x1.c199bep+0f, 0x1.cb720ep+0f, 0x1.d5818ep+0f, 0x1.dfc974p+0f,
    0x1.ea4afap+0f, 0x1.f50766p+0f,
};

// What rounding took from a root and 2^-35, both as parts of it
alignas(64) inline constexpr float exp_root_rests[] = {
    0x1.000000p-35f,  -0x1.943574p-25f, 0x1.8dd41ep-25f,  -0x1.dd6704p-25f, -0x1.9b2160p-27f,
    -0x1.a2c244p-25f, 0x1.968136p-25f,  -0x1.2ad6bcp-25f, 0x1.1285d2p-25f,  -0x1.cd7f7ap-26f,
    0x1.373f6ep-25f,  0x1.39bbb0p-30f,  -0x1.0a03f8p-25f, -0x1.c4e11ep-26f, -0x1.001ba2p-27f,
    -0x1.6c8444p-25f, 0x1.265fdep-26f,  0x1.8b844ap-26f,  -0x1.059feep-25f, -0x1.1bcc70p-26f,
    0x1.68edc8p-28f,  -0x1.3465bap-25f, 0x1.a4f3cep-28f,  -0x1.0b57e4p-25f, -0x1.f92accp-27f,
    -0x1.e47e0ap-26f, -0x1.683e2cp-28f, -0x1.b3f7d4p-28f, -0x1.a40a52p-28f, -0x1.ab2ce6p-26f,
    0x1.624de4p-28f,  -0x1.2a532ap-27f,
};

// (exp(r) - 1 - r) / r^2 for |r| <= log(2)/64
alignas(64) inline constexpr float quick_exp_terms[] = {
    0x1.000000p-1f,
    0x1.5555b8p-3f,
    0x1.555598p-5f,
};

// exp(r) for 0 <= r <= log(2)/32
alignas(64) inline constexpr float brief_exp_terms[] = {
    0x1.000000p+0f,
    0x1.fffa30p-1f,
    0x1.02ca20p-1f,
};

}  // namespace trainyard::numerics
