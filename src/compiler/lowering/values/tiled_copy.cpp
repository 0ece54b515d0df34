#include "compiler/lowering/values/tiled_copy.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <ranges>
#include <utility>
#include <vector>

#include "compiler/lowering/tiles/tile_math.h"
#include "compiler/lowering/values/block_copy.h"
#include "compiler/lowering/values/layout.h"
#include "compiler/lowering/values/rearranged.h"
#include "compiler/lowering/values/span_copy.h"
#include "compiler/lowering/values/window.h"

namespace trainyard::compiler {

namespace {

constexpr std::int64_t copied_columns_min = 16;  // of tiles that are worth it

// How many of the first dimensions count rows, so that the others permute one dense run of each
// row.
std::optional<std::size_t> permuted_rows(std::span<const Both> walk) {
  constexpr std::int64_t run_max = 12 * 1024, rows_min = 16;
  for (std::size_t rows = walk.size() - 1; rows-- > 0;) {
    std::vector<Both> run(walk.begin() + static_cast<std::ptrdiff_t>(rows), walk.end());
    std::int64_t size = 1;
    bool is_dense = run.size() < isa::rank_max;
    for (const Both& dim : std::views::reverse(run)) {
      is_dense &= dim.to == size;
      size *= dim.size;
    }
    std::ranges::sort(run, {}, &Both::from);
    std::int64_t step = 1, count = 1;
    for (const Both& dim : run) {
      is_dense &= dim.from == step;
      step *= dim.size;
    }
    for (const Both& dim : walk.first(rows)) count *= dim.size;
    if (is_dense && size <= run_max && count >= rows_min) return rows;
  }
  return std::nullopt;
}

// Loads the runs, reads them in the new order, stores them.
void copy_permuted_rows(Emitter& emitter, const Strided& from, const Strided& to,
                        std::span<const Both> walk, std::size_t rows) {
  Matrix source{from.tensor, from.dtype, from.offset, {}, {}};
  Matrix target{to.tensor, to.dtype, to.offset, {}, {}};
  std::int64_t size = 1;
  for (const Both& dim : walk.first(rows)) {
    source.rows.push_back({dim.size, dim.from});
    target.rows.push_back({dim.size, dim.to});
  }
  for (const Both& dim : walk.subspan(rows)) size *= dim.size;
  source.columns = target.columns = {{size, 1}};
  for (const Window& window :
       windows(product(source.rows), size, emitter.core().sbuf.partitions, size)) {
    isa::Tile run = emitter.sbuf(from.dtype, window.rows, size);
    load(emitter, source, window, run);
    run.rank = 0;
    for (const Both& dim : walk.subspan(rows))
      run.dims.at(run.rank++) = {static_cast<std::int32_t>(dim.from),
                                 static_cast<std::int32_t>(dim.size)};
    const TileMath math(emitter, window.rows, size);
    store(emitter, math.copy(math.fresh(from.dtype), run), target, window);
  }
}

// A copy by way of SBUF, where engines rearrange and repeat elements.
class TiledCopy {
 public:
  TiledCopy(Emitter& emitter, const Strided& from, const Strided& to, std::vector<Both> walk)
      : emitter_(emitter),
        source_{from.tensor, from.dtype, from.offset, {}, {}},
        target_{to.tensor, to.dtype, to.offset, {}, {}} {
    if (walk.back().from == 0 && walk.back().size > tile_columns) {  // more than a tile holds
      const std::int64_t some = even_part(walk.back().size, tile_columns);
      walk.back() = {walk.back().size / some, 0, some};
      walk.push_back({some, 0, 1});
    }
    if (walk.back().from == 0 && walk.size() > 1) {
      repeats_ = walk.back().size;
      const Both each = walk[walk.size() - 2];
      const std::int64_t side_by_side =
          each.from == 1
              ? even_part(each.size, std::min(tile_columns / repeats_,
                                              each.size / emitter.core().sbuf.partitions))
              : 1;
      walk[walk.size() - 2] = {each.size / side_by_side, each.from * side_by_side,
                               each.to * side_by_side};
      source_.columns = {{side_by_side, 1}};
      target_.columns = {{side_by_side, each.to}, {repeats_, 1}};
    } else {
      const Both all = walk.back();
      const std::int64_t width = walk.size() > 1 ? all.size : even_part(all.size, tile_columns);
      walk.back() = {all.size / width, all.from * width, width};
      walk.push_back({width, all.from, 1});
      if (all.from == 0) repeats_ = width;
      source_.columns = {{all.from == 0 ? 1 : width, all.from}};
      target_.columns = {{width, 1}};
    }
    for (const Both& dim : std::span(walk).first(walk.size() - 1)) {
      if (dim.size == 1) continue;
      source_.rows.push_back({dim.size, dim.from});
      target_.rows.push_back({dim.size, dim.to});
    }
  }

  void run() {
    const std::int64_t width = std::max(std::int64_t{1}, tile_columns / repeats_);
    for (const Window& window : windows(product(target_.rows), product(source_.columns),
                                        emitter_.core().sbuf.partitions, width)) {
      const Window wide{window.row, window.rows, window.column * repeats_,
                        window.columns * repeats_};
      if (!is_alike() || !tile_) tile_ = tile(window);
      store(emitter_, part(*tile_, 0, wide.rows, 0, wide.columns), target_, wide);
    }
  }

 private:
  [[nodiscard]] bool is_alike() const {  // all rows, and all columns
    return product(source_.columns) == 1 &&
           std::ranges::all_of(source_.rows, [](const Extent& dim) { return dim.step == 0; });
  }

  isa::Tile tile(const Window& window) {
    const isa::Tile loaded = emitter_.sbuf(source_.dtype, window.rows, window.columns);
    load(emitter_, source_, window, loaded);
    if (repeats_ == 1) return loaded;
    isa::Tile each = loaded;
    each.rank = 2;
    each.dims[0] = {1, static_cast<std::int32_t>(window.columns)};
    each.dims[1] = {0, static_cast<std::int32_t>(repeats_)};
    const TileMath math(emitter_, window.rows, window.columns * repeats_);
    return math.copy(math.fresh(source_.dtype), each);
  }

  Emitter& emitter_;
  Matrix source_, target_;
  std::int64_t repeats_ = 1;  // of each element, side by side
  std::optional<isa::Tile> tile_;
};

// Neighbours of the source lie along one dimension, neighbours of the target along the last ones:
// tiles with both, which the array turns. False, and nothing emitted, where there are none.
bool copy_turned(Emitter& emitter, const Strided& from, const Strided& to, std::vector<Both> walk) {
  constexpr std::int64_t rows_min = 64;
  std::int64_t columns = 1;
  std::size_t first = walk.size();
  while (first > 0 && walk[first - 1].to == columns && columns < tile_columns) {
    Both& dim = walk[first - 1];
    if (dim.from == 1) break;
    const std::int64_t some = even_part(dim.size, tile_columns / columns);
    if (some < dim.size) {
      const Both rest{dim.size / some, dim.from * some, dim.to * some};
      dim.size = some;
      walk.insert(walk.begin() + static_cast<std::ptrdiff_t>(first) - 1, rest);
      columns *= some;
      break;
    }
    columns *= dim.size;
    --first;
  }
  const auto row = std::ranges::find_if(
      walk, [&](const Both& dim) { return dim.from == 1 && dim.size >= rows_min; });
  if (row == walk.end() || columns < copied_columns_min || !is_turned_exactly(emitter, from.dtype))
    return false;
  const std::vector<Both> inner(walk.begin() + static_cast<std::ptrdiff_t>(first), walk.end());
  const Both rows = *row;
  walk.erase(walk.begin() + static_cast<std::ptrdiff_t>(first), walk.end());
  walk.erase(walk.begin() + (row - walk.begin()));
  std::vector<Extent> read, sources, targets;
  for (const Both& dim : inner) read.push_back({dim.size, dim.from});
  for (const Both& dim : walk) {
    sources.push_back({dim.size, dim.from});
    targets.push_back({dim.size, dim.to});
  }
  const std::int64_t times = product(sources);
  for (std::int64_t i = 0; i < times; ++i) {
    const auto at = [&](const std::vector<Extent>& dims) {
      return pieces(dims, i, i + 1, isa::rank_max).front().offset;
    };
    const Matrix source{from.tensor, from.dtype, from.offset + at(sources), {{rows.size, 1}}, read};
    const Matrix target{
        to.tensor, to.dtype, to.offset + at(targets), {{rows.size, rows.to}}, {{columns, 1}}};
    for (const Window& window :
         windows(rows.size, columns, emitter.core().sbuf.partitions, columns)) {
      const isa::Tile tile = emitter.sbuf(from.dtype, window.rows, window.columns);
      load(emitter, source, window, tile);
      store(emitter, tile, target, window);
    }
  }
  return true;
}

// A dimension that tiles cut and that has no divisor near their width is copied up to the last
// whole tile, and then what is left.
void copy_in_even_parts(Emitter& emitter, Strided from, Strided to, std::vector<Both> walk) {
  const bool repeats = walk.back().from == 0 && walk.size() > 1;
  if (repeats || walk.size() == 1) {
    Both& cut = walk[repeats ? walk.size() - 2 : 0];
    const std::int64_t size = cut.size;
    const std::int64_t most =
        repeats ? std::min(tile_columns / std::min(walk.back().size, tile_columns),
                           size / emitter.core().sbuf.partitions)
                : std::min(tile_columns, size);
    if (most > 1 && 4 * even_part(size, most) < most) {
      cut.size = size / most * most;
      TiledCopy(emitter, from, to, walk).run();
      from.offset += cut.size * cut.from;
      to.offset += cut.size * cut.to;
      cut.size = size % most;
    }
  }
  TiledCopy(emitter, from, to, std::move(walk)).run();
}

}  // namespace

std::int64_t even_part(std::int64_t size, std::int64_t most) {
  std::int64_t part = std::clamp(most, std::int64_t{1}, size);
  while (size % part != 0) --part;
  return part;
}

bool moves_single_elements(std::span<const Both> walk) {
  constexpr std::int64_t elements_min = 1024;
  std::int64_t elements = 1;
  for (const Both& dim : walk) elements *= dim.size;
  return !walk.empty() && elements >= elements_min && walk.back().to == 1 && walk.back().from != 1;
}

bool copy_by_tiles(Emitter& emitter, const Strided& from, const Strided& to,
                   std::span<const Both> walk) {
  if (!moves_single_elements(walk))
    return moves_short_runs(walk, from.dtype) && copy_by_spans(emitter, from, to, walk);
  if (const auto rows = permuted_rows(walk)) {
    copy_permuted_rows(emitter, from, to, walk, *rows);
    return true;
  }
  const bool is_narrow = walk.back().size < copied_columns_min;
  const auto next = std::ranges::find(walk, 1, &Both::from);
  // Rows of the source's neighbours, which the tiles of the copy do not have as rows.
  const bool is_far = next != walk.end() && walk.end() - next > 2;
  if ((is_narrow || is_far) && copy_turned(emitter, from, to, {walk.begin(), walk.end()}))
    return true;
  if (is_narrow || (next != walk.end() && next->size < copied_columns_min)) {
    if (const auto block = copy_block(walk)) {
      copy_in_blocks(emitter, from, to, *block);
      return true;
    }
  }
  // Elements that are repeated where their neighbours follow them.
  const bool repeats = walk.back().from == 0 && walk.size() > 1 && walk[walk.size() - 2].from == 1;
  // Rows that fill no partitions by themselves.
  constexpr std::int64_t near = 8;
  const bool is_long = walk.back().size > tile_columns && std::abs(walk.back().from) <= near &&
                       2 * from.elements() / walk.back().size < emitter.core().sbuf.partitions;
  if (is_long && walk.size() > 1 && walk.back().from != 0 && copy_by_spans(emitter, from, to, walk))
    return true;
  if (is_narrow && !repeats)
    return moves_short_runs(walk, from.dtype) && copy_by_spans(emitter, from, to, walk);
  copy_in_even_parts(emitter, from, to, {walk.begin(), walk.end()});
  return true;
}

}  // namespace trainyard::compiler
