// One step of matmul_mx from the values themselves, for whatever digits cannot hold. Part of the
// per-target code of mx_matmul_simd.cpp, included inside Highway's foreach_target.
#if defined(TRAINYARD_NUMERICS_MX_EXACT_INL_) == defined(HWY_TARGET_TOGGLE)
#ifdef TRAINYARD_NUMERICS_MX_EXACT_INL_
#undef TRAINYARD_NUMERICS_MX_EXACT_INL_
#else
#define TRAINYARD_NUMERICS_MX_EXACT_INL_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>

#include "numerics/mx_detail.h"
#include "numerics/mx_digits.inl"
#include "numerics/simd_widen.inl"

#if HWY_NATIVE_FMA

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

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

}  // namespace
}  // namespace trainyard::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // HWY_NATIVE_FMA

#endif
