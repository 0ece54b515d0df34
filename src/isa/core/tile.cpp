#include "isa/core/tile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace trainyard::isa {

std::int64_t Tile::run_elements() const {
  std::int64_t run = 1;
  for (int i = rank - 1; i >= 0; --i) {
    const Dim& dim = dims[static_cast<std::size_t>(i)];
    if (dim.count == 1) continue;
    if (dim.step != run) break;
    run *= dim.count;
  }
  return run;
}

bool Tile::contiguous() const { return run_elements() == free_elements(); }

std::int64_t Tile::inner_stride_bytes() const {
  for (int i = rank - 1; i >= 0; --i) {
    const Dim& dim = dims[static_cast<std::size_t>(i)];
    if (dim.count > 1) return std::abs(std::int64_t{dim.step}) * element_bytes();
  }
  return element_bytes();
}

std::string describe(const Tile& tile) {
  if (!tile) return "absent";
  std::string shape;
  if (tile.on_chip()) shape = std::to_string(tile.partitions);
  for (const Dim& dim : tile.free()) {
    if (!shape.empty()) shape += ", ";
    shape += std::to_string(dim.count);
  }
  std::string text = fmt::format("{} {} [{}]", name(tile.space), numerics::name(tile.dtype), shape);
  if (tile.partition_start != 0) text += fmt::format(" from partition {}", tile.partition_start);
  return text;
}

Tile simplified(const Tile& tile) {
  Tile merged = tile;
  merged.rank = 0;
  merged.dims = {};
  for (const Dim& dim : tile.free()) {
    if (dim.count == 1) continue;
    if (merged.rank > 0) {
      Dim& outer = merged.dims[merged.rank - 1u];
      if (std::int64_t{outer.step} == std::int64_t{dim.step} * dim.count) {
        outer = {dim.step, outer.count * dim.count};
        continue;
      }
    }
    merged.dims[merged.rank++] = dim;
  }
  if (merged.rank == 0) merged.dims[merged.rank++] = {1, 1};
  return merged;
}

}  // namespace trainyard::isa
