#include "compiler/lowering/clusters/row_repeats.h"

#include <cstdint>

#include "compiler/lowering/canonical/repeats.h"
#include "compiler/lowering/clusters/row_clusters.h"

namespace trainyard::compiler {

namespace {

// Of which many values fit into a partition.
constexpr std::int64_t row_elements_max = 4096;

// NOLINTNEXTLINE(misc-no-recursion): as deep as the program's regions
void compute_once(const graph::Function& function, graph::Region& region) {
  for (graph::Op& op : region.ops) {
    if (!is_row_cluster(op)) {
      for (graph::Region& inner : op.regions) compute_once(function, inner);
      continue;
    }
    std::int64_t columns = 1;
    const auto shape = op.integers("shape");
    const auto rows = static_cast<std::size_t>(op.integer("row_dims"));
    for (const std::int64_t size : shape.subspan(rows)) columns *= size;
    if (columns <= row_elements_max && op.integer("piece") == 0)
      remove_repeats_in(function, op.regions[0], op.results);
  }
}

}  // namespace

void compute_rows_once(graph::Module& module) {
  for (graph::Function& function : module.functions) compute_once(function, function.body);
}

}  // namespace trainyard::compiler
