// What each operation of a tensor program lowers to: one row an operation.
#pragma once

#include "compiler/lowering/walk/lowerer.h"
#include "graph/op_kind.h"

namespace trainyard::compiler {

extern const OperationTable operation_table;

// What it has: a row; one that lowers whatever the types are, as loops and calls.
[[nodiscard]] bool has_row(graph::OpKind kind);
[[nodiscard]] bool is_structure(graph::OpKind kind);

}  // namespace trainyard::compiler
