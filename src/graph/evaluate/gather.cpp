// gather, scatter and torch_index_select. Source: StableHLO specification, "gather" and "scatter".
#include <algorithm>

#include "graph/evaluate/evaluator.h"
#include "graph/evaluate/moves.h"

namespace trainyard::graph {

namespace {

bool has(const Shape& list, std::size_t d) {
  return std::ranges::find(list, static_cast<std::int64_t>(d)) != list.end();
}

// The dimensions of `rank` that are in neither list.
Shape others(std::size_t rank, const Shape& first, const Shape& second = {}) {
  Shape list;
  for (std::size_t d = 0; d < rank; ++d) {
    if (!has(first, d) && !has(second, d)) list.push_back(static_cast<std::int64_t>(d));
  }
  return list;
}

Shape picked(Index index, const Shape& dimensions) {
  Shape list;
  for (const std::int64_t d : dimensions) list.push_back(index[static_cast<std::size_t>(d)]);
  return list;
}

// Reads index vectors: for a place in the batch, where the operand's window starts.
class Starts {
 public:
  Starts(const Evaluation& e, const Value& indices, Shape start_map, Shape operand_batching,
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

Value gather(const Evaluation& e, const Shape& sizes) {
  const Value& operand = e.operand(0);
  const Shape offset_dims = e.list("offset_dims");
  const Shape operand_batching = e.list_or("operand_batching_dims", 0, 0);
  const Starts starts(e, e.operand(1), e.list("start_index_map"), operand_batching,
                      e.list_or("start_indices_batching_dims", 0, 0), operand.shape().size());
  const Shape batch_dims = others(e.result().shape.size(), offset_dims);
  const Shape window_dims =
      others(operand.shape().size(), e.list("collapsed_slice_dims"), operand_batching);
  e.require(window_dims.size() == offset_dims.size() && sizes.size() == operand.shape().size(),
            "offset_dims names one dimension of the result for each one of the window");
  const Shape steps = row_major_steps(operand.shape());
  const auto size = static_cast<std::size_t>(size_in_bytes(e.result().element));
  Content bytes(static_cast<std::size_t>(e.result().bytes()));
  std::size_t to = 0;
  for_each_index(e.result().shape, [&](Index index) {
    const Shape start = starts.at(picked(index, batch_dims));
    std::int64_t from = 0;
    for (std::size_t d = 0; d < start.size(); ++d) {
      from += std::clamp<std::int64_t>(start[d], 0, operand.shape()[d] - sizes[d]) * steps[d];
    }
    for (std::size_t i = 0; i < window_dims.size(); ++i) {
      from += index[static_cast<std::size_t>(offset_dims[i])] *
              steps[static_cast<std::size_t>(window_dims[i])];
    }
    std::memcpy(bytes.data() + to, operand.bytes->data() + static_cast<std::size_t>(from) * size,
                size);
    to += size;
  });
  return make_value(e.result(), std::move(bytes));
}

// Calls action(element of the operand, element of the update) for each window of updates that lies
// inside. One that lies partly outside is dropped whole, as XLA does; the text of StableHLO would
// drop only the elements outside.
template <typename Action>
void for_each_update(const Evaluation& e, std::size_t inputs, Action action) {
  const Value &operand = e.operand(0), &update = e.operand(inputs + 1);
  const Shape batching = e.list_or("input_batching_dims", 0, 0);
  const Shape window = e.list("update_window_dims");
  const Starts starts(e, e.operand(inputs), e.list("scatter_dims_to_operand_dims"), batching,
                      e.list_or("scatter_indices_batching_dims", 0, 0), operand.shape().size());
  const Shape batch_dims = others(update.shape().size(), window);
  const Shape kept = others(operand.shape().size(), e.list("inserted_window_dims"), batching);
  e.require(kept.size() == window.size(), "update_window_dims names the dimensions of the window");
  const Shape steps = row_major_steps(operand.shape());
  Shape sizes(operand.shape().size(), 1);  // of a window
  for (std::size_t i = 0; i < kept.size(); ++i) {
    sizes[static_cast<std::size_t>(kept[i])] = update.shape()[static_cast<std::size_t>(window[i])];
  }
  std::int64_t from = 0;
  for_each_index(update.shape(), [&](Index index) {
    Shape place = starts.at(picked(index, batch_dims));
    bool inside = true;
    for (std::size_t d = 0; d < place.size(); ++d) {
      inside = inside && place[d] >= 0 && place[d] <= operand.shape()[d] - sizes[d];
    }
    for (std::size_t i = 0; i < kept.size(); ++i) {
      place[static_cast<std::size_t>(kept[i])] += index[static_cast<std::size_t>(window[i])];
    }
    if (inside) action(offset_of(place, steps), from);
    ++from;
  });
}

template <typename T>
Value folded_scatter(const Evaluation& e, std::size_t input, OpKind kind) {
  const std::size_t inputs = e.results.size();
  std::vector<T> into = numbers<T>(e.operand(input));
  const std::vector<T> updates = numbers<T>(e.operand(inputs + 1 + input));
  for_each_update(e, inputs, [&](std::int64_t to, std::int64_t from) {
    T& value = into[static_cast<std::size_t>(to)];
    value = fold(kind, value, updates[static_cast<std::size_t>(from)]);
  });
  return tensor_of(e.results[input], into);
}

std::vector<Value> scatter(const Evaluation& e) {
  const std::size_t inputs = (e.operands.size() - 1) / 2;
  const Region& body = e.op.regions.at(0);
  const auto kinds = simple_folds(body);
  if (kinds && folds_numbers(e)) {
    std::vector<Value> results;
    for (std::size_t i = 0; i < inputs; ++i) {
      results.push_back(with_number_of(e.results[i].element, [&](auto zero) {
        return folded_scatter<decltype(zero)>(e, i, (*kinds)[i]);
      }));
    }
    return results;
  }
  std::vector<Content> into;
  for (std::size_t i = 0; i < inputs; ++i) into.push_back(*e.operand(i).bytes);
  for_each_update(e, inputs, [&](std::int64_t to, std::int64_t from) {
    std::vector<Value> arguments;
    for (std::size_t i = 0; i < inputs; ++i) {
      arguments.push_back(scalar_of(into[i], e.operand(i).type.element, to));
    }
    for (std::size_t i = 0; i < inputs; ++i) {
      arguments.push_back(scalar_at(e.operand(inputs + 1 + i), from));
    }
    const std::vector<Value> made = e.evaluator.run(body, arguments);
    for (std::size_t i = 0; i < inputs; ++i) put_scalar(made.at(i), into[i], to);
  });
  std::vector<Value> results;
  for (std::size_t i = 0; i < inputs; ++i) {
    results.push_back(make_value(e.results[i], std::move(into[i])));
  }
  return results;
}

Value index_select(const Evaluation& e) {
  const auto dimension = static_cast<std::size_t>(e.op.integer("dim"));
  const auto batch = static_cast<std::size_t>(e.op.integer("batch_dims"));
  const Value &operand = e.operand(0), &indices = e.operand(1);
  const std::vector<std::int64_t> chosen = integers_in(indices);
  const Shape steps = row_major_steps(operand.shape()),
              index_steps = row_major_steps(indices.shape());
  const std::size_t index_rank = indices.shape().size();
  const auto size = static_cast<std::size_t>(size_in_bytes(e.result().element));
  Content bytes;
  for_each_index(e.result().shape, [&](Index index) {
    std::int64_t which = 0;
    for (std::size_t d = 0; d < index_rank; ++d) {
      const std::size_t at = d < batch ? d : dimension + d - batch;
      which += index[at] * index_steps[d];
    }
    const std::int64_t row = chosen.at(static_cast<std::size_t>(which));
    std::int64_t from = 0;
    for (std::size_t d = 0; d < operand.shape().size(); ++d) {
      const std::size_t at = d < dimension ? d : d + index_rank - batch - 1;
      from +=
          (d == dimension ? std::clamp<std::int64_t>(row, 0, operand.shape()[d] - 1) : index[at]) *
          steps[d];
    }
    const auto begin = operand.bytes->begin() +
                       static_cast<std::ptrdiff_t>(from) * static_cast<std::ptrdiff_t>(size);
    bytes.insert(bytes.end(), begin, begin + static_cast<std::ptrdiff_t>(size));
  });
  return make_value(e.result(), std::move(bytes));
}

}  // namespace

Value scalar_of(const Content& bytes, ElementType element, std::int64_t at) {
  const auto size = static_cast<std::size_t>(size_in_bytes(element));
  const auto begin =
      bytes.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(at) * size);
  return make_value({.element = element},
                    Content(begin, begin + static_cast<std::ptrdiff_t>(size)));
}

Value scalar_at(const Value& tensor, std::int64_t at) {
  return scalar_of(*tensor.bytes, tensor.type.element, at);
}

void put_scalar(const Value& scalar, Content& into, std::int64_t at) {
  const std::size_t size = scalar.bytes->size();
  std::memcpy(into.data() + static_cast<std::size_t>(at) * size, scalar.bytes->data(), size);
}

Results evaluate_gather(const Evaluation& e) {
  using V = std::vector<Value>;
  switch (e.op.kind) {
    case OpKind::gather: return V{gather(e, e.list("slice_sizes"))};
    case OpKind::dynamic_gather: return V{gather(e, integers_in(e.operand(2)))};
    case OpKind::scatter: return scatter(e);
    case OpKind::torch_index_select: return V{index_select(e)};
    default: return std::nullopt;
  }
}

}  // namespace trainyard::graph
