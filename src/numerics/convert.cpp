#include "numerics/convert.h"

#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/error.h"
#include "numerics/convert_rows.h"
#include "numerics/float_format.h"

namespace trainyard::numerics {

namespace {

const FloatFormat& format_of(DType dtype) {
  switch (dtype) {
    case DType::bfloat16: return bfloat16_format;
    case DType::float16: return float16_format;
    case DType::float8_e3m4: return float8_e3m4_format;
    case DType::float8_e4m3: return float8_e4m3_format;
    case DType::float8_e4m3fn: return float8_e4m3fn_format;
    case DType::float8_e5m2: return float8_e5m2_format;
    case DType::float4_e2m1fn: return float4_e2m1fn_format;
    default: base::fail("no such floating-point layout");
  }
}

float tfloat32_to_float(std::uint32_t bits) { return decode(tfloat32_format, bits >> 13); }

float e8m0_to_float(std::uint32_t bits) {
  if (bits == 0xFF) return std::bit_cast<float>(float32_quiet_nan);
  return power_of_two(static_cast<int>(bits) - 127);
}

std::uint32_t e8m0_from_float(float value, const Narrowing& narrowing) {
  constexpr std::uint32_t nan = 0xFF, largest = 0xFE;
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if (bits == 0 || bits > float32_infinity) return nan;  // zero, negative or NaN
  if (bits == float32_infinity) return narrowing.overflow == Overflow::saturate ? largest : nan;
  if (bits <= 0x00400000u) return 0;  // at most 2^-127
  const int leading = 31 - std::countl_zero(bits & 0x007FFFFFu);
  const bool subnormal = bits < 0x00800000u;
  const int exponent = subnormal ? 0 : static_cast<int>(bits >> 23);
  const std::uint32_t significand = subnormal ? bits : (bits & 0x007FFFFFu) | 0x00800000u;
  const std::uint64_t kept = shift_right_rounded(significand, subnormal ? leading : 23,
                                                 narrowing.rounding, narrowing.random_bits);
  const std::uint32_t encoded =
      static_cast<std::uint32_t>(exponent) + static_cast<std::uint32_t>(kept) - 1;
  if (encoded > largest) return narrowing.overflow == Overflow::saturate ? largest : nan;
  return encoded;
}

// The integer nearest to value under the rounding mode, clamped to the range of T; NaN is 0.
template <typename T>
T integer_from_float(float value, const Narrowing& narrowing) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value), magnitude = bits & ~float32_sign;
  const bool negative = (bits & float32_sign) != 0;
  constexpr T lowest = std::numeric_limits<T>::min(), highest = std::numeric_limits<T>::max();
  if (magnitude > float32_infinity) return 0;
  const int exponent = static_cast<int>(magnitude >> 23) - 127;
  if (exponent >= 64) return negative ? lowest : highest;
  const std::uint64_t significand =
      exponent == -127 ? magnitude : (magnitude & 0x007FFFFFu) | 0x00800000u;
  const int shift = 23 - (exponent == -127 ? -126 : exponent);
  const std::uint64_t rounded =
      shift <= 0
          ? significand << -shift
          : shift_right_rounded(significand, shift, narrowing.rounding, narrowing.random_bits);
  const std::uint64_t bound = negative ? std::uint64_t{0} - static_cast<std::uint64_t>(lowest)
                                       : static_cast<std::uint64_t>(highest);
  if (rounded >= bound) return negative ? lowest : highest;
  return static_cast<T>(negative ? std::uint64_t{0} - rounded : rounded);
}

template <typename T>
std::uint32_t integer_pattern(float value, const Narrowing& narrowing) {
  return static_cast<std::make_unsigned_t<T>>(integer_from_float<T>(value, narrowing));
}

// The 64-bit integers have no vector form: rows of them are rare.
template <typename T>
void widen_integers(const std::byte* source, float* destination, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    T value;
    std::memcpy(&value, source + i * sizeof value, sizeof value);
    destination[i] = static_cast<float>(value);
  }
}

template <typename T>
void narrow_integers(const float* source, std::byte* destination, std::size_t n,
                     Narrowing narrowing, std::span<const std::uint32_t> random) {
  for (std::size_t i = 0; i < n; ++i) {
    if (!random.empty()) narrowing.random_bits = random[i];
    const T value = integer_from_float<T>(source[i], narrowing);
    std::memcpy(destination + i * sizeof value, &value, sizeof value);
  }
}

// Stochastic rounding to the formats that have no vector form of it.
void narrow_each(DType dtype, const float* source, std::byte* destination, std::size_t n,
                 Narrowing narrowing, std::span<const std::uint32_t> random) {
  const auto bytes = static_cast<std::size_t>(size_in_bytes(dtype));
  for (std::size_t i = 0; i < n; ++i) {
    narrowing.random_bits = random[i];
    const std::uint32_t bits = from_float(dtype, source[i], narrowing);
    std::memcpy(destination + i * bytes, &bits,
                bytes);  // the low bytes come first on every supported host
  }
}
static_assert(std::endian::native == std::endian::little);

}  // namespace

float to_float(DType dtype, std::uint32_t bits) {
  switch (dtype) {
    case DType::bool_: return (bits & 0xFF) != 0 ? 1.0f : 0.0f;
    case DType::int8: return static_cast<float>(static_cast<std::int8_t>(bits));
    case DType::uint8: return static_cast<float>(static_cast<std::uint8_t>(bits));
    case DType::int16: return static_cast<float>(static_cast<std::int16_t>(bits));
    case DType::uint16: return static_cast<float>(static_cast<std::uint16_t>(bits));
    case DType::int32: return static_cast<float>(static_cast<std::int32_t>(bits));
    case DType::uint32: return static_cast<float>(bits);
    case DType::float32: return std::bit_cast<float>(bits);
    case DType::tfloat32: return tfloat32_to_float(bits);
    case DType::float8_e8m0fnu: return e8m0_to_float(bits & 0xFF);
    default: return decode(format_of(dtype), bits);
  }
}

std::uint32_t from_float(DType dtype, float value, Narrowing narrowing) {
  switch (dtype) {
    case DType::bool_: return value != 0 ? 1 : 0;
    case DType::int8: return integer_pattern<std::int8_t>(value, narrowing);
    case DType::uint8: return integer_pattern<std::uint8_t>(value, narrowing);
    case DType::int16: return integer_pattern<std::int16_t>(value, narrowing);
    case DType::uint16: return integer_pattern<std::uint16_t>(value, narrowing);
    case DType::int32: return integer_pattern<std::int32_t>(value, narrowing);
    case DType::uint32: return integer_pattern<std::uint32_t>(value, narrowing);
    case DType::float32: return std::bit_cast<std::uint32_t>(value);
    case DType::tfloat32: return encode(tfloat32_format, value, narrowing) << 13;
    case DType::float8_e8m0fnu: return e8m0_from_float(value, narrowing);
    default: return encode(format_of(dtype), value, narrowing);
  }
}

void widen(DType dtype, const std::byte* source, float* destination, std::size_t n) {
  if (n == 0) return;  // the pointers of an empty row may be null, which memcpy does not allow
  switch (dtype) {
    case DType::float32: std::memcpy(destination, source, n * sizeof(float)); return;
    case DType::int64: return widen_integers<std::int64_t>(source, destination, n);
    case DType::uint64: return widen_integers<std::uint64_t>(source, destination, n);
    default: widen_row(dtype, source, destination, n);
  }
}

void narrow(DType dtype, const float* source, std::byte* destination, std::size_t n,
            Narrowing narrowing, std::span<const std::uint32_t> random) {
  if (n == 0) return;
  const bool stochastic = narrowing.rounding == RoundingMode::stochastic;
  base::check(!stochastic || random.size() >= n,
              "stochastic rounding of a row needs one random word an element");
  if (!stochastic) random = {};
  switch (dtype) {
    case DType::float32: std::memcpy(destination, source, n * sizeof(float)); return;
    case DType::int64:
      return narrow_integers<std::int64_t>(source, destination, n, narrowing, random);
    case DType::uint64:
      return narrow_integers<std::uint64_t>(source, destination, n, narrowing, random);
    default: break;
  }
  if (!stochastic) {
    narrow_to_nearest(dtype, {reinterpret_cast<const std::byte*>(source), 0, destination, 0, 1, n},
                      narrowing.overflow);
  } else if (is_float(dtype) && dtype != DType::float8_e8m0fnu) {
    narrow_row_stochastic(dtype, source, random.data(), destination, n, narrowing.overflow);
  } else {
    narrow_each(dtype, source, destination, n, narrowing, random);
  }
}

void narrow_rows(DType dtype, const RowsOfFloats& rows, Overflow overflow) {
  if (rows.n == 0) return;
  if (size_in_bytes(dtype) <= 4 && dtype != DType::float32)
    return narrow_to_nearest(dtype, rows, overflow);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const auto row = static_cast<std::ptrdiff_t>(r);
    narrow(dtype, reinterpret_cast<const float*>(rows.source + row * rows.source_stride),
           rows.destination + row * rows.stride, rows.n, {.overflow = overflow});
  }
}

void convert(DType from, const std::byte* source, DType to, std::byte* destination, std::size_t n,
             Narrowing narrowing, std::span<const std::uint32_t> random) {
  if (n == 0) return;
  if (from == to) {
    std::memcpy(destination, source, n * static_cast<std::size_t>(size_in_bytes(from)));
    return;
  }
  constexpr std::size_t block = 1024;
  std::array<float, block> values;
  for (std::size_t start = 0; start < n; start += block) {
    const std::size_t count = n - start < block ? n - start : block;
    widen(from, source + start * static_cast<std::size_t>(size_in_bytes(from)), values.data(),
          count);
    narrow(to, values.data(), destination + start * static_cast<std::size_t>(size_in_bytes(to)),
           count, narrowing,
           random.size() >= start + count ? random.subspan(start, count)
                                          : std::span<const std::uint32_t>{});
  }
}

std::array<float, 4> unpack(DType packed, std::uint32_t word) {
  const int bits = packed == DType::float4_e2m1fn_x4 ? 4 : 8;
  std::array<float, 4> values{};
  for (std::size_t i = 0; i < 4; ++i) {
    values[i] =
        to_float(element_of(packed), (word >> (bits * static_cast<int>(i))) & ((1u << bits) - 1));
  }
  return values;
}

std::uint32_t pack(DType packed, const std::array<float, 4>& values, Narrowing narrowing) {
  const int bits = packed == DType::float4_e2m1fn_x4 ? 4 : 8;
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    word |= from_float(element_of(packed), values[i], narrowing) << (bits * static_cast<int>(i));
  }
  return word;
}

void unpack(DType packed, const std::byte* words, std::byte* elements, std::size_t n) {
  base::check(is_packed(packed), "unpack takes a packed format");
  if (packed != DType::float4_e2m1fn_x4) {
    std::memcpy(elements, words, 4 * n);
    return;
  }
  for (std::size_t i = 0; i < 2 * n; ++i) {
    elements[2 * i] = words[i] & std::byte{0xF};
    elements[2 * i + 1] = words[i] >> 4;
  }
}

void pack(DType packed, const std::byte* elements, std::byte* words, std::size_t n) {
  base::check(is_packed(packed), "pack takes a packed format");
  if (packed != DType::float4_e2m1fn_x4) {
    std::memcpy(words, elements, 4 * n);
    return;
  }
  for (std::size_t i = 0; i < 2 * n; ++i) {
    words[i] = (elements[2 * i] & std::byte{0xF}) | (elements[2 * i + 1] << 4);
  }
}

}  // namespace trainyard::numerics
