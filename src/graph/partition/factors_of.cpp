// The factors of operations by the rules of their records.
#include <algorithm>
#include <optional>

#include "graph/ops/record.h"
#include "graph/partition/making.h"

namespace trainyard::graph {

namespace {

// The one operation of a region of two scalars.
const Op* only_op(const Region& region) {
  if (region.ops.size() != 2 || region.arguments.size() != 2) return nullptr;
  const Op& op = region.ops.front();
  const bool is_plain = op.operands.size() == 2 && op.operands[0] != op.operands[1] &&
                        std::ranges::all_of(op.operands, [&](ValueId value) {
                          return value == region.arguments[0] || value == region.arguments[1];
                        });
  return is_plain && region.ops.back().operands == op.results ? &op : nullptr;
}

std::optional<Factors> made_by(bool (*rule)(Making& make), const Op& op, const Facts& facts) {
  if (rule == nullptr) return std::nullopt;
  for (const auto& values : {op.operands, op.results}) {
    for (const ValueId value : values) {
      if (facts.type(value).kind != Type::Kind::tensor) return std::nullopt;
    }
  }
  Making make(op, facts);
  if (!rule(make)) return std::nullopt;
  return make.take();
}

}  // namespace

bool elementwise_factors(Making& make) {
  const Op& op = make.op();
  const auto& shape = make.result();
  const auto is_same = [&](ValueId value) { return make.shape(value) == shape; };
  for (const ValueId value : op.operands) {
    if (!is_same(value) && !make.shape(value).empty()) return false;
  }
  if (!std::ranges::all_of(op.results, is_same)) return false;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const std::size_t factor = make.add(shape[d]);
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      if (is_same(op.operands[i])) make.of_operand(i, d, factor);
    }
    for (std::size_t i = 0; i < op.results.size(); ++i) make.of_result(i, d, factor);
  }
  return true;
}

bool created_factors(Making& make) {
  for (std::size_t d = 0; d < make.result().size(); ++d)
    make.of_result(0, d, make.add(make.result()[d]));
  return true;
}

bool is_sum(const Region& region, ElementType element) {
  const Op* const only = only_op(region);
  return only != nullptr && only->kind == OpKind::add && element != ElementType::pred;
}

bool is_idempotent(const Region& region) {
  const Op* const only = only_op(region);
  return only != nullptr && is(only->kind, Trait::idempotent);
}

std::optional<Factors> factors_of(const Op& op, const Facts& facts) {
  return made_by(record_of(op.kind).factors, op, facts);
}

std::optional<Factors> factors_of_elementwise(const Op& op, const Facts& facts) {
  return made_by(elementwise_factors, op, facts);
}

void to_parts(Op& op, const std::vector<std::int64_t>& operand,
              const std::vector<std::int64_t>& operand_ways,
              const std::vector<std::int64_t>& result_ways) {
  const auto part = record_of(op.kind).part;
  if (part != nullptr) part(op, {operand, operand_ways, result_ways});
}

void to_part(Op& constant, Type type) {
  Literal all = constant.literal("value");
  all.type = std::move(type);
  constant.set("value", {std::move(all)});
}

}  // namespace trainyard::graph
