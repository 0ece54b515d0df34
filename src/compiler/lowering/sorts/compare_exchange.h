// Rounds of a sorting network on tiles: pairs of columns of every partition are compared, and
// exchanged where the second belongs first.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "compiler/lowering/emit/emitter.h"
#include "compiler/lowering/tiles/tile_math.h"

namespace trainyard::compiler {

// Columns that are compared with those `apart` columns on.
struct ColumnPairs {
  std::int64_t start = 0;
  std::array<isa::Dim, 3> dims{};
  std::int64_t apart = 0;
};

// Which pairs are ordered the other way, in uint8: of each partition, or of each column of a
// stride.
using Downwards = isa::Tile;

// The number behind which no key of that format lies.
[[nodiscard]] double last_key(isa::DType dtype);

class CompareExchange {
 public:
  // 1 where b belongs before a, as uint8: of every value's tile, in their order. Any two elements
  // have an order.
  using Order = std::function<isa::Tile(const TileMath&, std::span<const isa::Tile> a,
                                        std::span<const isa::Tile> b)>;

  // All of `values` move together.
  CompareExchange(Emitter& emitter, std::vector<isa::Tile> values, Order order)
      : emitter_(emitter), values_(std::move(values)), order_(std::move(order)) {}

  // Sorts every `length` columns, a power of two: Batcher's odd-even merge sort.
  void sort(std::int64_t length, const Downwards& down = {}) const;
  // Columns `apart` columns from each other in every 2 * apart columns: of the first `columns` of
  // each `stride` ones, which `down` has.
  void round(std::int64_t apart, std::int64_t columns, std::int64_t stride,
             const Downwards& down = {}) const;

  [[nodiscard]] const std::vector<isa::Tile>& values() const { return values_; }
  // The same on those partitions.
  [[nodiscard]] CompareExchange on_partitions(std::int64_t partitions) const;

 private:
  [[nodiscard]] std::int64_t columns() const { return values_.front().free_elements(); }
  void compare(const ColumnPairs& pairs, const Downwards& down) const;

  Emitter& emitter_;
  std::vector<isa::Tile> values_;
  Order order_;
};

// The order of ascending keys, and of places, in float32, where keys are equal: the first two
// tiles.
[[nodiscard]] isa::Tile comes_first(const TileMath& math, std::span<const isa::Tile> a,
                                    std::span<const isa::Tile> b);

}  // namespace trainyard::compiler
