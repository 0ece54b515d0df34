// What a value of a tensor program is: a tensor of one element type and static shape, a token, or a
// tuple. Anything else that a program may hold (unranked tensors, buffers, futures, quantised
// elements) is kept as text, so that it can be printed and refused by name.
// Source: StableHLO specification, "Types".
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/dtype.h"

namespace trainyard::graph {

// Named as StableHLO writes them: pred is "i1", s32 "i32", u8 "ui8".
enum class ElementType : std::uint8_t {
  pred,
  s2,
  s4,
  s8,
  s16,
  s32,
  s64,
  u2,
  u4,
  u8,
  u16,
  u32,
  u64,
  f4e2m1fn,
  f6e2m3fn,
  f6e3m2fn,
  f8e3m4,
  f8e4m3,
  f8e4m3b11fnuz,
  f8e4m3fn,
  f8e4m3fnuz,
  f8e5m2,
  f8e5m2fnuz,
  f8e8m0fnu,
  bf16,
  f16,
  f32,
  tf32,
  f64,
  c64,
  c128,
};
inline constexpr int element_type_count = static_cast<int>(ElementType::c128) + 1;

[[nodiscard]] std::string_view name(ElementType type);  // "f32", "i1", "ui8", "complex<f32>"
[[nodiscard]] std::optional<ElementType> element_type_from_name(std::string_view name);
[[nodiscard]] int bits(ElementType type);  // of one element's value: 1, 2, 4, 6, 8, ... 128
// Of one element in a Literal and in a host buffer: formats under a byte take a byte each.
[[nodiscard]] int size_in_bytes(ElementType type);
// The machine's format with the same values, where there is one.
[[nodiscard]] std::optional<numerics::DType> dtype_of(ElementType type);

[[nodiscard]] constexpr bool is_signed(ElementType t) {
  return t >= ElementType::s2 && t <= ElementType::s64;
}
[[nodiscard]] constexpr bool is_unsigned(ElementType t) {
  return t >= ElementType::u2 && t <= ElementType::u64;
}
[[nodiscard]] constexpr bool is_integer(ElementType t) { return is_signed(t) || is_unsigned(t); }
[[nodiscard]] constexpr bool is_float(ElementType t) {
  return t >= ElementType::f4e2m1fn && t <= ElementType::f64;
}
[[nodiscard]] constexpr bool is_complex(ElementType t) { return t >= ElementType::c64; }

inline constexpr std::int64_t dynamic_extent = -1;  // a dimension whose size is not static

struct Type {
  enum class Kind : std::uint8_t { tensor, token, tuple, other };
  Kind kind = Kind::tensor;
  ElementType element = ElementType::f32;  // of a quantised tensor: what is stored
  std::vector<std::int64_t> shape{};       // slowest dimension first
  std::vector<Type> parts{};               // of a tuple
  std::string quantized{};                 // "!quant.uniform<i8:f32, 34:16>", or empty
  std::string encoding{};                  // "#stablehlo.bounds<16, ?>", or empty
  std::string text{};                      // of another kind: "tensor<*xf32>", "index"

  [[nodiscard]] int rank() const { return static_cast<int>(shape.size()); }
  [[nodiscard]] bool is_static() const;
  [[nodiscard]] std::int64_t elements() const;  // of a static tensor
  [[nodiscard]] std::int64_t bytes() const {    // likewise; a token has none
    return kind == Kind::token ? 0 : elements() * size_in_bytes(element);
  }
  friend bool operator==(const Type&, const Type&) = default;
};

[[nodiscard]] Type other_type(std::string text);

[[nodiscard]] std::string to_string(const Type& type);  // "tensor<2x3xf32>"

// Row-major steps, in elements, of a tensor of this shape.
[[nodiscard]] std::vector<std::int64_t> row_major_steps(std::span<const std::int64_t> shape);

}  // namespace trainyard::graph
