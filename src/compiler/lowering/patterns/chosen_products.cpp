#include "compiler/lowering/patterns/chosen_products.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "compiler/lowering/canonical/definitions.h"
#include "compiler/lowering/canonical/indexing.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/tiles/multiplied_formats.h"
#include "graph/each_body.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Type;
using graph::ValueId;
using Dims = std::vector<std::int64_t>;

// Whether each index picks one matrix along the table's first dimension: [indices..., matrix...].
bool picks_matrices(const Function& function, const Op& gather, const machine::Core& core) {
  const Indexing how = indexing_of_gather(gather);
  const Type &table = function.type(gather.operands[0]),
             &indices = function.type(gather.operands[1]);
  const Type& result = function.type(gather.results[0]);
  const bool is_along_first = how.collapsed == Dims{0} && how.indexed == Dims{0} &&
                              how.table_batches.empty() && table.rank() >= 3;
  if (!is_along_first || !table.is_static() || indices.element != graph::ElementType::s32 ||
      table.elements() > std::numeric_limits<std::int32_t>::max())
    return false;
  const std::int64_t matrix = table.elements() / std::max<std::int64_t>(1, table.shape[0]);
  const std::int64_t first = result.rank() - static_cast<std::int64_t>(how.windowed.size());
  const auto sizes = gather.integers("slice_sizes");
  return std::equal(sizes.begin() + 1, sizes.end(), table.shape.begin() + 1, table.shape.end()) &&
         std::ranges::equal(how.windowed,
                            others(result.rank(), others(result.rank(), how.windowed))) &&
         how.windowed.front() == first && matrix >= core.array.rows * core.array.columns;
}

// Whether all indices count batches of the product, or rows of columns that no rows stand before.
bool multiplies_matrices(const Function& function, const Op& dot, const Op& gather,
                         const machine::Core& core) {
  const Type &left = function.type(dot.operands[0]), &right = function.type(dot.operands[1]);
  const auto batches = dot.integers("rhs_batching_dimensions");
  const auto contracted = dot.integers("rhs_contracting_dimensions");
  const std::int64_t first = indexing_of_gather(gather).windowed.front();
  const auto counts_matrices = [&](std::int64_t dim) { return dim < first; };
  if (!std::ranges::all_of(batches, counts_matrices) ||
      std::ranges::any_of(contracted, counts_matrices))
    return false;
  const std::size_t free =
      left.shape.size() - batches.size() - dot.integers("lhs_contracting_dimensions").size();
  const auto left_type = storage_of(left.element), right_type = storage_of(right.element);
  return (free == 0 || static_cast<std::int64_t>(batches.size()) == first) && left_type &&
         right_type && graph::is_float(function.type(dot.results[0]).element) &&
         left.elements() > 0 && right.elements() > 0 && multiplies(*left_type, *right_type, core);
}

}  // namespace

bool is_chosen_product(const Op& op) {
  return op.kind == OpKind::composite && op.text("name") == chosen_product_name;
}

void choose_matrices(graph::Module& module, const machine::Core& core) {
  const auto choose = [&](Function& function) {
    const Definitions definitions(function);
    std::vector<std::pair<Op*, const Op*>> found;
    for (Op& op : function.body.ops) {
      if (op.kind != OpKind::dot_general) continue;
      const Op* const gather = definitions.of(op.operands[1], OpKind::gather);
      if (gather != nullptr && picks_matrices(function, *gather, core) &&
          multiplies_matrices(function, op, *gather, core))
        found.emplace_back(&op, gather);
    }
    for (const auto& [op, gather] : found) {
      op->kind = OpKind::composite;
      op->operands = {op->operands[0], gather->operands[0], gather->operands[1]};
      op->attributes.push_back({"index_vector_dim", {gather->integer("index_vector_dim")}});
      op->attributes.push_back({"name", {std::string(chosen_product_name)}});
      std::ranges::sort(op->attributes, {}, &graph::NamedAttribute::name);
    }
  };
  for (Function& function : module.functions) graph::each_body(function, choose);
}

}  // namespace trainyard::compiler
