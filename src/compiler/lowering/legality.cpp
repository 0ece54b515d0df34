#include "compiler/lowering/legality.h"

#include <array>

#include "compiler/lowering/canonical/definitions.h"
#include "compiler/lowering/operations.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/tiles/integer_products.h"
#include "graph/evaluate.h"

namespace trainyard::compiler {

using graph::ElementType;
using graph::OpKind;

std::string_view name(Becomes what) {
  constexpr std::array<std::string_view, 5> names{"instructions", "instructions or routine",
                                                  "routine", "control", "refused"};
  return names.at(static_cast<std::size_t>(what));
}

namespace {

ElementType result_of(OpKind kind, ElementType type) {
  if (kind == OpKind::compare || kind == OpKind::is_finite) return ElementType::pred;
  return kind == OpKind::convert ? ElementType::f32 : type;
}

// Whether products of that type are computed on the engines.
bool is_product_of(OpKind kind, ElementType type) {
  if (kind == OpKind::dot_general && is_multiplied_in_bfloat16(type)) return true;
  return (kind != OpKind::dot_general && kind != OpKind::convolution) || graph::is_float(type);
}

}  // namespace

Becomes becomes(OpKind kind, ElementType type) {
  if (is_structure(kind)) return Becomes::control;
  const bool is_stored = storage_of(type).has_value() && graph::bits(type) <= 32;
  if (is_stored && computes_elementwise(kind, {type, result_of(kind, type)}))
    return Becomes::instructions;
  if (is_stored && has_row(kind) && is_product_of(kind, type) && kind != OpKind::convert)
    return moves_only(kind) ? Becomes::instructions : Becomes::instructions_or_routine;
  return graph::evaluates(kind) ? Becomes::routine : Becomes::refused;
}

}  // namespace trainyard::compiler
