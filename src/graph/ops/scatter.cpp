// scatter: windows written to the places that indices say. Source: StableHLO specification,
// "scatter".
#include <algorithm>

#include "graph/evaluate/folding.h"
#include "graph/evaluate/moves.h"
#include "graph/ops/all.h"
#include "graph/ops/complete.h"
#include "graph/ops/index_vectors.h"

namespace trainyard::graph {

namespace {

constexpr WindowNames of_scatter{"update_window_dims", "inserted_window_dims",
                                 "input_batching_dims", "scatter_indices_batching_dims",
                                 "scatter_dims_to_operand_dims"};

void verify_scatter(OpCheck& c) {
  const std::size_t inputs = c.op.operands.size() / 2;
  if (!c.require(c.op.operands.size() % 2 == 1 && c.op.results.size() == inputs,
                 "it has inputs, indices, an update and a result for each input"))
    return;
  for (std::size_t i = 0; i < inputs; ++i) {
    c.require(same_shape(c.operand(i), c.result(i)), "a result has the shape of its input");
    c.require(same_shape(c.operand(i), c.operand(0)) &&
                  same_shape(c.operand(inputs + 1 + i), c.operand(inputs + 1)),
              "inputs have one shape, and so have updates");
  }
  if (c.has_failed()) return;
  verify_windows(c, of_scatter, c.operand(0), c.operand(inputs), c.operand(inputs + 1), {});
  c.scalar_region(0, 2 * inputs, inputs);
}

// Calls action(element of the operand, element of the update) for each window of updates that lies
// inside. One that lies partly outside is dropped whole, as XLA does; the text of StableHLO would
// drop only the elements outside.
template <typename Action>
void for_each_update(const Evaluation& e, std::size_t inputs, Action action) {
  const Value &operand = e.operand(0), &update = e.operand(inputs + 1);
  const Shape batching = e.list_or("input_batching_dims", 0, 0);
  const Shape window = e.list("update_window_dims");
  const IndexVectors starts(e, e.operand(inputs), e.list("scatter_dims_to_operand_dims"), batching,
                            e.list_or("scatter_indices_batching_dims", 0, 0),
                            operand.shape().size());
  const Shape batch_dims = other_dims(update.shape().size(), window);
  const Shape kept = other_dims(operand.shape().size(), e.list("inserted_window_dims"), batching);
  e.require(kept.size() == window.size(), "update_window_dims names the dimensions of the window");
  const Shape steps = row_major_steps(operand.shape());
  Shape sizes(operand.shape().size(), 1);  // of a window
  for (std::size_t i = 0; i < kept.size(); ++i) {
    sizes[static_cast<std::size_t>(kept[i])] = update.shape()[static_cast<std::size_t>(window[i])];
  }
  std::int64_t from = 0;
  for_each_index(update.shape(), [&](Index index) {
    Shape place = starts.at(picked_dims(index, batch_dims));
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

std::vector<Value> evaluate_scatter(const Evaluation& e) {
  const std::size_t inputs = (e.operands.size() - 1) / 2;
  const Region& body = e.op.regions.at(0);
  const auto numbers_folded = [&](auto zero, std::size_t i, OpKind kind) {
    return folded_scatter<decltype(zero)>(e, i, kind);
  };
  if (auto results = folded_results(e, body, numbers_folded)) return *std::move(results);
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
  return results_of(e, std::move(into));
}

// The same places, written.
bool factors_of_scatter(Making& make) {
  const Op& op = make.op();
  if (op.operands.size() != 3) return false;
  const std::span<const std::int64_t> windows = op.integers("update_window_dims"),
                                      inserted = op.integers("inserted_window_dims"),
                                      batch = op.integers("input_batching_dims"),
                                      list_batch = op.integers("scatter_indices_batching_dims"),
                                      mapped = op.integers("scatter_dims_to_operand_dims");
  const std::size_t vector_dim = as_dim(op.integer("index_vector_dim"));
  std::size_t from = 0;
  for (const std::int64_t window : windows) {
    while (holds_dim(inserted, from) || holds_dim(batch, from)) ++from;
    if (make.operand(2)[as_dim(window)] == make.operand(0)[from] && !holds_dim(mapped, from)) {
      const std::size_t factor = make.add(make.operand(0)[from]);
      make.of_operand(0, from, factor);
      make.of_operand(2, as_dim(window), factor);
      make.of_result(0, from, factor);
    }
    ++from;
  }
  if (mapped.size() == 1 && holds_dim(inserted, as_dim(mapped[0])))
    make.keep(as_dim(mapped[0]), as_dim(mapped[0]));
  const bool sums = is_sum(op.regions.at(0), make.facts().type(op.results[0]).element);
  from = 0;
  for (std::size_t d = 0; d < make.operand(2).size(); ++d) {
    if (holds_dim(windows, d)) continue;
    if (from == vector_dim) ++from;
    const auto k = std::ranges::find(list_batch, static_cast<std::int64_t>(from));
    if (sums || k != list_batch.end()) {
      const std::size_t factor = make.add(
          make.operand(2)[d], k != list_batch.end() ? Making::Kind::kept : Making::Kind::summed);
      make.of_operand(1, from, factor);
      make.of_operand(2, d, factor);
      if (k != list_batch.end()) {
        const std::size_t dim = as_dim(batch[static_cast<std::size_t>(k - list_batch.begin())]);
        make.of_operand(0, dim, factor);
        make.of_result(0, dim, factor);
      }
    }
    ++from;
  }
  return true;
}

void complete_scatter(Op& op) {
  const Attribute none{std::vector<std::int64_t>{}};
  add_default(op, "input_batching_dims", none);
  add_default(op, "scatter_indices_batching_dims", none);
  add_default(op, "indices_are_sorted", {false});
  add_default(op, "unique_indices", {false});
}

constexpr auto scatter_records = std::to_array<OpRecord>({
    {.kind = OpKind::scatter,
     .name = "scatter",
     .operands = {3, many},
     .results = {1, many},
     .regions = {1, 1},
     .vhlo = {"index_vector_dim indices_are_sorted inserted_window_dims "
              "scatter_dims_to_operand_dims unique_indices update_window_dims",
              "index_vector_dim indices_are_sorted input_batching_dims inserted_window_dims "
              "scatter_dims_to_operand_dims scatter_indices_batching_dims unique_indices "
              "update_window_dims"},
     .complete = complete_scatter,
     .verify = verify_scatter,
     .evaluate = evaluate_scatter,
     .factors = factors_of_scatter},
});

}  // namespace

std::span<const OpRecord> scatter_ops() { return scatter_records; }

}  // namespace trainyard::graph
