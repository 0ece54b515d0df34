// The attribute `algorithm` of dot_general. Source: StableHLO specification, "dot_general".
#include <utility>
#include <variant>

#include "graph/precision_passes.h"

namespace trainyard::graph {

namespace {

constexpr std::string_view precision_types[]{"lhs_precision_type", "rhs_precision_type"};

bool is_one_product(const Op& op) {
  return op.integer("lhs_component_count") == 1 && op.integer("rhs_component_count") == 1 &&
         op.integer("num_primitive_operations") == 1;
}

void cast(Function& function, Region& region) {
  std::vector<Op> ops;
  for (Op& op : region.ops) {
    for (Region& inner : op.regions) cast(function, inner);
    const bool casts = has_algorithm(op) && is_one_product(op);
    for (std::size_t side = 0; casts && side < 2; ++side) {
      const ElementType wanted = std::get<Type>(op.find(precision_types[side])->value).element;
      const ElementType own = function.type(op.operands[side]).element;
      if (is_float(wanted) && is_float(own) && is_narrower(wanted, own))
        op.operands[side] = converted(function, ops, op.operands[side], wanted, op.location);
    }
    ops.push_back(std::move(op));
  }
  region.ops = std::move(ops);
}

}  // namespace

bool has_algorithm(const Op& op) {
  if (op.kind != OpKind::dot_general) return false;
  const Attribute* const type = op.find(precision_types[0]);
  return type != nullptr && std::holds_alternative<Type>(type->value);
}

void cast_by_algorithm(Module& module) {
  for (Function& function : module.functions) cast(function, function.body);
}

}  // namespace trainyard::graph
