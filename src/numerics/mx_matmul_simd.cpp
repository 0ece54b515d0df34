// The tensor engine's MX product in vector registers, bit-equal to matmul_mx_reference.
//
// Within a block the values of an operand become 16-bit integers ("digits") over a common unit 2^w,
// w chosen by the block's largest value. Four products of such integers add exactly in 32 bits; one
// conversion to fp32 is the one rounding, and because units and scales are powers of two, scaling
// joins the chain's addition in one fused multiply-add without another rounding:
//   sum = fma(float(integer sum), units and scales of both blocks, sum).
// Values about 2^-11 of their block's largest and smaller lose digits over the unit. The next
// twelve digits are kept as a second integer ("rest"); a step where one operand has a rest adds its
// products in double, which holds the exact sum. Steps with NaN, infinities, scales near the ends
// of the range, still smaller values or rests on both sides are computed exactly from the values.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "numerics/mx_matmul_simd.cpp"
#include "numerics/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "numerics/mx_detail.h"
#include "numerics/simd_widen.inl"
#include "numerics/tensor_engine_detail.h"

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_NATIVE_FMA

using D = hn::ScalableTag<float>;
using DU = hn::RebindToUnsigned<D>;
using DI = hn::RebindToSigned<D>;
using DU16 = hn::Repartition<std::uint16_t, DU>;
using DI16 = hn::Repartition<std::int16_t, DU>;
using DU8 = hn::Repartition<std::uint8_t, DU>;
using V = hn::Vec<D>;
using VU = hn::Vec<DU>;
using VI = hn::Vec<DI>;
using VU16 = hn::Vec<DU16>;

// One tile of outputs: 4 rows x 32 or 8 columns, with its sums and its scales in registers.
constexpr std::size_t lanes = HWY_MAX_BYTES / sizeof(float), half_lanes = lanes / 2;
constexpr std::size_t tile_rows = mx_stationary_panel;
constexpr std::size_t tile_vectors = HWY_TARGET <= HWY_AVX3 ? 2 : 1;
constexpr std::size_t tile_columns = tile_vectors * lanes;
static_assert(tile_columns <= mx_moving_panel && tile_rows * 2 <= lanes);

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

// What the 8 rows of a block share, for one vector of blocks.
struct BlockUnit {
  VU window;   // digits dropped below, in both halves of a lane
  V scale;     // unit times scale
  VU flagged;  // all ones: no element of the block has digits
};

template <class Format>
HWY_INLINE BlockUnit block_unit(VU codes_max, VU scale_byte, int bits) {
  const D d;
  const DU du;
  const DI di;
  const DU8 d8;
  // The largest magnitude of the 8 x 4 codes, from the largest of each byte.
  const auto by_byte = hn::BitCast(d8, codes_max);
  const auto pair = hn::Max(by_byte, hn::BitCast(d8, hn::ShiftRight<16>(codes_max)));
  const auto all = hn::Max(pair, hn::BitCast(d8, hn::ShiftRight<8>(hn::BitCast(du, pair))));
  const VI largest = hn::BitCast(di, hn::And(hn::BitCast(du, all), hn::Set(du, 0x7F)));
  const VI zero = hn::Zero(di);
  const VI shift =
      hn::Max(hn::Sub(hn::ShiftRight<Format::mantissa>(largest), hn::Set(di, 1)), zero);
  const VI window = hn::Max(hn::Sub(shift, hn::Set(di, bits - Format::mantissa - 1)), zero);
  // The exponent of unit times scale; a block of zeros has no digits to scale.
  constexpr int unit = Format::bias + Format::mantissa - 1;
  const VI byte = hn::BitCast(di, scale_byte);
  VI exponent = hn::Add(hn::Sub(byte, hn::Set(di, 127 + unit)), window);
  exponent = hn::IfThenZeroElse(hn::Eq(largest, zero), exponent);
  constexpr auto first_special = static_cast<std::int32_t>(std::min(Format::infinity, Format::nan));
  auto flagged = hn::Or(hn::Gt(largest, hn::Set(di, first_special - 1)),
                        hn::Eq(byte, hn::Set(di, mx_scale_nan)));
  // Two exponents in [-70, 48] keep every scaled sum a normal number or an exact subnormal.
  flagged = hn::Or(flagged,
                   hn::Or(hn::Lt(exponent, hn::Set(di, -70)), hn::Gt(exponent, hn::Set(di, 48))));
  const VI scale_bits = hn::ShiftLeft<23>(hn::Add(exponent, hn::Set(di, 127)));
  const VU window_bits = hn::BitCast(du, window);
  return {hn::Or(window_bits, hn::ShiftLeft<16>(window_bits)),
          hn::BitCast(d, hn::IfThenElse(flagged, hn::Set(di, 0x3F800000), scale_bits)),
          hn::BitCast(du, hn::VecFromMask(di, flagged))};
}

// Signed integers of the codes in 16-bit lanes.
struct Digits {
  VU digits;  // over the block's unit, truncated
  VU rest;    // what truncation dropped, over 2^-rest_bits of the unit
  VU lost;    // nonzero where even the rest drops digits
};

template <class Format>
HWY_INLINE Digits digits(VU codes, VU window32) {
  const DU du;
  const DU16 d16;
  const DI16 di16;
  constexpr int mantissa = Format::mantissa;
  const VU16 c = hn::BitCast(d16, codes), window = hn::BitCast(d16, window32);
  const VU16 magnitude = hn::And(c, hn::Set(d16, 0x7F));
  const VU16 exponent = hn::ShiftRight<mantissa>(magnitude);
  // Subnormals have no hidden bit and the exponent of the smallest normals.
  const VU16 is_normal = hn::Min(exponent, hn::Set(d16, 1));
  const VU16 fraction = hn::And(magnitude, hn::Set(d16, (1 << mantissa) - 1));
  const VU16 significand = hn::Add(fraction, hn::ShiftLeft<mantissa>(is_normal));
  const VU16 shift = hn::Sub(exponent, is_normal);
  const VU16 up = hn::Shl(significand, hn::SaturatedSub(shift, window));
  const VU16 right = hn::Min(hn::SaturatedSub(window, shift), hn::Set(d16, 15));
  const VU16 kept = hn::Shr(up, right);
  const VU16 dropped = hn::Xor(hn::Shl(kept, right), up);
  const VU16 all_rest_bits = hn::Set(d16, mx_rest_bits);
  const VU16 rest = hn::Shl(dropped, hn::SaturatedSub(all_rest_bits, right));
  const VU16 lost =
      hn::And(dropped, hn::BitCast(d16, hn::VecFromMask(d16, hn::Gt(right, all_rest_bits))));
  const auto sign = hn::ShiftRight<15>(hn::BitCast(di16, hn::ShiftLeft<8>(c)));
  const auto with_sign = [&](VU16 v) {
    return hn::BitCast(du, hn::Sub(hn::Xor(hn::BitCast(di16, v), sign), sign));
  };
  return {with_sign(kept), with_sign(rest), hn::BitCast(du, lost)};
}

// Where one row of a vector of packed elements goes: the panels' integers and flags (layout in
// mx_detail.h).
struct RowOut {
  const MxColumns& part;
  MxDigits& to;
  std::size_t width;  // columns of a panel

  // Writes `even` and `odd` of columns [c, c + lanes), row k, to one of the integer planes.
  HWY_INLINE void integers(AlignedBuffer<std::int32_t>& plane, std::size_t k, std::size_t c,
                           VU even, VU odd) const {
    const DU du;
    if (width >= lanes) {
      auto* at =
          reinterpret_cast<std::uint32_t*>(&plane[panel_row(k, c) * 2 * width + c % width * 2]);
      hn::StoreU(even, du, at);
      hn::StoreU(odd, du, at + lanes);
      return;
    }
    alignas(64) std::array<std::uint32_t, lanes> evens, odds;
    hn::Store(even, du, evens.data());
    hn::Store(odd, du, odds.data());
    for (std::size_t i = 0; i < lanes; i += width) {
      std::int32_t* at = &plane[panel_row(k, c + i) * 2 * width];
      std::memcpy(at, &evens[i], width * sizeof(std::int32_t));
      std::memcpy(at + width, &odds[i], width * sizeof(std::int32_t));
    }
  }

  // Makes row k of rest zero in the panels of [c, c + lanes) that have none yet: their other
  // columns are read along.
  void clear_rest(std::size_t k, std::size_t c) const {
    for (std::size_t i = 0; i < lanes; i += width) {
      const std::size_t row = panel_row(k, c + i);
      if (to.flags[row] == 0) std::fill_n(&to.rest[row * 2 * width], 2 * width, 0);
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

  // Raises the flags of row k to `flag` where `lanes_set` has a nonzero lane.
  void flags(std::size_t k, std::size_t c, VU lanes_set, std::uint8_t flag) const {
    alignas(64) std::array<std::uint32_t, lanes> set;
    hn::Store(lanes_set, DU(), set.data());
    for (std::size_t i = 0; i < lanes; ++i) {
      std::uint8_t& at = to.flags[panel_row(k, c + i)];
      if (set[i] != 0) at = std::max(at, flag);
    }
  }

  std::size_t panel_row(std::size_t k, std::size_t c) const { return c / width * part.K + k; }
};

HWY_INLINE bool any(VU v) { return !hn::AllTrue(DU(), hn::Eq(v, hn::Zero(DU()))); }

// One vector of blocks: 8 rows of packed elements, columns [c, c + lanes).
template <class Format>
HWY_INLINE void prepare_blocks(const RowOut& out, std::size_t block, std::size_t c, int bits) {
  const DU du;
  const DU8 d8;
  const MxColumns& part = out.part;
  constexpr std::size_t element = Format::mantissa == 1 ? 2 : 4;
  const ConstRows& data = part.operand.data;
  const std::size_t k = block * mx_block_partitions, columns = part.columns - c;
  const std::byte* row =
      data.data + static_cast<std::ptrdiff_t>(k) * data.stride + (part.first + c) * element;
  std::array<VU, mx_block_partitions> codes;
  VU largest = hn::Zero(du);
#pragma GCC unroll 8
  for (std::size_t r = 0; r < mx_block_partitions; ++r, row += data.stride) {
    codes[r] = load_codes<Format>(row, columns);
    const auto magnitude = hn::BitCast(d8, hn::And(codes[r], hn::Set(du, 0x7F7F7F7F)));
    largest = hn::BitCast(du, hn::Max(hn::BitCast(d8, largest), magnitude));
  }
  const BlockUnit unit = block_unit<Format>(
      largest, load_scales(part.operand.scales[block] + part.first + c, columns), bits);
  out.scale(block, c, unit.scale);
  const bool block_flagged = any(unit.flagged);
#pragma GCC unroll 8
  for (std::size_t r = 0; r < mx_block_partitions; ++r) {
    const VU low = hn::Set(du, 0x00FF00FF);
    const Digits even = digits<Format>(hn::And(codes[r], low), unit.window);
    const Digits odd = digits<Format>(hn::And(hn::ShiftRight<8>(codes[r]), low), unit.window);
    out.integers(out.to.digits, k + r, c, even.digits, odd.digits);
    const VU rest = hn::Or(even.rest, odd.rest),
             lost = hn::Or(unit.flagged, hn::Or(even.lost, odd.lost));
    if (HWY_LIKELY(!block_flagged && !any(hn::Or(rest, lost)))) continue;
    out.clear_rest(k + r, c);
    out.integers(out.to.rest, k + r, c, even.rest, odd.rest);
    out.flags(k + r, c, rest, mx_has_rest);
    out.flags(k + r, c, lost, mx_needs_values);
  }
}

template <class Format>
void prepare_as(const RowOut& out, int bits) {
  for (std::size_t block = 0; block < out.part.K / mx_block_partitions; ++block) {
    for (std::size_t c = 0; c < out.part.columns; c += lanes)
      prepare_blocks<Format>(out, block, c, bits);
  }
}

void prepare(const MxColumns& part, bool moving, MxDigits& to) {
  const RowOut out{part, to, moving ? tile_columns : tile_rows};
  const int bits = moving ? mx_moving_bits : mx_stationary_bits;
  switch (part.operand.data.dtype) {
    case DType::float8_e4m3fn_x4: return prepare_as<FormatE4M3Fn>(out, bits);
    case DType::float8_e5m2_x4: return prepare_as<FormatE5M2>(out, bits);
    default: return prepare_as<FormatE2M1>(out, bits);
  }
}

// The values of packed elements [column, column + lanes) of row k, as four rows of floats.
using Decoded = std::array<std::array<float, lanes>, mx_pack>;

template <class Format>
void decode_as(const MxColumns& part, std::size_t k, std::size_t column, Decoded& to) {
  const D d;
  const DU du;
  constexpr std::size_t element = Format::mantissa == 1 ? 2 : 4;
  const ConstRows& data = part.operand.data;
  const std::byte* row =
      data.data + static_cast<std::ptrdiff_t>(k) * data.stride + (part.first + column) * element;
  VU codes = load_codes<Format>(row, part.columns - column);
  for (auto& values : to) {
    hn::StoreU(decode_bytes<Format>(du, hn::And(codes, hn::Set(du, 0xFF))), d, values.data());
    codes = hn::ShiftRight<8>(codes);
  }
}

void decode(const MxColumns& part, std::size_t k, std::size_t column, Decoded& to) {
  switch (part.operand.data.dtype) {
    case DType::float8_e4m3fn_x4: return decode_as<FormatE4M3Fn>(part, k, column, to);
    case DType::float8_e5m2_x4: return decode_as<FormatE5M2>(part, k, column, to);
    default: return decode_as<FormatE2M1>(part, k, column, to);
  }
}

// 2^(byte - 127), NaN for 255.
void decode_scales(const MxColumns& part, std::size_t k, std::size_t column,
                   std::array<float, lanes>& to) {
  const D d;
  const DU du;
  const std::uint8_t* scales = part.operand.scales[k / mx_block_partitions] + part.first + column;
  const VU byte = load_scales(scales, part.columns - column);
  VU bits = hn::ShiftLeft<23>(byte);
  bits = hn::IfThenElse(hn::Eq(byte, hn::Zero(du)), hn::Set(du, 0x00400000), bits);
  bits =
      hn::IfThenElse(hn::Eq(byte, hn::Set(du, mx_scale_nan)), hn::Set(du, tensor_engine_nan), bits);
  hn::StoreU(hn::BitCast(d, bits), d, to.data());
}

using DD = hn::ScalableTag<double>;
using VD = hn::Vec<DD>;

// a + b and what rounding took from it (Knuth).
HWY_INLINE VD add_exactly(VD a, VD b, VD& error) {
  const VD sum = hn::Add(a, b);
  const VD b_part = hn::Sub(sum, a);
  error = hn::Add(hn::Sub(a, hn::Sub(sum, b_part)), hn::Sub(b, b_part));
  return sum;
}

// The sum of four products in double. Products of two e5m2 values span 66 bits, so `wide` folds
// what the sum cannot hold into its last bit (round to odd): the later rounding to fp32 then comes
// out as if from the exact sum. All others fit in 53 bits.
template <bool wide>
HWY_INLINE VD exact_sum(const std::array<VD, mx_pack>& s, const std::array<VD, mx_pack>& v) {
  const DD d;
  const hn::RebindToUnsigned<DD> du;
  if constexpr (!wide) {
    VD sum = hn::MulAdd(s[0], v[0], hn::Zero(d));
    for (std::size_t q = 1; q < mx_pack; ++q) sum = hn::MulAdd(s[q], v[q], sum);
    return sum;
  } else {
    VD e0, e1, e2, error;
    const VD low = add_exactly(hn::Mul(s[0], v[0]), hn::Mul(s[1], v[1]), e0);
    const VD high = add_exactly(hn::Mul(s[2], v[2]), hn::Mul(s[3], v[3]), e1);
    const VD rough = add_exactly(low, high, e2);
    // The errors are multiples of 2^-32 below 2^-17: their sum is exact. They are NaN beside an
    // infinity.
    const VD errors = hn::Add(hn::Add(e0, e1), e2);
    const VD sum = add_exactly(rough, hn::IfThenElseZero(hn::Eq(errors, errors), errors), error);
    const auto bits = hn::BitCast(du, sum);
    const auto inexact = hn::And(hn::Ne(error, hn::Zero(d)),
                                 hn::Lt(hn::Abs(error), hn::Set(d, 1)));  // false for NaN
    const auto even = hn::Eq(hn::And(bits, hn::Set(du, 1)), hn::Zero(du));
    // Toward the error: a larger magnitude if it has the sum's sign, else a smaller one.
    const auto same_sign =
        hn::Eq(hn::ShiftRight<63>(hn::Xor(bits, hn::BitCast(du, error))), hn::Zero(du));
    const auto odd =
        hn::IfThenElse(same_sign, hn::Add(bits, hn::Set(du, 1)), hn::Sub(bits, hn::Set(du, 1)));
    const auto fold = hn::And(hn::RebindMask(du, inexact), even);
    return hn::BitCast(d, hn::IfThenElse(fold, odd, bits));
  }
}

// The contributions of partition k to a tile of outputs from the values themselves, exact sums
// rounded once; to[i][j] is a vector.
template <bool wide>
HWY_NOINLINE void exact_step(const MxProblem& p, std::size_t k, std::size_t m, std::size_t n,
                             float* to) {
  const DD dd;
  const hn::Rebind<float, DD> half;
  Decoded stationary, moving;
  std::array<float, lanes> stationary_scale, moving_scale;
  decode(p.stationary, k, m, stationary);
  decode_scales(p.stationary, k, m, stationary_scale);
  for (std::size_t j = 0; j < tile_vectors && n + j * lanes < p.moving.columns; ++j) {
    decode(p.moving, k, n + j * lanes, moving);
    decode_scales(p.moving, k, n + j * lanes, moving_scale);
    for (std::size_t h = 0; h < lanes; h += half_lanes) {
      const VD v_scale = hn::PromoteTo(dd, hn::LoadU(half, &moving_scale[h]));
      std::array<VD, mx_pack> s, v;
      for (std::size_t q = 0; q < mx_pack; ++q)
        v[q] = hn::PromoteTo(dd, hn::LoadU(half, &moving[q][h]));
      for (std::size_t i = 0; i < std::min(tile_rows, p.stationary.columns - m); ++i) {
        for (std::size_t q = 0; q < mx_pack; ++q)
          s[q] = hn::Set(dd, static_cast<double>(stationary[q][i]));
        const VD scale = hn::Mul(hn::Set(dd, static_cast<double>(stationary_scale[i])), v_scale);
        const VD sum = hn::Mul(exact_sum<wide>(s, v), scale);  // a power of two: exact
        hn::StoreU(hn::DemoteTo(half, sum), half, to + (i * tile_vectors + j) * lanes + h);
      }
    }
  }
}

// Sums of the four products of 16-bit pairs, exact in 32 bits: even pairs and odd pairs of one
// packed element.
HWY_INLINE VI multiply(hn::Vec<DI16> even, hn::Vec<DI16> odd, std::int32_t s_even,
                       std::int32_t s_odd) {
  const DI di;
  const DI16 di16;
  VI high = hn::Zero(di);
  const VI half = hn::ReorderWidenMulAccumulate(di, even, hn::BitCast(di16, hn::Set(di, s_even)),
                                                hn::Zero(di), high);
  const VI low =
      hn::ReorderWidenMulAccumulate(di, odd, hn::BitCast(di16, hn::Set(di, s_odd)), half, high);
  return hn::RearrangeToOddPlusEven(low, high);
}

HWY_INLINE hn::Vec<DI16> load_pairs(const std::int32_t* from) {
  return hn::BitCast(DI16(), hn::Load(DI(), from));
}

// As the step of tile() where one operand has a rest: s and v point at the digits, s_rest and
// v_rest at the factors of the second product, digits and rest or rest and digits. Writes the sums
// over the units, rounded once.
HWY_NOINLINE void rest_step(const std::int32_t* s, const std::int32_t* v,
                            const std::int32_t* s_rest, const std::int32_t* v_rest, float* to) {
  const DI di;
  const DD dd;
  const hn::Rebind<std::int32_t, DD> half_i;
  const hn::Rebind<float, DD> half;
  const VD unit = hn::Set(dd, 1.0 / (1 << mx_rest_bits));
  alignas(64) std::array<std::int32_t, lanes> whole, rest;
  for (std::size_t j = 0; j < tile_vectors; ++j) {
    const auto even = load_pairs(v + j * 2 * lanes), odd = load_pairs(v + j * 2 * lanes + lanes);
    const auto rest_even = load_pairs(v_rest + j * 2 * lanes),
               rest_odd = load_pairs(v_rest + j * 2 * lanes + lanes);
    for (std::size_t i = 0; i < tile_rows; ++i) {
      hn::Store(multiply(even, odd, s[i], s[tile_rows + i]), di, whole.data());
      hn::Store(multiply(rest_even, rest_odd, s_rest[i], s_rest[tile_rows + i]), di, rest.data());
      for (std::size_t h = 0; h < lanes; h += half_lanes) {
        const VD high = hn::PromoteTo(dd, hn::Load(half_i, &whole[h])),
                 low = hn::PromoteTo(dd, hn::Load(half_i, &rest[h]));
        hn::Store(hn::DemoteTo(half, hn::MulAdd(low, unit, high)), half,
                  to + (i * tile_vectors + j) * lanes + h);
      }
    }
  }
}

using Sums = V[tile_rows][tile_vectors];

// Stores the sums of a tile, or adds them to the old outputs.
HWY_INLINE void finish(const MxProblem& p, std::size_t m, std::size_t n, const Sums& sum) {
  const D d;
  const V nan = hn::BitCast(d, hn::Set(DU(), tensor_engine_nan));
#pragma GCC unroll 4
  for (std::size_t i = 0; i < tile_rows; ++i) {
    if (m + i >= p.stationary.columns) continue;
    float* out = p.out + (m + i) * p.out_ld + n;
#pragma GCC unroll 4
    for (std::size_t j = 0; j < tile_vectors; ++j) {
      if (n + j * lanes >= p.moving.columns) continue;
      const auto exists = hn::FirstN(d, p.moving.columns - n - j * lanes);
      V result = sum[i][j];
      if (p.accumulate) result = hn::Add(hn::MaskedLoad(exists, d, out + j * lanes), result);
      hn::BlendedStore(hn::IfThenElse(hn::IsNaN(result), nan, result), exists, d, out + j * lanes);
    }
  }
}

// A step that meets a flag: what the tile's sums gain. Apart from the loop so that it costs it no
// registers.
template <bool wide>
HWY_NOINLINE bool flagged_step(const MxProblem& p, std::size_t k, std::size_t m, std::size_t n,
                               float* to) {
  const MxDigits &sd = p.stationary_digits, &vd = p.moving_digits;
  const std::size_t s_row = m / tile_rows * p.moving.K + k,
                    v_row = n / tile_columns * p.moving.K + k;
  const std::uint8_t s_flag = sd.flags[s_row], v_flag = vd.flags[v_row];
  if (s_flag + v_flag != mx_has_rest) {
    exact_step<wide>(p, k, m, n, to);
    return false;
  }
  const std::int32_t *s = &sd.digits[s_row * 2 * tile_rows],
                     *v = &vd.digits[v_row * 2 * tile_columns];
  const std::int32_t *s_rest = &sd.rest[s_row * 2 * tile_rows],
                     *v_rest = &vd.rest[v_row * 2 * tile_columns];
  rest_step(s, v, s_flag != 0 ? s_rest : s, s_flag != 0 ? v : v_rest, to);
  return true;
}

template <bool wide>
void tile(const MxProblem& p, std::size_t m, std::size_t n) {
  const D d;
  const std::size_t K = p.moving.K, s_row = m / tile_rows * K, v_row = n / tile_columns * K;
  const std::int32_t* s = &p.stationary_digits.digits[s_row * 2 * tile_rows];
  const std::int32_t* v = &p.moving_digits.digits[v_row * 2 * tile_columns];
  const float* s_scale = &p.stationary_digits.scale[s_row / mx_block_partitions * tile_rows];
  const float* v_scale = &p.moving_digits.scale[v_row / mx_block_partitions * tile_columns];
  const std::uint8_t *s_flags = &p.stationary_digits.flags[s_row],
                     *v_flags = &p.moving_digits.flags[v_row];
  Sums sum, scale;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < tile_rows; ++i) {
#pragma GCC unroll 4
    for (std::size_t j = 0; j < tile_vectors; ++j) sum[i][j] = hn::Zero(d);
  }
  for (std::size_t k = 0; k < K; ++k, s += 2 * tile_rows, v += 2 * tile_columns) {
    if (k % mx_block_partitions == 0) {
#pragma GCC unroll 4
      for (std::size_t i = 0; i < tile_rows; ++i) {
#pragma GCC unroll 4
        for (std::size_t j = 0; j < tile_vectors; ++j) {
          scale[i][j] = hn::Mul(hn::Set(d, s_scale[i]), hn::Load(d, v_scale + j * lanes));
        }
      }
      s_scale += tile_rows;
      v_scale += tile_columns;
    }
    if (HWY_UNLIKELY((s_flags[k] | v_flags[k]) != 0)) {
      alignas(64) std::array<float, tile_rows * tile_columns> gain;
      const bool over_units = flagged_step<wide>(p, k, m, n, gain.data());
#pragma GCC unroll 4
      for (std::size_t i = 0; i < tile_rows; ++i) {
#pragma GCC unroll 4
        for (std::size_t j = 0; j < tile_vectors; ++j) {
          const V term = hn::Load(d, &gain[(i * tile_vectors + j) * lanes]);
          sum[i][j] =
              over_units ? hn::MulAdd(term, scale[i][j], sum[i][j]) : hn::Add(sum[i][j], term);
        }
      }
      continue;
    }
    hn::Vec<DI16> even[tile_vectors], odd[tile_vectors];
#pragma GCC unroll 4
    for (std::size_t j = 0; j < tile_vectors; ++j) {
      even[j] = load_pairs(v + j * 2 * lanes);
      odd[j] = load_pairs(v + j * 2 * lanes + lanes);
    }
#pragma GCC unroll 4
    for (std::size_t i = 0; i < tile_rows; ++i) {
#pragma GCC unroll 4
      for (std::size_t j = 0; j < tile_vectors; ++j) {
        const VI products = multiply(even[j], odd[j], s[i], s[tile_rows + i]);
        sum[i][j] = hn::MulAdd(hn::ConvertTo(d, products), scale[i][j], sum[i][j]);
      }
    }
  }
  finish(p, m, n, sum);
}

template <bool wide>
void all_tiles(const MxProblem& p) {
  for (std::size_t n = 0; n < p.moving.columns; n += tile_columns) {
    for (std::size_t m = 0; m < p.stationary.columns; m += tile_rows) tile<wide>(p, m, n);
  }
}

void product(const MxProblem& p) {
  const auto is_wide = [](const MxColumns& part) {
    return part.operand.data.dtype == DType::float8_e5m2_x4;
  };
  if (is_wide(p.stationary) && is_wide(p.moving)) return all_tiles<true>(p);
  all_tiles<false>(p);
}

#else

void prepare(const MxColumns&, bool, MxDigits&) {}

void product(const MxProblem& p) {
  const MxOperand stationary{p.stationary.operand};
  MxOperand moving{p.moving.operand};
  std::vector<const std::uint8_t*> scales;
  for (std::size_t i = 0; i < p.moving.K / mx_block_partitions; ++i)
    scales.push_back(moving.scales[i] + p.moving.first);
  moving.scales = scales;
  moving.data.data += p.moving.first * static_cast<std::size_t>(size_in_bytes(moving.data.dtype));
  matmul_mx_reference(stationary, moving, p.out, p.out_ld, p.moving.K, p.stationary.columns,
                      p.moving.columns, p.accumulate);
}

#endif

}  // namespace trainyard::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trainyard::numerics {

HWY_EXPORT(prepare);
HWY_EXPORT(product);

namespace {

void prepare_digits(const MxColumns& part, bool moving, MxDigits& to) {
  // Whole panels of either width; a vector of columns may reach past the last panel of 4.
  const std::size_t elements =
      part.K * ((part.columns + mx_moving_panel - 1) / mx_moving_panel * mx_moving_panel);
  to.digits.grow(2 * elements);
  to.rest.grow(2 * elements);
  to.scale.grow(elements / mx_block_partitions);
  to.flags.assign(elements / mx_stationary_panel, 0);
  HWY_DYNAMIC_DISPATCH(prepare)(part, moving, to);
}

}  // namespace

void matmul_mx(const MxOperand& stationary, const MxOperand& moving, Rows out, std::size_t K,
               std::size_t M, std::size_t N, bool accumulate, MatmulScratch& scratch,
               PsumRounding rounding) {
  check_matmul(stationary, moving, K);
  const MxColumns rows{stationary, K, 0, M};
  prepare_digits(rows, false, scratch.mx_stationary);
  for_each_chunk(
      out, M, N, accumulate, scratch, rounding,
      [&](std::size_t n, std::size_t columns, float* target, std::size_t target_ld, bool add) {
        const MxColumns part{moving, K, n, columns};
        prepare_digits(part, true, scratch.mx_moving);
        HWY_DYNAMIC_DISPATCH(product)
        ({rows, part, scratch.mx_stationary, scratch.mx_moving, target, target_ld, add});
      });
}

}  // namespace trainyard::numerics
#endif
