#include "compiler/lowering/patterns/diagonal_mask.h"

#include <algorithm>
#include <string_view>

#include "compiler/lowering/tiles/literal.h"

namespace trainyard::compiler {

namespace {

using graph::Op;
using graph::OpKind;
using graph::ValueId;

// What each dimension of a value counts.
enum class Role : std::uint8_t { none, row, column };
using Roles = std::vector<Role>;

// row * rows + column * columns + constant
struct Linear {
  std::int64_t row = 0, column = 0, constant = 0;
};

class Reader {
 public:
  Reader(const graph::Function& function, const Definitions& definitions)
      : function_(function), definitions_(definitions) {}

  [[nodiscard]] std::optional<DiagonalMask> mask(ValueId value, const Roles& roles) const {
    if (const auto number = definitions_.number(value))
      return *number != 0 ? std::optional(DiagonalMask{}) : std::nullopt;
    const Op* const op = definitions_.of(value);
    if (op == nullptr) return std::nullopt;
    switch (op->kind) {
      case OpKind::broadcast_in_dim:
      case OpKind::reshape: {
        const auto inner = below(*op, roles);
        return inner ? mask(op->operands[0], *inner) : std::nullopt;
      }
      case OpKind::compare: return compared(*op, roles);
      case OpKind::and_: return both(mask(op->operands[0], roles), mask(op->operands[1], roles));
      case OpKind::select: {  // where p: x, else false
        const auto otherwise = definitions_.number(op->operands[2]);
        if (!otherwise || *otherwise != 0) return std::nullopt;
        return both(mask(op->operands[0], roles), mask(op->operands[1], roles));
      }
      default: return std::nullopt;
    }
  }

  [[nodiscard]] std::optional<DiagonalBias> bias(ValueId value, const Roles& roles) const {
    const Op* const op = definitions_.of(value);
    if (op == nullptr) return std::nullopt;
    switch (op->kind) {
      case OpKind::convert: return bias(op->operands[0], roles);
      case OpKind::broadcast_in_dim:
      case OpKind::reshape: {
        const auto inner = below(*op, roles);
        return inner ? bias(op->operands[0], *inner) : std::nullopt;
      }
      case OpKind::select: {
        const auto where = definitions_.number(op->operands[1]);
        const auto elsewhere = definitions_.number(op->operands[2]);
        const auto found = mask(op->operands[0], roles);
        if (!found || !where || !elsewhere) return std::nullopt;
        if (*where == 0) return DiagonalBias{*found, *elsewhere};
        const auto others = opposite(*found);
        if (*elsewhere != 0 || !others) return std::nullopt;
        return DiagonalBias{*others, *where};
      }
      default: return std::nullopt;
    }
  }

 private:
  using Found = std::optional<DiagonalMask>;
  static Found both(const Found& a, const Found& b) {
    if (!a || !b) return std::nullopt;
    return DiagonalMask{std::max(a->low, b->low), std::min(a->high, b->high)};
  }

  // Of a mask that is open to one side.
  static Found opposite(const DiagonalMask& mask) {
    if (mask.low == -DiagonalMask::far) return DiagonalMask{.low = mask.high + 1};
    if (mask.high == DiagonalMask::far) return DiagonalMask{.high = mask.low - 1};
    return std::nullopt;
  }

  // What the dimensions of the operand count.
  [[nodiscard]] std::optional<Roles> below(const Op& op, const Roles& roles) const {
    const auto& from = function_.type(op.operands[0]).shape;
    const auto& to = function_.type(op.results[0]).shape;
    Roles inner(from.size(), Role::none);
    if (op.kind == OpKind::broadcast_in_dim) {
      const auto places = op.integers("broadcast_dimensions");
      for (std::size_t i = 0; i < inner.size(); ++i)
        if (from[i] > 1) inner[i] = roles[static_cast<std::size_t>(places[i])];
      return inner;
    }
    std::size_t k = 0;  // a reshape that adds or leaves out single-element dimensions
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (from[i] == 1) continue;
      while (k < to.size() && to[k] == 1) ++k;
      if (k == to.size() || to[k] != from[i]) return std::nullopt;
      inner[i] = roles[k++];
    }
    return inner;
  }

  [[nodiscard]] std::optional<Linear> linear(ValueId value, const Roles& roles) const {
    if (const auto number = definitions_.number(value))
      return Linear{.constant = static_cast<std::int64_t>(*number)};
    const Op* const op = definitions_.of(value);
    if (op == nullptr) return std::nullopt;
    switch (op->kind) {
      case OpKind::convert: return linear(op->operands[0], roles);
      case OpKind::broadcast_in_dim:
      case OpKind::reshape: {
        const auto inner = below(*op, roles);
        return inner ? linear(op->operands[0], *inner) : std::nullopt;
      }
      case OpKind::iota:
        return counted(roles[static_cast<std::size_t>(op->integer("iota_dimension"))]);
      case OpKind::constant: {  // 0, 1, 2 ...
        const graph::Literal& literal = op->literal("value");
        if (roles.size() != 1 || !graph::is_integer(literal.type.element) ||
            literal != counting(literal.type.element, literal.type.shape[0]))
          return std::nullopt;
        return counted(roles[0]);
      }
      case OpKind::add:
      case OpKind::subtract: {
        const auto a = linear(op->operands[0], roles), b = linear(op->operands[1], roles);
        if (!a || !b) return std::nullopt;
        return sum(*a, *b, op->kind == OpKind::add ? 1 : -1);
      }
      default: return std::nullopt;
    }
  }
  static std::optional<Linear> counted(Role role) {
    if (role == Role::none) return std::nullopt;
    return role == Role::row ? Linear{.row = 1} : Linear{.column = 1};
  }
  static Linear sum(const Linear& a, const Linear& b, std::int64_t sign) {
    return {a.row + sign * b.row, a.column + sign * b.column, a.constant + sign * b.constant};
  }

  [[nodiscard]] Found compared(const Op& op, const Roles& roles) const {
    if (const auto tested = tested_value(function_, definitions_, op)) return mask(*tested, roles);
    if (!graph::is_integer(function_.type(op.operands[0]).element)) return std::nullopt;
    const auto a = linear(op.operands[0], roles), b = linear(op.operands[1], roles);
    if (!a || !b) return std::nullopt;
    Linear left = sum(*a, *b, -1);  // is compared with 0
    std::string_view how = op.text("comparison_direction");
    if (left.column != -left.row || std::abs(left.column) != 1) return std::nullopt;
    if (left.column < 0) {
      left.constant = -left.constant;
      how = how == "GE" ? "LE" : how == "GT" ? "LT" : how == "LE" ? "GE" : how == "LT" ? "GT" : how;
    }
    // column - row + constant how 0
    DiagonalMask kept;
    if (how == "GE")
      kept.low = -left.constant;
    else if (how == "GT")
      kept.low = -left.constant + 1;
    else if (how == "LE")
      kept.high = -left.constant;
    else if (how == "LT")
      kept.high = -left.constant - 1;
    else if (how == "EQ")
      kept.low = kept.high = -left.constant;
    else
      return std::nullopt;
    return kept;
  }

  const graph::Function& function_;
  const Definitions& definitions_;
};

// Rows and columns are the last dimensions.
std::optional<Roles> roles_of(const graph::Function& function, ValueId value) {
  Roles roles(function.type(value).shape.size(), Role::none);
  if (roles.size() < 2) return std::nullopt;
  roles[roles.size() - 2] = Role::row;
  roles[roles.size() - 1] = Role::column;
  return roles;
}

}  // namespace

std::optional<DiagonalMask> diagonal_mask(const graph::Function& function,
                                          const Definitions& definitions, ValueId value) {
  const auto roles = roles_of(function, value);
  return roles ? Reader(function, definitions).mask(value, *roles) : std::nullopt;
}

std::optional<DiagonalBias> diagonal_bias(const graph::Function& function,
                                          const Definitions& definitions, ValueId value) {
  const auto roles = roles_of(function, value);
  return roles ? Reader(function, definitions).bias(value, *roles) : std::nullopt;
}

std::optional<ValueId> tested_value(const graph::Function& function, const Definitions& definitions,
                                    const Op& compare) {
  const Op* const from = definitions.of(compare.operands[0]);
  const bool is_test = compare.text("comparison_direction") == "NE" && from != nullptr &&
                       from->kind == OpKind::convert &&
                       function.type(from->operands[0]).element == graph::ElementType::pred &&
                       definitions.number(compare.operands[1]) == 0;
  return is_test ? std::optional(from->operands[0]) : std::nullopt;
}

}  // namespace trainyard::compiler
