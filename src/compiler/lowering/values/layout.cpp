#include "compiler/lowering/values/layout.h"

#include <algorithm>
#include <numeric>

#include "base/units.h"

namespace trainyard::compiler {

Layout in_order(std::size_t rank, std::size_t row_dims) {
  Layout layout{.order = std::vector<std::int64_t>(rank), .row_dims = row_dims};
  std::iota(layout.order.begin(), layout.order.end(), 0);
  return layout;
}

std::optional<Layout> as_resident(const Residents& residents, const Strided& value,
                                  std::span<const std::int64_t> inner) {
  const std::optional<std::int64_t> columns = residents.columns(value.tensor);
  if (!columns) return std::nullopt;
  const auto is_row = [&](std::int64_t dim) {
    const Extent& extent = value.dims[static_cast<std::size_t>(dim)];
    return extent.size > 1 && extent.step >= *columns;
  };
  const auto rank = [&](std::int64_t dim) {  // rows, columns, and what comes last
    if (std::ranges::find(inner, dim) != inner.end()) return 2;
    return is_row(dim) ? 0 : 1;
  };
  for (const std::int64_t dim : inner) {
    if (is_row(dim)) return std::nullopt;
  }
  Layout layout = in_order(value.dims.size(), 0);
  std::ranges::stable_sort(layout.order, [&](std::int64_t a, std::int64_t b) {
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    return value.dims[static_cast<std::size_t>(a)].step >
           value.dims[static_cast<std::size_t>(b)].step;
  });
  layout.row_dims = static_cast<std::size_t>(std::ranges::count_if(layout.order, is_row));
  // A tile that holds whole rows is read in any width.
  const std::int64_t width = residents.tile_width(value.tensor);
  if (width < *columns) layout.width = std::min(tile_columns, width);
  return layout;
}

std::optional<Layout> as_a_resident(const Residents& residents, std::span<const Strided> values,
                                    std::span<const std::int64_t> inner) {
  for (const Strided& value : values) {
    const bool repeats = std::ranges::any_of(
        value.dims, [](const Extent& dim) { return dim.size > 1 && dim.step == 0; });
    if (repeats) continue;
    if (std::optional<Layout> layout = as_resident(residents, value, inner)) return layout;
  }
  return std::nullopt;
}

namespace {

// Shorter rows make poor transfers.
constexpr std::int64_t columns_min = 128;
// What a tile costs beside its columns, in columns.
constexpr std::int64_t tile_overhead = 128;

}  // namespace

std::int64_t passing(std::int64_t rows, std::int64_t columns, std::int64_t partitions) {
  const std::int64_t tiles = base::ceil_div(columns, tile_columns);
  return base::ceil_div(rows, partitions) * (columns + tiles * tile_overhead);
}

std::int64_t flat_columns(std::int64_t elements, std::int64_t partitions) {
  return std::clamp(base::ceil_div(elements, partitions), columns_min, tile_columns);
}

std::optional<Layout> by_rows(std::span<const std::int64_t> shape, std::int64_t partitions) {
  if (shape.empty()) return in_order(0, 0);
  constexpr std::int64_t few = 16384;
  std::int64_t elements = 1;
  for (const std::int64_t size : shape) elements *= size;
  const std::int64_t last = elements / shape.back();
  if (last <= 2 * partitions && elements <= few) return in_order(shape.size(), shape.size() - 1);
  // Rows that are cut out of the walk over all elements are never much shorter than a tile.
  const std::int64_t flat = flat_columns(elements, partitions);
  std::int64_t least = passing(base::ceil_div(elements, flat), flat, partitions) * 5 / 4 + 1;
  std::optional<std::size_t> split;
  std::int64_t rows = 1;
  for (std::size_t i = 0; i + 1 < shape.size(); ++i) {
    rows *= shape[i];
    const std::int64_t columns = elements / rows, cost = passing(rows, columns, partitions);
    if (columns < columns_min || cost >= least) continue;
    least = cost;
    split = i + 1;
  }
  if (!split) return std::nullopt;
  return in_order(shape.size(), *split);
}

void fit_width(Layout& layout, std::span<const std::int64_t> shape) {
  std::int64_t whole = 1;
  for (std::size_t i = layout.order.size(); i-- > layout.row_dims;) {
    const std::int64_t size = shape[static_cast<std::size_t>(layout.order[i])];
    if (whole * size > layout.width) break;
    whole *= size;
  }
  layout.width = layout.width / whole * whole;
}

std::optional<std::int64_t> run_of(const Layout& layout, std::size_t dim,
                                   std::span<const std::int64_t> shape) {
  std::int64_t run = 1;
  for (std::size_t i = layout.order.size(); i-- > layout.row_dims;) {
    const auto at = static_cast<std::size_t>(layout.order[i]);
    run *= shape[at];
    if (at == dim) return run <= layout.width ? std::optional(run) : std::nullopt;
  }
  return std::nullopt;
}

Strided laid_out(isa::TensorId tensor, isa::DType dtype, const Layout& layout,
                 std::span<const std::int64_t> shape) {
  std::vector<std::int64_t> sizes, back(shape.size());
  for (std::size_t i = 0; i < layout.order.size(); ++i) {
    sizes.push_back(shape[static_cast<std::size_t>(layout.order[i])]);
    back[static_cast<std::size_t>(layout.order[i])] = static_cast<std::int64_t>(i);
  }
  return permuted(dense(tensor, dtype, sizes), back);
}

}  // namespace trainyard::compiler
