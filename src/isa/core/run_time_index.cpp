#include "isa/core/run_time_index.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace trainyard::isa {

Tile indexed_part(const Tile& tile, const DynamicAddress& how) {
  Tile part = tile;
  if (how.kind == DynamicAddress::Kind::vector_offset && part.rank > 0) part.dims[0].count = 1;
  if (how.kind == DynamicAddress::Kind::indirect) part.rank = 0;
  return part;
}

std::int64_t first_byte(const Tile& tile, const Program& program) {
  return program.compiled && tile.on_chip() ? program.tensors[tile.tensor].address : 0;
}

std::int64_t index_end(const Tile& tile, const Program& program) {
  constexpr std::int64_t no_end = std::numeric_limits<std::int64_t>::max();
  const DynamicAddress& how = program.dynamics[tile.dynamic - 1];
  const std::int64_t limit = how.limit == 0 ? no_end : how.limit;
  // The stride of an indirect row is that of its index lists; its elements lie side by side.
  const std::int64_t stride = how.kind == DynamicAddress::Kind::indirect ? 1 : how.stride;
  if (stride == 0) return limit;
  const Tile part = indexed_part(tile, how);
  const std::int64_t first = first_byte(tile, program);
  const std::int64_t bytes = program.tensors[tile.tensor].bytes_per_partition();
  const std::int64_t room = stride > 0 ? first + bytes - part.high_byte() : part.low_byte() - first;
  if (room < 0) return 0;
  return std::min(limit, room / tile.element_bytes() / std::abs(stride) + 1);
}

}  // namespace trainyard::isa
