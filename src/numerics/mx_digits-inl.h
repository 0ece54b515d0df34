// How matmul_mx reads the values of a block: as digits over the block's unit (mx_detail.h). Part
// of the per-target code of mx_matmul_simd.cpp, included inside Highway's
// foreach_target.
#if defined(TRAINYARD_NUMERICS_MX_DIGITS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TRAINYARD_NUMERICS_MX_DIGITS_INL_H
#undef TRAINYARD_NUMERICS_MX_DIGITS_INL_H
#else
#define TRAINYARD_NUMERICS_MX_DIGITS_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "numerics/mx_detail.h"
#include "numerics/simd_widen-inl.h"

#if HWY_NATIVE_FMA

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using DU = hn::RebindToUnsigned<D>;
using DI = hn::RebindToSigned<D>;
using DU16 = hn::Repartition<std::uint16_t, DU>;
using DI16 = hn::Repartition<std::int16_t, DU>;
using DU8 = hn::Repartition<std::uint8_t, DU>;
using DI8 = hn::Repartition<std::int8_t, DU>;
using V = hn::Vec<D>;
using VU = hn::Vec<DU>;
using VI = hn::Vec<DI>;
using VU16 = hn::Vec<DU16>;

// One tile of outputs: 4 rows x 32 or 8 columns, with its sums and its scales in registers.
constexpr std::size_t lanes = HWY_MAX_BYTES / sizeof(float), half_lanes = lanes / 2;
constexpr std::size_t tile_rows = mx_left_panel;
constexpr std::size_t tile_vectors = HWY_TARGET <= HWY_AVX3 ? 2 : 1;
constexpr std::size_t tile_columns = tile_vectors * lanes;
static_assert(tile_columns <= mx_right_panel && tile_rows * 2 <= lanes);

// The four 8-bit codes (sign in bit 7) of packed elements [0, lanes) of a row; columns beyond
// `columns` read as zero.
template <class Format>
HWY_INLINE VU load_codes(const std::byte* row, std::size_t columns) {
  const DU du;
  constexpr std::size_t element = Format::mantissa == 1 ? 2 : 4;
  alignas(64) std::array<std::byte, 4 * lanes> tail{};
  if (columns < lanes) {
    std::memcpy(tail.data(), row, columns * element);
    row = tail.data();
  }
  if constexpr (Format::mantissa == 1) {
    const hn::Rebind<std::uint16_t, DU> d16;
    const VU x = hn::PromoteTo(du, hn::LoadU(d16, reinterpret_cast<const std::uint16_t*>(row)));
    const VU two =
        hn::Or(hn::And(x, hn::Set(du, 0x00FF)), hn::ShiftLeft<8>(hn::And(x, hn::Set(du, 0xFF00))));
    const VU four = hn::Or(hn::And(two, hn::Set(du, 0x000F000F)),
                           hn::ShiftLeft<4>(hn::And(two, hn::Set(du, 0x00F000F0))));
    const VU sign = hn::ShiftLeft<4>(hn::And(four, hn::Set(du, 0x08080808)));
    return hn::Or(hn::And(four, hn::Set(du, 0x07070707)), sign);
  } else {
    return hn::LoadU(du, reinterpret_cast<const std::uint32_t*>(row));
  }
}

HWY_INLINE VU load_scales(const std::uint8_t* scales, std::size_t columns) {
  const DU du;
  const hn::Rebind<std::uint8_t, DU> d8;
  alignas(16) std::array<std::uint8_t, lanes> tail{};
  if (columns < lanes) {
    std::memcpy(tail.data(), scales, columns);
    scales = tail.data();
  }
  return hn::PromoteTo(du, hn::LoadU(d8, scales));
}

// Digits of a left operand begin so many bits above the smallest subnormal's last, where low digits
// of the right one want its eighths.
HWY_INLINE int spare_of(const MxColumns& part, bool right) {
  return right || part.wide_low ? 0 : mx_left_spare;
}
// Blocks whose largest value has a greater shift (its exponent above the smallest normal's), and
// spare digits, drop digits.
template <class Format, bool right>
constexpr int window_start = (right ? mx_right_bits : mx_left_bits) - Format::mantissa - 1;
// The most digits that a block drops.
template <class Format>
constexpr std::uint32_t first_special = Format::mantissa == 1
                                            ? 8
                                            : std::min(Format::infinity, Format::nan);
template <class Format>
constexpr int shift_max = static_cast<int>((first_special<Format> - 1) >> Format::mantissa) - 1;
template <class Format, bool right>
constexpr int window_max = shift_max<Format> +
                           (right ? 0 : mx_left_spare) - window_start<Format, right>;

// Bits of low digits.
template <class Format, bool right>
constexpr int low_bits = right&& Format::mantissa == 2 ? mx_wide_low_bits : mx_low_bits;

// The place, in 16 bits, of the last bit of significands, which have 4 bits and a sign.
constexpr int significand_place = 11;

// What the 8 rows of a block share, for one vector of blocks.
struct BlockUnit {
  VU down;     // how far to shift what has no shift of its own, in both halves of a lane
  VU sign;     // bits of codes to change: all four signs, or none
  V scale;     // unit times scale, negative if signs change
  VU flagged;  // all ones: no element of the block has digits
};

// The largest of each lane's four bytes.
template <class DB>
HWY_INLINE VI largest_byte(DB d8, hn::Vec<DB> bytes) {
  const DU du;
  const auto upper = hn::ShiftRight<16>(hn::BitCast(du, bytes));
  const auto pair = hn::Max(bytes, hn::BitCast(d8, upper));
  const auto all = hn::Max(pair, hn::BitCast(d8, hn::ShiftRight<8>(hn::BitCast(du, pair))));
  return hn::BitCast(DI(), hn::And(hn::BitCast(du, all), hn::Set(du, 0xFF)));
}

// The largest magnitudes of a block's codes of either sign, collected row by row.
struct Largest {
  hn::Vec<DI8> signed_max;
  hn::Vec<DU8> unsigned_max;

  HWY_INLINE Largest() : signed_max(hn::Zero(DI8())), unsigned_max(hn::Zero(DU8())) {}
  HWY_INLINE void add(VU codes) {
    signed_max = hn::Max(signed_max, hn::BitCast(DI8(), codes));
    unsigned_max = hn::Max(unsigned_max, hn::BitCast(DU8(), codes));
  }
  HWY_INLINE VI positive() const { return largest_byte(DI8(), signed_max); }
  HWY_INLINE VI negative() const {
    const VI code = largest_byte(DU8(), unsigned_max);
    return hn::Max(hn::Sub(code, hn::Set(DI(), 0x80)), hn::Zero(DI()));
  }
};

template <class Format, bool right>
HWY_INLINE BlockUnit block_unit(const Largest& codes, VU scale_byte, int spare) {
  const D d;
  const DU du;
  const DI di;
  const VI positive = codes.positive(), negative = codes.negative();
  const VI largest = hn::Max(positive, negative), zero = hn::Zero(di);
  VI shift = hn::Max(hn::Sub(hn::ShiftRight<Format::mantissa>(largest), hn::Set(di, 1)), zero);
  // Digits reach from -2^15 to 2^15 - 1. So where a power of two is the largest value, of one sign
  // only, its digits may be -2^15.
  VU sign = hn::Zero(du);
  if constexpr (low_bits<Format, right> == mx_wide_low_bits) {
    const VI fraction = hn::And(largest, hn::Set(di, (1 << Format::mantissa) - 1));
    const auto alone = hn::And(hn::Eq(fraction, zero), hn::Ne(positive, negative));
    shift = hn::Add(shift, hn::VecFromMask(di, alone));
    const auto changes = hn::And(alone, hn::Gt(positive, negative));
    sign = hn::And(hn::BitCast(du, hn::VecFromMask(di, changes)), hn::Set(du, 0x80808080));
  }
  const VI window = hn::Max(hn::Sub(shift, hn::Set(di, window_start<Format, right> - spare)), zero);
  // The exponent of unit times scale; a block of zeros has no digits to scale.
  const int unit = Format::bias + Format::mantissa - 1 + spare;
  const VI byte = hn::BitCast(di, scale_byte);
  VI exponent = hn::Add(hn::Sub(byte, hn::Set(di, 127 + unit)), window);
  exponent = hn::IfThenZeroElse(hn::Eq(largest, zero), exponent);
  constexpr auto finite = static_cast<std::int32_t>(first_special<Format>) - 1;
  auto flagged =
      hn::Or(hn::Gt(largest, hn::Set(di, finite)), hn::Eq(byte, hn::Set(di, mx_scale_nan)));
  // Two exponents in [-70, 48] keep every scaled sum a normal number or an exact subnormal; more
  // low bits need as many more places.
  constexpr int exponent_min = -70 + low_bits<Format, right> - mx_low_bits;
  flagged = hn::Or(flagged, hn::Or(hn::Lt(exponent, hn::Set(di, exponent_min)),
                                   hn::Gt(exponent, hn::Set(di, 48))));
  const VI scale_sign = hn::BitCast(di, hn::And(sign, hn::Set(du, 0x80000000)));
  const VI scale_bits = hn::Or(scale_sign, hn::ShiftLeft<23>(hn::Add(exponent, hn::Set(di, 127))));
  const int place = low_bits<Format, right> == mx_wide_low_bits ? 0 : significand_place - spare;
  const VU down = hn::BitCast(du, hn::Add(window, hn::Set(di, place)));
  return {hn::Or(down, hn::ShiftLeft<16>(down)), sign,
          hn::BitCast(d, hn::IfThenElse(flagged, hn::Set(di, 0x3F800000), scale_bits)),
          hn::BitCast(du, hn::VecFromMask(di, flagged))};
}

// The codes in the bytes of each lane as significand * 2^shift * the smallest subnormal.
struct Codes {
  VU significand;  // signed
  VU shift;
};
template <class Format>
HWY_INLINE Codes split(VU codes) {
  const DU du;
  const DI8 di8;
  constexpr std::uint8_t hidden = 1 << Format::mantissa;
  const VU magnitude = hn::And(codes, hn::Set(du, 0x7F7F7F7F));
  const auto exponent = hn::AndNot(hn::Set(DU8(), hidden - 1), hn::BitCast(DU8(), magnitude));
  // Subnormals have no hidden bit and the exponent of the smallest normals.
  const VU above = hn::BitCast(du, hn::SaturatedSub(exponent, hn::Set(DU8(), hidden)));
  const auto significand = hn::BitCast(di8, hn::Sub(magnitude, above));
  const auto with_sign =
      hn::IfNegativeThenElse(hn::BitCast(di8, codes), hn::Neg(significand), significand);
  return {hn::BitCast(du, with_sign), hn::ShiftRight<Format::mantissa>(above)};
}

// Signed integers of the values in 16-bit lanes, over the block's unit, rounded down; what is left
// of them, in eighths of it, or in wide low digits (then the integers are rounded to nearest); and
// what is left of that, anything but 0 where it is not all.
struct Digits {
  VU whole, low, beyond;
};

// From significands at the top of 16 bits and their shifts.
template <class Format, bool right>
HWY_INLINE Digits digits(VU significand, VU shift, VU block_down) {
  const DU du;
  const DU16 d16;
  const DI16 di16;
  constexpr int window_most = std::max(0, window_max<Format, right>);
  constexpr int down_most = significand_place + shift_max<Format> - window_start<Format, right>;
  const auto top = hn::BitCast(di16, significand);
  // Not negative: the block's largest value fits.
  static_assert(std::min(window_start<Format, right>, shift_max<Format>) <= significand_place);
  const VU16 down = hn::Sub(hn::BitCast(d16, block_down), hn::BitCast(d16, shift));
  const auto shifted = [&](VU16 by) HWY_ATTR {
    if constexpr (down_most > 15) by = hn::Min(by, hn::Set(d16, 15));
    return hn::Shr(top, hn::BitCast(di16, by));
  };
  Digits result{hn::BitCast(du, shifted(down)), hn::Zero(du), hn::Zero(du)};
  if constexpr (window_most == 0) return result;
  const VU16 low_down = hn::SaturatedSub(down, hn::Set(d16, mx_low_bits));
  const auto eighths = shifted(low_down);
  result.low = hn::BitCast(du, hn::And(eighths, hn::Set(di16, (1 << mx_low_bits) - 1)));
  if constexpr (window_most > mx_low_bits) {
    const auto up = hn::BitCast(di16, hn::Min(low_down, hn::Set(d16, 15)));
    result.beyond = hn::BitCast(du, hn::Xor(hn::Shl(eighths, up), top));
  }
  return result;
}

// With wide low digits, 16 bits: from significands and their shifts.
template <class Format>
HWY_INLINE Digits wide_digits(VU significand, VU shift32, VU block_down) {
  const DU du;
  const DU16 d16;
  const DI16 di16;
  const VU16 shift = hn::BitCast(d16, shift32), window = hn::BitCast(d16, block_down);
  const auto value = hn::BitCast(di16, significand), zero = hn::Zero(di16);
  const VU16 up = hn::SaturatedSub(shift, window), down = hn::SaturatedSub(window, shift);
  const auto left = hn::BitCast(di16, hn::SaturatedSub(hn::Set(d16, mx_wide_low_bits), down));
  const auto has_low = hn::Gt(hn::BitCast(di16, down), zero);
  const auto low = hn::IfThenElseZero(has_low, hn::Shl(value, left));
  const auto below = hn::BitCast(di16, hn::Min(down, hn::Set(d16, 15)));
  // The greater half of low digits, as signed numbers, counts from the next whole digit.
  const auto whole =
      hn::Sub(hn::Shr(hn::Shl(value, hn::BitCast(di16, up)), below), hn::ShiftRight<15>(low));
  Digits result{hn::BitCast(du, whole), hn::BitCast(du, low), hn::Zero(du)};
  constexpr int most = window_max<Format, true>;
  static_assert(most <= mx_wide_low_bits + 1);
  if constexpr (most > mx_wide_low_bits) {
    const auto after = hn::BitCast(di16, hn::SaturatedSub(down, hn::Set(d16, mx_wide_low_bits)));
    result.beyond = hn::BitCast(du, hn::And(value, hn::Neg(after)));
  }
  return result;
}

// Those of the even and the odd bytes.
template <class Format, bool right>
HWY_INLINE void digits_of(const Codes& codes, VU down, Digits& even, Digits& odd) {
  const DU du;
  const DU16 d16;
  const DI16 di16;
  const VU16 shift = hn::BitCast(d16, codes.shift), bytes = hn::BitCast(d16, codes.significand);
  const VU even_shift = hn::BitCast(du, hn::And(shift, hn::Set(d16, 0xFF)));
  const VU odd_shift = hn::BitCast(du, hn::ShiftRight<8>(shift));
  if constexpr (low_bits<Format, right> == mx_wide_low_bits) {
    const auto even_first = hn::ShiftRight<8>(hn::BitCast(di16, hn::ShiftLeft<8>(bytes)));
    const auto odd_first = hn::ShiftRight<8>(hn::BitCast(di16, bytes));
    even = wide_digits<Format>(hn::BitCast(du, even_first), even_shift, down);
    odd = wide_digits<Format>(hn::BitCast(du, odd_first), odd_shift, down);
  } else {
    const VU16 even_top = hn::ShiftLeft<significand_place>(bytes);
    const VU16 odd_top = hn::And(hn::ShiftLeft<significand_place - 8>(bytes),
                                 hn::Set(d16, 0xFFFF << significand_place & 0xFFFF));
    even = digits<Format, right>(hn::BitCast(du, even_top), even_shift, down);
    odd = digits<Format, right>(hn::BitCast(du, odd_top), odd_shift, down);
  }
}

}  // namespace
}  // namespace trainyard::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // HWY_NATIVE_FMA

#endif
