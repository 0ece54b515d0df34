// The conversions of convert.h on vectors of 32-bit lanes. Compiled once per instruction set and
// chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "numerics/convert_rows.cpp"
#include "numerics/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "numerics/beside.h"
#include "numerics/convert_codecs-inl.h"
#include "numerics/convert_rows.h"
#include "numerics/pack-inl.h"

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

// Four vectors by the codec: all alike where they need no rule but rounding.
template <typename Stored, class Codec>
HWY_INLINE void narrow_four(F a, F b, F c, F d, std::byte* to, U overflow) {
  constexpr std::size_t bytes = sizeof(Stored) * hn::MaxLanes(Floats());
  if constexpr (has_range<Codec>) {
    if (are_in_range<Codec>(a, b, c, d)) {
      store<Stored>(Codec::encode_in_range(a), to);
      store<Stored>(Codec::encode_in_range(b), to + bytes);
      store<Stored>(Codec::encode_in_range(c), to + 2 * bytes);
      store<Stored>(Codec::encode_in_range(d), to + 3 * bytes);
      return;
    }
  }
  store<Stored>(Codec::encode(a, overflow), to);
  store<Stored>(Codec::encode(b, overflow), to + bytes);
  store<Stored>(Codec::encode(c, overflow), to + 2 * bytes);
  store<Stored>(Codec::encode(d, overflow), to + 3 * bytes);
}

// Four vectors, which are a block.
constexpr std::size_t block_lanes = 4 * hn::MaxLanes(Floats());
template <typename Stored, class Codec>
HWY_INLINE void narrow_block(const float* x, std::byte* to, U overflow) {
  const Floats d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  narrow_four<Stored, Codec>(hn::LoadU(d, x), hn::LoadU(d, x + lanes), hn::LoadU(d, x + 2 * lanes),
                             hn::LoadU(d, x + 3 * lanes), to, overflow);
}

struct Position {
  std::size_t row = 0, element = 0;
};
HWY_INLINE const float* source_at(const RowsOfFloats& rows, const Position& at) {
  const auto row = static_cast<std::ptrdiff_t>(at.row);
  return reinterpret_cast<const float*>(rows.source + row * rows.source_stride) + at.element;
}
template <typename Stored>
HWY_INLINE std::byte* destination_at(const RowsOfFloats& rows, const Position& at) {
  const auto row = static_cast<std::ptrdiff_t>(at.row);
  return rows.destination + row * rows.stride + at.element * sizeof(Stored);
}

// Packs whole blocks from `at` on, up to and with the first one that needs another rule than
// rounding: then `at` is that block, and `refused` gets its numbers (the row may lie over what was
// stored). True when there was none.
template <typename Stored, class Codec>
HWY_NOINLINE bool pack_blocks(const RowsOfFloats& rows, Overflow mode, Position& at,
                              float* refused) {
  const Floats d;
  const Packer<Codec> packer(mode);
  constexpr std::size_t lanes = hn::MaxLanes(d);
  for (; at.row < rows.rows; ++at.row, at.element = 0) {
    const float* source = source_at(rows, {at.row, 0});
    std::byte* to = destination_at<Stored>(rows, {at.row, 0});
    for (std::size_t i = at.element; i + block_lanes <= rows.n; i += block_lanes) {
      const F w = hn::LoadU(d, source + i), x = hn::LoadU(d, source + i + lanes);
      const F y = hn::LoadU(d, source + i + 2 * lanes), z = hn::LoadU(d, source + i + 3 * lanes);
      if (!packer.store(w, x, y, z, to + i * sizeof(Stored))) [[unlikely]] {
        hn::StoreU(w, d, refused);
        hn::StoreU(x, d, refused + lanes);
        hn::StoreU(y, d, refused + 2 * lanes);
        hn::StoreU(z, d, refused + 3 * lanes);
        at.element = i;
        return false;
      }
    }
  }
  return true;
}

// Whole blocks of all rows.
template <typename Stored, class Codec>
HWY_INLINE void narrow_blocks(const RowsOfFloats& rows, Overflow mode) {
  const U overflow = constant(Codec::overflow_pattern(mode));
  Position at;
  if constexpr (Packer<Codec>::exists) {
    HWY_ALIGN std::array<float, block_lanes> refused;
    if (Packer<Codec>::serves(mode)) {
      while (!pack_blocks<Stored, Codec>(rows, mode, at, refused.data())) {
        narrow_block<Stored, Codec>(refused.data(), destination_at<Stored>(rows, at), overflow);
        at.element += block_lanes;
      }
      return;
    }
  }
  for (; at.row < rows.rows; ++at.row) {
    for (at.element = 0; at.element + block_lanes <= rows.n; at.element += block_lanes) {
      narrow_block<Stored, Codec>(source_at(rows, at), destination_at<Stored>(rows, at), overflow);
    }
  }
}

// What is left of a row after whole blocks.
template <typename Stored, class Codec>
void narrow_rest(const float* source, std::byte* destination, std::size_t n, Overflow mode) {
  const Floats d;
  constexpr std::size_t lanes = hn::MaxLanes(d), bytes = sizeof(Stored);
  const U overflow = constant(Codec::overflow_pattern(mode));
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    store<Stored>(Codec::encode(hn::LoadU(d, source + i), overflow), destination + i * bytes);
  if (i == n) return;
  HWY_ALIGN std::array<std::byte, lanes * bytes> stored;
  HWY_ALIGN std::array<float, lanes> values{};
  std::memcpy(values.data(), source + i, (n - i) * sizeof(float));
  store<Stored>(Codec::encode(hn::LoadU(d, values.data()), overflow), stored.data());
  std::memcpy(destination + i * bytes, stored.data(), (n - i) * bytes);
}

// Rows of one element: as many at a time as a vector has places.
template <typename Stored, class Codec>
void narrow_column(const RowsOfFloats& rows, Overflow mode) {
  const Floats d;
  constexpr std::size_t lanes = hn::MaxLanes(d), bytes = sizeof(Stored);
  const U overflow = constant(Codec::overflow_pattern(mode));
  HWY_ALIGN std::array<std::byte, lanes * bytes> stored;
  HWY_ALIGN std::array<float, lanes> values{};
  for (std::size_t r = 0; r < rows.rows; r += lanes) {
    const std::size_t some = std::min(lanes, rows.rows - r);
    for (std::size_t k = 0; k < some; ++k) values[k] = *source_at(rows, {r + k, 0});
    store<Stored>(Codec::encode(hn::Load(d, values.data()), overflow), stored.data());
    for (std::size_t k = 0; k < some; ++k)
      std::memcpy(destination_at<Stored>(rows, {r + k, 0}), &stored[k * bytes], bytes);
  }
}

template <typename Stored, class Codec>
void narrow_with(const RowsOfFloats& rows, Overflow mode) {
  if (rows.n == 1) return narrow_column<Stored, Codec>(rows, mode);
  const std::size_t whole = rows.n / block_lanes * block_lanes;
  if (whole == rows.n) return narrow_blocks<Stored, Codec>(rows, mode);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const Position rest{r, whole};
    RowsOfFloats row = rows;
    row.source = reinterpret_cast<const std::byte*>(source_at(rows, {r, 0}));
    row.destination = destination_at<Stored>(rows, {r, 0});
    row.rows = 1;
    if (whole != 0) narrow_blocks<Stored, Codec>(row, mode);
    narrow_rest<Stored, Codec>(source_at(rows, rest), destination_at<Stored>(rows, rest),
                               rows.n - whole, mode);
  }
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

// Where a value narrows to what is stored beside it, the value, else what is stored.
template <typename Stored, class Codec>
bool widen_beside_with(const std::byte* stored, const float* values, float* out, std::size_t n,
                       Overflow mode) {
  const Floats d;
  constexpr std::size_t lanes = hn::MaxLanes(d), bytes = sizeof(Stored);
  const U overflow = constant(Codec::overflow_pattern(mode));
  F nans = hn::Zero(d);  // NaN where one was seen
  const auto chosen = [&](U bits, F value) {
    const hn::Mask<Words> rounds_to_it = hn::Eq(Codec::encode(value, overflow), bits);
    const F one = hn::IfThenElse(hn::RebindMask(d, rounds_to_it), value, Codec::decode(bits));
    nans = hn::IfThenElse(hn::IsNaN(one), one, nans);
    return one;
  };
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::StoreU(chosen(load<Stored>(stored + i * bytes), hn::LoadU(d, values + i)), d, out + i);
  }
  if (i < n) {
    HWY_ALIGN std::array<std::byte, lanes * bytes> last{};
    HWY_ALIGN std::array<float, lanes> beside{}, taken;
    std::memcpy(last.data(), stored + i * bytes, (n - i) * bytes);
    std::memcpy(beside.data(), values + i, (n - i) * sizeof(float));
    hn::StoreU(chosen(load<Stored>(last.data()), hn::LoadU(d, beside.data())), d, taken.data());
    std::memcpy(out + i, taken.data(), (n - i) * sizeof(float));
  }
  return !hn::AllFalse(d, hn::IsNaN(nans));
}

template <typename Stored, class Codec>
bool is_stored_as_with(const std::byte* stored, const float* values, std::size_t n) {
  const Floats d;
  constexpr std::size_t lanes = hn::MaxLanes(d), bytes = sizeof(Stored);
  const auto same = [&](const std::byte* bits, const float* beside) {
    const U exact = bits_of(Codec::decode(load<Stored>(bits)));
    return hn::AllTrue(Words(), hn::Eq(exact, bits_of(hn::LoadU(d, beside))));
  };
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    if (!same(stored + i * bytes, values + i)) return false;
  }
  if (i == n) return true;
  HWY_ALIGN std::array<std::byte, lanes * bytes> last{};
  HWY_ALIGN std::array<float, lanes> beside{};  // zeros are stored as zeros
  std::memcpy(last.data(), stored + i * bytes, (n - i) * bytes);
  std::memcpy(beside.data(), values + i, (n - i) * sizeof(float));
  return same(last.data(), beside.data());
}

bool has_nan_vectors(const float* values, std::size_t n) {
  const Floats d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  F nans = hn::Zero(d);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const F x = hn::LoadU(d, values + i);
    nans = hn::IfThenElse(hn::IsNaN(x), x, nans);
  }
  bool found = !hn::AllFalse(d, hn::IsNaN(nans));
  for (; i < n; ++i) found = found || std::isnan(values[i]);
  return found;
}

// The formats, listed once per direction.

// f.operator()<stored word, codec>() of a format of low precision.
template <typename F>
HWY_INLINE bool with_low_precision(DType dtype, F&& f) {
  using std::uint16_t, std::uint8_t;
  switch (dtype) {
    case DType::bfloat16: return f.template operator()<uint16_t, FloatCodec<bfloat16_format>>();
    case DType::float8_e3m4:
      return f.template operator()<uint8_t, FloatCodec<float8_e3m4_format>>();
    case DType::float8_e4m3:
      return f.template operator()<uint8_t, FloatCodec<float8_e4m3_format>>();
    case DType::float8_e4m3fn:
      return f.template operator()<uint8_t, FloatCodec<float8_e4m3fn_format>>();
    case DType::float8_e5m2:
      return f.template operator()<uint8_t, FloatCodec<float8_e5m2_format>>();
    default: base::fail("no values lie beside this format");
  }
}

bool widen_beside_vectors(DType dtype, const std::byte* stored, const float* values, float* out,
                          std::size_t n, Overflow mode) {
  return with_low_precision(dtype, [&]<typename Stored, class Codec>() {
    return widen_beside_with<Stored, Codec>(stored, values, out, n, mode);
  });
}

bool is_stored_as_vectors(DType dtype, const std::byte* stored, const float* values,
                          std::size_t n) {
  return with_low_precision(dtype, [&]<typename Stored, class Codec>() {
    return is_stored_as_with<Stored, Codec>(stored, values, n);
  });
}

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

void narrow_vectors(DType dtype, const RowsOfFloats& rows, Overflow mode) {
  using std::uint16_t, std::uint32_t, std::uint8_t;
  switch (dtype) {
    case DType::bool_: return narrow_with<uint8_t, BoolCodec>(rows, mode);
    case DType::int8: return narrow_with<uint8_t, SmallIntegerCodec<8, true>>(rows, mode);
    case DType::uint8: return narrow_with<uint8_t, SmallIntegerCodec<8, false>>(rows, mode);
    case DType::int16: return narrow_with<uint16_t, SmallIntegerCodec<16, true>>(rows, mode);
    case DType::uint16: return narrow_with<uint16_t, SmallIntegerCodec<16, false>>(rows, mode);
    case DType::int32: return narrow_with<uint32_t, Int32Codec>(rows, mode);
    case DType::uint32: return narrow_with<uint32_t, Uint32Codec>(rows, mode);
    case DType::tfloat32: return narrow_with<uint32_t, Tfloat32Codec>(rows, mode);
    case DType::bfloat16: return narrow_with<uint16_t, FloatCodec<bfloat16_format>>(rows, mode);
    case DType::float16: return narrow_with<uint16_t, FloatCodec<float16_format>>(rows, mode);
    case DType::float8_e3m4:
      return narrow_with<uint8_t, FloatCodec<float8_e3m4_format>>(rows, mode);
    case DType::float8_e4m3:
      return narrow_with<uint8_t, FloatCodec<float8_e4m3_format>>(rows, mode);
    case DType::float8_e4m3fn:
      return narrow_with<uint8_t, FloatCodec<float8_e4m3fn_format>>(rows, mode);
    case DType::float8_e5m2:
      return narrow_with<uint8_t, FloatCodec<float8_e5m2_format>>(rows, mode);
    case DType::float8_e8m0fnu: return narrow_with<uint8_t, E8m0Codec>(rows, mode);
    case DType::float4_e2m1fn:
      return narrow_with<uint8_t, FloatCodec<float4_e2m1fn_format>>(rows, mode);
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
HWY_EXPORT(has_nan_vectors);
HWY_EXPORT(widen_beside_vectors);
HWY_EXPORT(is_stored_as_vectors);

void widen_row(DType dtype, const std::byte* source, float* destination, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(widen_vectors)(dtype, source, destination, n);
}

void narrow_to_nearest(DType dtype, const RowsOfFloats& rows, Overflow overflow) {
  HWY_DYNAMIC_DISPATCH(narrow_vectors)(dtype, rows, overflow);
}

void narrow_row_stochastic(DType dtype, const float* source, const std::uint32_t* random,
                           std::byte* destination, std::size_t n, Overflow overflow) {
  HWY_DYNAMIC_DISPATCH(narrow_stochastic_vectors)(dtype, source, random, destination, n, overflow);
}

bool has_nan(const float* values, std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(has_nan_vectors)(values, n);
}

bool widen_beside(DType dtype, const std::byte* stored, const float* values, float* out,
                  std::size_t n, Overflow overflow) {
  return HWY_DYNAMIC_DISPATCH(widen_beside_vectors)(dtype, stored, values, out, n, overflow);
}

bool is_stored_as(DType dtype, const std::byte* stored, const float* values, std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(is_stored_as_vectors)(dtype, stored, values, n);
}

}  // namespace trainyard::numerics
#endif  // HWY_ONCE
