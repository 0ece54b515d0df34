#include "compiler/lowering/values/block_copy.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "compiler/lowering/tiles/tile_math.h"
#include "compiler/lowering/values/layout.h"
#include "compiler/lowering/values/window.h"

namespace trainyard::compiler {

namespace {

constexpr std::int64_t block_max = 12 * 1024;  // elements of a partition
constexpr std::int64_t rows_min = 16;
constexpr std::int64_t long_run = 128, short_run = 16;  // elements next to each other

// Adds the dimensions of runs of so many elements on one side to the block: those whose steps
// follow each other. False where there are none.
bool add_run(const std::vector<Both>& walk, std::int64_t Both::*side, std::int64_t wanted,
             std::vector<bool>& is_in_block) {
  std::int64_t run = 1;
  while (run < wanted) {
    const auto next = std::ranges::find_if(
        walk, [&](const Both& dim) { return dim.*side == run && dim.size > 1; });
    if (next == walk.end()) break;
    is_in_block[static_cast<std::size_t>(next - walk.begin())] = true;
    run *= next->size;
  }
  return run >= short_run;
}

std::vector<Both> cut(std::span<const Both> walk, std::int64_t most) {
  std::vector<Both> all;
  for (const Both& dim : walk) {
    const std::int64_t part = even_part(dim.size, most);
    if (part < dim.size) all.push_back({dim.size / part, dim.from * part, dim.to * part});
    all.push_back({part, dim.from, dim.to});
  }
  return all;
}

std::optional<CopyBlock> block_of_runs(std::span<const Both> walk, std::int64_t run) {
  const std::vector<Both> dims = cut(walk, 2 * long_run);
  std::vector<bool> is_in_block(dims.size());
  if (!add_run(dims, &Both::to, run, is_in_block) || !add_run(dims, &Both::from, run, is_in_block))
    return std::nullopt;
  CopyBlock made;
  std::int64_t size = 1, rows = 1;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    (is_in_block[i] ? size : rows) *= dims[i].size;
    (is_in_block[i] ? made.block : made.rows).push_back(dims[i]);
  }
  if (size > block_max || rows < rows_min || made.block.size() >= isa::rank_max)
    return std::nullopt;
  return made;
}

}  // namespace

std::optional<CopyBlock> copy_block(std::span<const Both> walk) {
  if (std::ranges::any_of(walk, [](const Both& dim) { return dim.from <= 0 || dim.to <= 0; }))
    return std::nullopt;
  for (const std::int64_t run : {long_run, long_run / 2, long_run / 4, short_run})
    if (auto found = block_of_runs(walk, run)) return found;
  return std::nullopt;
}

void copy_in_blocks(Emitter& emitter, const Strided& from, const Strided& to,
                    const CopyBlock& block) {
  Matrix source{from.tensor, from.dtype, from.offset, {}, {}};
  Matrix target{to.tensor, to.dtype, to.offset, {}, {}};
  std::int64_t size = 1;
  for (const Both& dim : block.rows) {
    source.rows.push_back({dim.size, dim.from});
    target.rows.push_back({dim.size, dim.to});
  }
  for (const Both& dim : block.block) {
    target.columns.push_back({dim.size, dim.to});
    size *= dim.size;
  }
  // As they lie in the source, and where each of the target's dimensions then lies in the tile.
  std::vector<std::size_t> order(block.block.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, std::ranges::greater{},
                    [&](std::size_t i) { return block.block[i].from; });
  std::vector<std::int64_t> steps(order.size());
  std::int64_t step = size;
  for (const std::size_t i : order) {
    const Both& dim = block.block[i];
    source.columns.push_back({dim.size, dim.from});
    step /= dim.size;
    steps[i] = step;
  }
  for (const Window& window :
       windows(product(source.rows), size, emitter.core().sbuf.partitions, size)) {
    isa::Tile run = emitter.sbuf(from.dtype, window.rows, size);
    load(emitter, source, window, run);
    run.rank = 0;
    for (std::size_t i = 0; i < steps.size(); ++i)
      run.dims.at(run.rank++) = {static_cast<std::int32_t>(steps[i]),
                                 static_cast<std::int32_t>(block.block[i].size)};
    const TileMath math(emitter, window.rows, size);
    store(emitter, math.copy(math.fresh(from.dtype), run), target, window);
  }
}

}  // namespace trainyard::compiler
