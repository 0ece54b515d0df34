// One step of matmul_mx from the values themselves, for what digits cannot hold. Part of the
// per-target code of mx_matmul_simd.cpp, included inside Highway's foreach_target.
#if defined(TRAINYARD_NUMERICS_MX_VALUES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TRAINYARD_NUMERICS_MX_VALUES_INL_H
#undef TRAINYARD_NUMERICS_MX_VALUES_INL_H
#else
#define TRAINYARD_NUMERICS_MX_VALUES_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "numerics/mx_detail.h"
#include "numerics/mx_digits-inl.h"
#include "numerics/simd_widen-inl.h"

#if HWY_NATIVE_FMA

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using DD = hn::ScalableTag<double>;
using VD = hn::Vec<DD>;
using DHalf = hn::Rebind<float, DD>;

// 2^(byte - 127) in the lanes, NaN for 255.
HWY_INLINE V scale_values(VU byte) {
  const DU du;
  VU bits = hn::ShiftLeft<23>(byte);
  bits = hn::IfThenElse(hn::Eq(byte, hn::Zero(du)), hn::Set(du, 0x00400000), bits);
  bits =
      hn::IfThenElse(hn::Eq(byte, hn::Set(du, mx_scale_nan)), hn::Set(du, tensor_engine_nan), bits);
  return hn::BitCast(D(), bits);
}

// One vector of columns, row k, of an operand cut into panels of `width` columns: decoded into the
// panels' values, times the blocks' scales, which is exact in double.
template <class Format>
void decode_as(const MxColumns& part, MxDigits& digits, std::size_t k, std::size_t column,
               std::size_t width) {
  const D d;
  const DU du;
  const DD dd;
  const DHalf half;
  constexpr std::size_t element = Format::mantissa == 1 ? 2 : 4;
  const ConstRows& data = part.operand.data;
  const std::size_t at = part.first + column,
                    columns = part.columns - std::min(part.columns, column);
  VU codes = load_codes<Format>(
      data.data + static_cast<std::ptrdiff_t>(k) * data.stride + at * element, columns);
  alignas(64) std::array<float, lanes> value, scale;
  hn::Store(scale_values(load_scales(part.operand.scales[k / mx_block_partitions] + at, columns)),
            d, scale.data());
  const VD scales[2] = {hn::PromoteTo(dd, hn::Load(half, &scale[0])),
                        hn::PromoteTo(dd, hn::Load(half, &scale[half_lanes]))};
  for (std::size_t q = 0; q < mx_pack; ++q, codes = hn::ShiftRight<8>(codes)) {
    hn::Store(decode_bytes<Format>(du, hn::And(codes, hn::Set(du, 0xFF))), d, value.data());
    alignas(64) std::array<double, lanes> scaled;
    for (std::size_t h = 0; h < 2; ++h) {
      hn::Store(hn::Mul(hn::PromoteTo(dd, hn::Load(half, &value[h * half_lanes])), scales[h]), dd,
                &scaled[h * half_lanes]);
    }
    const std::size_t step = std::min(width, lanes);
    for (std::size_t i = 0; i < lanes; i += step) {
      const std::size_t c = column + i, row = c / width * part.K + k;
      std::memcpy(&digits.values[(row * mx_pack + q) * width + c % width], &scaled[i],
                  step * sizeof(double));
    }
  }
}

void decode(const MxColumns& part, MxDigits& digits, std::size_t k, std::size_t column,
            std::size_t width) {
  switch (part.operand.data.dtype) {
    case DType::float8_e4m3fn_x4: return decode_as<FormatE4M3Fn>(part, digits, k, column, width);
    case DType::float8_e5m2_x4: return decode_as<FormatE5M2>(part, digits, k, column, width);
    default: return decode_as<FormatE2M1>(part, digits, k, column, width);
  }
}

// The inexact ones of the eight rows from `row`: a bit in each one's byte.
HWY_INLINE std::uint64_t inexact_rows(const MxDigits& digits, std::size_t row) {
  std::uint64_t flags;
  static_assert(mx_block_partitions == sizeof flags);
  std::memcpy(&flags, &digits.flags[row], sizeof flags);
  return flags & mx_inexact * 0x0101010101010101U;
}

// Decodes the rows without digits, and with them those of the other panels in the same vector of
// columns.
void decode_flagged(const MxColumns& part, MxDigits& digits, std::size_t width) {
  if ((digits.all_flags & mx_inexact) == 0) return;
  const std::size_t unit = std::max(width, lanes);
  for (std::size_t column = 0; column < part.columns; column += unit) {
    for (std::size_t block = 0; block < part.K; block += mx_block_partitions) {
      std::uint64_t flags = 0;
      for (std::size_t c = 0; c < unit; c += width)
        flags |= inexact_rows(digits, (column + c) / width * part.K + block);
      for (std::size_t k = block; flags != 0; ++k, flags >>= 8) {
        if ((flags & mx_inexact) == 0) continue;
        for (std::size_t c = 0; c < unit; c += lanes) decode(part, digits, k, column + c, width);
      }
    }
  }
}

// Values of a panel's row that has digits: to[q * width + c].
template <std::size_t width, bool has_low>
HWY_INLINE void values_of_digits(const std::int32_t* digits, const std::int32_t* low, bool wide_low,
                                 const float* scales, double* to) {
  constexpr std::size_t count = std::min(width, half_lanes), vector = std::min(width, lanes);
  const hn::CappedTag<std::int32_t, count> di;
  const hn::Rebind<float, decltype(di)> df;
  const hn::Rebind<double, decltype(di)> dd;
  const auto low_unit = hn::Set(dd, 1.0 / (1 << (wide_low ? mx_wide_low_bits : mx_low_bits)));
  // Value 0 or 1 of a packed element, whose digits are in the lower halves, or 2 or 3.
  const auto part = [&](const std::int32_t* at, bool upper) HWY_ATTR {
    const auto pairs = hn::LoadU(di, at);
    return hn::PromoteTo(dd, hn::ShiftRight<16>(upper ? pairs : hn::ShiftLeft<16>(pairs)));
  };
#pragma GCC unroll 4
  for (std::size_t c = 0; c < width; c += count) {
    const auto scale = hn::PromoteTo(dd, hn::LoadU(df, scales + c));
#pragma GCC unroll 4
    for (std::size_t q = 0; q < mx_pack; ++q) {
      const std::size_t at = c / vector * 2 * vector + q % 2 * vector + c % vector;
      auto value = part(digits + at, q >= 2);
      if constexpr (has_low) value = hn::MulAdd(part(low + at, q >= 2), low_unit, value);
      hn::StoreU(hn::Mul(value, scale), dd, to + q * width + c);
    }
  }
}

// The values of one panel's row, from where they are.
template <std::size_t width>
struct PanelValues {
  const double* at;
  bool is_short = true;  // of at most 18 bits
  alignas(64) std::array<double, mx_pack * width> converted;

  HWY_INLINE PanelValues(const MxDigits& digits, std::size_t row, bool wide_low) {
    if ((digits.flags[row] & mx_inexact) != 0) {
      at = &digits.values[row * mx_pack * width];
      is_short = false;
      return;
    }
    const bool has_low = (digits.flags[row] & mx_low) != 0;
    is_short = !(has_low && wide_low);
    const std::size_t from = row * (width == tile_rows ? mx_left_row : 2 * width);
    const float* scales = &digits.scale[row / mx_block_partitions * width];
    if (has_low) {
      values_of_digits<width, true>(&digits.digits[from], &digits.low_digits[from], wide_low,
                                    scales, converted.data());
    } else {
      values_of_digits<width, false>(&digits.digits[from], nullptr, wide_low, scales,
                                     converted.data());
    }
    at = converted.data();
  }
};

// a + b and what rounding took from it (Knuth).
HWY_INLINE VD add_exactly(VD a, VD b, VD& error) {
  const VD sum = hn::Add(a, b);
  const VD b_part = hn::Sub(sum, a);
  error = hn::Add(hn::Sub(a, hn::Sub(sum, b_part)), hn::Sub(b, b_part));
  return sum;
}

// The double next to `sum` in the direction of `error`, if sum is even and error not zero: rounding
// to odd, which keeps the later rounding to fp32 as if from the exact sum + error. Infinite and NaN
// sums stay as they are.
HWY_NOINLINE VD round_to_odd(VD rough, VD errors) {
  const DD d;
  const hn::RebindToUnsigned<DD> du;
  VD error;
  const auto finite = hn::Eq(errors, errors);  // beside an infinity the errors are NaN
  const VD sum = add_exactly(rough, hn::IfThenElseZero(finite, errors), error);
  const auto bits = hn::BitCast(du, sum);
  const auto even = hn::Eq(hn::And(bits, hn::Set(du, 1)), hn::Zero(du));
  const auto inexact = hn::And(finite, hn::Ne(error, hn::Zero(d)));
  const auto same_sign =
      hn::Eq(hn::ShiftRight<63>(hn::Xor(bits, hn::BitCast(du, error))), hn::Zero(du));
  const auto odd =
      hn::IfThenElse(same_sign, hn::Add(bits, hn::Set(du, 1)), hn::Sub(bits, hn::Set(du, 1)));
  return hn::BitCast(d, hn::IfThenElse(hn::And(hn::RebindMask(du, inexact), even), odd, bits));
}

// The sum of four products in double, exact or, for `wide`, rounded to odd. Only products of two
// e5m2 values need that, neither of them short: they span up to 66 bits. Others have at most 18
// bits on one side and 32 on the other.
template <bool wide>
HWY_INLINE VD sum_of_products(const std::array<VD, mx_pack>& s, const std::array<VD, mx_pack>& v) {
  const DD d;
  if constexpr (!wide) {
    VD sum = hn::MulAdd(s[0], v[0], hn::Zero(d));
#pragma GCC unroll 4
    for (std::size_t q = 1; q < mx_pack; ++q) sum = hn::MulAdd(s[q], v[q], sum);
    return sum;
  } else {
    VD e0, e1, e2;
    const VD low = add_exactly(hn::Mul(s[0], v[0]), hn::Mul(s[1], v[1]), e0);
    const VD high = add_exactly(hn::Mul(s[2], v[2]), hn::Mul(s[3], v[3]), e1);
    const VD sum = add_exactly(low, high, e2);
    // Multiples of the smallest product far above the double's last place: their sum is exact too.
    const VD errors = hn::Add(hn::Add(e0, e1), e2);
    if (HWY_LIKELY(hn::AllTrue(d, hn::Eq(errors, hn::Zero(d))))) return sum;
    return round_to_odd(sum, errors);
  }
}

// Exact sums of a tile's products, each rounded once.
template <bool wide>
HWY_INLINE void rounded_sums(const double* left, const double* right,
                             V (&terms)[tile_rows][tile_vectors]) {
  const D d;
  const DD dd;
  const DHalf half;
#pragma GCC unroll 2
  for (std::size_t j = 0; j < tile_vectors; ++j) {
    std::array<VD, mx_pack> low, high;
#pragma GCC unroll 4
    for (std::size_t q = 0; q < mx_pack; ++q) {
      low[q] = hn::Load(dd, right + q * tile_columns + j * lanes);
      high[q] = hn::Load(dd, right + q * tile_columns + j * lanes + half_lanes);
    }
#pragma GCC unroll 4
    for (std::size_t i = 0; i < tile_rows; ++i) {
      std::array<VD, mx_pack> s;
#pragma GCC unroll 4
      for (std::size_t q = 0; q < mx_pack; ++q) s[q] = hn::Set(dd, left[q * tile_rows + i]);
      terms[i][j] = hn::Combine(d, hn::DemoteTo(half, sum_of_products<wide>(s, high)),
                                hn::DemoteTo(half, sum_of_products<wide>(s, low)));
    }
  }
}

// What partition k adds to the sums of a tile.
HWY_INLINE void values_terms(const MxProblem& p, std::size_t k, std::size_t m, std::size_t n,
                             V (&terms)[tile_rows][tile_vectors]) {
  const PanelValues<tile_rows> s(p.left_digits, m / tile_rows * p.left.K + k, false);
  const PanelValues<tile_columns> v(p.right_digits, n / tile_columns * p.right.K + k,
                                    p.right.wide_low);
  const bool e5m2 = p.right.wide_low && p.left.operand.data.dtype == DType::float8_e5m2_x4;
  if (e5m2 && !s.is_short && !v.is_short) {
    rounded_sums<true>(s.at, v.at, terms);
  } else {
    rounded_sums<false>(s.at, v.at, terms);
  }
}

// The same for one step of a tile whose other steps use digits; apart from their loop so that it
// costs that no registers.
HWY_NOINLINE void values_step(const MxProblem& p, std::size_t k, std::size_t m, std::size_t n,
                              float* to) {
  const D d;
  V terms[tile_rows][tile_vectors];
  values_terms(p, k, m, n, terms);
#pragma GCC unroll 4
  for (std::size_t i = 0; i < tile_rows; ++i) {
#pragma GCC unroll 4
    for (std::size_t j = 0; j < tile_vectors; ++j)
      hn::Store(terms[i][j], d, to + i * tile_columns + j * lanes);
  }
}

}  // namespace
}  // namespace trainyard::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // HWY_NATIVE_FMA

#endif
