// Which operations compute on the rows of one space: what a cluster may grow from, and what may
// join it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "compiler/lowering/clusters/row_clusters.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "graph/module.h"
#include "machine/core.h"

namespace trainyard::compiler {

// Whether a reduction of a value of that shape goes down the rows, its first dimensions; else along
// them. Dimensions of one element may be reduced or not.
[[nodiscard]] bool goes_down(const graph::Op& reduction, const RowSpace& space);

// The space that a reduction along rows, or a sum down the rows, is of. `in_shares`: as it may be
// where rows lie in several partitions each, which sums alone do.
[[nodiscard]] std::optional<RowSpace> space_of(const graph::Function& function, const graph::Op& op,
                                               bool in_shares = false);
// The spaces that an operation may be of, the simplest first: of a reduction (`reduces`), also
// those whose shares have numbers of their own, by where the rows of the operations around it
// begin.
[[nodiscard]] std::vector<RowSpace> spaces_of(const graph::Function& function,
                                              std::span<const graph::Op> near, const graph::Op& op,
                                              const machine::Core& core, bool reduces);
// The space with rows in pieces of a width that few fixed costs and little memory go with.
[[nodiscard]] RowSpace in_pieces(RowSpace space, std::int64_t width_max = 2048);
// The space with so many neighbouring rows in a partition. Nothing where the shape has no such
// stacks, or too few of them to fill the partitions.
[[nodiscard]] std::optional<RowSpace> in_stacks(RowSpace space, std::int64_t rows,
                                                const machine::Core& core);
// The space with each row in so many partitions: a share of it is a row of the result. Nothing
// where the shape has no such shares.
[[nodiscard]] std::optional<RowSpace> in_shares(RowSpace space, std::int64_t shares);
// The space of an elementwise operation on so many elements that its bands fill the machine: rows
// in parts of a width that few fixed costs and little memory go with.
[[nodiscard]] std::optional<RowSpace> elementwise_space_of(const graph::Function& function,
                                                           const graph::Op& op,
                                                           const machine::Core& core);

class Membership {
 public:
  Membership(const graph::Function& function, const RowSpace& space, bool reduces)
      : function_(function),
        space_(space),
        rows_(space.rows()),
        shares_(rows_ * space.shares()),
        reduces_(reduces) {}

  [[nodiscard]] bool is_full(graph::ValueId value) const {
    return function_.type(value).shape == space_.shape;
  }
  // One element for each share of a row, in order, as far as its shape can tell.
  [[nodiscard]] bool is_share(graph::ValueId value) const {
    return space_.share_dims > 0 && !is_full(value) && function_.type(value).elements() == shares_;
  }
  [[nodiscard]] bool has_shares(const graph::Op& op) const {
    return is_share(op.results[0]) ||
           (op.kind == graph::OpKind::broadcast_in_dim && is_share(op.operands[0]));
  }
  [[nodiscard]] bool may_join(const graph::Op& op) const {
    if (op.results.size() != 1 || function_.type(op.results[0]).kind != graph::Type::Kind::tensor)
      return false;
    switch (op.kind) {
      case graph::OpKind::reduce: {
        const auto space = space_of(function_, op, space_.share_dims > 0);
        if (!reduces_ || !space || space->shape != space_.shape) return false;
        if (goes_down(op, *space) && space->kept_dims != space_.kept_dims) return false;
        if (space_.share_dims == 0) return space->row_dims == space_.row_dims;
        return !goes_down(op, *space) && (space->row_dims == space_.row_dims ||
                                          space->row_dims == space_.row_dims + space_.share_dims);
      }
      case graph::OpKind::broadcast_in_dim: return spreads_rows(op);
      case graph::OpKind::reshape:
        return (is_row(op.operands[0]) && is_row(op.results[0])) ||
               (is_share(op.operands[0]) && is_share(op.results[0]));
      default: return is_elementwise(op);
    }
  }

 private:
  // One element for each row, in order, as far as its shape can tell.
  [[nodiscard]] bool is_row(graph::ValueId value) const {
    return !is_full(value) && function_.type(value).elements() == rows_;
  }

  [[nodiscard]] bool spreads_rows(const graph::Op& op) const {
    const bool by_row = is_row(op.operands[0]), by_share = is_share(op.operands[0]);
    if (!by_row && !by_share) return false;
    const auto places = op.integers("broadcast_dimensions");
    if (!std::ranges::is_sorted(places)) return false;
    if (by_row ? is_row(op.results[0]) : is_share(op.results[0])) return true;
    const std::vector<std::int64_t>& shape = function_.type(op.operands[0]).shape;
    if (by_row && is_share(op.results[0])) return comes_first(shape, places, op.results[0]);
    if (!is_full(op.results[0])) return false;
    const std::size_t dims = space_.row_dims + (by_share ? space_.share_dims : 0);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto place = static_cast<std::size_t>(places[i]);
      if (shape[i] != 1 && (place >= dims || shape[i] != space_.shape[place])) return false;
    }
    return true;
  }

  // Whether no dimension before those of an operand repeats it.
  [[nodiscard]] bool comes_first(const std::vector<std::int64_t>& shape,
                                 std::span<const std::int64_t> places,
                                 graph::ValueId result) const {
    const std::vector<std::int64_t>& to = function_.type(result).shape;
    bool repeats = false;
    for (std::size_t dim = 0; dim < to.size(); ++dim) {
      const auto found = std::ranges::find(places, static_cast<std::int64_t>(dim));
      const bool is_kept = found != places.end() &&
                           shape[static_cast<std::size_t>(found - places.begin())] == to[dim];
      if (to[dim] == 1) continue;
      if (is_kept && repeats) return false;
      repeats |= !is_kept;
    }
    return true;
  }

  [[nodiscard]] bool is_elementwise(const graph::Op& op) const {
    std::vector<graph::Type> types;
    const std::vector<std::int64_t>& shape = function_.type(op.results[0]).shape;
    for (const graph::ValueId value : op.operands) {
      types.push_back(function_.type(value));
      if (types.back().shape != shape) return false;
    }
    types.push_back(function_.type(op.results[0]));
    const bool is_stored = std::ranges::all_of(types, [](const graph::Type& type) {
      return storage_of(type.element) && graph::bits(type.element) <= 32;
    });
    return is_stored &&
           (is_full(op.results[0]) || is_row(op.results[0]) || is_share(op.results[0])) &&
           lowers_elementwise(op, types);
  }

  const graph::Function& function_;
  const RowSpace& space_;
  std::int64_t rows_, shares_;
  bool reduces_;
};

}  // namespace trainyard::compiler
