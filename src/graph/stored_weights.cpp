// Products with weights that are stored before the first run, as composites.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "graph/precision.h"
#include "graph/precision_passes.h"

namespace trainyard::graph {

namespace {

constexpr std::int64_t tags_per_word = 4;  // of as many columns

ValueId add(Function& function, Op op, ElementType element) {
  Type type = function.type(op.operands[0]);
  type.element = element;
  op.results = {function.add_value(std::move(type))};
  const ValueId result = op.results[0];
  function.body.ops.push_back(std::move(op));
  return result;
}

// What the array multiplies of an operand. Of sparse weights those remain that are largest in their
// format: equal ones there may differ before.
ValueId rounded(Function& made, const Op& op, std::size_t side, bool is_weights,
                const OperandFormat& format) {
  ValueId operand = made.body.arguments.at(side);
  const bool is_sparse = format.is_sparse();
  if (is_sparse) {
    operand = add(made, {.kind = OpKind::convert, .operands = {operand}, .location = op.location},
                  format.element);
    if (!is_weights) return operand;
  }
  Dictionary attributes{{"dimension", {op.integers(contracted(side))[0]}}};
  if (is_weights) attributes.push_back({"format", {std::string(name(format))}});
  attributes.push_back({"name", {std::string(is_sparse ? pruned_name : mx_rounded_name)}});
  return add(made,
             {.kind = OpKind::composite,
              .operands = {operand},
              .attributes = std::move(attributes),
              .location = op.location},
             is_sparse ? format.element : ElementType::f32);
}

}  // namespace

bool fits_storage(const Function& function, const Op& op, std::size_t side,
                  const OperandFormat& format) {
  if (!format.is_sparse()) return sums_over_groups(function, op, mx_block);
  if (!sums_over_groups(function, op, format.sparsity.of)) return false;
  const Type& type = function.type(op.operands[side]);
  const auto dim = static_cast<std::size_t>(op.integers(contracted(side))[0]);
  return type.elements() / type.shape[dim] % tags_per_word == 0;
}

void store_weights(const Function& function, Op& op, std::size_t side, const OperandFormat& format,
                   std::vector<Function>& made) {
  Function body{.name = fmt::format("{}.{}", stored_product_name, made.size()), .is_public = false};
  for (const ValueId operand : op.operands)
    body.body.arguments.push_back(body.add_value(function.type(operand)));
  Op dot = op;
  for (const std::size_t each : {0U, 1U})
    dot.operands[each] = rounded(body, op, each, each == side, format);
  dot.results = {body.add_value(function.type(op.results[0]))};
  const ValueId result = dot.results[0];
  body.body.ops.push_back(std::move(dot));
  body.body.ops.push_back({.kind = OpKind::return_, .operands = {result}});
  op.kind = OpKind::composite;
  op.attributes = {{"decomposition", {Symbol{body.name}}},
                   {"format", {std::string(name(format))}},
                   {"name", {std::string(stored_product_name)}},
                   {"side", {static_cast<std::int64_t>(side)}}};
  made.push_back(std::move(body));
}

}  // namespace trainyard::graph
