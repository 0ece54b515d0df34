// Nodes made on behalf of one operation: what the functions of the table in operations.cpp share.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "compiler/lowering/walk/lowerer.h"

namespace trainyard::compiler {

// A new value in HBM, dense.
[[nodiscard]] Strided fresh(Lowerer& lowerer, const graph::Type& type);

// The operation's result is that view. True, as the functions of the table answer.
bool define_view(Lowerer& lowerer, const graph::Op& op, Strided view);

// The operation's result is its operand elsewhere, whatever its format.
using Move = std::function<Strided(const Strided&)>;
bool define_moved(Lowerer& lowerer, const graph::Op& op, const Move& move);

// One number on every element.
[[nodiscard]] NodeId number_node(Lowerer& lowerer, const graph::Type& type, double number);

// A scalar that follows from the counters of loops.
[[nodiscard]] NodeId counted_node(Lowerer& lowerer, const graph::Type& type, const Counted& number);

// 0, 1, 2 ... in row-major order of that shape. The type is one that counting() has.
[[nodiscard]] NodeId counting_node(Lowerer& lowerer, const graph::Type& type);

// An operand as large as the result: the scalars of select and clamp repeat.
[[nodiscard]] NodeId spread(Lowerer& lowerer, NodeId node, const graph::Type& like);

// An elementwise operation that has a row in elementwise.cpp. `types`: of its operands and result.
[[nodiscard]] NodeId elementwise_node(Lowerer& lowerer, const graph::Op& op,
                                      std::vector<graph::Type> types, std::vector<NodeId> inputs);

// A concatenation.
[[nodiscard]] NodeId joined_node(Lowerer& lowerer, const graph::Op& op, std::vector<NodeId> inputs);

// One that the tensor program does not have, on nodes of the result's shape.
[[nodiscard]] NodeId apply(Lowerer& lowerer, graph::OpKind kind, std::vector<NodeId> inputs,
                           const graph::Type& result, graph::LocationId location,
                           graph::Dictionary attributes = {});
// 1 where two values are related so ("EQ", "LT"), as pred.
[[nodiscard]] NodeId compared(Lowerer& lowerer, NodeId left, std::string_view direction,
                              NodeId right, graph::LocationId location);

}  // namespace trainyard::compiler
