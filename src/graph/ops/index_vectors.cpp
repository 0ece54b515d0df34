#include "graph/ops/index_vectors.h"

#include <algorithm>

namespace trainyard::graph {

bool has_dim(Integers list, std::size_t dim) {
  return std::ranges::find(list, static_cast<std::int64_t>(dim)) != list.end();
}

void verify_windows(OpCheck& c, const WindowNames& names, const Type& operand, const Type& indices,
                    const Type& windows, Integers sizes) {
  const Integers window = c.list(names.window), collapsed = c.list(names.collapsed),
                 batching = c.list_or_empty(names.operand_batching),
                 indices_batching = c.list_or_empty(names.indices_batching),
                 map = c.list(names.map);
  const std::size_t rank = operand.shape.size(), indices_rank = indices.shape.size();
  const std::size_t vector = c.dimension("index_vector_dim", indices_rank + 1);
  c.require(is_index(indices), "indices are integers");
  c.are_dimensions(names.window, window, windows.shape.size());
  c.are_dimensions(names.collapsed, collapsed, rank);
  c.are_dimensions(names.operand_batching, batching, rank);
  c.are_dimensions(names.indices_batching, indices_batching, indices_rank);
  c.are_dimensions(names.map, map, rank);
  if (c.has_failed()) return;
  c.require(batching.size() == indices_batching.size() && !has_dim(indices_batching, vector),
            "batching dimensions come in pairs, the index vector's is none");
  const std::int64_t length = vector < indices_rank ? indices.shape[vector] : 1;
  c.require(fits(length, static_cast<std::int64_t>(map.size())),
            "an index vector has a number for each dimension that it points along");
  std::vector<std::size_t> kept;
  for (std::size_t d = 0; d < rank; ++d) {
    const bool both = has_dim(collapsed, d) && has_dim(batching, d);
    c.require(!both && !(has_dim(map, d) && has_dim(batching, d)),
              "a dimension is collapsed, batching or pointed along, not several at once");
    if (!has_dim(collapsed, d) && !has_dim(batching, d)) kept.push_back(d);
  }
  c.require(kept.size() == window.size(),
            "windows have the dimensions of the operand that are neither collapsed nor batching");
  const std::size_t batch = indices_rank - (vector < indices_rank ? 1 : 0);
  c.require(windows.shape.size() == batch + window.size(),
            "there is a window for each index vector");
  if (c.has_failed()) return;
  for (std::size_t i = 0; i < batching.size(); ++i) {
    c.require(fits(operand.shape[static_cast<std::size_t>(batching[i])],
                   indices.shape[static_cast<std::size_t>(indices_batching[i])]),
              "batching dimensions of operand and indices have equal sizes");
  }
  for (std::size_t i = 0; i < window.size(); ++i) {
    const std::int64_t made = windows.shape[static_cast<std::size_t>(window[i])];
    const std::int64_t whole = operand.shape[kept[i]];
    if (!sizes.empty()) {
      c.require(fits(made, sizes[kept[i]]), "windows have the sizes of slice_sizes");
    } else {
      c.require(made == dynamic_extent || whole == dynamic_extent || made <= whole,
                "a window is no larger than the operand");
    }
  }
  std::size_t from = 0;
  for (std::size_t d = 0; d < windows.shape.size(); ++d) {
    if (has_dim(window, d)) continue;
    if (from == vector) ++from;
    c.require(fits(windows.shape[d], indices.shape[from++]),
              "the other dimensions are those of the indices");
  }
}

Shape other_dims(std::size_t rank, const Shape& first, const Shape& second) {
  Shape list;
  for (std::size_t d = 0; d < rank; ++d) {
    if (!has_dim(first, d) && !has_dim(second, d)) list.push_back(static_cast<std::int64_t>(d));
  }
  return list;
}

Shape picked_dims(Index index, const Shape& dimensions) {
  Shape list;
  for (const std::int64_t d : dimensions) list.push_back(index[static_cast<std::size_t>(d)]);
  return list;
}

}  // namespace trainyard::graph
