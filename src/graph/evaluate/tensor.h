// Values while a program is evaluated, and their elements as C++ numbers. A tensor's bytes are
// shared and never change. Numbers come in six computing types: float (all formats up to 32 bits),
// double, int64, uint64 (booleans too), and the two complex ones.
#pragma once

#include <complex>
#include <cstring>
#include <memory>
#include <utility>

#include "graph/module.h"

namespace trainyard::graph {

using Content = std::vector<std::byte>;
using Shape = std::vector<std::int64_t>;
using Index = std::span<const std::int64_t>;

struct Value {
  Type type{};
  std::shared_ptr<const Content> bytes{};  // of a tensor: row-major
  std::vector<Value> parts{};              // of a tuple

  [[nodiscard]] const Shape& shape() const { return type.shape; }
  [[nodiscard]] std::int64_t elements() const { return type.elements(); }
};

[[nodiscard]] Value make_value(Type type, Content bytes);
[[nodiscard]] Value from_literal(const Literal& literal);
[[nodiscard]] Literal to_literal(const Value& value);

template <typename T>
inline constexpr bool is_complex_number = false;
template <typename T>
inline constexpr bool is_complex_number<std::complex<T>> = true;

// All elements as numbers of type T, and back with rounding, wrapping or saturating as "convert"
// does. Instantiated for the six computing types.
template <typename T>
[[nodiscard]] std::vector<T> numbers(const Value& value);
template <typename T>
[[nodiscard]] Value tensor_of(Type type, const std::vector<T>& numbers);

// Calls action(T{}) with the computing type of a format.
template <typename Action>
auto with_number_of(ElementType type, Action action) {
  if (type == ElementType::c64) return action(std::complex<float>{});
  if (type == ElementType::c128) return action(std::complex<double>{});
  if (type == ElementType::f64) return action(double{});
  if (is_float(type)) return action(float{});
  if (is_signed(type)) return action(std::int64_t{});
  return action(std::uint64_t{});
}

// The integers in a tensor, as dynamic_slice and its kin take them.
[[nodiscard]] std::vector<std::int64_t> integers_in(const Value& value);
[[nodiscard]] bool truth_of(const Value& value);

// Calls action(index) for every index of a shape, the last dimension fastest.
template <typename Action>
void for_each_index(const Shape& shape, Action action) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  Shape index(shape.size(), 0);
  for (std::int64_t left = count; left > 0; --left) {
    action(Index(index));
    for (std::size_t d = shape.size(); d-- > 0;) {
      if (++index[d] < shape[d]) break;
      index[d] = 0;
    }
  }
}

[[nodiscard]] inline std::int64_t offset_of(Index index, const Shape& steps) {
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < index.size(); ++d) offset += index[d] * steps[d];
  return offset;
}

}  // namespace trainyard::graph
