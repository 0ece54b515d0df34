#include "compiler/accumulate.h"

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compiler/insert.h"
#include "compiler/written.h"
#include "isa/core/control_flow.h"
#include "isa/instructions/psum_zero.h"

namespace trainyard::compiler {

namespace {

using isa::Accumulate;
using isa::Program;
using isa::Tile;

Accumulate* open_flag(Program& program, std::uint32_t i) {
  for (const isa::OperandInfo& operand : program.info_at(i).operands) {
    if (!operand.is<Accumulate>()) continue;
    auto& flag = operand.in<Accumulate>(program.record(i));
    return flag == Accumulate::automatic ? &flag : nullptr;
  }
  return nullptr;
}

class Pass {
 public:
  Pass(Program& program, const machine::Core& core)
      : program_(program), core_(core), loops_(program) {}

  void run() {
    for (std::uint32_t i = 0; i < program_.instructions.size(); ++i) {
      visit(i);
    }
    insert(program_, zeros_, isa::Engine::tensor);
  }

 private:
  struct Sum {
    Written written;
    std::uint32_t fresh_since;  // nothing was in it when this instruction came
  };

  void visit(std::uint32_t i) {
    Accumulate* flag = open_flag(program_, i);
    if (flag != nullptr && transposes(i)) *std::exchange(flag, nullptr) = Accumulate::overwrite;
    program_.for_each_tile(
        i, [&](const isa::OperandInfo& operand, const Tile& tile, isa::Access access) {
          if (tile.space != isa::Space::psum || !isa::writes(access)) return;
          Sum& sum = sum_of(tile.tensor);
          const Tile touched = sum.written.reach(tile);
          if (clears(i)) {
            sum.written.clear(touched);
            sum.fresh_since = i;
            return;
          }
          if (flag != nullptr && operand.role == isa::Role::sum)
            *flag = resolve(i, tile, touched, sum);
          sum.written.mark(touched);
        });
  }

  Accumulate resolve(std::uint32_t i, const Tile& tile, const Tile& touched, Sum& sum) {
    const std::vector<Tile> missing = sum.written.missing(touched);
    if (missing.empty()) return Accumulate::add;
    // What is new in the first iteration of a loop that the sum outlives is old in the next one.
    const std::optional<std::uint32_t> loop = loops_.outermost_since(i, sum.fresh_since);
    const bool all_new = missing.size() == 1 && missing.front() == tile;
    if (!loop && all_new) return Accumulate::overwrite;
    for (const Tile& part : missing) {
      zeros_.push_back({loop.value_or(i), program_.instructions[i].location, isa::PsumZero{part}});
    }
    return Accumulate::add;
  }

  [[nodiscard]] Sum& sum_of(isa::TensorId tensor) {
    return sums_
        .try_emplace(tensor, Sum{Written(program_, tensor), program_.tensors[tensor].created})
        .first->second;
  }

  // A transpose moves bits; it never adds.
  [[nodiscard]] bool transposes(std::uint32_t i) const {
    return program_.info_at(i).moves_values(program_.record(i));
  }
  // Where only a matmul can begin a sum, zeros that another engine wrote stand for nothing.
  [[nodiscard]] bool clears(std::uint32_t i) const {
    const auto fills = program_.info_at(i).fills;
    return !core_.features.accumulate_on_any_write && fills != nullptr &&
           fills(program_.record(i)) == 0.0;
  }

  Program& program_;
  const machine::Core& core_;
  isa::LoopTree loops_;
  std::unordered_map<isa::TensorId, Sum> sums_;
  std::vector<Addition<isa::PsumZero>> zeros_;
};

}  // namespace

void resolve_accumulation(Program& program, const machine::Core& core) {
  Pass(program, core).run();
}

}  // namespace trainyard::compiler
