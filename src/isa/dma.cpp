#include "isa/dma.h"

#include <fmt/format.h>

#include <cstring>
#include <optional>

#include "base/error.h"

namespace trainyard::isa::dma {

namespace {

// A region as rows that are moved one by one: the partitions of an on-chip tile, the outermost
// dimension of an HBM one.
class Rows {
 public:
  Rows(const Tile& tile, Execution& execution) : tile_(tile), execution_(execution) {
    if (tile.dynamic != 0) how_ = &execution.program.dynamics[tile.dynamic - 1];
  }

  [[nodiscard]] std::int64_t count() const {
    if (tile_.on_chip()) return tile_.partitions;
    return tile_.rank == 0 ? 1 : tile_.dims[0].count;
  }
  [[nodiscard]] std::int64_t row_elements() const { return tile_.elements() / count(); }

  // Row r as a tile of its own; nothing when its run-time index is out of bounds and may be
  // skipped.
  [[nodiscard]] std::optional<Tile> row(std::int64_t r, OobMode oob) {
    Tile one = tile_;
    if (tile_.on_chip()) {
      one.partition_start = static_cast<std::uint16_t>(tile_.partition_start + r);
      one.partitions = 1;
      return one;
    }
    if (tile_.rank > 0) {
      std::int64_t step = std::int64_t{tile_.dims[0].step} * r;
      if (how_ != nullptr && how_->kind == DynamicAddress::Kind::vector_offset) {
        const std::optional<std::int64_t> index = index_of(r, oob);
        if (!index) return std::nullopt;
        step = *index * how_->stride;
      }
      one.offset += step * tile_.element_bytes();
      for (int d = 1; d < tile_.rank; ++d)
        one.dims[d - 1u] = tile_.dims[static_cast<std::size_t>(d)];
      --one.rank;
    }
    one.dynamic = 0;
    return one;
  }

 private:
  [[nodiscard]] std::optional<std::int64_t> index_of(std::int64_t r, OobMode oob) {
    std::int32_t index = 0;
    std::memcpy(&index, place(how_->index, execution_, static_cast<int>(r)), sizeof index);
    if (index >= 0 && (how_->limit == 0 || index < how_->limit)) return index;
    if (oob == OobMode::skip) return std::nullopt;
    throw base::Fault(base::FaultCategory::out_of_bounds,
                      {"dma.oob", "a gathered or scattered row lies inside its tensor", "",
                       fmt::format("row index {} (entry {}) for {} rows", index, r, how_->limit),
                       "correct the index data, or pass oob_mode=oob_mode.skip to drop such rows"});
  }

  const Tile& tile_;
  Execution& execution_;
  const DynamicAddress* how_ = nullptr;
};

std::size_t row_bytes(const Tile& row) {
  return static_cast<std::size_t>(row.free_elements() * row.element_bytes());
}

void copy_row(const Tile& dst, const Tile& src, Execution& execution) {
  const std::byte* from = bits(src, execution, 0, execution.raw[0]);
  if (dst.dtype == src.dtype) return store_bits(dst, execution, 0, from);
  const auto n = static_cast<std::size_t>(src.free_elements());
  execution.raw[1].resize(row_bytes(dst));
  numerics::convert(src.dtype, from, dst.dtype, execution.raw[1].data(), n, execution.narrowing);
  store_bits(dst, execution, 0, execution.raw[1].data());
}

// Regions whose rows differ in length: through one dense buffer.
void copy_reshaped(Rows& to, Rows& from, const Tile& dst, const Tile& src, OobMode oob,
                   Execution& execution) {
  std::vector<std::byte> dense(static_cast<std::size_t>(src.bytes()));
  std::size_t at = 0;
  for (std::int64_t r = 0; r < from.count(); ++r) {
    const std::size_t length = dense.size() / static_cast<std::size_t>(from.count());
    if (const std::optional<Tile> row = from.row(r, oob))
      load_bits(*row, execution, 0, dense.data() + at);
    at += length;
  }
  if (dst.dtype != src.dtype) {
    std::vector<std::byte> cast(static_cast<std::size_t>(dst.bytes()));
    numerics::convert(src.dtype, dense.data(), dst.dtype, cast.data(),
                      static_cast<std::size_t>(src.elements()), execution.narrowing);
    dense.swap(cast);
  }
  at = 0;
  for (std::int64_t r = 0; r < to.count(); ++r) {
    const std::size_t length = dense.size() / static_cast<std::size_t>(to.count());
    if (const std::optional<Tile> row = to.row(r, oob))
      store_bits(*row, execution, 0, dense.data() + at);
    at += length;
  }
}

}  // namespace

void copy(const Tile& dst, const Tile& src, OobMode oob, Execution& execution) {
  Rows to(dst, execution), from(src, execution);
  if (to.count() != from.count()) return copy_reshaped(to, from, dst, src, oob, execution);
  for (std::int64_t r = 0; r < to.count(); ++r) {
    const std::optional<Tile> source = from.row(r, oob);
    const std::optional<Tile> target = to.row(r, oob);
    if (source && target) copy_row(*target, *source, execution);
  }
}

}  // namespace trainyard::isa::dma
