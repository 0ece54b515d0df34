#include "isa/core/region.h"

#include <cstdlib>
#include <limits>

namespace trainyard::isa {

namespace {

constexpr std::int64_t extent_boxed_max = std::numeric_limits<std::int32_t>::max();

// Fills the box when every dimension of the pattern walks along one dimension of the tensor.
// `first_byte`: of the tile, within the tensor.
void find_box(const Tensor& tensor, const Tile& tile, std::int64_t first_byte, Region& region) {
  const std::size_t skip = tile.on_chip() ? 1 : 0;
  const std::size_t rank = tensor.shape.size() - skip;
  const std::int64_t width = numerics::size_in_bytes(tensor.dtype);
  if (rank == 0 || rank > region.low.size() || tile.element_bytes() != width) return;

  std::array<std::int64_t, 8> stride;
  std::int64_t next = 1;
  for (std::size_t d = rank; d-- > 0;) {
    if (tensor.shape[d + skip] > extent_boxed_max) return;
    stride[d] = next;
    next *= tensor.shape[d + skip];
  }
  std::int64_t rest = first_byte / width;
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t at = stride[d] == 1 ? rest : rest / stride[d];
    rest -= at * stride[d];
    region.low[d] = static_cast<std::int32_t>(at);
    region.high[d] = region.low[d] + 1;
  }
  bool dense = true;
  for (const Dim& dim : tile.free()) {
    if (dim.count == 1 || dim.step == 0) continue;
    const std::int64_t step = std::abs(std::int64_t{dim.step});
    std::size_t d = 0;
    while (d < rank && step < stride[d]) ++d;
    if (d == rank) return;
    const std::int64_t apart = step == stride[d] ? 1 : step / stride[d];
    if (step != apart * stride[d]) return;
    const std::int64_t high = region.high[d] + (dim.count - 1) * apart;
    if (high > tensor.shape[d + skip]) return;
    region.high[d] = static_cast<std::int32_t>(high);
    dense = dense && apart == 1;
  }
  region.rank = static_cast<int>(rank);
  region.dense = dense;
}

}  // namespace

bool Region::overlaps(const Region& other) const {
  if (space != other.space || (space == Space::hbm && tensor != other.tensor)) return false;
  if (first_partition >= other.end_partition || other.first_partition >= end_partition)
    return false;
  if (first_byte >= other.end_byte || other.first_byte >= end_byte) return false;
  if (tensor != other.tensor || rank == 0 || rank != other.rank) return true;
  for (std::size_t d = 0; d < static_cast<std::size_t>(rank); ++d) {
    if (low[d] >= other.high[d] || other.low[d] >= high[d]) return false;
  }
  return true;
}

bool Region::contains(const Region& other) const {
  if (space != other.space || (space == Space::hbm && tensor != other.tensor)) return false;
  if (first_partition > other.first_partition || end_partition < other.end_partition) return false;
  if (tensor == other.tensor && rank > 0 && rank == other.rank) {
    for (std::size_t d = 0; d < static_cast<std::size_t>(rank); ++d) {
      if (low[d] > other.low[d] || high[d] < other.high[d]) return false;
    }
    return true;
  }
  // Without comparable boxes only a solid rectangle is known to contain what lies inside it.
  return (rank == 0 || solid) && first_byte <= other.first_byte && end_byte >= other.end_byte;
}

Region region_of(const Program& program, const Tile& tile) {
  const Tensor& tensor = program.tensors[tile.tensor];
  const bool absolute = tile.on_chip() && program.compiled;
  Region region;
  region.space = tile.space;
  region.tensor = tile.tensor;
  if (tile.on_chip()) {
    region.first_partition = tile.partition_start;
    region.end_partition = tile.partition_start + tile.partitions;
  }
  if (tile.dynamic != 0) {
    const std::int64_t base = absolute ? tensor.address : 0;
    region.first_byte = base;
    region.end_byte = base + tensor.bytes_per_partition();
    return region;
  }
  region.first_byte = tile.low_byte();
  region.end_byte = tile.high_byte();
  region.dense = region.solid = tile.contiguous();
  find_box(tensor, tile, region.first_byte - (absolute ? tensor.address : 0), region);
  return region;
}

}  // namespace trainyard::isa
