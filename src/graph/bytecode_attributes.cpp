// The attributes of the dialects builtin and vhlo. Sources: MLIR BuiltinDialectBytecode.td;
// StableHLO v1.20, VhloBytecode.cpp and VhloEnums.td.
#include <fmt/format.h>

#include <array>

#include "graph/bytecode_pool.h"
#include "graph/literal_bytes.h"
#include "graph/values.h"

namespace trainyard::graph {

namespace {

std::string enumerator(Cursor& at, std::initializer_list<std::string_view> names) {
  const std::uint64_t value = at.varint();
  if (value >= names.size()) at.malformed(fmt::format("enumerator {}", value));
  return std::string(*(names.begin() + value));
}

int width_of(const Cursor& at, const Type& type) {
  if (type.kind != Type::Kind::tensor || type.rank() != 0) at.malformed("a number of no type");
  return bits(type.element);
}

Attribute integer_attribute(Cursor& at, const Type& type) {
  const std::int64_t value = known_width_integer(at, width_of(at, type));
  if (type.kind == Type::Kind::tensor && type.element == ElementType::pred) return {value != 0};
  if (type.kind == Type::Kind::tensor && is_unsigned(type.element) && bits(type.element) < 64) {
    return {value & ((std::int64_t{1} << bits(type.element)) - 1)};
  }
  return {value};
}

Attribute float_attribute(Cursor& at, const Type& type) {
  if (type.kind != Type::Kind::tensor || !is_float(type.element))
    at.malformed("a float of no type");
  return {known_format_float(at, type.element)};
}

Attribute elements_attribute(Cursor& at, BytecodePool& pool) {
  const Type type = pool.type(at);
  const std::size_t size = at.count("bytes of a tensor");
  return {literal(at, type, at.take(size, "a tensor"))};
}

Attribute dense_array(Cursor& at, BytecodePool& pool) {
  Type type = pool.type(at);
  const std::uint64_t count = at.varint();
  const std::size_t size = at.count("bytes of an array");
  const auto blob = at.take(size, "an array");
  if (count > size) at.malformed("an array longer than its bytes");
  type.shape = {static_cast<std::int64_t>(count)};
  return {literal(at, std::move(type), blob)};
}

Attribute dictionary(Cursor& at, BytecodePool& pool) {
  Dictionary entries;
  for (std::size_t left = at.count("entries"); left > 0; --left) {
    std::string name = pool.text_of(at);
    entries.push_back({std::move(name), pool.attribute(at)});
  }
  return {sorted_by_name(std::move(entries))};
}

Attribute output_operand_alias(Cursor& at) {
  Dictionary alias;
  alias.push_back({"output_tuple_indices", {signed_varints(at)}});
  alias.push_back({"operand_index", {at.signed_varint()}});
  alias.push_back({"operand_tuple_indices", {signed_varints(at)}});
  return {sorted_by_name(std::move(alias))};
}

Attribute result_accuracy(Cursor& at, BytecodePool& pool) {
  Dictionary accuracy;
  accuracy.push_back({"atol", {known_format_float(at, ElementType::f64)}});
  accuracy.push_back({"rtol", {known_format_float(at, ElementType::f64)}});
  accuracy.push_back({"ulps", {at.signed_varint()}});
  accuracy.push_back({"mode", pool.attribute(at)});
  return {sorted_by_name(std::move(accuracy))};
}

Attribute mesh_axis(Cursor& at, BytecodePool& pool) {
  Attribute name = pool.attribute(at);
  return {AttributeList{std::move(name), {at.signed_varint()}}};
}

// A name with what follows it when the flag says so.
Attribute with_optional(Cursor& at, BytecodePool& pool) {
  AttributeList list{pool.attribute(at)};
  if (at.varint() != 0) list.push_back(pool.attribute(at));
  return {std::move(list)};
}

std::string bounds_text(Cursor& at) {
  std::string text;
  for (const std::int64_t bound : signed_varints(at)) {
    const bool unbounded = bound < 0;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", unbounded ? "?" : fmt::to_string(bound));
  }
  return fmt::format("#stablehlo.bounds<{}>", text);
}

// A type as an attribute; the type "none" stands for an absent attribute.
Attribute type_attribute(Type type) {
  if (type.kind == Type::Kind::other && type.text == "none") return {};
  return {std::move(type)};
}

}  // namespace

Literal literal(const Cursor& at, Type type, std::span<const std::byte> blob) {
  if (type.kind != Type::Kind::tensor || !type.is_static()) at.malformed("a tensor of no size");
  const std::string name = to_string(type);
  auto made = literal_of_bytes(std::move(type), blob);
  if (!made) at.malformed(fmt::format("{} bytes for {}", blob.size(), name));
  return *std::move(made);
}

Attribute decode_builtin_attribute(Cursor& at, BytecodePool& pool) {
  const std::uint64_t code = at.varint();
  switch (code) {
    case 0: return {pool.attributes(at)};
    case 1: return dictionary(at, pool);
    case 2:
    case 3: return {std::string(pool.string(at))};
    case 4: return {Symbol{pool.text_of(at)}};
    case 5: {
      Symbol symbol{pool.text_of(at)};
      for (const Attribute& nested : pool.attributes(at)) {
        if (const auto* const part = std::get_if<Symbol>(&nested.value)) {
          symbol.name += "::@" + part->name;
        }
      }
      return {std::move(symbol)};
    }
    case 6: return type_attribute(pool.type(at));
    case 7: return {true};  // unit: that it is there is all it says
    case 8: return integer_attribute(at, pool.type(at));
    case 9: return float_attribute(at, pool.type(at));
    case 17: return dense_array(at, pool);
    case 18: return elements_attribute(at, pool);
    default: at.malformed(fmt::format("the builtin attribute with code {}", code));
  }
}

Attribute decode_vhlo_attribute(Cursor& at, BytecodePool& pool) {
  const std::uint64_t code = at.varint();
  switch (code) {
    case 1: return {pool.attributes(at)};
    case 2: return {at.varint() != 0};
    case 3: return {enumerator(at, {"EQ", "NE", "GE", "GT", "LE", "LT"})};
    case 4: return {enumerator(at, {"NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"})};
    case 5:
      return {enumerator(
          at, {"API_VERSION_UNSPECIFIED", "API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING",
               "API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"})};
    case 6: return dictionary(at, pool);
    case 7: return {enumerator(at, {"FFT", "IFFT", "RFFT", "IRFFT"})};
    case 8: return float_attribute(at, pool.type(at));
    case 9: return integer_attribute(at, pool.type(at));
    case 10: return output_operand_alias(at);
    case 11: return {enumerator(at, {"DEFAULT", "HIGH", "HIGHEST"})};
    case 12: return {enumerator(at, {"DEFAULT", "THREE_FRY", "PHILOX"})};
    case 13: return {enumerator(at, {"", "UNIFORM", "NORMAL"})};
    case 14: return {std::string(pool.string(at))};
    case 15: return elements_attribute(at, pool);
    case 16: return {enumerator(at, {"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"})};
    case 17: return type_attribute(pool.type(at));
    case 18: return {bounds_text(at)};
    case 19: return {enumerator(at, {"DEFAULT", "HIGHEST", "TOLERANCE"})};
    case 20: return result_accuracy(at, pool);
    case 21: {
      const std::int64_t before = at.signed_varint();
      return {std::vector<std::int64_t>{before, at.signed_varint()}};
    }
    case 22: return with_optional(at, pool);
    case 23: {
      Attribute mesh = pool.attribute(at);
      return {Dictionary{{"axes", pool.attribute(at)}, {"mesh", std::move(mesh)}}};
    }
    case 24: return mesh_axis(at, pool);
    case 25: return with_optional(at, pool);
    default: at.malformed(fmt::format("the VHLO attribute with code {}", code));
  }
}

}  // namespace trainyard::graph
