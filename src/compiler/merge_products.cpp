#include "compiler/merge_products.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <vector>

#include "compiler/drop.h"
#include "isa/core/control_flow.h"
#include "isa/instructions/tensor_tensor.h"

namespace trainyard::compiler {

namespace {

using isa::Program;
using isa::TensorId;
using isa::TensorTensor;
using isa::Tile;

struct Tensors {
  std::vector<std::uint32_t> written, first, last_writer;
};

Tensors tensors_of(const Program& program) {
  Tensors found{writers(program), first_uses(program),
                std::vector<std::uint32_t>(program.tensors.size(), 0)};
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    program.for_each_tile(i, [&](const isa::OperandInfo&, const Tile& tile, isa::Access how) {
      if (isa::writes(how)) found.last_writer[tile.tensor] = i;
    });
  }
  return found;
}

// The whole of a tensor that nothing else writes, from operands that are written once, which is
// before.
bool is_candidate(const Program& program, std::uint32_t i, const Tensors& tensors) {
  if (!program.is<TensorTensor>(i)) return false;
  const auto& op = program.as<TensorTensor>(i);
  const auto settled = [&](const Tile& tile) {
    return tile.dynamic == 0 && tensors.written[tile.tensor] <= 1 &&
           tensors.last_writer[tile.tensor] <= i && tile.tensor != op.dst.tensor &&
           !program.tensors[tile.tensor].manual_address;
  };
  return tensors.first[op.dst.tensor] == i && is_written_whole(program, op.dst, tensors.written) &&
         settled(op.data1) && settled(op.data2);
}

bool are_alike(const Program& program, std::uint32_t a, std::uint32_t b) {
  const auto& x = program.as<TensorTensor>(a);
  const auto& y = program.as<TensorTensor>(b);
  return x.data1 == y.data1 && x.data2 == y.data2 && x.op == y.op &&
         lie_alike(program, x.dst, y.dst) &&
         program.instructions[a].engine == program.instructions[b].engine;
}

}  // namespace

void merge_products(Program& program) {
  if (!is_rewritable(program)) return;
  const Tensors tensors = tensors_of(program);
  const isa::LoopTree loops(program);
  std::vector<bool> dropped(program.instructions.size(), false);
  std::vector<TensorId> instead(program.tensors.size());
  std::iota(instead.begin(), instead.end(), TensorId{0});
  struct Recent {
    std::uint32_t first = 0, latest = 0;
  };
  std::deque<Recent> recent;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    if (!is_candidate(program, i, tensors)) continue;
    std::erase_if(recent, [&](const Recent& one) { return i - one.latest > inner_turn; });
    const auto match = std::find_if(recent.begin(), recent.end(), [&](const Recent& one) {
      // The operands of both were written before the first of them, and by then whenever this one
      // runs.
      return loops.encloses(loops.around(one.first), loops.around(i)) &&
             are_alike(program, one.first, i);
    });
    if (match == recent.end()) {
      recent.push_back({i, i});
      continue;
    }
    match->latest = i;
    dropped[i] = true;
    instead[program.as<TensorTensor>(i).dst.tensor] =
        program.as<TensorTensor>(match->first).dst.tensor;
  }
  drop(program, dropped, std::move(instead));
}

}  // namespace trainyard::compiler
