// The types, attributes and locations of a bytecode file, decoded when they are first asked for:
// those of the dialects builtin, vhlo, stablehlo and sdy. Enumerations of VHLO become strings,
// shardings become their text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/bytecode_container.h"
#include "graph/module.h"

namespace trainyard::graph {

class BytecodePool {
 public:
  explicit BytecodePool(const Container& container);

  // Each reads an index at `at` and gives what it names.
  [[nodiscard]] const Type& type(Cursor& at);
  [[nodiscard]] const Type& type_at(std::size_t index, const Cursor& at);
  [[nodiscard]] const Attribute& attribute(Cursor& at);
  // Nothing when the flag says that there is none.
  [[nodiscard]] std::optional<Attribute> optional_attribute(Cursor& at);
  [[nodiscard]] Location location(Cursor& at);

  [[nodiscard]] std::string_view string(Cursor& at) const;
  [[nodiscard]] const Container& container() const { return container_; }

  // For the decoders of the dialects, which come back here for what an entry refers to.
  [[nodiscard]] std::vector<Type> types(Cursor& at);
  [[nodiscard]] std::vector<Attribute> attributes(Cursor& at);
  [[nodiscard]] std::string text_of(Cursor& at);  // of an attribute that is a string

 private:
  struct Place {  // what a location adds: names and frames, outermost call last
    std::string scope{};
    std::vector<SourceLine> frames{};
    int parts = 0;  // locations visited
  };
  [[nodiscard]] Type decode_type(std::size_t index);
  [[nodiscard]] Attribute decode_attribute(std::size_t index);
  void add_location(std::size_t index, int depth, Place& place);

  const Container& container_;
  std::vector<std::optional<Type>> types_;
  std::vector<std::optional<Attribute>> attributes_;
  int depth_ = 0;
};

// One dialect's encodings each. `at` stands before the code.
[[nodiscard]] Type decode_builtin_type(Cursor& at, BytecodePool& pool);
[[nodiscard]] Type decode_vhlo_type(Cursor& at, BytecodePool& pool);
[[nodiscard]] Attribute decode_builtin_attribute(Cursor& at, BytecodePool& pool);
[[nodiscard]] Attribute decode_vhlo_attribute(Cursor& at, BytecodePool& pool);
[[nodiscard]] Attribute decode_sdy_attribute(Cursor& at, BytecodePool& pool);

// Shared by them.
[[nodiscard]] Type tensor_type(const Cursor& at, std::vector<std::int64_t> shape,
                               const Type& element);
[[nodiscard]] std::vector<std::int64_t> signed_varints(Cursor& at);
// An integer of a known width: a byte up to 8 bits, otherwise a signed varint.
[[nodiscard]] std::int64_t known_width_integer(Cursor& at, int width);
[[nodiscard]] double known_format_float(Cursor& at, ElementType format);
// The elements of a tensor as MLIR holds them in memory; booleans may be packed.
[[nodiscard]] Literal literal(const Cursor& at, Type type, std::span<const std::byte> blob);

}  // namespace trainyard::graph
