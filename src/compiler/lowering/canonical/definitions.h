// The operations of a function, by what they define: for passes that look for what a value is
// computed from.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>

#include "compiler/lowering/tiles/literal.h"
#include "graph/module.h"
#include "graph/values.h"

namespace trainyard::compiler {

// Whether the operation computes nothing: its result is what elements it reads, elsewhere.
[[nodiscard]] inline bool moves_only(graph::OpKind kind) {
  using graph::OpKind;
  return graph::is(kind, graph::Trait::arrange) || kind == OpKind::constant ||
         kind == OpKind::concatenate || kind == OpKind::pad || kind == OpKind::optimization_barrier;
}

// The operations of one function, those in regions of others too, by what they define.
class Definitions {
 public:
  explicit Definitions(const graph::Function& function) : function_(function) {
    add(function.body);
  }

  [[nodiscard]] const graph::Op* of(graph::ValueId value, graph::OpKind kind) const {
    const auto found = of_.find(value);
    return found != of_.end() && found->second->kind == kind ? found->second : nullptr;
  }
  [[nodiscard]] const graph::Op* of(graph::ValueId value) const {
    const auto found = of_.find(value);
    return found == of_.end() ? nullptr : found->second;
  }
  [[nodiscard]] const graph::Type& type(graph::ValueId value) const {
    return function_.type(value);
  }
  // The number that all elements are.
  [[nodiscard]] std::optional<double> number(graph::ValueId value) const {
    const graph::Op* const op = constant(value);
    return op == nullptr ? std::nullopt : one_number(op->literal("value"));
  }
  // The same of an integer of 64 bits.
  [[nodiscard]] std::optional<std::uint64_t> word(graph::ValueId value) const {
    const graph::Op* const op = constant(value);
    std::uint64_t found = 0;
    if (op == nullptr || op->literal("value").content.size() != sizeof found) return std::nullopt;
    std::memcpy(&found, op->literal("value").content.data(), sizeof found);
    return found;
  }
  [[nodiscard]] bool is_number(graph::ValueId value, double wanted) const {
    const std::optional<double> found = number(value);
    if (!found) return false;
    const graph::ElementType element = function_.type(value).element;
    return std::abs(*found - wanted) <= 1e-6 * std::abs(wanted) ||
           *found == one_number(graph::filled({.element = element, .shape = {}}, wanted));
  }
  // What a cast between floats is made of, or the value itself.
  [[nodiscard]] graph::ValueId uncast(graph::ValueId value) const {
    const graph::Op* const op = of(value, graph::OpKind::convert);
    const bool is_cast = op != nullptr && graph::is_float(function_.type(value).element) &&
                         graph::is_float(function_.type(op->operands[0]).element);
    return is_cast ? op->operands[0] : value;
  }
  // The other operand of a sum or a product with that number.
  [[nodiscard]] std::optional<graph::ValueId> beside(graph::ValueId value, graph::OpKind kind,
                                                     double wanted) const {
    const graph::Op* const op = of(value, kind);
    if (op == nullptr) return std::nullopt;
    if (is_number(op->operands[0], wanted)) return op->operands[1];
    if (is_number(op->operands[1], wanted)) return op->operands[0];
    return std::nullopt;
  }

 private:
  void add(const graph::Region& region) {
    for (const graph::Op& op : region.ops) {
      if (op.results.size() == 1) of_[op.results[0]] = &op;
      for (const graph::Region& nested : op.regions) add(nested);
    }
  }
  // Where its elements come from, if that is a constant repeated.
  [[nodiscard]] const graph::Op* constant(graph::ValueId value) const {
    const graph::Op* op = of(value);
    while (op != nullptr && op->kind == graph::OpKind::broadcast_in_dim) op = of(op->operands[0]);
    return op != nullptr && op->kind == graph::OpKind::constant ? op : nullptr;
  }

  const graph::Function& function_;
  std::map<graph::ValueId, const graph::Op*> of_;
};

}  // namespace trainyard::compiler
