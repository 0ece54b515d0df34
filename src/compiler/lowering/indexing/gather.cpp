#include "compiler/lowering/indexing/gather.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "compiler/lowering/indexing/indices.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/values/movement.h"
#include "compiler/lowering/walk/nodes.h"

namespace trainyard::compiler {

namespace {

std::vector<Extent> extents(const Strided& value, const std::vector<std::int64_t>& dims) {
  std::vector<Extent> walk;
  for (const std::int64_t dim : dims) walk.push_back(value.dims[static_cast<std::size_t>(dim)]);
  return walk;
}

// A value with one row a window: the dimensions that count windows, then those that walk one.
Strided by_window(const Strided& value, const Indexing& how) {
  std::vector<std::int64_t> order =
      others(static_cast<std::int64_t>(value.dims.size()), how.windowed);
  order.insert(order.end(), how.windowed.begin(), how.windowed.end());
  return permuted(value, order);
}

// The window that begins at offset 0, in a table that lies dense.
Strided first_window(const Strided& table, const Indexing& how,
                     const std::vector<std::int64_t>& sizes) {
  Strided window = table;
  window.dims = extents(table, window_dims(how, static_cast<std::int64_t>(table.dims.size())));
  const std::vector<std::int64_t> dims =
      window_dims(how, static_cast<std::int64_t>(table.dims.size()));
  for (std::size_t i = 0; i < dims.size(); ++i)
    window.dims[i].size = sizes[static_cast<std::size_t>(dims[i])];
  return window;
}

}  // namespace

bool gather(Lowerer& lowerer, const graph::Op& op) {
  const graph::Type table = lowerer.type(op.operands[0]);
  if (table.elements() == 0 || lowerer.type(op.results[0]).elements() == 0) return false;
  const Indexing how = indexing_of_gather(op);
  const std::span<const std::int64_t> sizes = op.integers("slice_sizes");
  const std::optional<Offsets> offsets =
      offsets_of(lowerer, how, op.operands[1], table, {sizes.begin(), sizes.end()}, Outside::moved,
                 op.location);
  if (!offsets) return false;
  Segment& segment = lowerer.segment();
  const Strided whole = segment.stored_dense(lowerer.node(op.operands[0]));
  const Strided list = segment.stored(offsets->node);
  const Strided to = fresh(lowerer, lowerer.type(op.results[0]));
  segment.emitter().at(op.location);
  gather_windows(segment.emitter(),
                 {.first = first_window(whole, how, {sizes.begin(), sizes.end()}),
                  .list = list,
                  .unit = offsets->unit},
                 by_window(to, how));
  return define_view(lowerer, op, to);
}

}  // namespace trainyard::compiler
