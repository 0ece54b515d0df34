// Index vectors: where the windows of gather and scatter lie.
#pragma once

#include <string_view>

#include "graph/ops/record.h"

namespace trainyard::graph {

// What gather and scatter call differently.
struct WindowNames {
  std::string_view window, collapsed, operand_batching, indices_batching, map;
};

[[nodiscard]] bool has_dim(Integers list, std::size_t dim);

// The rules that both share. `windows`: the tensor that has all windows, the result of a gather,
// the updates of a scatter. `sizes`: of a window, empty where they are not known.
void verify_windows(OpCheck& c, const WindowNames& names, const Type& operand, const Type& indices,
                    const Type& windows, Integers sizes);

// The dimensions of `rank` that are in neither list.
[[nodiscard]] Shape other_dims(std::size_t rank, const Shape& first, const Shape& second = {});

// The elements of an index along those dimensions.
[[nodiscard]] Shape picked_dims(Index index, const Shape& dimensions);

// Reads index vectors: for a place in the batch, where the operand's window starts.
class IndexVectors {
 public:
  IndexVectors(const Evaluation& e, const Value& indices, Shape start_map, Shape operand_batching,
               Shape indices_batching, std::size_t operand_rank)
      : values_(integers_in(indices)),
        steps_(row_major_steps(indices.shape())),
        rank_(indices.shape().size()),
        vector_dimension_(static_cast<std::size_t>(e.op.integer("index_vector_dim"))),
        start_map_(std::move(start_map)),
        operand_batching_(std::move(operand_batching)),
        indices_batching_(std::move(indices_batching)),
        operand_rank_(operand_rank) {}

  [[nodiscard]] Shape at(const Shape& batch) const {
    Shape place = batch;
    if (vector_dimension_ < rank_) {
      place.insert(place.begin() + static_cast<std::ptrdiff_t>(vector_dimension_), 0);
    }
    const std::int64_t base = offset_of(place, steps_);
    const std::int64_t step = vector_dimension_ < rank_ ? steps_[vector_dimension_] : 0;
    Shape start(operand_rank_, 0);
    for (std::size_t i = 0; i < start_map_.size(); ++i) {
      const auto offset = static_cast<std::size_t>(base + static_cast<std::int64_t>(i) * step);
      start.at(static_cast<std::size_t>(start_map_[i])) = values_.at(offset);
    }
    for (std::size_t i = 0; i < operand_batching_.size(); ++i) {
      const auto from = static_cast<std::size_t>(indices_batching_.at(i));
      start.at(static_cast<std::size_t>(operand_batching_[i])) = place.at(from);
    }
    return start;
  }

 private:
  std::vector<std::int64_t> values_;
  Shape steps_;
  std::size_t rank_;
  std::size_t vector_dimension_;
  Shape start_map_, operand_batching_, indices_batching_;
  std::size_t operand_rank_;
};

}  // namespace trainyard::graph
