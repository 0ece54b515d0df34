#include "compiler/zero_unwritten.h"

#include <algorithm>
#include <vector>

#include "compiler/insert.h"
#include "compiler/liveness.h"
#include "isa/core/control_flow.h"
#include "isa/core/region.h"
#include "isa/instructions/memset.h"
#include "isa/rules/validate.h"
#include "isa/views/view.h"

namespace trainyard::compiler {

namespace {

using isa::Tile;

// All bytes of an SBUF tensor, in tiles that one instruction may write.
std::vector<Tile> pieces_of(const isa::Program& program, isa::TensorId tensor,
                            const machine::Core& core) {
  const Tile whole = isa::bytes_of(program, tensor, isa::DType::uint8);
  const std::int64_t most = std::min(core.access.sbuf_elements_max, core.access.size_max);
  std::vector<Tile> tiles;
  for (std::int64_t at = 0; at < whole.free_elements(); at += most) {
    Tile& tile = tiles.emplace_back(whole);
    tile.offset = at;
    tile.dims[0].count = static_cast<std::int32_t>(std::min(most, whole.free_elements() - at));
  }
  return tiles;
}

bool writes_all(const isa::Program& program, const Tile& tile, isa::Access access) {
  if (access != isa::Access::write || tile.dynamic != 0) return false;
  const isa::Region region = isa::region_of(program, tile);
  const isa::Tensor& tensor = program.tensors[tile.tensor];
  return region.solid && region.first_partition == 0 &&
         region.end_partition == tensor.partitions() && region.first_byte == 0 &&
         region.end_byte == tensor.bytes_per_partition();
}

}  // namespace

void zero_unwritten(isa::Program& program, const machine::Core& core) {
  std::vector<bool> seen(program.tensors.size());
  const isa::LoopTree loops(program);
  std::vector<Addition<isa::Memset>> zeros;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    std::vector<isa::TensorId> written, open;
    program.for_each_tile(i, [&](const isa::OperandInfo&, const Tile& tile, isa::Access access) {
      if (tile.space != isa::Space::sbuf || seen[tile.tensor]) return;
      (writes_all(program, tile, access) ? written : open).push_back(tile.tensor);
    });
    for (const isa::TensorId tensor : open) {
      if (seen[tensor]) continue;
      seen[tensor] = true;
      const std::uint32_t before =
          loops.outermost_since(i, program.tensors[tensor].created).value_or(i);
      for (const Tile& tile : pieces_of(program, tensor, core)) {
        const Addition<isa::Memset> zero{before, program.instructions[i].location, {tile, 0}};
        // An address of the author's may lie where no instruction but a transfer reaches.
        if (isa::violations(zero.info(), &zero.record, isa::Engine::any, program, core).empty())
          zeros.push_back(zero);
      }
    }
    for (const isa::TensorId tensor : written) seen[tensor] = true;
  }
  insert(program, zeros, isa::Engine::any);
}

}  // namespace trainyard::compiler
