// Where the values of a cluster of rows lie: inputs and results as matrices whose rows are what one
// partition has, and one number for each of these.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/lowering/clusters/row_clusters.h"
#include "compiler/lowering/rows/row_plan.h"
#include "compiler/lowering/values/group.h"
#include "compiler/lowering/walk/lowerer.h"

namespace trainyard::compiler {

class RowPlaces {
 public:
  RowPlaces(Lowerer& lowerer, RowSpace space)
      : lowerer_(lowerer),
        segment_(lowerer.segment()),
        own_(space),
        space_(std::move(space)),
        row_shape_(shape_of(space_, 0)) {}

  // From here on a partition has as many rows, or such a share of one, as the plan says.
  void follow(const RowPlan& plan);
  // The rows as partitions have them.
  [[nodiscard]] const RowSpace& space() const { return space_; }

  [[nodiscard]] RowInput input(graph::ValueId value, std::optional<NodeId> product);
  // The value as a matrix of these rows, computed by now.
  [[nodiscard]] Matrix matrix(NodeId node, const graph::Type& type, bool is_full = true);
  [[nodiscard]] bool is_full(const graph::Type& type) const { return type.shape == own_.shape; }
  // Where a result goes: a value of the cluster's shape, or one element a row.
  [[nodiscard]] Sink sink(graph::ValueId value, bool may_stay);
  void define(graph::ValueId value, Strided place);

 private:
  // Of a value with one element for so many dimensions of a row, too.
  [[nodiscard]] static std::vector<std::int64_t> shape_of(const RowSpace& space, std::size_t more) {
    const std::size_t dims = space.row_dims + more;
    return {space.shape.begin(), space.shape.begin() + static_cast<std::ptrdiff_t>(dims)};
  }
  // How many dimensions a value has that is one number a row or a share.
  [[nodiscard]] std::size_t dims_of(const graph::Type& type) const {
    return own_.row_dims + (type.elements() == own_.rows() ? 0 : own_.share_dims);
  }

  Lowerer& lowerer_;
  Segment& segment_;
  RowSpace own_, space_;
  std::vector<std::int64_t> row_shape_;  // of one element for each row of partitions
  bool is_shared_ = false;
};

}  // namespace trainyard::compiler
