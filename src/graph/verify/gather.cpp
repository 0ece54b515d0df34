// gather, scatter and torch_index_select: index vectors say where windows of an operand lie.
#include <algorithm>
#include <array>

#include "graph/verify/check.h"

namespace trainyard::graph {

namespace {

bool has(Integers list, std::size_t d) {
  return std::ranges::find(list, static_cast<std::int64_t>(d)) != list.end();
}

// What gather and scatter call differently.
struct Names {
  std::string_view window, collapsed, operand_batching, indices_batching, map;
};
constexpr Names of_gather{"offset_dims", "collapsed_slice_dims", "operand_batching_dims",
                          "start_indices_batching_dims", "start_index_map"};
constexpr Names of_scatter{"update_window_dims", "inserted_window_dims", "input_batching_dims",
                           "scatter_indices_batching_dims", "scatter_dims_to_operand_dims"};

// The rules that both share. `windows`: the tensor that has all windows, the result of a gather,
// the updates of a scatter. `sizes`: of a window, empty where they are not known.
void windows_of(OpCheck& c, const Names& names, const Type& operand, const Type& indices,
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
  c.require(batching.size() == indices_batching.size() && !has(indices_batching, vector),
            "batching dimensions come in pairs, the index vector's is none");
  const std::int64_t length = vector < indices_rank ? indices.shape[vector] : 1;
  c.require(fits(length, static_cast<std::int64_t>(map.size())),
            "an index vector has a number for each dimension that it points along");
  std::vector<std::size_t> kept;
  for (std::size_t d = 0; d < rank; ++d) {
    const bool both = has(collapsed, d) && has(batching, d);
    c.require(!both && !(has(map, d) && has(batching, d)),
              "a dimension is collapsed, batching or pointed along, not several at once");
    if (!has(collapsed, d) && !has(batching, d)) kept.push_back(d);
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
    if (has(window, d)) continue;
    if (from == vector) ++from;
    c.require(fits(windows.shape[d], indices.shape[from++]),
              "the other dimensions are those of the indices");
  }
}

void gather(OpCheck& c) {
  const Type& operand = c.operand(0);
  c.require(same_element(operand, c.result()), "operand and result have one element type");
  const Integers sizes = c.list("slice_sizes"), collapsed = c.list("collapsed_slice_dims"),
                 batching = c.list_or_empty("operand_batching_dims");
  if (!c.require(sizes.size() == operand.shape.size(), "slice_sizes has a size for each dimension"))
    return;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    const bool alone = has(collapsed, d) || has(batching, d);
    c.require(sizes[d] >= 0 && (operand.shape[d] == dynamic_extent || sizes[d] <= operand.shape[d]),
              "a window is no larger than the operand");
    c.require(!alone || sizes[d] <= 1, "a collapsed or batching dimension of a window has size 1");
  }
  windows_of(c, of_gather, operand, c.operand(1), c.result(), sizes);
}

void dynamic_gather(OpCheck& c) {
  c.require(same_element(c.operand(0), c.result()), "operand and result have one element type");
  c.require(c.operand(2).shape.size() == 1 && is_index(c.operand(2)),
            "slice sizes are a list of integers");
}

void scatter(OpCheck& c) {
  const std::size_t inputs = c.op.operands.size() / 2;
  if (!c.require(c.op.operands.size() % 2 == 1 && c.op.results.size() == inputs,
                 "it has inputs, indices, an update and a result for each input"))
    return;
  for (std::size_t i = 0; i < inputs; ++i) {
    c.require(same_shape(c.operand(i), c.result(i)), "a result has the shape of its input");
    c.require(same_shape(c.operand(i), c.operand(0)) &&
                  same_shape(c.operand(inputs + 1 + i), c.operand(inputs + 1)),
              "inputs have one shape, and so have updates");
  }
  if (c.has_failed()) return;
  windows_of(c, of_scatter, c.operand(0), c.operand(inputs), c.operand(inputs + 1), {});
  c.scalar_region(0, 2 * inputs, inputs);
}

void torch_index_select(OpCheck& c) {
  c.require(same_element(c.operand(0), c.result()), "operand and result have one element type");
  c.require(is_index(c.operand(1)), "indices are integers");
  (void)c.dimension("dim", c.operand(0).shape.size());
  (void)c.dimension("batch_dims", c.operand(1).shape.size() + 1);
}

constexpr auto gather_table = std::to_array<Form>({
    {OpKind::dynamic_gather, 3, 3, 1, 1, 0, 0, dynamic_gather},
    {OpKind::gather, 2, 2, 1, 1, 0, 0, gather},
    {OpKind::scatter, 3, many, 1, many, 1, 1, scatter},
    {OpKind::torch_index_select, 2, 2, 1, 1, 0, 0, torch_index_select},
});

}  // namespace

std::span<const Form> gather_forms() { return gather_table; }

}  // namespace trainyard::graph
