// Operations that make each element of their result from the elements at the same place of their
// operands: which ones lower to instructions of the engines, and to which. One table; an operation
// is one row in elementwise.cpp.
#pragma once

#include <optional>
#include <span>

#include "compiler/lowering/emit/emitter.h"
#include "graph/module.h"

namespace trainyard::compiler {

// A value on a tile's elements, or one number for all of them.
struct Operand {
  isa::Tile tile{};
  std::optional<double> number{};
};

// How a value is stored in HBM and on chip: pred takes a byte. Nothing where the machine has no
// such format.
[[nodiscard]] std::optional<isa::DType> storage_of(graph::ElementType type);

// What the types of one operation's operands and result are.
struct ElementTypes {
  graph::ElementType in = graph::ElementType::f32;  // of the operand that decides: the first one,
                                                    // of select and clamp the second
  graph::ElementType out = graph::ElementType::f32;
};
[[nodiscard]] ElementTypes element_types(const graph::Op& op, std::span<const graph::Type> types);

// Whether it takes several instructions, with float32 between them whatever its types.
[[nodiscard]] bool works_in_words(const graph::Op& op);

// True where an operation has a row that takes those types.
[[nodiscard]] bool computes_elementwise(graph::OpKind kind, ElementTypes types);
// True where the operation on these types has a row.
[[nodiscard]] bool lowers_elementwise(const graph::Op& op, std::span<const graph::Type> types);

// The same of an operation of a function whose operands and result are of one shape.
[[nodiscard]] bool lowers_elementwise(const graph::Op& op, const graph::Function& function);

// Whether the operation casts real numbers to a format that holds them all and that engines compute
// in: they read either.
[[nodiscard]] bool only_widens(const graph::Op& op, std::span<const graph::Type> types);

// Emits the operation for one tile of [partitions, elements] and returns its result, in SBUF: in
// `into`, where that is given. `types`: as of lowers_elementwise.
[[nodiscard]] isa::Tile emit_elementwise(Emitter& emitter, const graph::Op& op,
                                         std::span<const graph::Type> types,
                                         std::span<const Operand> operands, std::int64_t partitions,
                                         std::int64_t elements, const isa::Tile* into = nullptr);

}  // namespace trainyard::compiler
