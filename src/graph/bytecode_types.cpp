// The types of the dialects builtin and vhlo, and what types and attributes share. Sources: MLIR
// BuiltinDialectBytecode.td; StableHLO v1.20, VhloBytecode.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "graph/bytecode_pool.h"
#include "graph/values.h"

namespace trainyard::graph {

namespace {

Type scalar(ElementType element) { return {.element = element}; }

Type integer_type(const Cursor& at, std::uint64_t width_and_sign) {
  constexpr std::uint64_t is_unsigned_mark = 2;
  const std::uint64_t width = width_and_sign >> 2;
  const bool is_unsigned = (width_and_sign & 3) == is_unsigned_mark;
  const auto found = element_type_from_name(fmt::format("{}{}", is_unsigned ? "ui" : "i", width));
  if (!found) at.malformed(fmt::format("an integer of {} bits", width));
  return scalar(*found);
}

Type complex_of(const Cursor& at, const Type& part) {
  if (part.element == ElementType::f32) return scalar(ElementType::c64);
  if (part.element == ElementType::f64) return scalar(ElementType::c128);
  at.malformed(fmt::format("a complex number of {}", name(part.element)));
}

std::string encoding_text(const Attribute& attribute) {
  const auto* const text = std::get_if<std::string>(&attribute.value);
  return text == nullptr ? "#..." : *text;
}

Type ranked_tensor(Cursor& at, BytecodePool& pool, bool has_encoding) {
  std::string encoding = has_encoding ? encoding_text(pool.attribute(at)) : "";
  std::vector<std::int64_t> shape = signed_varints(at);
  Type type = tensor_type(at, std::move(shape), pool.type(at));
  type.encoding = std::move(encoding);
  return type;
}

std::string list_text(const std::vector<Type>& types) {
  std::string text;
  for (const Type& type : types) text += (text.empty() ? "" : ", ") + to_string(type);
  return text;
}

std::string element_text(const Type& element) {
  return element.kind == Type::Kind::tensor ? std::string(name(element.element)) : element.text;
}

Type unranked(const Type& element) {
  return other_type(fmt::format("tensor<*x{}>", element_text(element)));
}

Type quantized(Cursor& at, BytecodePool& pool) {
  static_cast<void>(at.varint());  // flags
  Type type = pool.type(at);
  const Type expressed = pool.type(at);
  const double scale = known_format_float(at, ElementType::f64);
  const std::int64_t zero = at.signed_varint();
  const std::int64_t least = at.signed_varint(), greatest = at.signed_varint();
  type.quantized = fmt::format("!quant.uniform<{}<{}:{}>:{}, {}:{}>", name(type.element), least,
                               greatest, name(expressed.element), scale, zero);
  return type;
}

Type quantized_per_axis(Cursor& at, BytecodePool& pool) {
  static_cast<void>(at.varint());  // flags
  Type type = pool.type(at);
  const Type expressed = pool.type(at);
  const std::uint64_t axis = at.varint();
  const std::int64_t least = at.signed_varint(), greatest = at.signed_varint();
  std::vector<double> scales;
  for (std::size_t left = at.count("scales"); left > 0; --left) {
    scales.push_back(known_format_float(at, ElementType::f64));
  }
  const std::vector<std::int64_t> zeros = signed_varints(at);
  if (zeros.size() != scales.size()) at.malformed("scales and zero points that differ in number");
  std::string text;
  for (std::size_t i = 0; i < scales.size(); ++i) {
    text += fmt::format("{}{}:{}", i == 0 ? "" : ", ", scales[i], zeros[i]);
  }
  type.quantized = fmt::format("!quant.uniform<{}<{}:{}>:{}:{}, {{{}}}>", name(type.element), least,
                               greatest, name(expressed.element), axis, text);
  return type;
}

// What has no parameters, by code.
std::optional<ElementType> vhlo_scalar(std::uint64_t code) {
  using E = ElementType;
  struct Row {
    std::uint64_t code;
    ElementType element;
  };
  constexpr std::array<Row, 29> rows{{
      {0, E::pred},       {2, E::bf16},        {3, E::f16},         {4, E::f32},
      {5, E::f64},        {6, E::f8e4m3fn},    {7, E::f8e5m2},      {10, E::s4},
      {11, E::s8},        {12, E::s16},        {13, E::s32},        {14, E::s64},
      {15, E::u4},        {16, E::u8},         {17, E::u16},        {18, E::u32},
      {19, E::u64},       {27, E::f8e4m3fnuz}, {28, E::f8e5m2fnuz}, {29, E::f8e4m3b11fnuz},
      {31, E::s2},        {32, E::u2},         {34, E::tf32},       {35, E::f8e4m3},
      {36, E::f8e3m4},    {37, E::f4e2m1fn},   {38, E::f6e2m3fn},   {39, E::f6e3m2fn},
      {40, E::f8e8m0fnu},
  }};
  const auto* const found = std::ranges::find(rows, code, &Row::code);
  if (found == rows.end()) return std::nullopt;
  return found->element;
}

}  // namespace

Type tensor_type(const Cursor& at, std::vector<std::int64_t> shape, const Type& element) {
  if (element.kind == Type::Kind::other) {
    return other_type(fmt::format("tensor<{} of {}>", fmt::join(shape, "x"), element.text));
  }
  if (element.kind != Type::Kind::tensor || element.rank() != 0) {
    at.malformed("a tensor whose elements are no numbers");
  }
  constexpr std::int64_t elements_max = std::int64_t{1} << 48;
  std::int64_t elements = 1;
  for (std::int64_t& extent : shape) {
    if (extent == std::numeric_limits<std::int64_t>::min()) extent = dynamic_extent;
    if (extent < dynamic_extent || extent > elements_max) {
      at.malformed(fmt::format("a dimension of {}", extent));
    }
    elements *= std::max<std::int64_t>(extent, 1);
    if (elements > elements_max) at.malformed("a tensor of more than 2^48 elements");
  }
  Type type = element;
  type.shape = std::move(shape);
  return type;
}

std::vector<std::int64_t> signed_varints(Cursor& at) {
  std::vector<std::int64_t> list;
  for (std::size_t left = at.count("numbers"); left > 0; --left) list.push_back(at.signed_varint());
  return list;
}

std::int64_t known_width_integer(Cursor& at, int width) {
  if (width > 8) return at.signed_varint();
  return static_cast<std::int8_t>(at.byte());
}

double known_format_float(Cursor& at, ElementType format) {
  const std::int64_t pattern = known_width_integer(at, bits(format));
  return float_value(format, static_cast<std::uint64_t>(pattern));
}

Type decode_builtin_type(Cursor& at, BytecodePool& pool) {
  const std::uint64_t code = at.varint();
  switch (code) {
    case 0: return integer_type(at, at.varint());
    case 1: return scalar(ElementType::s64);  // index
    case 2: return other_type("function");
    case 3: return scalar(ElementType::bf16);
    case 4: return scalar(ElementType::f16);
    case 5: return scalar(ElementType::f32);
    case 6: return scalar(ElementType::f64);
    case 9: return complex_of(at, pool.type(at));
    case 12: return other_type("none");
    case 13: return ranked_tensor(at, pool, false);
    case 14: return ranked_tensor(at, pool, true);
    case 15: return {.kind = Type::Kind::tuple, .parts = pool.types(at)};
    case 18: return unranked(pool.type(at));
    case 21: return scalar(ElementType::tf32);
    case 22: return scalar(ElementType::f8e5m2);
    case 23: return scalar(ElementType::f8e4m3);
    case 24: return scalar(ElementType::f8e4m3fn);
    case 25: return scalar(ElementType::f8e5m2fnuz);
    case 26: return scalar(ElementType::f8e4m3fnuz);
    case 27: return scalar(ElementType::f8e4m3b11fnuz);
    case 28: return scalar(ElementType::f8e3m4);
    case 29: return scalar(ElementType::f4e2m1fn);
    case 30: return scalar(ElementType::f6e2m3fn);
    case 31: return scalar(ElementType::f6e3m2fn);
    case 32: return scalar(ElementType::f8e8m0fnu);
    default: at.malformed(fmt::format("the builtin type with code {}", code));
  }
}

Type decode_vhlo_type(Cursor& at, BytecodePool& pool) {
  const std::uint64_t code = at.varint();
  if (const auto element = vhlo_scalar(code)) return scalar(*element);
  switch (code) {
    case 1: return complex_of(at, pool.type(at));
    case 8: return other_type("function");
    case 9: return scalar(ElementType::s64);  // index
    case 20: return ranked_tensor(at, pool, false);
    case 21: return ranked_tensor(at, pool, true);
    case 22: return {.kind = Type::Kind::token};
    case 23: return {.kind = Type::Kind::tuple, .parts = pool.types(at)};
    case 24: return quantized(at, pool);
    case 25: return unranked(pool.type(at));
    case 26: return other_type("!shape.witness");
    case 30: return quantized_per_axis(at, pool);
    case 33: return other_type("none");
    case 41: {
      const std::vector<std::int64_t> shape = signed_varints(at);
      std::string extents;
      for (const std::int64_t extent : shape) extents += fmt::format("{}x", extent);
      return other_type(fmt::format("memref<{}{}>", extents, element_text(pool.type(at))));
    }
    case 42: return other_type(fmt::format("!stablehlo.future<{}>", list_text(pool.types(at))));
    default: at.malformed(fmt::format("the VHLO type with code {}", code));
  }
}

}  // namespace trainyard::graph
