#include "compiler/merge_products.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <vector>

#include "compiler/drop.h"
#include "isa/instructions/tensor_tensor.h"

namespace trainyard::compiler {

namespace {

using isa::Program;
using isa::TensorId;
using isa::TensorTensor;
using isa::Tile;

// The whole of a tensor that nothing else writes, from operands that are written once, which is
// before.
bool is_candidate(const Program& program, std::uint32_t i,
                  const std::vector<std::uint32_t>& written) {
  if (!program.is<TensorTensor>(i)) return false;
  const auto& op = program.as<TensorTensor>(i);
  const auto settled = [&](const Tile& tile) {
    return tile.dynamic == 0 && written[tile.tensor] <= 1 && tile.tensor != op.dst.tensor &&
           !program.tensors[tile.tensor].manual_address;
  };
  return is_written_whole(program, op.dst, written) && settled(op.data1) && settled(op.data2);
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
  if (!is_straight(program)) return;
  const std::vector<std::uint32_t> written = writers(program);
  std::vector<bool> dropped(program.instructions.size(), false);
  std::vector<TensorId> instead(program.tensors.size());
  std::iota(instead.begin(), instead.end(), TensorId{0});
  struct Recent {
    std::uint32_t first = 0, latest = 0;
  };
  std::deque<Recent> recent;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    if (!is_candidate(program, i, written)) continue;
    std::erase_if(recent, [&](const Recent& one) { return i - one.latest > inner_turn; });
    const auto match = std::find_if(recent.begin(), recent.end(), [&](const Recent& one) {
      return are_alike(program, one.first, i);
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
