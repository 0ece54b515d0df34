// Products of two matrices in MXFP8, as composites.
#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "graph/precision.h"
#include "graph/precision_passes.h"

namespace trainyard::graph {

namespace {

// What one means, as operations.
Function decomposition(const Function& function, const Op& op, std::string name) {
  Function made{.name = std::move(name), .is_public = false};
  std::vector<ValueId> rounded;
  for (const std::size_t side : {0U, 1U}) {
    Type type = function.type(op.operands[side]);
    const ValueId operand = made.add_value(type);
    type.element = ElementType::f32;
    made.body.arguments.push_back(operand);
    rounded.push_back(made.add_value(type));
    const std::int64_t dimension = op.integers(contracted(side))[0];
    made.body.ops.push_back(
        {.kind = OpKind::composite,
         .operands = {operand},
         .results = {rounded.back()},
         .attributes = {{"dimension", {dimension}}, {"name", {std::string(mx_rounded_name)}}},
         .location = op.location});
  }
  const ValueId result = made.add_value(function.type(op.results[0]));
  Op dot = op;
  dot.operands = rounded;
  dot.results = {result};
  made.body.ops.push_back(std::move(dot));
  made.body.ops.push_back({.kind = OpKind::return_, .operands = {result}});
  return made;
}

void quantise_products(const Function& function, Region& region, std::vector<Function>& made) {
  for (Op& op : region.ops) {
    for (Region& inner : op.regions) quantise_products(function, inner, made);
    if (fits_mx_blocks(function, op)) quantise(function, op, made);
  }
}

}  // namespace

std::string_view contracted(std::size_t side) {
  return side == 0 ? "lhs_contracting_dimensions" : "rhs_contracting_dimensions";
}

bool sums_over_groups(const Function& function, const Op& op, std::int64_t group) {
  const auto fits = [&](std::size_t side, std::string_view batches) {
    const Type& type = function.type(op.operands[side]);
    const auto depth = op.integers(contracted(side));
    if (!is_float(type.element) || bits(type.element) > 32 || bits(type.element) < 16 ||
        !op.integers(batches).empty() || depth.size() != 1)
      return false;
    const std::int64_t size = type.shape.at(static_cast<std::size_t>(depth[0]));
    return size > 0 && size % group == 0 && type.elements() > 0;
  };
  return op.kind == OpKind::dot_general && is_float(function.type(op.results[0]).element) &&
         fits(0, "lhs_batching_dimensions") && fits(1, "rhs_batching_dimensions");
}

bool fits_mx_blocks(const Function& function, const Op& op) {
  const auto is_even = [&](std::size_t side) {
    const Type& type = function.type(op.operands[side]);
    const auto dim = static_cast<std::size_t>(op.integers(contracted(side))[0]);
    return type.elements() / type.shape[dim] % 2 == 0;
  };
  return sums_over_groups(function, op, mx_block) && is_even(0) && is_even(1);
}

void quantise(const Function& function, Op& op, std::vector<Function>& made) {
  std::string name = std::string(mx_product_name) + "." + std::to_string(made.size());
  made.push_back(decomposition(function, op, name));
  op.kind = OpKind::composite;
  op.attributes = {{"name", {std::string(mx_product_name)}},
                   {"decomposition", {Symbol{std::move(name)}}}};
}

void quantise_products(Module& module) {
  std::vector<Function> made;
  for (Function& function : module.functions) quantise_products(function, function.body, made);
  std::ranges::move(made, std::back_inserter(module.functions));
}

}  // namespace trainyard::graph
