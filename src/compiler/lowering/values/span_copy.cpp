#include "compiler/lowering/values/span_copy.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/lowering/tiles/tile_math.h"
#include "compiler/lowering/values/layout.h"
#include "compiler/lowering/values/window.h"

namespace trainyard::compiler {

namespace {

// A run that is worth a transfer of its own; elements that are worth the way.
constexpr std::int64_t short_run_bytes = 64, span_elements_min = 4096;
// What is loaded for each element that is taken, at most; a partition takes no more at once.
constexpr std::int64_t loaded_each_max = 8, span_max = 8192;

std::int64_t elements_of(std::span<const Both> walk) {
  std::int64_t all = 1;
  for (const Both& dim : walk) all *= dim.size;
  return all;
}

// How many elements lie between the first and the last one, both counted, in the source.
std::int64_t span_of(std::span<const Both> walk) {
  std::int64_t span = 1;
  for (const Both& dim : walk) span += std::abs(dim.from) * (dim.size - 1);
  return span;
}

struct Stretch {
  std::vector<Both> rows{}, inner{};
  // A dimension of which the rows hold whole stretches, and what is left of it.
  std::optional<std::size_t> cut{};
  std::int64_t left = 0;
};

// The last dimensions, which lie side by side in the target, as many as a tile holds; a part of the
// one before.
std::optional<Stretch> stretch_of(std::span<const Both> walk, std::int64_t partitions) {
  const std::int64_t most = std::min(tile_columns, elements_of(walk) / partitions);
  std::size_t first = walk.size();
  std::int64_t block = 1;
  while (first > 0 && walk[first - 1].to == block && block * walk[first - 1].size <= most)
    block *= walk[--first].size;
  Stretch made{.rows = {walk.begin(), walk.begin() + static_cast<std::ptrdiff_t>(first)},
               .inner = {walk.begin() + static_cast<std::ptrdiff_t>(first), walk.end()}};
  if (first > 0 && walk[first - 1].to == block && 2 * block <= most) {
    Both& outer = made.rows.back();
    const std::int64_t some = most / block;
    std::int64_t part = even_part(outer.size, some);
    if (2 * part < some) {
      part = some;
      made.cut = first - 1;
      made.left = outer.size % part;
    }
    made.inner.insert(made.inner.begin(), {part, outer.from, outer.to});
    outer = {outer.size / part, outer.from * part, outer.to * part};
    block *= part;
  }
  const std::int64_t span = span_of(made.inner);
  if (made.inner.empty() || std::ssize(made.inner) >= isa::rank_max || span > span_max ||
      span > loaded_each_max * block || block * 2 < most)
    return std::nullopt;
  return made;
}

void copy_stretches(Emitter& emitter, const Strided& from, const Strided& to,
                    const Stretch& stretch) {
  const std::int64_t span = span_of(stretch.inner), block = elements_of(stretch.inner);
  std::int64_t first = 0;  // from the begin of the span to the first element
  for (const Both& dim : stretch.inner)
    if (dim.from < 0) first -= dim.from * (dim.size - 1);
  Matrix source{from.tensor, from.dtype, from.offset - first, {}, {{span, 1}}};
  Matrix target{to.tensor, to.dtype, to.offset, {}, {{block, 1}}};
  for (const Both& dim : stretch.rows) {
    source.rows.push_back({dim.size, dim.from});
    target.rows.push_back({dim.size, dim.to});
  }
  const std::int64_t rows = product(source.rows);
  for (const Window& window : windows(rows, span, emitter.core().sbuf.partitions, span)) {
    const isa::Tile loaded = emitter.sbuf(from.dtype, window.rows, span);
    load(emitter, source, window, loaded);
    isa::Tile taken = part(loaded, 0, window.rows, first, 1);
    taken.rank = 0;
    for (const Both& dim : stretch.inner)
      taken.dims.at(taken.rank++) = {static_cast<std::int32_t>(dim.from),
                                     static_cast<std::int32_t>(dim.size)};
    const TileMath math(emitter, window.rows, block);
    store(emitter, math.copy(math.fresh(from.dtype), taken), target,
          {window.row, window.rows, 0, block});
  }
}

}  // namespace

bool moves_short_runs(std::span<const Both> walk, isa::DType dtype) {
  if (walk.size() < 2 || elements_of(walk) < span_elements_min || walk.back().to != 1) return false;
  const std::int64_t run = walk.back().from == 1 ? walk.back().size : 1;
  return run * numerics::size_in_bytes(dtype) < short_run_bytes;
}

bool copy_by_spans(Emitter& emitter, const Strided& from, const Strided& to,
                   std::span<const Both> walk) {
  const auto stretch = stretch_of(walk, emitter.core().sbuf.partitions);
  if (!stretch) return false;
  std::vector<Both> rest(walk.begin(), walk.end());
  if (stretch->left > 0) {
    Both& cut = rest[*stretch->cut];
    cut.size = stretch->left;
    const std::int64_t done = walk[*stretch->cut].size - stretch->left;
    Strided behind = from, after = to;
    behind.offset += done * cut.from;
    after.offset += done * cut.to;
    const std::size_t rows = *stretch->cut;
    copy_stretches(emitter, behind, after,
                   {.rows = {rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(rows)},
                    .inner = {rest.begin() + static_cast<std::ptrdiff_t>(rows), rest.end()}});
  }
  copy_stretches(emitter, from, to, *stretch);
  return true;
}

}  // namespace trainyard::compiler
