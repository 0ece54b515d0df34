#include "compiler/written.h"

#include <algorithm>

#include "isa/views/view.h"

namespace trainyard::compiler {

namespace {

using isa::Region;
using isa::Tile;

constexpr std::int64_t cell_bytes = 2;

// Calls f(byte offset in the partition) for every element of the tile's free pattern, in order.
template <typename F>
void for_each_offset(const Tile& tile, std::size_t d, std::int64_t offset, F&& f) {
  if (d == tile.rank) return f(offset);
  for (std::int64_t i = 0; i < tile.dims[d].count; ++i)
    for_each_offset(tile, d + 1, offset + i * tile.dims[d].step * tile.element_bytes(), f);
}

bool is_shifted(const std::vector<Tile>& a, const std::vector<Tile>& b, std::int64_t by) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](Tile x, const Tile& y) {
    x.offset += by;
    return x == y;
  });
}

// The elements of dimensions d and deeper that are wanted, as few tiles; `at` is the number of the
// first of them in the pattern.
std::vector<Tile> pieces(const Tile& tile, std::size_t d, const std::vector<bool>& wanted,
                         std::size_t& at) {
  if (d == tile.rank) return wanted[at++] ? std::vector{tile} : std::vector<Tile>{};
  const std::int64_t step = tile.dims[d].step * tile.element_bytes();
  std::vector<Tile> all, before;
  std::int64_t run = 0;  // how many equal slices `before` stands for
  const auto flush = [&] {
    for (Tile& t : before) {
      t.dims[d].count = static_cast<std::int32_t>(run);
      all.push_back(t);
    }
  };
  for (std::int64_t i = 0; i < tile.dims[d].count; ++i) {
    Tile slice = tile;
    slice.offset += i * step;
    slice.dims[d].count = 1;
    std::vector<Tile> now = pieces(slice, d + 1, wanted, at);
    if (run > 0 && is_shifted(before, now, run * step)) {
      ++run;
      continue;
    }
    flush();
    before = std::move(now);
    run = 1;
  }
  flush();
  return all;
}

}  // namespace

Written::Written(const isa::Program& program, isa::TensorId tensor)
    : program_(program), tensor_(tensor) {}

Tile Written::reach(const Tile& tile) const {
  return tile.dynamic == 0 ? tile : isa::bytes_of(program_, tensor_, tile.dtype);
}

std::vector<Tile> Written::missing(const Tile& tile) {
  const Region region = isa::region_of(program_, tile);
  bool touched = false;
  for (const Region& seen : regions_) {
    if (seen.dense && seen.contains(region)) return {};
    touched = touched || seen.overlaps(region);
  }
  if (!touched) return {tile};
  build_cells();
  std::vector<Tile> found;
  std::vector<bool> wanted, before;
  for (int p = 0; p < tile.partitions; ++p) {
    wanted.clear();
    for_each_offset(tile, 0, tile.offset,
                    [&](std::int64_t offset) { wanted.push_back(!written(tile, offset, p)); });
    if (p > 0 && wanted == before) {
      for (Tile& t : found)
        t.partitions = static_cast<std::uint16_t>(
            t.partitions + (t.partition_start + t.partitions == tile.partition_start + p));
      continue;
    }
    Tile row = tile;
    row.partition_start = static_cast<std::uint16_t>(tile.partition_start + p);
    row.partitions = 1;
    std::size_t at = 0;
    for (Tile& t : pieces(row, 0, wanted, at)) found.push_back(t);
    before = wanted;
  }
  return found;
}

void Written::mark(const Tile& tile) {
  const Region region = isa::region_of(program_, tile);
  for (const Region& seen : regions_) {
    if (seen.dense && seen.contains(region)) return;
  }
  regions_.push_back(region);
  tiles_.push_back(tile);
  if (!cells_.empty()) set_cells(tile, true);
}

void Written::clear(const Tile& tile) {
  const Region region = isa::region_of(program_, tile);
  const bool none = std::none_of(regions_.begin(), regions_.end(),
                                 [&](const Region& seen) { return seen.overlaps(region); });
  if (none) return;
  build_cells();
  set_cells(tile, false);
  // What is left is known by its cells alone, which a region that is not dense makes one look at.
  for (Region& seen : regions_) seen.dense = seen.dense && !seen.overlaps(region);
}

void Written::build_cells() {
  if (!cells_.empty()) return;
  const isa::Tensor& tensor = program_.tensors[tensor_];
  cells_per_partition_ = (tensor.bytes_per_partition() + cell_bytes - 1) / cell_bytes;
  cells_.resize(static_cast<std::size_t>(cells_per_partition_ * tensor.partitions()));
  for (const Tile& tile : tiles_) set_cells(tile, true);
}

void Written::set_cells(const Tile& tile, bool written) {
  const std::int64_t width = std::max(tile.element_bytes(), cell_bytes);
  for_each_offset(tile, 0, tile.offset, [&](std::int64_t offset) {
    for (int p = 0; p < tile.partitions; ++p) {
      const std::int64_t row = (tile.partition_start + p) * cells_per_partition_;
      for (std::int64_t b = 0; b < width; b += cell_bytes)
        cells_[static_cast<std::size_t>(row + (offset + b) / cell_bytes)] = written;
    }
  });
}

bool Written::written(const Tile& tile, std::int64_t offset, int partition) const {
  const std::int64_t row = (tile.partition_start + partition) * cells_per_partition_;
  for (std::int64_t b = 0; b < tile.element_bytes(); b += cell_bytes) {
    if (!cells_[static_cast<std::size_t>(row + (offset + b) / cell_bytes)]) return false;
  }
  return true;
}

}  // namespace trainyard::compiler
