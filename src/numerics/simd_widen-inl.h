// Widens rows of stored floats to fp32 in vector registers; part of the per-target code of the
// tensor engine (included inside Highway's foreach_target). NaN payloads are not those of widen()
// in convert.h: the tensor engine has one NaN.
#if defined(TRAINYARD_NUMERICS_SIMD_WIDEN_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TRAINYARD_NUMERICS_SIMD_WIDEN_INL_H
#undef TRAINYARD_NUMERICS_SIMD_WIDEN_INL_H
#else
#define TRAINYARD_NUMERICS_SIMD_WIDEN_INL_H
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "numerics/convert.h"

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// The shape of an 8-bit format with `mantissa` fraction bits: codes (without sign) from `nan` on
// are NaN; `infinity` is infinity.
template <int mantissa_, int bias_, std::uint32_t infinity_, std::uint32_t nan_>
struct ByteFormat {
  static constexpr int mantissa = mantissa_, bias = bias_;
  static constexpr std::uint32_t infinity = infinity_, nan = nan_;
};
using FormatE3M4 = ByteFormat<4, 3, 0x70, 0x71>;
using FormatE4M3 = ByteFormat<3, 7, 0x78, 0x79>;
using FormatE4M3Fn = ByteFormat<3, 7, 0x100, 0x7F>;
using FormatE5M2 = ByteFormat<2, 15, 0x7C, 0x7D>;
using FormatE2M1 = ByteFormat<1, 1, 0x100, 0x100>;  // sign at bit 7 like the others: shift the
                                                    // nibble's sign there first

// The values of the 8-bit codes that lie in the 32-bit lanes of `codes` (sign in bit 7).
template <class Format, class DU, class VU = hn::Vec<DU>>
HWY_INLINE hn::Vec<hn::RebindToFloat<DU>> decode_bytes(DU du, VU codes) {
  const hn::RebindToFloat<DU> d;
  const hn::RebindToSigned<DU> di;
  const VU magnitude = hn::And(codes, hn::Set(du, 0x7F));
  const VU sign = hn::ShiftLeft<24>(hn::And(codes, hn::Set(du, 0x80)));
  const VU rebias = hn::Set(du, static_cast<std::uint32_t>(127 - Format::bias) << 23);
  const auto normal =
      hn::BitCast(d, hn::Add(hn::ShiftLeft<23 - Format::mantissa>(magnitude), rebias));
  const auto unit = hn::BitCast(
      d, hn::Set(du, static_cast<std::uint32_t>(128 - Format::bias - Format::mantissa) << 23));
  const auto subnormal = hn::Mul(hn::ConvertTo(d, hn::BitCast(di, magnitude)), unit);
  const auto is_subnormal = hn::Lt(hn::BitCast(di, magnitude), hn::Set(di, 1 << Format::mantissa));
  auto value = hn::IfThenElse(hn::RebindMask(d, is_subnormal), subnormal, normal);
  if constexpr (Format::infinity < 0x80) {
    const auto is_special = hn::Gt(hn::BitCast(di, magnitude),
                                   hn::Set(di, static_cast<std::int32_t>(Format::infinity - 1)));
    value = hn::IfThenElse(hn::RebindMask(d, is_special), hn::BitCast(d, hn::Set(du, 0x7F800000)),
                           value);
  }
  if constexpr (Format::nan < 0x80) {
    const auto is_nan =
        hn::Gt(hn::BitCast(di, magnitude), hn::Set(di, static_cast<std::int32_t>(Format::nan - 1)));
    value =
        hn::IfThenElse(hn::RebindMask(d, is_nan), hn::BitCast(d, hn::Set(du, 0x7FC00000)), value);
  }
  return hn::BitCast(d, hn::Or(hn::BitCast(du, value), sign));
}

template <class Format>
std::size_t widen_bytes(const std::byte* source, float* to, std::size_t n) {
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Rebind<std::uint8_t, decltype(d)> d8;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(source);
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
    hn::StoreU(decode_bytes<Format>(du, hn::PromoteTo(du, hn::LoadU(d8, bytes + i))), d, to + i);
  }
  return i;
}

HWY_INLINE std::size_t widen_bfloat16(const std::byte* source, float* to, std::size_t n) {
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Rebind<std::uint16_t, decltype(d)> d16;
  const auto* words = reinterpret_cast<const std::uint16_t*>(source);
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
    hn::StoreU(hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(du, hn::LoadU(d16, words + i)))), d,
               to + i);
  }
  return i;
}

HWY_INLINE std::size_t widen_float16(const std::byte* source, float* to, std::size_t n) {
  const hn::ScalableTag<float> d;
  const hn::Rebind<hwy::float16_t, decltype(d)> d16;
  const auto* words = reinterpret_cast<const hwy::float16_t*>(source);
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d))
    hn::StoreU(hn::PromoteTo(d, hn::LoadU(d16, words + i)), d, to + i);
  return i;
}

// Widens n elements. Formats without a vector path, and the rest of a row after whole vectors, go
// through widen().
HWY_INLINE void widen_row(DType dtype, const std::byte* source, float* to, std::size_t n) {
  std::size_t done = 0;
  switch (dtype) {
    case DType::bfloat16: done = widen_bfloat16(source, to, n); break;
    case DType::float16: done = widen_float16(source, to, n); break;
    case DType::float8_e3m4: done = widen_bytes<FormatE3M4>(source, to, n); break;
    case DType::float8_e4m3: done = widen_bytes<FormatE4M3>(source, to, n); break;
    case DType::float8_e4m3fn: done = widen_bytes<FormatE4M3Fn>(source, to, n); break;
    case DType::float8_e5m2: done = widen_bytes<FormatE5M2>(source, to, n); break;
    case DType::float32: std::memcpy(to, source, n * sizeof(float)); return;
    default: break;
  }
  const auto element = static_cast<std::size_t>(size_in_bytes(dtype));
  if (done < n) widen(dtype, source + done * element, to + done, n - done);
}

}  // namespace
}  // namespace trainyard::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
