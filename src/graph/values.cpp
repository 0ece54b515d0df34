#include "graph/values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "numerics/convert.h"

namespace trainyard::graph {

namespace {

enum class Specials : std::uint8_t {
  ieee,           // the top exponent holds infinity and NaN
  nan_only,       // all ones is NaN, no infinity
  unsigned_zero,  // the pattern of minus zero is NaN, no infinity
  none,           // every pattern is a number
};

struct Layout {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Specials specials;

  [[nodiscard]] std::uint64_t sign() const { return 1ull << (exponent_bits + mantissa_bits); }
  [[nodiscard]] std::uint64_t top_exponent() const {
    return ((1ull << exponent_bits) - 1) << mantissa_bits;
  }
  [[nodiscard]] std::uint64_t largest() const {
    switch (specials) {
      case Specials::ieee: return top_exponent() - 1;
      case Specials::nan_only: return sign() - 2;
      default: return sign() - 1;
    }
  }
  [[nodiscard]] std::uint64_t nan(std::uint64_t sign_bit) const {
    switch (specials) {
      case Specials::ieee: return sign_bit | top_exponent() | (1ull << (mantissa_bits - 1));
      case Specials::nan_only: return sign_bit | (sign() - 1);
      case Specials::unsigned_zero: return sign();
      case Specials::none: return 0;
    }
    return 0;
  }
  [[nodiscard]] std::uint64_t overflow(std::uint64_t sign_bit) const {
    if (specials == Specials::ieee) return sign_bit | top_exponent();
    return specials == Specials::none ? sign_bit | largest() : nan(sign_bit);
  }
};

Layout layout_of(ElementType format) {
  switch (format) {
    case ElementType::f4e2m1fn: return {2, 1, 1, Specials::none};
    case ElementType::f6e2m3fn: return {2, 3, 1, Specials::none};
    case ElementType::f6e3m2fn: return {3, 2, 3, Specials::none};
    case ElementType::f8e3m4: return {3, 4, 3, Specials::ieee};
    case ElementType::f8e4m3: return {4, 3, 7, Specials::ieee};
    case ElementType::f8e4m3b11fnuz: return {4, 3, 11, Specials::unsigned_zero};
    case ElementType::f8e4m3fn: return {4, 3, 7, Specials::nan_only};
    case ElementType::f8e4m3fnuz: return {4, 3, 8, Specials::unsigned_zero};
    case ElementType::f8e5m2: return {5, 2, 15, Specials::ieee};
    case ElementType::f8e5m2fnuz: return {5, 2, 16, Specials::unsigned_zero};
    case ElementType::bf16: return {8, 7, 127, Specials::ieee};
    case ElementType::f16: return {5, 10, 15, Specials::ieee};
    case ElementType::tf32: return {8, 10, 127, Specials::ieee};
    default: base::fail("a layout is asked for only of small formats");
  }
}

constexpr int tf32_unused_bits = 13;  // of the 32 that it is stored in

double decode(const Layout& layout, std::uint64_t pattern) {
  const bool negative = (pattern & layout.sign()) != 0;
  const std::uint64_t magnitude = pattern & (layout.sign() - 1);
  const bool is_nan_zero = layout.specials == Specials::unsigned_zero && pattern == layout.sign();
  if (magnitude > layout.largest() || is_nan_zero) {
    const bool infinite = layout.specials == Specials::ieee && magnitude == layout.top_exponent();
    const double value = infinite ? std::numeric_limits<double>::infinity()
                                  : std::numeric_limits<double>::quiet_NaN();
    return negative ? -value : value;
  }
  const auto exponent = static_cast<int>(magnitude >> layout.mantissa_bits);
  const std::uint64_t fraction = magnitude & ((1ull << layout.mantissa_bits) - 1);
  const std::uint64_t significand =
      exponent == 0 ? fraction : fraction | (1ull << layout.mantissa_bits);
  const int scale = (exponent == 0 ? 1 : exponent) - layout.bias - layout.mantissa_bits;
  const double value = std::ldexp(static_cast<double>(significand), scale);
  return negative ? -value : value;
}

std::uint64_t encode(const Layout& layout, double value) {
  const std::uint64_t sign = std::signbit(value) ? layout.sign() : 0;
  if (std::isnan(value)) return layout.nan(sign);
  if (std::isinf(value)) return layout.overflow(sign);
  const double magnitude = std::fabs(value);
  const bool keeps_sign = layout.specials != Specials::unsigned_zero;
  if (magnitude == 0) return keeps_sign ? sign : 0;
  const int exponent = std::max(std::ilogb(magnitude), 1 - layout.bias);
  // Exact, since only the exponent changes; then one rounding to the last kept place.
  const double kept = std::nearbyint(std::ldexp(magnitude, layout.mantissa_bits - exponent));
  const std::uint64_t field = static_cast<std::uint64_t>(exponent + layout.bias - 1)
                              << layout.mantissa_bits;
  const std::uint64_t pattern = field + static_cast<std::uint64_t>(kept);
  if (pattern > layout.largest()) return layout.overflow(sign);
  return pattern == 0 && !keeps_sign ? 0 : sign | pattern;
}

}  // namespace

double float_value(ElementType format, std::uint64_t pattern) {
  switch (format) {
    case ElementType::f64: return std::bit_cast<double>(pattern);
    case ElementType::f32:
      return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(pattern)));
    case ElementType::tf32:
      return decode(layout_of(format), (pattern & 0xFFFFFFFFu) >> tf32_unused_bits);
    case ElementType::f8e8m0fnu:
      return static_cast<double>(numerics::to_float(numerics::DType::float8_e8m0fnu,
                                                    static_cast<std::uint32_t>(pattern & 0xFF)));
    default: {
      const Layout layout = layout_of(format);
      return decode(layout, pattern & (2 * layout.sign() - 1));
    }
  }
}

std::uint64_t float_pattern(ElementType format, double value) {
  switch (format) {
    case ElementType::f64: return std::bit_cast<std::uint64_t>(value);
    case ElementType::f32: return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    case ElementType::tf32: return encode(layout_of(format), value) << tf32_unused_bits;
    case ElementType::f8e8m0fnu:
      return numerics::from_float(numerics::DType::float8_e8m0fnu, static_cast<float>(value));
    default: return encode(layout_of(format), value);
  }
}

void normalise_small_integers(ElementType type, std::span<std::byte> content) {
  if (type == ElementType::pred) {
    for (std::byte& value : content) value = value == std::byte{0} ? std::byte{0} : std::byte{1};
    return;
  }
  if (bits(type) >= 8 || is_complex(type)) return;
  const int unused = 8 - bits(type);
  for (std::byte& value : content) {
    const auto raised = static_cast<std::uint8_t>(std::to_integer<unsigned>(value) << unused);
    if (is_signed(type)) {
      value = static_cast<std::byte>(static_cast<std::int8_t>(raised) >> unused);
    } else {
      value = static_cast<std::byte>(raised >> unused);
    }
  }
}

bool is_all_zero(const Literal& literal) {
  return std::ranges::all_of(literal.content, [](std::byte each) { return each == std::byte{0}; });
}

Literal filled(Type type, double number) {
  const ElementType element = type.element;
  std::uint64_t pattern = 0;
  if (is_float(element)) {
    pattern = float_pattern(element, number);
  } else if (is_complex(element)) {  // the real part comes first
    pattern =
        float_pattern(element == ElementType::c64 ? ElementType::f32 : ElementType::f64, number);
  } else if (is_signed(element)) {
    pattern = static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
  } else {
    pattern = static_cast<std::uint64_t>(number);
  }
  Literal literal{.type = std::move(type), .splat = true};
  literal.content.resize(static_cast<std::size_t>(size_in_bytes(element)));
  std::memcpy(literal.content.data(), &pattern, std::min(sizeof pattern, literal.content.size()));
  normalise_small_integers(element, literal.content);
  return literal;
}

}  // namespace trainyard::graph
