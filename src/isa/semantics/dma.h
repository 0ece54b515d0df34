// What the DMA instructions share: which memories they reach, the rules of descriptor generation,
// and moving the elements of one region to another.
#pragma once

#include <functional>

#include "isa/rules/predicates.h"
#include "isa/semantics/execution.h"

namespace trainyard::isa::dma {

[[nodiscard]] inline bool reachable(const Tile& tile) {
  return tile.space == Space::hbm || tile.space == Space::sbuf;
}

// --- Rules of every DMA instruction that takes a priority and a DGE mode ---

// Without a priority the machine's default holds.
[[nodiscard]] inline bool has_priority(std::int32_t priority) { return priority != no_integer; }
[[nodiscard]] inline bool is_priority(std::int32_t priority, const machine::Core& core) {
  return !has_priority(priority) || (priority >= 0 && priority < core.dma.priorities);
}
// Only Sync and Scalar command the descriptor generation blocks; GpSimd is the software generator.
[[nodiscard]] inline bool issuer_fits(DgeMode mode, Engine engine) {
  if (engine == Engine::any) return true;
  if (mode == DgeMode::hwdge) return engine == Engine::sync || engine == Engine::scalar;
  return mode != DgeMode::swdge || engine == Engine::gpsimd;
}
// One row index for each row of the pattern, in a column: uint32 or int32.
[[nodiscard]] inline bool index_fits(const Tile& tile, const Site& site) {
  if (!rules::gathers_rows(tile, site)) return true;
  const Tile& index = rules::dynamic(tile, site)->index;
  return (index.dtype == DType::int32 || index.dtype == DType::uint32) && tile.rank >= 1 &&
         index.free_elements() == 1 && index.partitions == tile.dims[0].count;
}

// How a transfer touches its dst. A row of src whose address is out of bounds may be skipped, and
// leaves what it would have gone to as it is. Rows of dst that are skipped are known by its
// address.
[[nodiscard]] inline Access access_of_dst(const Tile& src, OobMode oob) {
  return src.dynamic != 0 && oob == OobMode::skip ? Access::write_some : Access::write;
}

// --- Moving elements ---

// The extents of a region's dimensions, partitions first on chip.
struct Shape {
  std::array<std::int64_t, rank_max + 1> extents{};
  std::size_t rank = 0;
  [[nodiscard]] std::span<const std::int64_t> span() const { return {extents.data(), rank}; }
};
[[nodiscard]] Shape shape_of(const Tile& tile);

// A region's elements in order (partition first on chip), side by side. Rows whose run-time index
// is out of bounds are absent when the mode is skip, and a Fault out_of_bounds otherwise.
struct Elements {
  std::vector<std::byte> bytes;
  std::vector<bool> row_present;  // by row: a partition, or an outermost index in HBM
};
[[nodiscard]] Elements load(const Tile& tile, OobMode oob, Execution& execution);
void store(const Tile& tile, const std::byte* bytes, OobMode oob, Execution& execution);

// Calls f(row) for each row of a region that a transfer reaches, as a tile without a run-time
// address.
void for_each_row(const Tile& tile, Execution& execution,
                  const std::function<void(const Tile&)>& f);

// dst = src in element order, cast through fp32 when the dtypes differ. Rows that either side does
// not reach (OobMode::skip) leave dst as it is.
void copy(const Tile& dst, const Tile& src, OobMode oob, Execution& execution);

// dst = src with its dimensions permuted: dimension i of dst is dimension axes[i] of src. Same
// dtype.
void transpose(const Tile& dst, const Tile& src, std::span<const std::int32_t> axes, OobMode oob,
               Execution& execution);

// dst = sum of srcs in fp32, in their order. A row that any source does not reach (OobMode::skip)
// is left as it is.
void sum(const Tile& dst, std::span<const Tile> srcs, OobMode oob, Execution& execution);

// Throws Fault undefined_behavior where two rows of a scatter go to the same place.
void check_unique(const Tile& tile, Execution& execution);

}  // namespace trainyard::isa::dma
