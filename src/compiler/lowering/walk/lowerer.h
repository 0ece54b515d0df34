// The walk over a tensor program that lower() makes. What each operation lowers to is a function
// of the table in operations.cpp; this class keeps the values and closes programs.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "compiler/lowering/emit/lowered.h"
#include "compiler/lowering/emit/ways.h"
#include "compiler/lowering/values/residents.h"
#include "compiler/lowering/values/segment.h"
#include "compiler/lowering/walk/layout_regions.h"
#include "compiler/lowering/walk/scope.h"

namespace trainyard::compiler {

class Lowerer;

// Of which kind of region an operation is, as ways.h has them; empty where it has one way alone.
struct RegionKind {
  std::string_view of{};
  bool weighs_apart = false;
};
// What the walk asks of each operation; operations.h has the table.
struct OperationTable {
  // Lowers it; false where it has no row, or the row's function cannot.
  bool (*lower)(Lowerer&, const graph::Op&);
  RegionKind (*kind_of)(const graph::Op&);
};

class Lowerer {
 public:
  using OpSet = std::set<const graph::Op*>;

  // `on_host`: the loops and branches that the host follows. The others are loops of the machine.
  Lowerer(const OperationTable& table, const graph::Module& module, const machine::Core& core,
          std::int64_t resident_percent, int cores, OpSet on_host = {}, Scorer* scorer = nullptr,
          const Variation& variation = {})
      : table_(table),
        module_(module),
        core_(core),
        resident_percent_(resident_percent),
        cores_(cores),
        scorer_(scorer),
        variation_(variation),
        on_host_(std::move(on_host)) {}
  // Throws NotInHardware where a loop of the machine cannot do what `loops()` ask of it.
  [[nodiscard]] Lowered run();
  // The loops and branches around the operation at hand.
  [[nodiscard]] const OpSet& loops() const { return loops_; }

  // --- For the functions of the table, on the operation at hand ---

  [[nodiscard]] const graph::Module& module() const { return module_; }
  [[nodiscard]] const graph::Function& function() const { return scope().function(); }
  [[nodiscard]] Segment& segment();
  [[nodiscard]] const graph::Type& type(graph::ValueId value) const { return scope().type(value); }
  // The value as a node of the program under construction.
  [[nodiscard]] NodeId node(graph::ValueId value);
  // The same node for a result. It stays uncomputed only while one operation will read it.
  void define(graph::ValueId value, NodeId node);
  // A scalar that is known up to the counters of loops.
  [[nodiscard]] std::optional<Counted> counted(graph::ValueId value);
  // Whether nothing else lies where the value does that is read behind the operation, so that the
  // place may be written again.
  [[nodiscard]] bool may_overwrite(graph::ValueId value, const graph::Op& op);
  // Whether an operation behind the one at hand reads the value.
  [[nodiscard]] bool is_read(graph::ValueId value) const { return scope().readers_left(value) > 0; }
  // How the value of a product lies, as was chosen for the region that it is in.
  [[nodiscard]] ValueLayout layout_of(const graph::Op& product) const;
  // An operation that stands for no one in the tensor program.
  [[nodiscard]] const graph::Op& invent(graph::Op op);
  // Lowers a function of the module in the place of an operation.
  void inline_call(const graph::Op& op, std::string_view callee);
  // The programs of a layer, lowered once, in the place of an operation.
  void call_layer(const graph::Op& op);
  // Lowers the operations of a region without arguments in the place of an operation.
  void inline_region(const graph::Op& op);
  // The same of elementwise operations, whose values lie nowhere: only the results are computed.
  void lower_together(const graph::Op& op);
  void lower_loop(const graph::Op& op);
  void lower_branch(const graph::Op& op);
  // The program of a kernel in the place of an operation.
  void embed_kernel(const graph::Op& op);

 private:
  struct LoopState;
  // A layer as it was lowered once: what a call takes its own buffers for.
  struct Layer {
    std::vector<SlotId> arguments;
    Block block;
  };
  [[nodiscard]] Scope& scope() const { return *scopes_.back(); }
  void lower_ops();
  // Lowers another scope's operations and gives their results to those of an operation.
  void lower_inside(Scope& inner, const graph::Op& op);
  void lower_op(const graph::Op& op);
  // What follows from the counters of loops is not computed: true where the operation does.
  bool follow_counters(const graph::Op& op);

  // --- Of loops of the machine ---
  void loop_in_hardware(const graph::Op& op);
  void branch_in_hardware(const graph::Op& op);
  // How often a loop turns, where that is known.
  [[nodiscard]] std::optional<std::int64_t> turns(const graph::Op& op,
                                                  std::vector<LoopState>& states);
  [[nodiscard]] std::optional<Counted> counted_in(const graph::Op& loop,
                                                  const graph::Region& region, graph::ValueId value,
                                                  std::span<const LoopState> states);
  [[nodiscard]] std::vector<LoopState> states_of(const graph::Op& op,
                                                 std::optional<std::int64_t>& turns);
  [[nodiscard]] Strided state_place(const graph::Op& op, std::size_t i, bool is_filled);
  [[nodiscard]] Scope inside(const graph::Region& region, std::span<const LoopState> states);
  void load_condition(const graph::Op& op, std::span<const LoopState> states, isa::Register into);
  void hand_on(const graph::Region& region, std::span<const LoopState> states);
  void load_scalar(NodeId node, isa::Register into);
  // What the regions read is computed before them; `f` lowers them.
  void in_loop(const graph::Op& op, bool may_not_run, std::span<const LoopState> states,
               const std::function<void()>& f);
  [[nodiscard]] std::set<isa::TensorId> tensors_behind(const graph::Op& op) const;
  // The buffer of a donated argument that the tensor holds, where this program may write it.
  [[nodiscard]] std::optional<SlotId> donated(isa::TensorId tensor) const;
  [[nodiscard]] bool is_read_behind(SlotId slot, graph::ValueId but, const graph::Op& op) const;
  void host_loop(const graph::Op& op);
  void host_branch(const graph::Op& op);
  // Lowers the operation as the runs of its ways say; false where it has no row in the table, or
  // the row's function cannot.
  bool lower_in_best_way(const graph::Op& op);
  void choose_layouts(const LayoutRegion& region);
  [[nodiscard]] AloneRegion alone(const LayoutRegion& region, const Variation& variation);
  [[nodiscard]] NodeId stand_in(graph::ValueId value, Lowerer& alone);
  [[nodiscard]] std::string described(std::span<const graph::Op* const> ops);
  [[nodiscard]] graph::Module alone(std::span<const graph::Op* const> ops,
                                    std::span<const graph::ValueId> read,
                                    std::span<const graph::ValueId> results) const;
  void routine(const graph::Op& op);
  // Ends the program under construction: what is still read gets a buffer.
  void close();
  [[nodiscard]] SlotId fresh_slot(const graph::Type& type);
  [[nodiscard]] SlotId slot(graph::ValueId value);
  [[nodiscard]] Block lower_region(const graph::Region& region, std::span<const SlotId> arguments);
  [[nodiscard]] const Layer& layer_of(const graph::Function& function);
  [[nodiscard]] isa::TensorId exported(NodeId node);
  // What is still read of the program under construction.
  [[nodiscard]] NextReads next_reads(std::optional<graph::ValueId> made) const;
  void check_types(const graph::Function& function) const;

  const OperationTable& table_;
  const graph::Module& module_;
  const machine::Core& core_;
  std::int64_t resident_percent_;
  int cores_;
  Scorer* scorer_;
  Variation variation_{};
  OpSet on_host_, loops_;
  std::map<const graph::Op*, ValueLayout> layouts_;  // chosen
  Lowered out_;
  Block* block_ = &out_.block;
  std::vector<Scope*> scopes_;
  bool is_together_ = false;  // values of several readers are not computed for their own sake
  std::deque<graph::Op> invented_;
  std::map<std::string, Layer, std::less<>> layers_;  // by function
  std::optional<Segment> segment_;
  isa::TensorId first_made_ = 0;     // of the operation at hand
  ProgramStep step_;                 // of the program under construction
  std::map<SlotId, NodeId> loaded_;  // likewise: its inputs
  std::set<SlotId> donated_;
};

}  // namespace trainyard::compiler
