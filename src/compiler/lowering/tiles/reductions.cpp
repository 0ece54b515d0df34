#include "compiler/lowering/tiles/reductions.h"

#include <limits>

#include "compiler/lowering/tiles/elementwise.h"
#include "graph/folds.h"

namespace trainyard::compiler {

using graph::ElementType;
using graph::OpKind;
using numerics::AluOp;

std::optional<AluOp> reduction_of(const graph::Region& region, ElementType type) {
  const auto folds = graph::simple_folds(region);
  if (!folds || folds->size() != 1 || !storage_of(type)) return std::nullopt;
  const bool is_flag = type == ElementType::pred;
  const bool is_real = graph::is_float(type);
  const bool is_word = type == ElementType::s32 || type == ElementType::u32;
  switch (folds->front()) {
    case OpKind::add: return is_real || is_word ? std::optional(AluOp::add) : std::nullopt;
    case OpKind::multiply:
      return is_real || is_word ? std::optional(AluOp::multiply) : std::nullopt;
    case OpKind::maximum: return AluOp::maximum;
    case OpKind::minimum: return AluOp::minimum;
    case OpKind::or_: return is_flag ? std::optional(AluOp::maximum) : std::nullopt;
    case OpKind::and_: return is_flag ? std::optional(AluOp::minimum) : std::nullopt;
    default: return std::nullopt;
  }
}

std::optional<double> identity_of(AluOp op) {
  constexpr double infinity = std::numeric_limits<float>::infinity();
  switch (op) {
    case AluOp::add: return 0;
    case AluOp::multiply: return 1;
    case AluOp::maximum: return -infinity;
    case AluOp::minimum: return infinity;
    default: return std::nullopt;
  }
}

}  // namespace trainyard::compiler
