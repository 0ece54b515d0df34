#include "compiler/lowering/canonical/indexing.h"

#include <algorithm>
#include <span>
#include <string_view>

namespace trainyard::compiler {

namespace {

std::vector<std::int64_t> list_or_empty(const graph::Op& op, std::string_view name) {
  if (op.find(name) == nullptr) return {};  // batches are younger than the rest
  const std::span<const std::int64_t> values = op.integers(name);
  return {values.begin(), values.end()};
}

}  // namespace

Indexing indexing_of_gather(const graph::Op& op) {
  return {.windowed = list_or_empty(op, "offset_dims"),
          .collapsed = list_or_empty(op, "collapsed_slice_dims"),
          .table_batches = list_or_empty(op, "operand_batching_dims"),
          .index_batches = list_or_empty(op, "start_indices_batching_dims"),
          .indexed = list_or_empty(op, "start_index_map"),
          .vector_dim = op.integer("index_vector_dim")};
}

Indexing indexing_of_scatter(const graph::Op& op) {
  return {.windowed = list_or_empty(op, "update_window_dims"),
          .collapsed = list_or_empty(op, "inserted_window_dims"),
          .table_batches = list_or_empty(op, "input_batching_dims"),
          .index_batches = list_or_empty(op, "scatter_indices_batching_dims"),
          .indexed = list_or_empty(op, "scatter_dims_to_operand_dims"),
          .vector_dim = op.integer("index_vector_dim")};
}

std::vector<std::int64_t> others(std::int64_t rank, const std::vector<std::int64_t>& those) {
  std::vector<std::int64_t> rest;
  for (std::int64_t dim = 0; dim < rank; ++dim) {
    if (std::ranges::find(those, dim) == those.end()) rest.push_back(dim);
  }
  return rest;
}

std::vector<std::int64_t> window_dims(const Indexing& how, std::int64_t table_rank) {
  std::vector<std::int64_t> single = how.collapsed;
  single.insert(single.end(), how.table_batches.begin(), how.table_batches.end());
  return others(table_rank, single);
}

}  // namespace trainyard::compiler
