// What becomes of each operation on elements of each type: the table of the stage that lowers. It
// follows from the tables of operations.cpp and elementwise.cpp, and from what the evaluator knows.
#pragma once

#include <cstdint>
#include <string_view>

#include "graph/op_kind.h"
#include "graph/type.h"

namespace trainyard::compiler {

enum class Becomes : std::uint8_t {
  instructions,             // on the engines, or the view of a value
  instructions_or_routine,  // on the engines where shapes and attributes allow
  routine,                  // of the GpSimd cores
  control,                  // loops and branches of the machine, or of the host; functions inlined
  refused,
};
[[nodiscard]] std::string_view name(Becomes what);

// Where operands and result are tensors of those elements; of compare and is_finite the operands.
// convert: to float32.
[[nodiscard]] Becomes becomes(graph::OpKind kind, graph::ElementType type);

}  // namespace trainyard::compiler
