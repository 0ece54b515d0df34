#include "graph/evaluate/tensor.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "graph/values.h"

namespace trainyard::graph {

namespace {

std::uint64_t pattern_at(const std::byte* at, std::size_t size) {
  std::uint64_t pattern = 0;
  std::memcpy(&pattern, at, size);
  return pattern;
}

std::int64_t signed_pattern_at(const std::byte* at, std::size_t size) {
  const auto unused = static_cast<int>(64 - 8 * size);
  return static_cast<std::int64_t>(pattern_at(at, size) << unused) >> unused;
}

template <typename Part>
std::complex<Part> complex_at(const std::byte* at) {
  std::array<Part, 2> parts;
  std::memcpy(parts.data(), at, sizeof parts);
  return {parts[0], parts[1]};
}

float small_float(ElementType type, std::uint64_t pattern) {
  if (type == ElementType::bf16) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(pattern) << 16);
  }
  return static_cast<float>(float_value(type, pattern));
}

// One element; T is any computing type, whatever the format.
template <typename T>
T element_at(ElementType type, const std::byte* at, std::size_t size) {
  if constexpr (is_complex_number<T>) {
    using Part = typename T::value_type;
    if (type == ElementType::c64) return T(complex_at<float>(at));
    if (type == ElementType::c128) return static_cast<T>(complex_at<double>(at));
    return T(element_at<Part>(type, at, size));
  } else {
    if (type == ElementType::c64) return element_at<T>(ElementType::f32, at, sizeof(float));
    if (type == ElementType::c128) return element_at<T>(ElementType::f64, at, sizeof(double));
    if (is_signed(type)) return static_cast<T>(signed_pattern_at(at, size));
    if (!is_float(type)) return static_cast<T>(pattern_at(at, size));
    const std::uint64_t pattern = pattern_at(at, size);
    if constexpr (std::is_same_v<T, float>) {
      if (type != ElementType::f64) return small_float(type, pattern);
    }
    return static_cast<T>(float_value(type, pattern));
  }
}

// The nearest integer towards zero that `type` holds.
std::uint64_t saturated(ElementType type, double value) {
  const int width = bits(type);
  if (std::isnan(value)) return 0;
  if (is_unsigned(type)) {
    const double limit = std::ldexp(1.0, width);
    if (value <= 0) return 0;
    if (value >= limit) return width == 64 ? ~0ull : (1ull << width) - 1;
    return static_cast<std::uint64_t>(value);
  }
  const double limit = std::ldexp(1.0, width - 1);
  if (value >= limit) return (1ull << (width - 1)) - 1;
  if (value < -limit) return ~((1ull << (width - 1)) - 1);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
}

template <typename T>
std::uint64_t real_pattern(ElementType type, T value) {
  if (type == ElementType::pred) return value != T{} ? 1 : 0;
  if constexpr (std::is_integral_v<T>) {
    if (is_integer(type)) return static_cast<std::uint64_t>(value);
    if (type == ElementType::f64) return float_pattern(type, static_cast<double>(value));
    return float_pattern(type, static_cast<double>(static_cast<float>(value)));
  } else {
    if (is_integer(type)) return saturated(type, static_cast<double>(value));
    if constexpr (std::is_same_v<T, float>) {
      if (type == ElementType::f32) return std::bit_cast<std::uint32_t>(value);
    }
    return float_pattern(type, static_cast<double>(value));
  }
}

template <typename T>
void put_element(ElementType type, T value, std::byte* at, std::size_t size) {
  if constexpr (is_complex_number<T>) {
    if (!is_complex(type)) return put_element(type, value.real(), at, size);
    const ElementType part = type == ElementType::c64 ? ElementType::f32 : ElementType::f64;
    put_element(part, value.real(), at, size / 2);
    put_element(part, value.imag(), at + size / 2, size / 2);
  } else if (is_complex(type)) {
    using Wide = std::conditional_t<std::is_same_v<T, float>, float, double>;
    put_element(type, std::complex<Wide>(static_cast<Wide>(value)), at, size);
  } else {
    const std::uint64_t pattern = real_pattern(type, value);
    std::memcpy(at, &pattern, size);
  }
}

// Formats that are stored as the computing type itself.
template <typename T>
bool stored_as(ElementType type) {
  if constexpr (std::is_same_v<T, float>) return type == ElementType::f32;
  if constexpr (std::is_same_v<T, double>) return type == ElementType::f64;
  if constexpr (std::is_same_v<T, std::int64_t>) return type == ElementType::s64;
  if constexpr (std::is_same_v<T, std::uint64_t>) return type == ElementType::u64;
  if constexpr (std::is_same_v<T, std::complex<float>>) return type == ElementType::c64;
  return type == ElementType::c128 && is_complex_number<T>;
}

template <typename Stored, typename T>
void widen(const Content& bytes, std::vector<T>& into) {
  for (std::size_t i = 0; i < into.size(); ++i) {
    Stored value;
    std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
    into[i] = static_cast<T>(value);
  }
}

}  // namespace

Value make_value(Type type, Content bytes) {
  return {std::move(type), std::make_shared<const Content>(std::move(bytes)), {}};
}

Value from_literal(const Literal& literal) {
  if (literal.type.kind != Type::Kind::tensor) return {literal.type, {}, {}};
  Content content = literal.expanded();
  normalise_small_integers(literal.type.element, content);
  return make_value(literal.type, std::move(content));
}

Literal to_literal(const Value& value) {
  return {.type = value.type, .content = value.bytes == nullptr ? Content{} : *value.bytes};
}

template <typename T>
std::vector<T> numbers(const Value& value) {
  const ElementType type = value.type.element;
  const auto size = static_cast<std::size_t>(size_in_bytes(type));
  std::vector<T> all(value.bytes->size() / size);
  if (stored_as<T>(type)) {
    if (!all.empty())
      std::memcpy(static_cast<void*>(all.data()), value.bytes->data(), value.bytes->size());
    return all;
  }
  if constexpr (!is_complex_number<T>) {
    if (type == ElementType::s32) return widen<std::int32_t>(*value.bytes, all), all;
    if (type == ElementType::u32) return widen<std::uint32_t>(*value.bytes, all), all;
    if (type == ElementType::pred) return widen<std::uint8_t>(*value.bytes, all), all;
    if (type == ElementType::f32 && !std::is_integral_v<T>)
      return widen<float>(*value.bytes, all), all;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = element_at<T>(type, value.bytes->data() + i * size, size);
  }
  return all;
}

template <typename T>
Value tensor_of(Type type, const std::vector<T>& numbers) {
  const auto size = static_cast<std::size_t>(size_in_bytes(type.element));
  Content bytes(numbers.size() * size);
  if (stored_as<T>(type.element)) {
    if (!numbers.empty())
      std::memcpy(bytes.data(), static_cast<const void*>(numbers.data()), bytes.size());
  } else {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      put_element(type.element, numbers[i], bytes.data() + i * size, size);
    }
    if (bits(type.element) < 8 && is_integer(type.element)) {
      normalise_small_integers(type.element, bytes);
    }
  }
  return make_value(std::move(type), std::move(bytes));
}

template std::vector<float> numbers(const Value&);
template std::vector<double> numbers(const Value&);
template std::vector<std::int64_t> numbers(const Value&);
template std::vector<std::uint64_t> numbers(const Value&);
template std::vector<std::complex<float>> numbers(const Value&);
template std::vector<std::complex<double>> numbers(const Value&);
template Value tensor_of(Type, const std::vector<float>&);
template Value tensor_of(Type, const std::vector<double>&);
template Value tensor_of(Type, const std::vector<std::int64_t>&);
template Value tensor_of(Type, const std::vector<std::uint64_t>&);
template Value tensor_of(Type, const std::vector<std::complex<float>>&);
template Value tensor_of(Type, const std::vector<std::complex<double>>&);

std::vector<std::int64_t> integers_in(const Value& value) { return numbers<std::int64_t>(value); }

bool truth_of(const Value& value) { return integers_in(value).at(0) != 0; }

}  // namespace trainyard::graph
