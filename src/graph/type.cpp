#include "graph/type.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"

namespace trainyard::graph {

namespace {

using numerics::DType;

struct Format {
  std::string_view name;
  int bits;
  std::optional<DType> dtype;
};

// In the order of the enumeration.
constexpr std::array<Format, element_type_count> element_formats{{
    {"i1", 1, DType::bool_},
    {"i2", 2, {}},
    {"i4", 4, {}},
    {"i8", 8, DType::int8},
    {"i16", 16, DType::int16},
    {"i32", 32, DType::int32},
    {"i64", 64, DType::int64},
    {"ui2", 2, {}},
    {"ui4", 4, {}},
    {"ui8", 8, DType::uint8},
    {"ui16", 16, DType::uint16},
    {"ui32", 32, DType::uint32},
    {"ui64", 64, DType::uint64},
    {"f4E2M1FN", 4, DType::float4_e2m1fn},
    {"f6E2M3FN", 6, {}},
    {"f6E3M2FN", 6, {}},
    {"f8E3M4", 8, DType::float8_e3m4},
    {"f8E4M3", 8, DType::float8_e4m3},
    {"f8E4M3B11FNUZ", 8, {}},
    {"f8E4M3FN", 8, DType::float8_e4m3fn},
    {"f8E4M3FNUZ", 8, {}},
    {"f8E5M2", 8, DType::float8_e5m2},
    {"f8E5M2FNUZ", 8, {}},
    {"f8E8M0FNU", 8, DType::float8_e8m0fnu},
    {"bf16", 16, DType::bfloat16},
    {"f16", 16, DType::float16},
    {"f32", 32, DType::float32},
    {"tf32", 32, DType::tfloat32},
    {"f64", 64, {}},
    {"complex<f32>", 64, {}},
    {"complex<f64>", 128, {}},
}};

const Format& format_of(ElementType type) {
  return element_formats.at(static_cast<std::size_t>(type));
}

}  // namespace

std::string_view name(ElementType type) { return format_of(type).name; }

std::optional<ElementType> element_type_from_name(std::string_view name) {
  const auto* const found = std::ranges::find(element_formats, name, &Format::name);
  if (found == element_formats.end()) return std::nullopt;
  return static_cast<ElementType>(found - element_formats.begin());
}

int bits(ElementType type) { return format_of(type).bits; }

int size_in_bytes(ElementType type) { return std::max(8, bits(type)) / 8; }

std::optional<numerics::DType> dtype_of(ElementType type) { return format_of(type).dtype; }

bool Type::is_static() const { return std::ranges::find(shape, dynamic_extent) == shape.end(); }

std::int64_t Type::elements() const {
  base::check(kind == Kind::tensor && is_static(), "the elements of a static tensor are counted");
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  return count;
}

Type other_type(std::string text) { return {.kind = Type::Kind::other, .text = std::move(text)}; }

std::string to_string(const Type& type) {
  if (type.kind == Type::Kind::token) return "token";
  if (type.kind == Type::Kind::other) return type.text;
  std::string text;
  if (type.kind == Type::Kind::tuple) {
    for (const Type& part : type.parts) text += (text.empty() ? "" : ", ") + to_string(part);
    return fmt::format("tuple<{}>", text);
  }
  for (const std::int64_t extent : type.shape) {
    text += extent == dynamic_extent ? "?x" : fmt::format("{}x", extent);
  }
  text += type.quantized.empty() ? name(type.element) : type.quantized;
  return fmt::format("tensor<{}{}{}>", text, type.encoding.empty() ? "" : ", ", type.encoding);
}

std::vector<std::int64_t> row_major_steps(std::span<const std::int64_t> shape) {
  std::vector<std::int64_t> steps(shape.size(), 1);
  for (std::size_t i = shape.size(); i-- > 1;) steps[i - 1] = steps[i] * shape[i];
  return steps;
}

}  // namespace trainyard::graph
