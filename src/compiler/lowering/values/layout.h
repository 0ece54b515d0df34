// How a value is cut into tiles: which of its dimensions count rows, which go to partitions, and
// which count columns.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "compiler/lowering/emit/strided.h"
#include "compiler/lowering/values/residents.h"

namespace trainyard::compiler {

// At most so many elements a partition in one tile.
inline constexpr std::int64_t tile_columns = 1024;

struct Layout {
  std::vector<std::int64_t> order;    // of the value's dimensions, slowest first
  std::size_t row_dims = 0;           // of these, the ones that count rows
  std::int64_t width = tile_columns;  // columns of a tile
};

// As it is: the first `row_dims` dimensions count rows.
[[nodiscard]] Layout in_order(std::size_t rank, std::size_t row_dims);
// As a resident value lies, so that its tiles are read in place; the dimensions of `inner` come
// last. Nothing where it is not resident, or where one of those counts rows.
[[nodiscard]] std::optional<Layout> as_resident(const Residents& residents, const Strided& value,
                                                std::span<const std::int64_t> inner = {});
// The same of the first of these values that is one and repeats no element.
[[nodiscard]] std::optional<Layout> as_a_resident(const Residents& residents,
                                                  std::span<const Strided> values,
                                                  std::span<const std::int64_t> inner = {});
// Its first dimensions as rows, as many of them as make the largest tiles. Nothing where cutting
// the walk over all elements makes better ones.
[[nodiscard]] std::optional<Layout> by_rows(std::span<const std::int64_t> shape,
                                            std::int64_t partitions);
// How long an engine passes over that many rows, in columns.
[[nodiscard]] std::int64_t passing(std::int64_t rows, std::int64_t columns,
                                   std::int64_t partitions);
// The columns of such a cut: rows that fill the partitions.
[[nodiscard]] std::int64_t flat_columns(std::int64_t elements, std::int64_t partitions);

// The width cut to whole repetitions of the fast dimensions, so that tiles are rectangles.
void fit_width(Layout& layout, std::span<const std::int64_t> shape);

// The columns that one run along a dimension takes; nothing where it is cut into tiles.
[[nodiscard]] std::optional<std::int64_t> run_of(const Layout& layout, std::size_t dim,
                                                 std::span<const std::int64_t> shape);

// A dense tensor of that layout as a value of that shape.
[[nodiscard]] Strided laid_out(isa::TensorId tensor, isa::DType dtype, const Layout& layout,
                               std::span<const std::int64_t> shape);

}  // namespace trainyard::compiler
