#include "compiler/lowering/reductions/tile_region.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "compiler/lowering/canonical/region_values.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/tiles/literal.h"
#include "compiler/lowering/tiles/tile_math.h"
#include "compiler/lowering/walk/region.h"
#include "numerics/convert.h"

namespace trainyard::compiler {

namespace {

using graph::Op;
using graph::OpKind;
using isa::Tile;

bool moves_scalar(const Op& op) {
  return op.kind == OpKind::reshape || op.kind == OpKind::broadcast_in_dim;
}

// What neither a number nor a memset is: minus zero.
bool has_no_tile(const graph::Literal& literal) {
  if (one_number(literal)) return false;
  const std::optional<isa::DType> dtype = storage_of(literal.type.element);
  std::uint32_t bits = 0;
  if (!dtype || literal.content.size() > sizeof bits) return true;
  std::memcpy(&bits, literal.content.data(), literal.content.size());
  return !std::isnan(numerics::to_float(*dtype, bits));
}

}  // namespace

bool TileRegion::lowers() const {
  if (!ElementRegion(lowerer_, region_).lowers()) return false;
  std::set<graph::ValueId> known(region_.arguments.begin(), region_.arguments.end());
  for (const Op& op : region_.ops) {
    for (const graph::ValueId value : op.operands) {
      if (known.contains(value)) continue;
      const Op* const outer = constant_around(value);
      if (outer == nullptr || has_no_tile(outer->literal("value"))) return false;
    }
    if (op.kind == OpKind::constant && has_no_tile(op.literal("value"))) return false;
    known.insert(op.results.begin(), op.results.end());
  }
  return !region_.ops.empty() && region_.ops.back().kind == OpKind::return_;
}

const Op* TileRegion::constant_around(graph::ValueId value) const {
  const Op* const op = definition(lowerer_.function().body, value);
  return op != nullptr && op->kind == OpKind::constant ? op : nullptr;
}

std::int64_t TileRegion::operations() const {
  return std::ranges::count_if(region_.ops, [](const Op& op) {
    return op.kind != OpKind::constant && op.kind != OpKind::return_ && !moves_scalar(op);
  });
}

Tile TileRegion::apply(std::span<const Tile> arguments) const {
  Emitter& emitter = lowerer_.segment().emitter();
  const std::int64_t partitions = arguments.front().partitions;
  const std::int64_t elements = arguments.front().free_elements();
  const TileMath math(emitter, partitions, elements);
  std::map<graph::ValueId, Operand> values;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    values[region_.arguments[i]].tile = arguments[i];
  const auto constant = [&](const graph::Literal& literal) {
    if (const std::optional<double> number = one_number(literal)) return Operand{{}, number};
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    return Operand{math.filled(*storage_of(literal.type.element), nan), {}};
  };
  const auto operand = [&](graph::ValueId value) {
    const auto found = values.find(value);
    if (found != values.end()) return found->second;
    return values[value] = constant(constant_around(value)->literal("value"));
  };
  for (const Op& op : region_.ops) {
    if (op.kind == OpKind::return_) break;
    if (op.kind == OpKind::constant) {
      values[op.results[0]] = constant(op.literal("value"));
      continue;
    }
    std::vector<graph::Type> types;
    std::vector<Operand> operands;
    for (const graph::ValueId value : op.operands) {
      types.push_back(lowerer_.type(value));
      operands.push_back(operand(value));
    }
    types.push_back(lowerer_.type(op.results[0]));
    for (graph::Type& type : types) type.shape = {partitions, elements};
    const bool is_same =
        moves_scalar(op) || (op.kind == OpKind::convert && types.front() == types.back());
    values[op.results[0]] =
        is_same ? operands.front()
                : Operand{emit_elementwise(emitter, op, types, operands, partitions, elements), {}};
  }
  const Operand answer = operand(region_.ops.back().operands.at(0));
  return answer.number ? math.copy(math.fresh(isa::DType::uint8),
                                   math.filled(isa::DType::uint8, *answer.number))
                       : answer.tile;
}

}  // namespace trainyard::compiler
