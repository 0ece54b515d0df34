#include "compiler/drop.h"

#include <algorithm>
#include <utility>

#include "compiler/insert.h"
#include "isa/core/control_flow.h"

namespace trainyard::compiler {

using isa::Program;
using isa::TensorId;
using isa::Tile;

bool is_rewritable(const Program& program) {
  if (!program.schedule_edges.empty() || isa::has_branches(program)) return false;
  return std::ranges::none_of(program.instructions, [](const isa::Instruction& one) {
    return isa::info(one.opcode).meeting != nullptr;
  });
}

std::vector<std::uint32_t> first_uses(const Program& program) {
  const auto never = static_cast<std::uint32_t>(program.instructions.size());
  std::vector<std::uint32_t> first(program.tensors.size(), never);
  for (std::uint32_t i = 0; i < never; ++i) {
    program.for_each_tile(i, [&](const isa::OperandInfo&, const Tile& tile, isa::Access) {
      first[tile.tensor] = std::min(first[tile.tensor], i);
    });
  }
  return first;
}

std::vector<std::uint32_t> writers(const Program& program) {
  std::vector<std::uint32_t> count(program.tensors.size(), 0);
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    program.for_each_tile(i, [&](const isa::OperandInfo&, const Tile& tile, isa::Access how) {
      if (isa::writes(how)) ++count[tile.tensor];
    });
  }
  return count;
}

bool is_written_whole(const Program& program, const Tile& dst,
                      const std::vector<std::uint32_t>& written) {
  const isa::Tensor& target = program.tensors[dst.tensor];
  return dst.space == isa::Space::sbuf && dst.dynamic == 0 && written[dst.tensor] == 1 &&
         !target.manual_address && dst.elements() == target.elements();
}

bool lie_alike(const Program& program, const Tile& a, const Tile& b) {
  const isa::Tensor &one = program.tensors[a.tensor], &other = program.tensors[b.tensor];
  Tile moved = b;
  moved.tensor = a.tensor;
  return a == moved && one.shape == other.shape && one.dtype == other.dtype;
}

void drop(Program& program, const std::vector<bool>& dropped, std::vector<TensorId> instead) {
  const auto rename = [&](Tile& tile) {
    while (instead[tile.tensor] != tile.tensor) tile.tensor = instead[tile.tensor];
  };
  std::vector<isa::Instruction> left;
  std::vector<std::uint32_t> place;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    place.push_back(static_cast<std::uint32_t>(left.size()));
    if (dropped[i]) continue;
    program.for_each_tile_mutable(i, rename);
    left.push_back(program.instructions[i]);
  }
  place.push_back(static_cast<std::uint32_t>(left.size()));
  for (isa::DynamicAddress& dynamic : program.dynamics) {
    if (dynamic.index) rename(dynamic.index);
  }
  program.instructions = std::move(left);
  renumber(program, place, place);
}

}  // namespace trainyard::compiler
