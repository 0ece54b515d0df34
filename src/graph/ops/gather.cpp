// gather and torch_index_select: windows of an operand at the places that indices say. Source:
// StableHLO specification, "gather".
#include <algorithm>

#include "graph/evaluate/moves.h"
#include "graph/ops/all.h"
#include "graph/ops/complete.h"
#include "graph/ops/index_vectors.h"

namespace trainyard::graph {

namespace {

constexpr WindowNames of_gather{"offset_dims", "collapsed_slice_dims", "operand_batching_dims",
                                "start_indices_batching_dims", "start_index_map"};

void verify_gather(OpCheck& c) {
  const Type& operand = c.operand(0);
  c.require(same_element(operand, c.result()), "operand and result have one element type");
  const Integers sizes = c.list("slice_sizes"), collapsed = c.list("collapsed_slice_dims"),
                 batching = c.list_or_empty("operand_batching_dims");
  if (!c.require(sizes.size() == operand.shape.size(), "slice_sizes has a size for each dimension"))
    return;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    const bool alone = has_dim(collapsed, d) || has_dim(batching, d);
    c.require(sizes[d] >= 0 && (operand.shape[d] == dynamic_extent || sizes[d] <= operand.shape[d]),
              "a window is no larger than the operand");
    c.require(!alone || sizes[d] <= 1, "a collapsed or batching dimension of a window has size 1");
  }
  verify_windows(c, of_gather, operand, c.operand(1), c.result(), sizes);
}

void verify_dynamic_gather(OpCheck& c) {
  c.require(same_element(c.operand(0), c.result()), "operand and result have one element type");
  c.require(c.operand(2).shape.size() == 1 && is_index(c.operand(2)),
            "slice sizes are a list of integers");
}

void verify_torch_index_select(OpCheck& c) {
  c.require(same_element(c.operand(0), c.result()), "operand and result have one element type");
  c.require(is_index(c.operand(1)), "indices are integers");
  (void)c.dimension("dim", c.operand(0).shape.size());
  (void)c.dimension("batch_dims", c.operand(1).shape.size() + 1);
}

Value gathered(const Evaluation& e, const Shape& sizes) {
  const Value& operand = e.operand(0);
  const Shape offset_dims = e.list("offset_dims");
  const Shape operand_batching = e.list_or("operand_batching_dims", 0, 0);
  const IndexVectors starts(e, e.operand(1), e.list("start_index_map"), operand_batching,
                            e.list_or("start_indices_batching_dims", 0, 0), operand.shape().size());
  const Shape batch_dims = other_dims(e.result().shape.size(), offset_dims);
  const Shape window_dims =
      other_dims(operand.shape().size(), e.list("collapsed_slice_dims"), operand_batching);
  e.require(window_dims.size() == offset_dims.size() && sizes.size() == operand.shape().size(),
            "offset_dims names one dimension of the result for each one of the window");
  const Shape steps = row_major_steps(operand.shape());
  const auto size = static_cast<std::size_t>(size_in_bytes(e.result().element));
  Content bytes(static_cast<std::size_t>(e.result().bytes()));
  std::size_t to = 0;
  for_each_index(e.result().shape, [&](Index index) {
    const Shape start = starts.at(picked_dims(index, batch_dims));
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

Value evaluate_gather(const Evaluation& e) { return gathered(e, e.list("slice_sizes")); }
Value evaluate_dynamic_gather(const Evaluation& e) {
  return gathered(e, integers_in(e.operand(2)));
}

// Lists of places: parts of the list, of what is taken whole at a place, and of a table that is
// indexed along one dimension the rows that a device has.
bool factors_of_gather(Making& make) {
  const Op& op = make.op();
  const std::span<const std::int64_t> offsets = op.integers("offset_dims"),
                                      sizes = op.integers("slice_sizes"),
                                      collapsed = op.integers("collapsed_slice_dims"),
                                      batch = op.integers("operand_batching_dims"),
                                      list_batch = op.integers("start_indices_batching_dims"),
                                      mapped = op.integers("start_index_map");
  const std::size_t vector_dim = as_dim(op.integer("index_vector_dim"));
  std::size_t from = 0;
  for (std::size_t d = 0; d < make.result().size(); ++d) {
    if (holds_dim(offsets, d)) continue;
    if (from == vector_dim) ++from;
    const std::size_t factor = make.add(make.operand(1)[from]);
    make.of_operand(1, from, factor);
    make.of_result(0, d, factor);
    const auto k = std::ranges::find(list_batch, static_cast<std::int64_t>(from));
    if (k != list_batch.end())
      make.of_operand(0, as_dim(batch[static_cast<std::size_t>(k - list_batch.begin())]), factor);
    ++from;
  }
  from = 0;
  for (const std::int64_t offset : offsets) {
    while (holds_dim(collapsed, from) || holds_dim(batch, from)) ++from;
    if (sizes[from] == make.operand(0)[from]) make.keep(from, as_dim(offset));
    ++from;
  }
  const bool has_zero = make.facts().type(op.results[0]).element != ElementType::pred;
  if (mapped.size() == 1 && holds_dim(collapsed, as_dim(mapped[0])) && has_zero)
    make.of_operand(0, as_dim(mapped[0]),
                    make.add(make.operand(0)[as_dim(mapped[0])], Making::Kind::picked));
  return true;
}

void part_of_gather(Op& op, const Ways& ways) {
  op.set("slice_sizes", {sizes_of_part(op.integers("slice_sizes"), ways.shape, ways.operand)});
}

void complete_gather(Op& op) {
  const Attribute none{std::vector<std::int64_t>{}};
  add_default(op, "operand_batching_dims", none);
  add_default(op, "start_indices_batching_dims", none);
  add_default(op, "indices_are_sorted", {false});
}

constexpr auto gather_records = std::to_array<OpRecord>({
    {.kind = OpKind::dynamic_gather,
     .name = "dynamic_gather",
     .operands = {3, 3},
     .vhlo = {"collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims "
              "start_index_map",
              "collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims "
              "operand_batching_dims start_index_map start_indices_batching_dims"},
     .complete = complete_gather,
     .verify = verify_dynamic_gather,
     .evaluate = alone<evaluate_dynamic_gather>},
    {.kind = OpKind::gather,
     .name = "gather",
     .operands = {2, 2},
     .traits = {Trait::move},
     .vhlo = {"collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims "
              "slice_sizes start_index_map",
              "collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims "
              "operand_batching_dims slice_sizes start_index_map start_indices_batching_dims"},
     .complete = complete_gather,
     .verify = verify_gather,
     .evaluate = alone<evaluate_gather>,
     .factors = factors_of_gather,
     .part = part_of_gather},
    {.kind = OpKind::torch_index_select,
     .name = "torch_index_select",
     .operands = {2, 2},
     .vhlo = {"batch_dims dim"},
     .verify = verify_torch_index_select,
     .evaluate = alone<index_select>},
});

}  // namespace

std::span<const OpRecord> gather_ops() { return gather_records; }

}  // namespace trainyard::graph
