#include "compiler/lowering/clusters/image_rows.h"

#include <set>
#include <utility>
#include <vector>

#include "compiler/lowering/canonical/definitions.h"
#include "compiler/lowering/clusters/row_clusters.h"
#include "compiler/lowering/tiles/reductions.h"
#include "graph/builder.h"
#include "graph/each_body.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Type;
using Dims = std::vector<std::int64_t>;

// In float32: what the rows of a channel give is not rounded further.
bool is_sum_by_channel(const Function& function, const Definitions& definitions, const Op& op) {
  if (op.kind != OpKind::reduce || op.results.size() != 1) return false;
  const auto dims = op.integers("dimensions");
  const graph::ElementType element = function.type(op.results[0]).element;
  return Dims(dims.begin(), dims.end()) == Dims{1, 2, 3} && element == graph::ElementType::f32 &&
         definitions.is_number(op.operands[1], 0) &&
         reduction_of(op.regions.at(0), element) == numerics::AluOp::add;
}

bool is_spread_by_channel(const Op& op) {
  if (op.kind != OpKind::broadcast_in_dim) return false;
  const auto places = op.integers("broadcast_dimensions");
  return Dims(places.begin(), places.end()) == Dims{0};
}

class Splitter {
 public:
  Splitter(Function& function, const machine::Core& core) : function_(function), core_(core) {
    const Definitions definitions(function);
    for (const Op& op : function.body.ops) {
      if (!is_sum_by_channel(function, definitions, op) || !leaves_idle(op.operands[0])) continue;
      sums_.insert(op.results[0]);
      images_.insert(function.type(op.operands[0]).shape);
    }
  }

  void run() {
    if (sums_.empty()) return;
    for (Op& op : std::exchange(function_.body.ops, {})) {
      if (!op.results.empty() && sums_.contains(op.results[0])) {
        sum(std::move(op));
      } else if (is_spread_by_channel(op) &&
                 images_.contains(function_.type(op.results[0]).shape)) {
        spread(std::move(op));
      } else {
        out().push_back(std::move(op));
      }
    }
  }

 private:
  [[nodiscard]] std::vector<Op>& out() { return function_.body.ops; }

  // Rows that fit into SBUF are there once for all that is computed of them.
  [[nodiscard]] bool leaves_idle(graph::ValueId value) const {
    const Dims& shape = function_.type(value).shape;
    if (shape.size() != 4) return false;
    const std::int64_t pixels = shape[1] * shape[2] * shape[3];
    return 2 * shape[0] <= core_.array.rows && shape[0] * shape[1] >= core_.array.rows &&
           pixels * graph::size_in_bytes(graph::ElementType::f32) > bytes_max_;
  }

  [[nodiscard]] Type by_image(graph::ValueId value, graph::ElementType element) const {
    const Dims& shape = function_.type(value).shape;
    return {.element = element, .shape = {shape[0], shape[1]}};
  }

  void sum(Op op) {
    Op first = op;
    first.results = {
        function_.add_value(by_image(op.operands[0], function_.type(op.results[0]).element))};
    for (graph::NamedAttribute& each : first.attributes) {
      if (each.name == "dimensions") each.value.value = Dims{2, 3};
    }
    for (graph::NamedAttribute& each : op.attributes) {
      if (each.name == "dimensions") each.value.value = Dims{1};
    }
    op.operands[0] = first.results[0];
    out().push_back(std::move(first));
    out().push_back(std::move(op));
  }

  void spread(Op op) {
    const auto element = function_.type(op.results[0]).element;
    const Type rows = by_image(op.results[0], element);
    op.operands[0] =
        graph::Builder(function_, out(), op.location).spread(op.operands[0], {0}, rows.shape);
    for (graph::NamedAttribute& each : op.attributes) {
      if (each.name == "broadcast_dimensions") each.value.value = Dims{0, 1};
    }
    out().push_back(std::move(op));
  }

  Function& function_;
  const machine::Core& core_;
  std::set<graph::ValueId> sums_;
  std::set<Dims> images_;  // shapes of what is summed
  std::int64_t bytes_max_ = core_.sbuf.usable().value * row_cluster_percent / 100;
};

}  // namespace

void sum_by_image(graph::Module& module, const machine::Core& core) {
  for (Function& function : module.functions)
    graph::each_body(function, [&](Function& each) { Splitter(each, core).run(); });
}

}  // namespace trainyard::compiler
