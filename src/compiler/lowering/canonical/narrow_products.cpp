#include "compiler/lowering/canonical/narrow_products.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/tiles/multiplied_formats.h"
#include "graph/precision.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;

template <typename All>
bool is_one_of(const All& all, const typename All::value_type& one) {
  return std::ranges::find(all, one) != all.end();
}

// What bfloat16 and float16 both hold exactly.
constexpr std::array in_both{ElementType::f8e4m3fn, ElementType::f8e5m2, ElementType::f8e4m3,
                             ElementType::s8, ElementType::u8};

bool has_products(ElementType a, ElementType b, const machine::Core& core) {
  const auto left = storage_of(a), right = storage_of(b);
  return left && right && multiplies(*left, *right, core);
}

// Whether every number of `narrow` is one of `wide`.
bool holds(ElementType wide, ElementType narrow) {
  const bool is_half = wide == ElementType::bf16 || wide == ElementType::f16;
  if (wide == narrow) return true;
  if (wide == ElementType::f32)
    return is_one_of(in_both, narrow) || narrow == ElementType::bf16 || narrow == ElementType::f16;
  return is_half && is_one_of(in_both, narrow);
}

// The smallest format that the array has and that holds both exactly.
std::optional<ElementType> common(ElementType a, ElementType b, const machine::Core& core) {
  for (const ElementType one : {a, b, ElementType::bf16}) {
    if (graph::is_float(one) && holds(one, a) && holds(one, b) && has_products(one, one, core))
      return one;
  }
  return std::nullopt;
}

class Narrower {
 public:
  Narrower(Function& function, const machine::Core& core) : function_(function), core_(core) {
    collect(function.body);
    narrow(function.body, {});
  }

 private:
  using Made = std::map<std::pair<ValueId, ElementType>, ValueId>;

  void collect(const Region& region) {
    for (const Op& op : region.ops) {
      if (op.kind == OpKind::convert || graph::is(op.kind, graph::Trait::arrange))
        definitions_.emplace(op.results[0], op);
      for (const Region& inner : op.regions) collect(inner);
    }
  }

  // The format whose numbers the value has, however wide it is.
  [[nodiscard]] ElementType narrowest(ValueId value) const {
    const ElementType own = function_.type(value).element;
    const auto found = definitions_.find(value);
    if (found == definitions_.end()) return own;
    const ElementType from = narrowest(found->second.operands[0]);
    if (found->second.kind != OpKind::convert) return from;
    const bool widens = holds(own, from);
    return widens ? from : own;
  }

  // The value in that format, from what it was widened from; the operations it takes go to `ops`.
  ValueId narrowed(ValueId value, ElementType element, std::vector<Op>& ops, Made& made,
                   graph::LocationId location) {
    const ElementType own = function_.type(value).element;
    if (own == element) return value;
    if (const auto found = made.find({value, element}); found != made.end()) return found->second;
    const auto found = definitions_.find(value);
    Op op{.kind = OpKind::convert, .operands = {value}, .location = location};
    const bool looks_behind = found != definitions_.end() && !holds(element, own);
    if (looks_behind && found->second.kind == OpKind::convert) {
      return made[{value, element}] =
                 narrowed(found->second.operands[0], element, ops, made, location);
    }
    if (looks_behind) {
      op = found->second;
      op.operands[0] = narrowed(op.operands[0], element, ops, made, location);
    }
    Type type = function_.type(value);
    type.element = element;
    op.results = {function_.add_value(std::move(type))};
    const ValueId result = op.results[0];
    ops.push_back(std::move(op));
    return made[{value, element}] = result;
  }

  void narrow(Region& region, Made made) {
    std::vector<Op> ops;
    for (Op& op : region.ops) {
      for (Region& inner : op.regions) narrow(inner, made);
      if (const auto element = format_of(op)) {
        for (ValueId& operand : op.operands)
          operand = narrowed(operand, *element, ops, made, op.location);
      }
      ops.push_back(std::move(op));
    }
    region.ops = std::move(ops);
  }

  // Of a product's operands, where it is not the one that they have.
  [[nodiscard]] std::optional<ElementType> format_of(const Op& op) const {
    if (!graph::uses_the_array(op.kind) || op.operands.size() != 2) return std::nullopt;
    const Type &left = function_.type(op.operands[0]), &right = function_.type(op.operands[1]);
    const Type& result = function_.type(op.results[0]);
    const bool is_plain = left.quantized.empty() && right.quantized.empty() &&
                          graph::is_float(left.element) && graph::is_float(right.element) &&
                          graph::is_float(result.element) && left.is_static() && right.is_static();
    if (!is_plain) return std::nullopt;
    const bool is_one_format = has_products(left.element, right.element, core_);
    if (is_one_format && result.element != ElementType::f32) return std::nullopt;
    const auto element = common(narrowest(op.operands[0]), narrowest(op.operands[1]), core_);
    if (!element || (is_one_format && left.element == *element)) return std::nullopt;
    return element;
  }

  Function& function_;
  const machine::Core& core_;
  std::map<ValueId, Op> definitions_;  // conversions and movements
};

}  // namespace

void narrow_products(graph::Module& module, const machine::Core& core) {
  for (Function& function : module.functions) const Narrower narrower(function, core);
}

}  // namespace trainyard::compiler
