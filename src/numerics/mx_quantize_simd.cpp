// MX quantisation in vector registers, bit-equal to quantize_mx_reference. One step does the 8 rows
// of as many blocks as a vector of fp32 lanes holds; columns left over go through the definition.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "numerics/mx_quantize_simd.cpp"
#include "numerics/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <array>
#include <cstring>

#include "numerics/float_format.h"
#include "numerics/mx_detail.h"

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_NATIVE_FMA

using D = hn::ScalableTag<float>;
using DU = hn::RebindToUnsigned<D>;
using DI = hn::RebindToSigned<D>;
using V = hn::Vec<D>;
using VU = hn::Vec<DU>;
using VI = hn::Vec<DI>;
constexpr std::size_t lanes = HWY_MAX_BYTES / sizeof(float), blocks_a_vector = lanes / mx_pack;

struct E4M3Fn {
  static constexpr FloatFormat format = float8_e4m3fn_format;
};
struct E5M2 {
  static constexpr FloatFormat format = float8_e5m2_format;
};
struct E2M1 {
  static constexpr FloatFormat format = float4_e2m1fn_format;
};

// What the rule and the formats make of one call.
struct Settings {
  int exponent_offset;  // of the scale byte from the largest magnitude's biased exponent
  std::int32_t
      special_scale;        // byte of a block with NaN or infinity, or -1: what the formula gives
  std::uint32_t over_code;  // code of a quotient beyond the largest finite one
  std::uint32_t first_nan;  // magnitude pattern from which elements become NaN
};

template <class Element>
Settings settings(DType element, MxQuantizeRule rule) {
  const bool doubled = rule.scale == MxScale::doubled;
  const bool has_nan = Element::format.specials != Specials::none;
  return {mx_max_exponent(element) - (doubled ? 1 : 0),
          has_nan ? (doubled ? mx_scale_nan - 1 : -1) : mx_scale_nan,
          Element::format.overflow(rule.saturate ? Overflow::saturate : Overflow::format),
          float32_infinity + (doubled ? 0 : 1)};
}

HWY_INLINE V load_values(DType dtype, const std::byte* from) {
  const D d;
  const DU du;
  if (dtype == DType::bfloat16) {
    const hn::Rebind<std::uint16_t, D> d16;
    return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(
                              du, hn::LoadU(d16, reinterpret_cast<const std::uint16_t*>(from)))));
  }
  if (dtype == DType::float16) {
    const hn::Rebind<hwy::float16_t, D> d16;
    return hn::PromoteTo(d, hn::LoadU(d16, reinterpret_cast<const hwy::float16_t*>(from)));
  }
  return hn::LoadU(d, reinterpret_cast<const float*>(from));
}

// The largest of each group of four lanes, in all four.
HWY_INLINE VI largest_of_four(VI v) {
  v = hn::Max(v, hn::Shuffle2301(v));
  return hn::Max(v, hn::Shuffle1032(v));
}

// Scale bytes of the blocks whose largest magnitudes' fp32 patterns are in the lanes.
HWY_INLINE VI scale_bytes(VI largest, const Settings& settings) {
  const DI di;
  const VI exponent = hn::ShiftRight<23>(largest);
  const VI byte = hn::Max(hn::Sub(exponent, hn::Set(di, settings.exponent_offset)), hn::Zero(di));
  if (settings.special_scale < 0) return byte;
  const auto special =
      hn::Gt(largest, hn::Set(di, static_cast<std::int32_t>(float32_infinity - 1)));
  return hn::IfThenElse(special, hn::Set(di, settings.special_scale), byte);
}

// 2^(127 - byte); 2^-127 for 254 and 0 for 255 (the NaN scale, whose elements are zero).
HWY_INLINE V reciprocals(VI bytes) {
  const D d;
  const DI di;
  VI bits = hn::ShiftLeft<23>(hn::Sub(hn::Set(di, 254), bytes));
  bits = hn::IfThenElse(hn::Eq(bytes, hn::Set(di, 254)), hn::Set(di, 0x00400000), bits);
  return hn::BitCast(d, hn::IfThenZeroElse(hn::Eq(bytes, hn::Set(di, mx_scale_nan)), bits));
}

// Codes of value * reciprocal, to nearest even.
template <class Element>
HWY_INLINE VU codes(V value, V reciprocal, const Settings& settings) {
  const D d;
  const DU du;
  const DI di;
  constexpr FloatFormat format = Element::format;
  constexpr int dropped = 23 - format.mantissa_bits;
  const VU bits = hn::BitCast(du, value);
  const VU sign = hn::ShiftRight<31 - format.exponent_bits - format.mantissa_bits>(
      hn::And(bits, hn::Set(du, float32_sign)));
  const VI pattern = hn::BitCast(di, hn::And(bits, hn::Set(du, ~float32_sign)));
  const V quotient = hn::Mul(hn::BitCast(d, pattern), reciprocal);
  // Normal results: round the fp32 pattern at the last kept bit, then move the exponent's origin.
  const VU q = hn::BitCast(du, quotient);
  const VU increment = hn::Add(hn::And(hn::ShiftRight<dropped>(q), hn::Set(du, 1)),
                               hn::Set(du, (1u << (dropped - 1)) - 1));
  const VU origin =
      hn::Set(du, static_cast<std::uint32_t>(127 - format.bias) << format.mantissa_bits);
  const VU normal = hn::Sub(hn::ShiftRight<dropped>(hn::Add(q, increment)), origin);
  // Subnormal results: adding 2^23 units rounds to whole units, which are then the low bits.
  constexpr int unit_exponent = 1 - format.bias - format.mantissa_bits;
  const V rounder = hn::Set(d, power_of_two(23 + unit_exponent));
  const VU subnormal =
      hn::Sub(hn::BitCast(du, hn::Add(quotient, rounder)), hn::BitCast(du, rounder));
  const auto is_subnormal = hn::Lt(quotient, hn::Set(d, power_of_two(1 - format.bias)));
  VI code = hn::BitCast(di, hn::IfThenElse(hn::RebindMask(du, is_subnormal), subnormal, normal));
  const VI largest = hn::Set(di, static_cast<std::int32_t>(format.largest()));
  code = hn::IfThenElse(hn::Gt(code, largest),
                        hn::Set(di, static_cast<std::int32_t>(settings.over_code)), code);
  if constexpr (format.specials != Specials::none) {
    const auto is_nan =
        hn::Gt(pattern, hn::Set(di, static_cast<std::int32_t>(settings.first_nan - 1)));
    code = hn::IfThenElse(is_nan, hn::Set(di, static_cast<std::int32_t>(format.quiet_nan())), code);
    return hn::Or(hn::BitCast(du, code), sign);
  }
  // A format without NaN leaves it to the scale, see reciprocals().
  const auto nan_block = hn::RebindMask(du, hn::Eq(reciprocal, hn::Zero(d)));
  return hn::IfThenZeroElse(nan_block, hn::Or(hn::BitCast(du, code), sign));
}

template <class Element>
HWY_INLINE void store_codes(VU codes, std::byte* to) {
  const hn::Rebind<std::uint8_t, DU> d8;
  if constexpr (Element::format.mantissa_bits == 1) {
    // Two nibbles to a byte: each odd lane joins the even lane before it.
    alignas(64) std::array<std::uint8_t, lanes> bytes;
    hn::Store(hn::TruncateTo(d8, codes), d8, bytes.data());
    for (std::size_t i = 0; i < lanes / 2; ++i) {
      to[i] =
          static_cast<std::byte>(bytes[2 * i] | static_cast<std::uint8_t>(bytes[2 * i + 1] << 4));
    }
  } else {
    hn::StoreU(hn::TruncateTo(d8, codes), d8, reinterpret_cast<std::uint8_t*>(to));
  }
}

// One vector of blocks.
template <class Element>
HWY_INLINE void quantize_blocks(ConstRows source, const std::byte* from, Rows data, std::byte* to,
                                std::uint8_t* scales, const Settings& settings) {
  const DI di;
  const DU du;
  std::array<V, mx_block_partitions> values;
  VI largest = hn::Zero(di);
#pragma GCC unroll 8
  for (std::size_t r = 0; r < mx_block_partitions; ++r, from += source.stride) {
    values[r] = load_values(source.dtype, from);
    const VU magnitude = hn::And(hn::BitCast(du, values[r]), hn::Set(du, ~float32_sign));
    largest = hn::Max(largest, hn::BitCast(di, magnitude));
  }
  const VI bytes = scale_bytes(largest_of_four(largest), settings);
  const V reciprocal = reciprocals(bytes);
  alignas(64) std::array<std::int32_t, lanes> by_lane;
  hn::Store(bytes, di, by_lane.data());
  for (std::size_t b = 0; b < blocks_a_vector; ++b)
    scales[b] = static_cast<std::uint8_t>(by_lane[b * mx_pack]);
#pragma GCC unroll 8
  for (std::size_t r = 0; r < mx_block_partitions; ++r, to += data.stride) {
    store_codes<Element>(codes<Element>(values[r], reciprocal, settings), to);
  }
}

template <class Element>
std::size_t quantize_as(ConstRows source, std::size_t P, std::size_t F, Rows data,
                        MxMutableScaleRows scales, MxQuantizeRule rule) {
  const Settings with = settings<Element>(element_of(data.dtype), rule);
  const auto read = static_cast<std::size_t>(size_in_bytes(source.dtype));
  const auto written = static_cast<std::size_t>(size_in_bytes(data.dtype));
  const std::size_t whole = F / lanes * lanes;
  for (std::size_t i = 0; i < P / mx_block_partitions; ++i) {
    const auto first = static_cast<std::ptrdiff_t>(i * mx_block_partitions);
    const std::byte* from = source.data + first * source.stride;
    std::byte* to = data.data + first * data.stride;
    for (std::size_t f = 0; f < whole; f += lanes) {
      quantize_blocks<Element>(source, from + f * read, data, to + f / mx_pack * written,
                               scales[i] + f / mx_pack, with);
    }
  }
  return whole;
}

std::size_t quantize_vectors(ConstRows source, std::size_t P, std::size_t F, Rows data,
                             MxMutableScaleRows scales, MxQuantizeRule rule) {
  switch (data.dtype) {
    case DType::float8_e4m3fn_x4: return quantize_as<E4M3Fn>(source, P, F, data, scales, rule);
    case DType::float8_e5m2_x4: return quantize_as<E5M2>(source, P, F, data, scales, rule);
    default: return quantize_as<E2M1>(source, P, F, data, scales, rule);
  }
}

#else

std::size_t quantize_vectors(ConstRows, std::size_t, std::size_t, Rows, MxMutableScaleRows,
                             MxQuantizeRule) {
  return 0;
}

#endif

}  // namespace
}  // namespace trainyard::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trainyard::numerics {

HWY_EXPORT(quantize_vectors);

void quantize_mx(ConstRows source, std::size_t P, std::size_t F, Rows data,
                 MxMutableScaleRows scales, MxQuantizeRule rule) {
  check_quantize(source, P, F, data, scales);
  const std::size_t done = HWY_DYNAMIC_DISPATCH(quantize_vectors)(source, P, F, data, scales, rule);
  quantize_mx_columns(source, P, done, F, data, scales, rule);
}

}  // namespace trainyard::numerics
#endif
