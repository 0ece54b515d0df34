#include "compiler/lowering/reductions/apart.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/units.h"
#include "compiler/lowering/reductions/reduction.h"
#include "compiler/lowering/tiles/column_sums.h"
#include "compiler/lowering/tiles/tile_math.h"

namespace trainyard::compiler {

namespace {

using isa::DType;
using isa::Tile;
using numerics::AluOp;

// Shorter runs are not worth it; what a tile costs beside its columns, in columns.
constexpr std::int64_t run_min = 16, tile_overhead = 64;
// Rows that become one: few are combined in any runs, more only in runs that make good transfers.
constexpr std::int64_t few_rows = 64, long_run = 128;
// Numbers that one instruction adds, at least: fewer elements are as well moved one by one.
constexpr std::int64_t together_min = 1024;

// The value's dimensions: reduced ones, then kept ones, of which the last is cut into runs of
// `width`, the columns of a matrix.
struct Cut {
  std::vector<std::int64_t> order{}, sizes{},
      kept{};                        // `kept`: sizes of the result, the last one cut
  std::int64_t count = 1;            // elements that become one
  std::int64_t rows = 1, width = 1;  // of the result
};

// The runs in which an engine passes soonest over so many rows of that length.
std::int64_t best_width(std::int64_t rows, std::int64_t length, std::int64_t partitions) {
  std::int64_t best = length, least = 0;
  for (std::int64_t width = std::min(length, tile_columns); width >= run_min; --width) {
    if (length % width != 0) continue;
    const std::int64_t bands = base::ceil_div(rows * (length / width), partitions);
    const std::int64_t cost = bands * (width + tile_overhead);
    if (least == 0 || cost < least) {
      best = width;
      least = cost;
    }
  }
  return best;
}

// With neighbouring dimensions joined that are all reduced, or all kept.
struct Joined {
  std::vector<std::int64_t> shape{}, dims{};
};
Joined joined(const Apart& how) {
  Joined made;
  std::optional<bool> before;
  for (std::int64_t dim = 0; dim < std::ssize(how.shape); ++dim) {
    const std::int64_t size = how.shape[static_cast<std::size_t>(dim)];
    const bool is_reduced = std::ranges::find(how.dims, dim) != how.dims.end();
    if (before == is_reduced) {
      made.shape.back() *= size;
      continue;
    }
    before = is_reduced;
    if (is_reduced) made.dims.push_back(std::ssize(made.shape));
    made.shape.push_back(size);
  }
  return made;
}

std::optional<Cut> cut_of(const Apart& how, std::int64_t partitions) {
  const std::int64_t rank = std::ssize(how.shape);
  Cut cut{.order = {how.dims.begin(), how.dims.end()}};
  for (std::int64_t dim = 0; dim < rank; ++dim) {
    if (std::ranges::find(how.dims, dim) == how.dims.end()) cut.order.push_back(dim);
  }
  for (const std::int64_t dim : cut.order) {
    const std::int64_t size = how.shape[static_cast<std::size_t>(dim)];
    cut.sizes.push_back(size);
    const bool is_reduced = std::ssize(cut.sizes) <= std::ssize(how.dims);
    (is_reduced ? cut.count : cut.rows) *= size;
    if (!is_reduced) cut.kept.push_back(size);
  }
  if (cut.kept.empty() || cut.order.back() != rank - 1) return std::nullopt;
  const std::int64_t length = cut.sizes.back();
  if (cut.count < 2 || length < run_min) return std::nullopt;
  cut.width = best_width(cut.rows / length, length, partitions);
  cut.rows /= cut.width;
  for (std::vector<std::int64_t>* sizes : {&cut.sizes, &cut.kept}) {
    sizes->back() /= cut.width;
    sizes->push_back(cut.width);
  }
  return cut;
}

// Row `i` of those that become one, after the other.
void combine_rows(Emitter& emitter, Group& group, const Apart& how, const Cut& cut, Sink& sink,
                  std::span<const Window> windows) {
  for (const Window& window : windows) {
    const TileMath math(emitter, window.rows, window.columns);
    std::optional<Tile> sum;
    for (std::int64_t i = 0; i < cut.count; ++i) {
      Window part = window;
      part.row += i * cut.rows;
      const Tile row = group.tile(part);
      if (!sum) {
        sum = row;
      } else {
        sum = math.tensor(i == 1 ? math.fresh(DType::float32) : *sum, *sum, how.op, row);
      }
    }
    sink.put(with_initial(math, *sum, how.op, how.initial, how.out), window);
  }
}

bool may_be_divided(const Emitter& emitter, const Sink& sink, const Apart& how,
                    std::span<const Window> windows) {
  std::int64_t bytes = numerics::size_in_bytes(how.out);
  for (const std::int64_t size : how.shape) bytes *= size;
  return emitter.cores() > 1 && sink.is_stored() && windows.size() > 1 &&
         bytes >= divided_bytes_min;
}

std::optional<Strided> by_rows(Segment& segment, Group& group, const Apart& how, const Cut& cut) {
  Emitter& emitter = segment.emitter();
  const std::int64_t partitions = emitter.core().sbuf.partitions;
  const Adapt adapt = [&](const Strided& view) -> std::optional<Strided> {
    const std::optional<Strided> joined = reshaped(view, how.shape);
    return joined ? reshaped(permuted(*joined, cut.order), cut.sizes) : std::nullopt;
  };
  if (!group.adapt(adapt, cut.sizes.size() - 1)) return std::nullopt;
  Sink sink(segment, how.out, cut.kept, in_order(cut.kept.size(), cut.kept.size() - 1));
  const std::vector<Window> all = windows(cut.rows, cut.width, partitions, tile_columns);
  if (may_be_divided(emitter, sink, how, all)) {
    for (const Strided& view : group.views()) segment.residents().write_back(view.tensor);
    emitter.in_halves([&](std::uint8_t half) {
      const std::size_t middle = (all.size() + 1) / 2;
      Group own = group;
      const std::span<const Window> each(all);
      combine_rows(emitter, own, how, cut, sink,
                   half == 0 ? each.first(middle) : each.subspan(middle));
    });
  } else {
    combine_rows(emitter, group, how, cut, sink, all);
  }
  return sink.place();
}

// The tensor engine adds bands of rows, for each index of the dimensions before those reduced.
std::optional<Strided> by_columns(Segment& segment, Group& group, const Apart& how,
                                  const Cut& cut) {
  Emitter& emitter = segment.emitter();
  const std::int64_t first = *std::ranges::min_element(how.dims);
  std::int64_t outer = 1, columns = 1;
  for (std::int64_t dim = 0; dim < std::ssize(how.shape); ++dim) {
    const bool is_reduced = std::ranges::find(how.dims, dim) != how.dims.end();
    if (is_reduced != (dim >= first && dim < first + std::ssize(how.dims))) return std::nullopt;
    if (!is_reduced) (dim < first ? outer : columns) *= how.shape[static_cast<std::size_t>(dim)];
  }
  if (columns < long_run / 2 || ColumnSums::most(columns, emitter.core()) < 1) return std::nullopt;
  const auto outer_dims = static_cast<std::size_t>(first);
  group.adapt(in_order(how.shape.size(), outer_dims + how.dims.size()));
  const std::array<std::int64_t, 2> sizes{outer, columns};
  Sink sink(segment, how.out, sizes, in_order(2, 1));
  const std::int64_t height = emitter.core().array.rows;
  for (std::int64_t row = 0; row < outer; ++row) {
    ColumnSums sums(emitter, columns);
    for (const Window& band : windows(cut.count, columns, height, tile_columns)) {
      Window part = band;
      part.row += row * cut.count;
      sums.add(0, group.tile(part), band.column);
    }
    const Tile sum = sums.take(0, DType::float32);
    const TileMath math(emitter, 1, columns);
    sink.put(with_initial(math, sum, how.op, how.initial, how.out), {row, 1, 0, columns});
  }
  return sink.place();
}

}  // namespace

std::optional<Strided> reduce_apart(Segment& segment, Group& group, const Apart& how) {
  const machine::Core& core = segment.emitter().core();
  if (is_word(how.out) || as_a_resident(segment.residents(), group.views(), how.dims))
    return std::nullopt;
  std::optional<Cut> cut = cut_of(how, core.sbuf.partitions);
  const Joined wide = joined(how);
  Apart seen = how;
  if (!cut) {
    seen.dims = wide.dims;
    seen.shape = wide.shape;
    cut = cut_of(seen, core.sbuf.partitions);
  }
  if (!cut) return std::nullopt;
  const bool fills = cut->rows * 2 >= core.sbuf.partitions && cut->width >= long_run;
  std::optional<Strided> place;
  const std::int64_t bands = base::ceil_div(cut->rows, std::int64_t{core.sbuf.partitions});
  const bool by_row = cut->count <= few_rows || fills;
  const std::int64_t moved = by_row ? 1 : cut->count / few_rows;  // by each instruction
  if (moved * cut->rows * cut->width < together_min * bands) return std::nullopt;
  if (by_row) {
    place = by_rows(segment, group, seen, *cut);
  } else if (how.op == AluOp::add) {
    place = by_columns(segment, group, how, *cut);
  }
  if (!place) return std::nullopt;
  std::vector<std::int64_t> shape;
  for (std::int64_t dim = 0; dim < std::ssize(how.shape); ++dim) {
    if (std::ranges::find(how.dims, dim) == how.dims.end())
      shape.push_back(how.shape[static_cast<std::size_t>(dim)]);
  }
  return reshaped(*place, shape);
}

}  // namespace trainyard::compiler
