// The conversions of convert.h on vectors of 32-bit lanes. Compiled once per instruction set and
// chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "numerics/convert_rows.cpp"
#include "numerics/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/error.h"
#include "numerics/convert_codecs-inl.h"
#include "numerics/convert_rows.h"

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {

// Elements left over after whole vectors go through a vector that is partly filling.

template <typename Stored>
using Narrow = hn::Rebind<Stored, Floats>;

template <typename Stored>
HWY_INLINE U load(const std::byte* from) {
  const Narrow<Stored> d;
  const auto stored = hn::LoadU(d, reinterpret_cast<const Stored*>(from));
  if constexpr (sizeof(Stored) == 4) {
    return stored;
  } else {
    return hn::PromoteTo(Words(), stored);
  }
}

template <typename Stored>
HWY_INLINE void store(U bits, std::byte* to) {
  const Narrow<Stored> d;
  if constexpr (sizeof(Stored) == 4) {
    hn::StoreU(bits, d, reinterpret_cast<Stored*>(to));
  } else {
    hn::StoreU(hn::TruncateTo(d, bits), d, reinterpret_cast<Stored*>(to));
  }
}

template <typename Stored, class Codec>
void widen_with(const std::byte* source, float* destination, std::size_t n) {
  const Floats d;
  constexpr std::size_t lanes = hn::MaxLanes(d), bytes = sizeof(Stored);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::StoreU(Codec::decode(load<Stored>(source + i * bytes)), d, destination + i);
  }
  if (i == n) return;
  HWY_ALIGN std::array<std::byte, lanes * bytes> stored{};
  HWY_ALIGN std::array<float, lanes> values;
  std::memcpy(stored.data(), source + i * bytes, (n - i) * bytes);
  hn::StoreU(Codec::decode(load<Stored>(stored.data())), d, values.data());
  std::memcpy(destination + i, values.data(), (n - i) * sizeof(float));
}

template <class Codec>
inline constexpr bool has_range = requires {
  &Codec::encode_in_range;
};

// Blocks of numbers that need no rule but rounding; returns how many elements these were, up to the
// first block that is not like that.
template <typename Stored, class Codec>
HWY_INLINE std::size_t narrow_in_range(const float* source, std::byte* destination, std::size_t n) {
  const Floats d;
  constexpr std::size_t lanes = hn::MaxLanes(d), bytes = sizeof(Stored), step = 4 * lanes;
  std::size_t i = 0;
  for (; i + step <= n; i += step) {
    const F w = hn::LoadU(d, source + i), x = hn::LoadU(d, source + i + lanes);
    const F y = hn::LoadU(d, source + i + 2 * lanes), z = hn::LoadU(d, source + i + 3 * lanes);
    if (!are_in_range<Codec>(w, x, y, z)) return i;
    std::byte* to = destination + i * bytes;
    store<Stored>(Codec::encode_in_range(w), to);
    store<Stored>(Codec::encode_in_range(x), to + lanes * bytes);
    store<Stored>(Codec::encode_in_range(y), to + 2 * lanes * bytes);
    store<Stored>(Codec::encode_in_range(z), to + 3 * lanes * bytes);
  }
  return i;
}

template <typename Stored, class Codec>
void narrow_with(const float* source, std::byte* destination, std::size_t n, Overflow mode) {
  const Floats d;
  constexpr std::size_t lanes = hn::MaxLanes(d), bytes = sizeof(Stored);
  const U overflow = constant(Codec::overflow_pattern(mode));
  std::size_t i = 0;
  while (i + lanes <= n) {
    if constexpr (has_range<Codec>) {
      i += narrow_in_range<Stored, Codec>(source + i, destination + i * bytes, n - i);
    }
    const std::size_t stop = std::min(n, i + 4 * lanes);
    for (; i + lanes <= stop; i += lanes)
      store<Stored>(Codec::encode(hn::LoadU(d, source + i), overflow), destination + i * bytes);
  }
  if (i == n) return;
  HWY_ALIGN std::array<std::byte, lanes * bytes> stored;
  HWY_ALIGN std::array<float, lanes> values{};
  std::memcpy(values.data(), source + i, (n - i) * sizeof(float));
  store<Stored>(Codec::encode(hn::LoadU(d, values.data()), overflow), stored.data());
  std::memcpy(destination + i * bytes, stored.data(), (n - i) * bytes);
}

template <typename Stored, class Codec>
void narrow_stochastic_with(const float* source, const std::uint32_t* random,
                            std::byte* destination, std::size_t n, Overflow mode) {
  const Floats d;
  constexpr std::size_t lanes = hn::MaxLanes(d), bytes = sizeof(Stored);
  const U overflow = constant(Codec::overflow_pattern(mode));
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const U words = hn::LoadU(Words(), random + i);
    store<Stored>(Codec::encode_stochastic(hn::LoadU(d, source + i), words, overflow),
                  destination + i * bytes);
  }
  if (i == n) return;
  HWY_ALIGN std::array<std::byte, lanes * bytes> stored;
  HWY_ALIGN std::array<float, lanes> values{};
  HWY_ALIGN std::array<std::uint32_t, lanes> words{};
  std::memcpy(values.data(), source + i, (n - i) * sizeof(float));
  std::memcpy(words.data(), random + i, (n - i) * sizeof(std::uint32_t));
  store<Stored>(Codec::encode_stochastic(hn::LoadU(d, values.data()),
                                         hn::LoadU(Words(), words.data()), overflow),
                stored.data());
  std::memcpy(destination + i * bytes, stored.data(), (n - i) * bytes);
}

// The formats, listed once per direction.

void widen_vectors(DType dtype, const std::byte* source, float* out, std::size_t n) {
  using std::uint16_t, std::uint32_t, std::uint8_t;
  switch (dtype) {
    case DType::bool_: return widen_with<uint8_t, BoolCodec>(source, out, n);
    case DType::int8: return widen_with<uint8_t, SmallIntegerCodec<8, true>>(source, out, n);
    case DType::uint8: return widen_with<uint8_t, SmallIntegerCodec<8, false>>(source, out, n);
    case DType::int16: return widen_with<uint16_t, SmallIntegerCodec<16, true>>(source, out, n);
    case DType::uint16: return widen_with<uint16_t, SmallIntegerCodec<16, false>>(source, out, n);
    case DType::int32: return widen_with<uint32_t, Int32Codec>(source, out, n);
    case DType::uint32: return widen_with<uint32_t, Uint32Codec>(source, out, n);
    case DType::tfloat32: return widen_with<uint32_t, Tfloat32Codec>(source, out, n);
    case DType::bfloat16: return widen_with<uint16_t, FloatCodec<bfloat16_format>>(source, out, n);
    case DType::float16: return widen_with<uint16_t, FloatCodec<float16_format>>(source, out, n);
    case DType::float8_e3m4:
      return widen_with<uint8_t, FloatCodec<float8_e3m4_format>>(source, out, n);
    case DType::float8_e4m3:
      return widen_with<uint8_t, FloatCodec<float8_e4m3_format>>(source, out, n);
    case DType::float8_e4m3fn:
      return widen_with<uint8_t, FloatCodec<float8_e4m3fn_format>>(source, out, n);
    case DType::float8_e5m2:
      return widen_with<uint8_t, FloatCodec<float8_e5m2_format>>(source, out, n);
    case DType::float8_e8m0fnu: return widen_with<uint8_t, E8m0Codec>(source, out, n);
    case DType::float4_e2m1fn:
      return widen_with<uint8_t, FloatCodec<float4_e2m1fn_format>>(source, out, n);
    default: base::fail("this format has no vector conversion");
  }
}

void narrow_vectors(DType dtype, const float* source, std::byte* out, std::size_t n,
                    Overflow mode) {
  using std::uint16_t, std::uint32_t, std::uint8_t;
  switch (dtype) {
    case DType::bool_: return narrow_with<uint8_t, BoolCodec>(source, out, n, mode);
    case DType::int8: return narrow_with<uint8_t, SmallIntegerCodec<8, true>>(source, out, n, mode);
    case DType::uint8:
      return narrow_with<uint8_t, SmallIntegerCodec<8, false>>(source, out, n, mode);
    case DType::int16:
      return narrow_with<uint16_t, SmallIntegerCodec<16, true>>(source, out, n, mode);
    case DType::uint16:
      return narrow_with<uint16_t, SmallIntegerCodec<16, false>>(source, out, n, mode);
    case DType::int32: return narrow_with<uint32_t, Int32Codec>(source, out, n, mode);
    case DType::uint32: return narrow_with<uint32_t, Uint32Codec>(source, out, n, mode);
    case DType::tfloat32: return narrow_with<uint32_t, Tfloat32Codec>(source, out, n, mode);
    case DType::bfloat16:
      return narrow_with<uint16_t, FloatCodec<bfloat16_format>>(source, out, n, mode);
    case DType::float16:
      return narrow_with<uint16_t, FloatCodec<float16_format>>(source, out, n, mode);
    case DType::float8_e3m4:
      return narrow_with<uint8_t, FloatCodec<float8_e3m4_format>>(source, out, n, mode);
    case DType::float8_e4m3:
      return narrow_with<uint8_t, FloatCodec<float8_e4m3_format>>(source, out, n, mode);
    case DType::float8_e4m3fn:
      return narrow_with<uint8_t, FloatCodec<float8_e4m3fn_format>>(source, out, n, mode);
    case DType::float8_e5m2:
      return narrow_with<uint8_t, FloatCodec<float8_e5m2_format>>(source, out, n, mode);
    case DType::float8_e8m0fnu: return narrow_with<uint8_t, E8m0Codec>(source, out, n, mode);
    case DType::float4_e2m1fn:
      return narrow_with<uint8_t, FloatCodec<float4_e2m1fn_format>>(source, out, n, mode);
    default: base::fail("this format has no vector conversion");
  }
}

void narrow_stochastic_vectors(DType dtype, const float* source, const std::uint32_t* random,
                               std::byte* out, std::size_t n, Overflow mode) {
  using std::uint16_t, std::uint32_t, std::uint8_t;
  const auto row = [dtype] {
    switch (dtype) {
      case DType::tfloat32: return &narrow_stochastic_with<uint32_t, Tfloat32Codec>;
      case DType::bfloat16: return &narrow_stochastic_with<uint16_t, FloatCodec<bfloat16_format>>;
      case DType::float16: return &narrow_stochastic_with<uint16_t, FloatCodec<float16_format>>;
      case DType::float8_e3m4:
        return &narrow_stochastic_with<uint8_t, FloatCodec<float8_e3m4_format>>;
      case DType::float8_e4m3:
        return &narrow_stochastic_with<uint8_t, FloatCodec<float8_e4m3_format>>;
      case DType::float8_e4m3fn:
        return &narrow_stochastic_with<uint8_t, FloatCodec<float8_e4m3fn_format>>;
      case DType::float8_e5m2:
        return &narrow_stochastic_with<uint8_t, FloatCodec<float8_e5m2_format>>;
      case DType::float4_e2m1fn:
        return &narrow_stochastic_with<uint8_t, FloatCodec<float4_e2m1fn_format>>;
      default: base::fail("this format has no vector conversion");
    }
  }();
  row(source, random, out, n, mode);
}

}  // namespace trainyard::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trainyard::numerics {

HWY_EXPORT(widen_vectors);
HWY_EXPORT(narrow_vectors);
HWY_EXPORT(narrow_stochastic_vectors);

void widen_row(DType dtype, const std::byte* source, float* destination, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(widen_vectors)(dtype, source, destination, n);
}

void narrow_row(DType dtype, const float* source, std::byte* destination, std::size_t n,
                Overflow overflow) {
  HWY_DYNAMIC_DISPATCH(narrow_vectors)(dtype, source, destination, n, overflow);
}

void narrow_row_stochastic(DType dtype, const float* source, const std::uint32_t* random,
                           std::byte* destination, std::size_t n, Overflow overflow) {
  HWY_DYNAMIC_DISPATCH(narrow_stochastic_vectors)(dtype, source, random, destination, n, overflow);
}

}  // namespace trainyard::numerics
#endif  // HWY_ONCE
