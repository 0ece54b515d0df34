// A tensor program made ready for the machine: programs of instructions, what GpSimd routines do
// between them, and the host's control of loops and branches, over buffers in HBM.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/units.h"
#include "graph/module.h"
#include "isa/core/program.h"

namespace trainyard::compiler {

// A buffer in HBM that outlives the program that fills it.
using SlotId = std::uint32_t;

// What one way to compute a region takes, alone.
struct WayTime {
  std::string words;  // what is chosen otherwise; empty: nothing
  std::string how;    // as FusionGroup has it
  base::Ticks time{};
};

// Operations that are computed together, without their intermediate values ever lying in memory.
struct FusionGroup {
  std::vector<std::uint32_t> locations;         // of the program's instructions
  std::string how;                              // in which tiles, and why so
  std::vector<graph::LocationId> operations{};  // of the module that was lowered
  std::vector<WayTime> ways{};                  // that were timed to be told, the taken one first
  // Not how these products are computed, but how their values lie for the groups that read them.
  bool are_layouts = false;
};

struct ProgramStep {
  // Of one core, or of each of a grid; in the author's order, compiled when they are loaded. They
  // have the same tensors. Equal layers share the list.
  std::shared_ptr<std::vector<isa::Program>> programs;
  std::vector<std::pair<SlotId, isa::TensorId>> inputs, outputs;
  std::vector<isa::TensorId> overwritten{};  // inputs that hold something else behind a run
  std::set<isa::TensorId> halved{};          // of which each of two cores has its own half
  std::vector<FusionGroup> groups{};         // in the order in which they are computed
  // Of an equal layer: how its places in the source are called that are called otherwise in the
  // first one, functions and "file:line".
  std::map<std::string, std::string> names{};
};

// One operation that no instruction computes: a routine of the GpSimd cores.
struct RoutineStep {
  graph::Module module;  // main is the operation, on `operands`
  graph::OpKind kind{};
  std::vector<SlotId> operands{}, results{};
  bool is_prepared = false;  // done before the first run, on the host: it takes no time
  bool is_held = false;      // stands for what memory holds: nothing is done
};

struct Step;
struct Block {
  std::vector<Step> steps;
  std::vector<SlotId> results{};
};

// while: `state` begins as `initial`; as long as `condition` gives true it becomes what `body`
// gives.
struct LoopStep {
  std::vector<SlotId> initial{}, state{};
  Block condition, body;
  graph::LocationId location = 0;
  std::optional<std::int64_t> turns{};  // where they depend on no data
};

// case and if: the branch of that index (of a true predicate the first), the last one where there
// is no such branch.
struct BranchStep {
  SlotId index = 0;
  bool is_predicate = false;
  std::vector<Block> branches;
  std::vector<SlotId> results{};
  graph::LocationId location = 0;
};

struct Step {
  std::variant<ProgramStep, RoutineStep, LoopStep, BranchStep> what;
};

struct Lowered {
  std::vector<graph::Type> slots;  // the type of each buffer
  std::vector<SlotId> arguments;
  // Buffers that begin with a value of their own.
  std::vector<std::pair<SlotId, graph::Literal>> constants;
  Block block;
};

}  // namespace trainyard::compiler
