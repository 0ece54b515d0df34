// A tensor program: functions of operations on immutable values, in the vocabulary of StableHLO.
// Everything that reads programs (portable artifacts, .mlir text, later PyTorch and ONNX) makes
// one; the evaluator and the compiler take one. What an operation means stands in op.h.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/attribute.h"
#include "graph/op_kind.h"
#include "graph/type.h"

namespace trainyard::graph {

// A value is numbered within its function, its regions included.
using ValueId = std::uint32_t;

// Where an operation comes from. `scope` is the framework's name of it, outermost first and joined
// with "/": "jit(forward)/transformer/layer_0/dot_general". `frames`: innermost source line first.
struct SourceLine {
  std::string file{};
  std::string function{};
  std::int32_t line = 0;
  std::int32_t column = 0;
  friend bool operator==(const SourceLine&, const SourceLine&) = default;
};
struct Location {
  std::string scope{};
  std::vector<SourceLine> frames{};
  friend bool operator==(const Location&, const Location&) = default;
};
using LocationId = std::uint32_t;  // into Module::locations; 0 = unknown

struct Op;

// A list of operations with arguments of its own; the last one (`return_`) names the results.
struct Region {
  std::vector<ValueId> arguments{};
  std::vector<Op> ops;
};

struct Op {
  OpKind kind = OpKind::return_;
  std::vector<ValueId> operands{};
  std::vector<ValueId> results{};
  Dictionary attributes{};  // sorted by name
  std::vector<Region> regions{};
  LocationId location = 0;

  // The attribute of that name, or null. The typed ones throw InputError "graph.attribute" when it
  // is missing or of another kind.
  [[nodiscard]] const Attribute* find(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name, bool otherwise) const;
  [[nodiscard]] std::int64_t integer(std::string_view name) const;
  [[nodiscard]] const std::string& text(std::string_view name) const;
  [[nodiscard]] std::span<const std::int64_t> integers(std::string_view name) const;
  [[nodiscard]] const Literal& literal(std::string_view name) const;
  [[nodiscard]] std::string_view symbol(std::string_view name) const;
  // Replaces an attribute that it has.
  void set(std::string_view name, Attribute value);
};

struct Function {
  std::string name;
  bool is_public = true;
  Region body{};
  // Of each value. References stay valid while values are added.
  std::deque<Type> types{};
  std::vector<Dictionary> argument_attributes{};  // jax.buffer_donor, tf.aliasing_output, ...
  std::vector<Dictionary> result_attributes{};

  [[nodiscard]] const Type& type(ValueId value) const { return types.at(value); }
  [[nodiscard]] bool is_declaration() const { return body.ops.empty(); }  // has no body
  [[nodiscard]] std::span<const ValueId> results() const {
    return is_declaration() ? std::span<const ValueId>{} : body.ops.back().operands;
  }
  [[nodiscard]] ValueId add_value(Type type) {
    types.push_back(std::move(type));
    return static_cast<ValueId>(types.size() - 1);
  }
};

struct Module {
  std::string name = "module";
  Dictionary attributes{};
  std::vector<Function> functions{};  // the one called "main" is the entry
  std::vector<Location> locations{Location{}};

  [[nodiscard]] const Function* find(std::string_view name) const;
  [[nodiscard]] const Function& entry() const;  // throws InputError "graph.entry"
  // "model.py:12 (forward), in jit(f)/dense/dot_general".
  [[nodiscard]] std::string describe(LocationId location) const;
};

}  // namespace trainyard::graph
