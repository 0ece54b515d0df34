// The walk over a tensor program that lower() makes. What each operation lowers to is a function
// of the table in operations.cpp; this class keeps the values and closes programs.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "compiler/lowering/lowered.h"
#include "compiler/lowering/segment.h"
#include "compiler/lowering/values.h"

namespace trainyard::compiler {

class Lowerer {
 public:
  Lowerer(const graph::Module& module, const machine::Core& core, std::int64_t resident_percent,
          int cores)
      : module_(module), core_(core), resident_percent_(resident_percent), cores_(cores) {}
  [[nodiscard]] Lowered run();

  // --- For the functions of the table, on the operation at hand ---

  [[nodiscard]] const graph::Module& module() const { return module_; }
  [[nodiscard]] const graph::Function& function() const { return scope().function(); }
  [[nodiscard]] Segment& segment();
  [[nodiscard]] const graph::Type& type(graph::ValueId value) const { return scope().type(value); }
  // The value as a node of the program under construction.
  [[nodiscard]] NodeId node(graph::ValueId value);
  // The same node for a result. It stays uncomputed only while one operation will read it.
  void define(graph::ValueId value, NodeId node);
  // An operation that stands for no one in the tensor program.
  [[nodiscard]] const graph::Op& invent(graph::Op op);
  // Lowers a function of the module in the place of an operation.
  void inline_call(const graph::Op& op, std::string_view callee);
  // Lowers the operations of a region without arguments in the place of an operation.
  void inline_region(const graph::Op& op);
  void lower_loop(const graph::Op& op);
  void lower_branch(const graph::Op& op);
  // The program of a kernel in the place of an operation.
  void embed_kernel(const graph::Op& op);

 private:
  [[nodiscard]] Scope& scope() const { return *scopes_.back(); }
  void lower_ops();
  // Lowers another scope's operations and gives their results to those of an operation.
  void lower_inside(Scope& inner, const graph::Op& op);
  void lower_op(const graph::Op& op);
  [[nodiscard]] graph::Module alone(const graph::Op& op,
                                    std::span<const graph::ValueId> read) const;
  void routine(const graph::Op& op);
  // Ends the program under construction: what is still read gets a buffer.
  void close();
  [[nodiscard]] SlotId fresh_slot(const graph::Type& type);
  [[nodiscard]] SlotId slot(graph::ValueId value);
  [[nodiscard]] Block lower_region(const graph::Region& region, std::span<const SlotId> arguments);
  [[nodiscard]] isa::TensorId exported(NodeId node);
  // The tensors of the program under construction that something still reads.
  [[nodiscard]] std::set<isa::TensorId> live_tensors() const;
  void check_types(const graph::Function& function) const;

  const graph::Module& module_;
  const machine::Core& core_;
  std::int64_t resident_percent_;
  int cores_;
  Lowered out_;
  Block* block_ = &out_.block;
  std::vector<Scope*> scopes_;
  std::deque<graph::Op> invented_;
  std::optional<Segment> segment_;
  ProgramStep step_;                 // of the program under construction
  std::map<SlotId, NodeId> loaded_;  // likewise: its inputs
};

// Lowers one operation that stands in the table; false where it has no row, or the row's function
// cannot.
[[nodiscard]] bool lower_by_table(Lowerer& lowerer, const graph::Op& op);

// What the table has: a row; one that lowers whatever the types are, as loops and calls; one whose
// function always can.
[[nodiscard]] bool has_row(graph::OpKind kind);
[[nodiscard]] bool is_structure(graph::OpKind kind);
[[nodiscard]] bool moves_only(graph::OpKind kind);

}  // namespace trainyard::compiler
