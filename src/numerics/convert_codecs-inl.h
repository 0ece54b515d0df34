// One vector of each number format: from stored patterns, zero-extended to 32 bits, to float32 and
// back. The definitions are in convert.h; a codec is a second text of one, proven bit-equal by
// test. Included once per instruction set, hence no pragma once.
#if defined(TRAINYARD_NUMERICS_CONVERT_CODECS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TRAINYARD_NUMERICS_CONVERT_CODECS_INL_H
#undef TRAINYARD_NUMERICS_CONVERT_CODECS_INL_H
#else
#define TRAINYARD_NUMERICS_CONVERT_CODECS_INL_H
#endif

#include <hwy/highway.h>

#include "numerics/convert.h"
#include "numerics/float_format.h"

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;
using Words = hn::RebindToUnsigned<Floats>;
using Integers = hn::RebindToSigned<Floats>;
using F = hn::Vec<Floats>;
using U = hn::Vec<Words>;
using I = hn::Vec<Integers>;

HWY_INLINE U constant(std::uint32_t bits) { return hn::Set(Words(), bits); }
HWY_INLINE U bits_of(F x) { return hn::BitCast(Words(), x); }
HWY_INLINE F float_of(U x) { return hn::BitCast(Floats(), x); }
HWY_INLINE U select(hn::Mask<Words> condition, U yes, U no) {
  return hn::IfThenElse(condition, yes, no);
}
// Unsigned order of values below 2^31, where the signed comparison is the same and every host has
// it.
HWY_INLINE hn::Mask<Words> above(U a, U b) {
  return hn::RebindMask(Words(), hn::Gt(hn::BitCast(Integers(), a), hn::BitCast(Integers(), b)));
}

template <const FloatFormat& format>
struct FloatCodec {
  static constexpr int mantissa_shift = 23 - format.mantissa_bits;
  static constexpr int sign_shift = 31 - format.exponent_bits - format.mantissa_bits;
  static constexpr std::uint32_t smallest_normal = static_cast<std::uint32_t>(128 - format.bias)
                                                   << 23;

  static HWY_INLINE F decode(U bits) {
    const U magnitude = hn::And(bits, constant(format.sign_bit() - 1));
    const U sign = hn::ShiftLeft<sign_shift>(hn::And(bits, constant(format.sign_bit())));
    const U aligned = hn::ShiftLeft<mantissa_shift>(magnitude);
    U value = hn::Add(aligned, constant(static_cast<std::uint32_t>(127 - format.bias) << 23));
    if constexpr (format.exponent_bits != 8) {
      // A subnormal is read as 2^(1 - bias) * 1.mantissa, and the 1 is taken away: exact.
      const F one_more = float_of(hn::Add(aligned, constant(smallest_normal)));
      const U subnormal = bits_of(hn::Sub(one_more, float_of(constant(smallest_normal))));
      value = select(above(constant(1u << format.mantissa_bits), magnitude), subnormal, value);
    }
    if constexpr (format.specials == Specials::ieee) {
      value =
          select(above(magnitude, constant(format.largest())), constant(float32_infinity), value);
      value = select(above(magnitude, constant(format.largest() + 1)), constant(float32_quiet_nan),
                     value);
    } else if constexpr (format.specials == Specials::nan_only) {
      value =
          select(above(magnitude, constant(format.largest())), constant(float32_quiet_nan), value);
    }
    return float_of(hn::Or(value, sign));
  }

  // Sign, overflow and NaN around the encoded magnitude.
  static HWY_INLINE U finish(U bits, U magnitude, U encoded, U overflow) {
    const U sign = hn::ShiftLeft<31 - sign_shift>(hn::ShiftRight<31>(bits));
    encoded = select(above(encoded, constant(format.largest())), overflow, encoded);
    const hn::Mask<Words> is_nan = above(magnitude, constant(float32_infinity));
    if constexpr (format.specials == Specials::none) {
      return hn::IfThenZeroElse(is_nan, hn::Or(encoded, sign));
    } else {
      return hn::Or(select(is_nan, constant(format.quiet_nan()), encoded), sign);
    }
  }

  static HWY_INLINE U encode(F x, U overflow) {
    const U bits = bits_of(x), magnitude = hn::And(bits, constant(~float32_sign));
    const U odd = hn::And(hn::ShiftRight<mantissa_shift>(magnitude), constant(1));
    const U rounded = hn::Add(hn::Add(magnitude, constant((1u << (mantissa_shift - 1)) - 1)), odd);
    U encoded =
        hn::Sub(hn::ShiftRight<mantissa_shift>(rounded),
                constant(static_cast<std::uint32_t>(127 - format.bias) << format.mantissa_bits));
    if constexpr (format.exponent_bits != 8) {
      // Adding a number whose last place is the format's subnormal place lets the host's addition
      // round to nearest even.
      const U place =
          constant(static_cast<std::uint32_t>(127 + 24 - format.bias - format.mantissa_bits) << 23);
      const U subnormal = hn::Sub(bits_of(hn::Add(float_of(magnitude), float_of(place))), place);
      encoded = select(above(constant(smallest_normal), magnitude), subnormal, encoded);
    }
    return finish(bits, magnitude, encoded, overflow);
  }

  // The bits of the largest number as float32.
  static constexpr std::uint32_t largest_float32 =
      (format.largest() << mantissa_shift) + (static_cast<std::uint32_t>(127 - format.bias) << 23);

  // encode() of a number whose magnitude is at most largest_float32.
  static HWY_INLINE U encode_in_range(F x) {
    const U bits = bits_of(x);
    if constexpr (format.exponent_bits == 8) {
      // Up by half a place, less one where the kept place is even: ties go to even.
      const U even = hn::AndNot(hn::ShiftRight<mantissa_shift>(bits), constant(1));
      const U half = constant(~((1u << (mantissa_shift - 1)) - 1));
      return hn::ShiftRight<mantissa_shift>(hn::Sub(bits, hn::Or(half, even)));
    } else {
      // Adding a power of two whose last place is the number's last kept place lets the host's
      // addition round; the kept places are then the low bits of the sum, and the exponent field is
      // the sum's but for a constant, which is added to the power of two, below the places.
      constexpr std::uint32_t places = 1u << (format.mantissa_bits + 1),
                              kept = format.sign_bit() - 1;
      constexpr std::uint32_t correction =
          (static_cast<std::uint32_t>(format.bias - 128 - mantissa_shift) << format.mantissa_bits) &
          kept;
      static_assert(correction + places < 1u << mantissa_shift && correction % 2 == 0);
      const U magnitude = hn::And(bits, constant(~float32_sign));
      const U field = hn::Max(hn::And(bits, constant(float32_infinity)), constant(smallest_normal));
      const U power = hn::Add(field, constant((mantissa_shift << 23) + correction));
      const U sum = bits_of(hn::Add(float_of(magnitude), float_of(power)));
      const U encoded = hn::Add(hn::ShiftRight<mantissa_shift>(sum), sum);
      const U sign = hn::AndNot(constant(kept), hn::ShiftRight<sign_shift>(bits));
      return hn::Or(hn::And(encoded, constant(kept)), sign);
    }
  }

  static HWY_INLINE U encode_stochastic(F x, U random, U overflow) {
    const U bits = bits_of(x), magnitude = hn::And(bits, constant(~float32_sign));
    const U field = hn::ShiftRight<23>(magnitude), is_normal = hn::Min(field, constant(1));
    const U significand =
        hn::Or(hn::And(magnitude, constant(0x007FFFFF)), hn::ShiftLeft<23>(is_normal));
    // Both exponents carry the bias of float32; kept is the larger of this number's and the
    // format's smallest.
    const U exponent = hn::Max(field, constant(1));
    const U kept_exponent =
        hn::Max(exponent, constant(static_cast<std::uint32_t>(128 - format.bias)));
    const U shift = hn::Add(hn::Sub(kept_exponent, exponent), constant(mantissa_shift));
    const U thirty_two = constant(32);
    // The 32 bits below the kept place. Beyond 31 places nothing is kept; beyond 63 the fraction is
    // 0.
    const U short_fraction =
        hn::Shl(significand, hn::And(hn::Sub(thirty_two, shift), constant(31)));
    const U long_fraction = hn::IfThenZeroElse(above(shift, constant(63)),
                                               hn::Shr(significand, hn::And(shift, constant(31))));
    const U fraction = select(above(thirty_two, shift), short_fraction, long_fraction);
    const U kept = hn::IfThenZeroElse(above(shift, constant(31)),
                                      hn::Shr(significand, hn::And(shift, constant(31))));
    const U sum = hn::Add(fraction, random), flip = constant(float32_sign);
    const hn::Mask<Words> carries =
        hn::RebindMask(Words(), hn::Gt(hn::BitCast(Integers(), hn::Xor(fraction, flip)),
                                       hn::BitCast(Integers(), hn::Xor(sum, flip))));
    const U field_below =
        hn::Sub(kept_exponent, constant(static_cast<std::uint32_t>(128 - format.bias)));
    U encoded = hn::Add(hn::ShiftLeft<format.mantissa_bits>(field_below), kept);
    encoded = hn::Add(encoded, hn::IfThenElseZero(carries, constant(1)));
    return finish(bits, magnitude, encoded, overflow);
  }

  static std::uint32_t overflow_pattern(Overflow mode) { return format.overflow(mode); }
};

// Are all numbers within a codec's largest one? Not where there is a NaN or an infinity.
template <class Codec, class... More>
HWY_INLINE bool are_in_range(F first, More... more) {
  U largest = hn::And(bits_of(first), constant(~float32_sign));
  ((largest = hn::Max(largest, hn::And(bits_of(more), constant(~float32_sign)))), ...);
  return hn::AllFalse(Words(), above(largest, constant(Codec::largest_float32)));
}

struct Tfloat32Codec {
  using Codec = FloatCodec<tfloat32_format>;
  static HWY_INLINE F decode(U bits) { return Codec::decode(hn::ShiftRight<13>(bits)); }
  static HWY_INLINE U encode(F x, U overflow) {
    return hn::ShiftLeft<13>(Codec::encode(x, overflow));
  }
  static HWY_INLINE U encode_stochastic(F x, U random, U overflow) {
    return hn::ShiftLeft<13>(Codec::encode_stochastic(x, random, overflow));
  }
  static std::uint32_t overflow_pattern(Overflow mode) { return Codec::overflow_pattern(mode); }
};

struct E8m0Codec {
  static constexpr std::uint32_t nan = 0xFF, largest = 0xFE;
  static HWY_INLINE F decode(U bits) {
    U value =
        hn::Max(hn::ShiftLeft<23>(bits), constant(0x00400000));  // 2^-127 is a subnormal float32
    return float_of(select(hn::Eq(bits, constant(nan)), constant(float32_quiet_nan), value));
  }
  static HWY_INLINE U encode(F x, U overflow) {
    const U bits = bits_of(x);
    // Halfway goes up. Below 2^-126 the halfway point is 1.5 * 2^-127, a quarter of a float32
    // exponent step lower.
    const U normal = hn::ShiftRight<23>(hn::Add(bits, constant(0x00400000)));
    const U subnormal = hn::IfThenElseZero(above(bits, constant(0x005FFFFF)), constant(1));
    U encoded = select(above(constant(0x00800000), bits), subnormal, normal);
    encoded = select(above(encoded, constant(largest)), overflow, encoded);
    // Zero, negative numbers and NaN. A pattern with the sign set is a negative integer.
    const hn::Mask<Words> positive = above(bits, constant(0));
    const hn::Mask<Words> is_number = hn::AndNot(above(bits, constant(float32_infinity)), positive);
    return select(is_number, encoded, constant(nan));
  }
  static std::uint32_t overflow_pattern(Overflow mode) {
    return mode == Overflow::saturate ? largest : nan;
  }
};

struct BoolCodec {
  static HWY_INLINE F decode(U bits) {
    return hn::ConvertTo(Floats(), hn::BitCast(Integers(), hn::Min(bits, constant(1))));
  }
  static HWY_INLINE U encode(F x, U) {
    const U magnitude = hn::And(bits_of(x), constant(~float32_sign));
    return hn::Min(magnitude, constant(1));
  }
  static std::uint32_t overflow_pattern(Overflow) { return 0; }
};

// Integers of 8 and 16 bits: every bound is a float32.
template <int bits_kept, bool is_signed>
struct SmallIntegerCodec {
  static constexpr float low = is_signed ? -static_cast<float>(1 << (bits_kept - 1)) : 0.0f;
  static constexpr float high = static_cast<float>((1 << (bits_kept - (is_signed ? 1 : 0))) - 1);
  static HWY_INLINE F decode(U bits) {
    I value = hn::BitCast(Integers(), bits);
    if constexpr (is_signed)
      value = hn::ShiftRight<32 - bits_kept>(hn::ShiftLeft<32 - bits_kept>(value));
    return hn::ConvertTo(Floats(), value);
  }
  static HWY_INLINE U encode(F x, U) {
    const F number = hn::IfThenZeroElse(hn::IsNaN(x), x);
    const F clamped = hn::Max(hn::Min(number, hn::Set(Floats(), high)), hn::Set(Floats(), low));
    return hn::And(hn::BitCast(Words(), hn::NearestInt(clamped)), constant((1u << bits_kept) - 1));
  }
  static std::uint32_t overflow_pattern(Overflow) { return 0; }
};

// -2^31 <= x < 2^31 to the nearest integer; larger and NaN to what the caller replaces.
HWY_INLINE U nearest_in_range(F x) { return hn::BitCast(Words(), hn::NearestInt(x)); }

struct Int32Codec {
  static HWY_INLINE F decode(U bits) {
    return hn::ConvertTo(Floats(), hn::BitCast(Integers(), bits));
  }
  static HWY_INLINE U encode(F x, U) {
    const F limit = hn::Set(Floats(), 0x1p31f);
    const hn::Mask<Floats> inside = hn::Lt(hn::Abs(x), limit);
    const U rounded = nearest_in_range(hn::IfThenElseZero(inside, x));
    const U saturated = select(hn::RebindMask(Words(), hn::Lt(x, hn::Zero(Floats()))),
                               constant(0x80000000u), constant(0x7FFFFFFFu));
    const U value = select(hn::RebindMask(Words(), inside), rounded, saturated);
    return hn::IfThenZeroElse(hn::RebindMask(Words(), hn::IsNaN(x)), value);
  }
  static std::uint32_t overflow_pattern(Overflow) { return 0; }
};

struct Uint32Codec {
  static HWY_INLINE F decode(U bits) {
    // Both halves and the scaled high half are exact; the sum rounds once.
    const F high = hn::ConvertTo(Floats(), hn::BitCast(Integers(), hn::ShiftRight<16>(bits)));
    const F low = hn::ConvertTo(Floats(), hn::BitCast(Integers(), hn::And(bits, constant(0xFFFF))));
    return hn::Add(hn::Mul(high, hn::Set(Floats(), 65536.0f)), low);
  }
  static HWY_INLINE U encode(F x, U) {
    const F half = hn::Set(Floats(), 0x1p31f), zero = hn::Zero(Floats());
    const hn::Mask<Floats> upper = hn::Ge(x, half);
    const F positive = hn::IfThenElseZero(hn::Gt(x, zero), x);  // negative numbers and NaN are 0
    const F reduced =
        hn::IfThenElse(upper, hn::Sub(positive, half), positive);  // exact: integers from 2^24 on
    const hn::Mask<Floats> inside = hn::Lt(reduced, half);
    const U rounded =
        hn::Add(nearest_in_range(hn::IfThenElseZero(inside, reduced)),
                hn::IfThenElseZero(hn::RebindMask(Words(), upper), constant(0x80000000u)));
    return select(hn::RebindMask(Words(), inside), rounded, constant(0xFFFFFFFFu));
  }
  static std::uint32_t overflow_pattern(Overflow) { return 0; }
};

}  // namespace trainyard::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
