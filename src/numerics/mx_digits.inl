// How matmul_mx reads an operand: turns blocks into digits, scales and flags (layout in
// mx_detail.h). Part of the per-target code of mx_matmul_simd.cpp, included inside Highway's
// foreach_target.
#if defined(TRAINYARD_NUMERICS_MX_DIGITS_INL_) == defined(HWY_TARGET_TOGGLE)
#ifdef TRAINYARD_NUMERICS_MX_DIGITS_INL_
#undef TRAINYARD_NUMERICS_MX_DIGITS_INL_
#else
#define TRAINYARD_NUMERICS_MX_DIGITS_INL_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "numerics/mx_detail.h"
#include "numerics/simd_widen.inl"

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

// Digits begin so many bits above the smallest subnormal's last.
template <bool right>
constexpr int spare = right ? 0 : mx_left_spare;
// Blocks whose largest value has a greater shift (its exponent above the smallest normal's) drop
// digits.
template <class Format, bool right>
constexpr int window_start = (right ? mx_right_bits : mx_left_bits) - Format::mantissa -
                             1 - spare<right>;
// The most digits that a block drops, at most 15 of which are seen.
template <class Format>
constexpr std::uint32_t first_special = Format::mantissa == 1
                                            ? 8
                                            : std::min(Format::infinity, Format::nan);
template <class Format, bool right>
constexpr int window_max = static_cast<int>((first_special<Format> - 1) >> Format::mantissa) -
                           1 - window_start<Format, right>;

// Bits of low digits.
template <class Format, bool right>
constexpr int low_bits = right&& Format::mantissa == 2 ? mx_wide_low_bits : mx_low_bits;

// What the 8 rows of a block share, for one vector of blocks.
struct BlockUnit {
  VU window;   // digits dropped below, in both halves of a lane
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
HWY_INLINE BlockUnit block_unit(const Largest& codes, VU scale_byte) {
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
  const VI window = hn::Max(hn::Sub(shift, hn::Set(di, window_start<Format, right>)), zero);
  // The exponent of unit times scale; a block of zeros has no digits to scale.
  constexpr int unit = Format::bias + Format::mantissa - 1 + spare<right>;
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
  const VU window_bits = hn::BitCast(du, window);
  return {hn::Or(window_bits, hn::ShiftLeft<16>(window_bits)), sign,
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
constexpr int significand_place = 11;  // of the last bit: a significand has 4 bits and a sign
template <class Format, bool right>
HWY_INLINE Digits digits(VU significand, VU shift, VU window) {
  const DU du;
  const DU16 d16;
  const DI16 di16;
  constexpr int place = significand_place - spare<right>;
  constexpr int window_most = std::max(0, window_max<Format, right>);
  const auto top = hn::BitCast(di16, significand);
  // The shift to the right never is negative: the block's largest value fits.
  static_assert(window_start<Format, right> + std::min(0, window_max<Format, right>) <= place);
  const VU16 down =
      hn::Sub(hn::Add(hn::BitCast(d16, window), hn::Set(d16, place)), hn::BitCast(d16, shift));
  const auto shifted = [&](VU16 by) HWY_ATTR {
    if constexpr (place + window_most > 15) by = hn::Min(by, hn::Set(d16, 15));
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
HWY_INLINE Digits wide_digits(VU significand, VU shift32, VU window32) {
  const DU du;
  const DU16 d16;
  const DI16 di16;
  const VU16 shift = hn::BitCast(d16, shift32), window = hn::BitCast(d16, window32);
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
HWY_INLINE void digits_of(const Codes& codes, VU window, Digits& even, Digits& odd) {
  const DU du;
  const DU16 d16;
  const DI16 di16;
  const VU16 shift = hn::BitCast(d16, codes.shift), bytes = hn::BitCast(d16, codes.significand);
  const VU even_shift = hn::BitCast(du, hn::And(shift, hn::Set(d16, 0xFF)));
  const VU odd_shift = hn::BitCast(du, hn::ShiftRight<8>(shift));
  if constexpr (low_bits<Format, right> == mx_wide_low_bits) {
    const auto even_first = hn::ShiftRight<8>(hn::BitCast(di16, hn::ShiftLeft<8>(bytes)));
    const auto odd_first = hn::ShiftRight<8>(hn::BitCast(di16, bytes));
    even = wide_digits<Format>(hn::BitCast(du, even_first), even_shift, window);
    odd = wide_digits<Format>(hn::BitCast(du, odd_first), odd_shift, window);
  } else {
    const VU16 even_top = hn::ShiftLeft<significand_place>(bytes);
    const VU16 odd_top = hn::And(hn::ShiftLeft<significand_place - 8>(bytes),
                                 hn::Set(d16, 0xFFFF << significand_place & 0xFFFF));
    even = digits<Format, right>(hn::BitCast(du, even_top), even_shift, window);
    odd = digits<Format, right>(hn::BitCast(du, odd_top), odd_shift, window);
  }
}

// Where one row of a vector of packed elements goes: the panels' integers and flags (layout in
// mx_detail.h).
template <bool right>
struct RowOut {
  static constexpr std::size_t width = right ? tile_columns : tile_rows;    // of a panel
  static constexpr std::size_t integers = right ? 2 * width : mx_left_row;  // of its rows
  const MxColumns& part;
  MxDigits& to;

  // Writes the integers of columns [c, c + lanes), row k, `first` integers after its start.
  HWY_INLINE void digits(AlignedBuffer<std::int32_t>& digits, std::size_t k, std::size_t c, VU even,
                         VU odd, std::size_t first = 0) const {
    if constexpr (width >= lanes) {
      std::int32_t* at = &digits[panel_row(k, c) * integers + c % width * 2];
      hn::Store(hn::BitCast(DI(), even), DI(), at);
      hn::Store(hn::BitCast(DI(), odd), DI(), at + lanes);
    } else {
      // Neighbouring panels' blocks of four change places, so that even meets odd.
      static_assert(width * sizeof(std::int32_t) == 16);
      const DU du;
      alignas(64) std::array<std::uint32_t, 2 * lanes> panels;
      hn::Store(hn::OddEvenBlocks(hn::SwapAdjacentBlocks(odd), even), du, panels.data());
      hn::Store(hn::OddEvenBlocks(odd, hn::SwapAdjacentBlocks(even)), du, &panels[lanes]);
#pragma GCC unroll 4
      for (std::size_t i = 0; i < lanes; i += width) {
        const std::size_t at = i / (2 * width) * 2 * width + i / width % 2 * lanes;
        std::memcpy(&digits[panel_row(k, c + i) * integers + first], &panels[at],
                    2 * width * sizeof(std::int32_t));
      }
    }
  }

  void scale(std::size_t block, std::size_t c, V scale) const {
    alignas(64) std::array<float, lanes> scales;
    hn::Store(scale, D(), scales.data());
    const std::size_t blocks = part.K / mx_block_partitions, step = std::min(width, lanes);
    for (std::size_t i = 0; i < lanes; i += step) {
      const std::size_t panel = (c + i) / width;
      std::memcpy(&to.scale[(panel * blocks + block) * width + (c + i) % width], &scales[i],
                  step * sizeof(float));
    }
  }

  // The low digits of columns [c, c + lanes), whose panel has no others yet: zeros beside them.
  HWY_INLINE void low_digits(std::size_t k, std::size_t c, VU even, VU odd) const {
    const std::size_t row = panel_row(k, c);
    if ((to.flags[row] & mx_low) == 0)
      std::memset(&to.low_digits[row * integers], 0, 2 * width * sizeof(std::int32_t));
    digits(to.low_digits, k, c, even, odd);
  }

  // f(row, columns) of row k of the panels where `lanes_set` has nonzero lanes, which are the bits
  // of columns.
  template <class F>
  HWY_INLINE void for_panels(std::size_t k, std::size_t c, VU lanes_set, const F& f) const {
    std::array<std::uint8_t, 8> bytes{};
    hn::StoreMaskBits(DU(), hn::Ne(lanes_set, hn::Zero(DU())), bytes.data());
    const std::uint32_t bits = bytes[0] | static_cast<std::uint32_t>(bytes[1] << 8),
                        panel_bits = (1u << std::min(width, lanes)) - 1;
#pragma GCC unroll 4
    for (std::size_t i = 0; i < lanes; i += width) {
      if ((bits >> i & panel_bits) != 0) f(panel_row(k, c + i), bits >> i & panel_bits);
    }
  }
  HWY_INLINE void flag(std::size_t k, std::size_t c, VU lanes_set, MxFlag flag) const {
    to.all_flags |= flag;
    if constexpr (right) {
      to.flags[panel_row(k, c)] |= flag;  // all lanes are of one panel
    } else {
      for_panels(k, c, lanes_set, [&](std::size_t row, std::uint32_t) { to.flags[row] |= flag; });
    }
  }

  std::size_t panel_row(std::size_t k, std::size_t c) const { return c / width * part.K + k; }
};

HWY_INLINE bool any(VU v) { return !hn::AllTrue(DU(), hn::Eq(v, hn::Zero(DU()))); }

// Flags one vector of a row, and writes the low digits where it has some.
template <class Format, bool right>
HWY_INLINE void flag_row(const RowOut<right>& out, std::size_t k, std::size_t c, const Digits& even,
                         const Digits& odd, VU flagged) {
  if constexpr (window_max < Format, right >> 0) {
    const VU low = hn::Or(even.low, odd.low);
    if (any(low)) {
      out.low_digits(k, c, even.low, odd.low);
      out.flag(k, c, low, mx_low);
    }
  }
  const VU inexact = hn::Or(flagged, hn::Or(even.beyond, odd.beyond));
  if (HWY_UNLIKELY(any(inexact))) out.flag(k, c, inexact, mx_inexact);
}

// Flags of a left row whose products with wide low digits, 2^15 each, do not fit 24 bits. Its
// digits' common zeros at the end do not count.
HWY_INLINE void flag_long(const RowOut<false>& out, std::size_t k, std::size_t c, VU even, VU odd) {
  const DU du;
  const DI di;
  const VU16 sum16 = hn::BitCast(
      DU16(), hn::Add(hn::Abs(hn::BitCast(DI16(), even)), hn::Abs(hn::BitCast(DI16(), odd))));
  const VU pairs = hn::BitCast(du, sum16), bits = hn::Or(even, odd);
  const VI sum =
      hn::BitCast(di, hn::Add(hn::And(pairs, hn::Set(du, 0xFFFF)), hn::ShiftRight<16>(pairs)));
  const VI either = hn::BitCast(di, hn::Or(bits, hn::ShiftRight<16>(bits)));
  const VI last = hn::And(either, hn::Sub(hn::Zero(di), either));  // the lowest bit set
  const VU is_long =
      hn::BitCast(du, hn::VecFromMask(di, hn::Gt(sum, hn::ShiftLeft<24 - 15>(last))));
  if (!any(is_long)) return;
  out.for_panels(k, c, is_long, [&](std::size_t row, std::uint32_t columns) {
    out.to.flags[row] |= static_cast<std::uint8_t>(columns * mx_long_column);
  });
}

// What a left row has beside its digits.
HWY_INLINE void divide_row(const RowOut<false>& out, std::size_t k, std::size_t c, VU even,
                           VU odd) {
  const auto eighth = [](VU whole) HWY_ATTR {
    return hn::BitCast(DU(), hn::ShiftRight<mx_low_bits>(hn::BitCast(DI16(), whole)));
  };
  out.digits(out.to.digits, k, c, eighth(even), eighth(odd), 2 * tile_rows);
  const VU rest = hn::And(hn::Or(even, odd), hn::Set(DU(), 0x00070007));
  if (!any(rest)) return;
  out.for_panels(k, c, rest, [&](std::size_t row, std::uint32_t columns) {
    out.to.flags[row] |= static_cast<std::uint8_t>(columns * mx_long_column);
  });
}

// One vector of blocks: 8 rows of packed elements, columns [c, c + lanes).
template <class Format, bool right>
HWY_INLINE void prepare_blocks(const RowOut<right>& out, std::size_t block, std::size_t c) {
  const DU du;
  const MxColumns& part = out.part;
  constexpr std::size_t element = Format::mantissa == 1 ? 2 : 4;
  const ConstRows& data = part.operand.data;
  const std::size_t k = block * mx_block_partitions, columns = part.columns - c;
  const std::byte* row =
      data.data + static_cast<std::ptrdiff_t>(k) * data.stride + (part.first + c) * element;
  std::array<VU, mx_block_partitions> codes;
  Largest largest;
#pragma GCC unroll 8
  for (std::size_t r = 0; r < mx_block_partitions; ++r, row += data.stride) {
    codes[r] = load_codes<Format>(row, columns);
    largest.add(codes[r]);
  }
  const BlockUnit unit = block_unit<Format, right>(
      largest, load_scales(part.operand.scales[block] + part.first + c, columns));
  out.scale(block, c, unit.scale);
#pragma GCC unroll 8
  for (std::size_t r = 0; r < mx_block_partitions; ++r) {
    Digits even, odd;
    digits_of<Format, right>(split<Format>(hn::Xor(codes[r], unit.sign)), unit.window, even, odd);
    out.digits(out.to.digits, k + r, c, even.whole, odd.whole);
    if constexpr (!right) {
      part.wide_low ? flag_long(out, k + r, c, even.whole, odd.whole)
                    : divide_row(out, k + r, c, even.whole, odd.whole);
    }
    flag_row<Format, right>(out, k + r, c, even, odd, unit.flagged);
  }
}

template <class Format, bool right>
void prepare_as(const RowOut<right>& out) {
  for (std::size_t block = 0; block < out.part.K / mx_block_partitions; ++block) {
    for (std::size_t c = 0; c < out.part.columns; c += lanes)
      prepare_blocks<Format, right>(out, block, c);
  }
}

template <bool right>
void prepare(const RowOut<right>& out) {
  switch (out.part.operand.data.dtype) {
    case DType::float8_e4m3fn_x4: return prepare_as<FormatE4M3Fn>(out);
    case DType::float8_e5m2_x4: return prepare_as<FormatE5M2>(out);
    default: return prepare_as<FormatE2M1>(out);
  }
}

}  // namespace
}  // namespace trainyard::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // HWY_NATIVE_FMA

#endif
