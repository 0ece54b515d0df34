// slice, real_dynamic_slice and dynamic_slice: a part of an operand.
#include <algorithm>

#include "graph/evaluate/moves.h"
#include "graph/ops/all.h"
#include "graph/ops/sizes.h"

namespace trainyard::graph {

namespace {

void verify_slice(OpCheck& c) {
  same_elements(c);
  const Type &from = c.operand(0), &to = c.result();
  const std::size_t rank = from.shape.size();
  const Integers start = c.list("start_indices"), limit = c.list("limit_indices");
  const auto strides = c.sized_list("strides", rank, 1);
  if (!c.require(start.size() == rank && limit.size() == rank && to.shape.size() == rank,
                 "there are a start, a limit and a stride for each dimension") ||
      c.has_failed())
    return;
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t size = from.shape[d];
    if (!c.require(start[d] >= 0 && start[d] <= limit[d] && strides[d] >= 1 &&
                       (size == dynamic_extent || limit[d] <= size),
                   "0 <= start <= limit <= size, and strides are positive"))
      return;
    const WideInteger length =
        (static_cast<WideInteger>(limit[d]) - start[d] + strides[d] - 1) / strides[d];
    c.require(is_size(to.shape[d], length), "the result has an element for each stride");
  }
}

void verify_real_dynamic_slice(OpCheck& c) {
  for (const std::size_t i : {1U, 2U, 3U})
    c.require(is_shape(c.operand(i)), "starts, limits and strides are lists of integers");
  c.require(c.result().shape.size() == c.operand(0).shape.size(), "the rank stays");
}

void verify_dynamic_slice(OpCheck& c) {
  same_elements(c);
  const Type &from = c.operand(0), &to = c.result();
  start_indices(c, 1, from.shape.size());
  const Integers sizes = c.list("slice_sizes");
  c.require(shape_is(to, sizes), "the result has the shape of slice_sizes");
  if (!c.require(sizes.size() == from.shape.size(), "slice_sizes has a size for each dimension"))
    return;
  for (std::size_t d = 0; d < sizes.size(); ++d)
    c.require(sizes[d] >= 0 && (from.shape[d] == dynamic_extent || sizes[d] <= from.shape[d]),
              "a slice is no larger than the operand");
}

Value sliced(const Evaluation& e, const Shape& start, const Shape& strides) {
  const Shape& extents = e.operand(0).shape();
  e.require(start.size() == extents.size() && strides.size() == extents.size(),
            "one start and one stride a dimension");
  Shape steps = row_major_steps(extents);
  std::int64_t base = 0;
  for (std::size_t d = 0; d < steps.size(); ++d) {
    const std::int64_t last = start[d] + (e.result().shape.at(d) - 1) * strides[d];
    e.require(e.result().shape[d] == 0 || (start[d] >= 0 && strides[d] > 0 && last < extents[d]),
              "the slice lies inside the operand");
    base += start[d] * steps[d];
    steps[d] *= strides[d];
  }
  return move_elements(e.operand(0), e.result(), base, steps);
}

Value evaluate_slice(const Evaluation& e) {
  return sliced(e, e.list("start_indices"), e.list("strides"));
}
Value evaluate_real_dynamic_slice(const Evaluation& e) {
  e.require(e.result().is_static(), "a result of static shape");
  return sliced(e, integers_in(e.operand(1)), integers_in(e.operand(3)));
}

Value evaluate_dynamic_slice(const Evaluation& e) {
  Shape start;
  for (std::size_t d = 0; d + 1 < e.operands.size(); ++d) {
    const std::int64_t wanted = integers_in(e.operand(d + 1)).at(0);
    const std::int64_t most = e.operand(0).shape().at(d) - e.result().shape.at(d);
    start.push_back(std::clamp<std::int64_t>(wanted, 0, most));
  }
  return sliced(e, start, Shape(start.size(), 1));
}

bool factors_of_slice(Making& make) {
  make.along(1, [&](std::size_t d) { return make.op().integers("strides")[d] == 1; });
  return true;
}
bool factors_of_dynamic_slice(Making& make) {
  make.along(1, [](std::size_t) { return true; });
  return true;
}

void part_of_slice(Op& op, const Ways& ways) {
  op.set("limit_indices", {sizes_of_part(op.integers("limit_indices"), ways.shape, ways.result)});
}
void part_of_dynamic_slice(Op& op, const Ways& ways) {
  op.set("slice_sizes", {sizes_of_part(op.integers("slice_sizes"), ways.shape, ways.operand)});
}

constexpr auto slices_records = std::to_array<OpRecord>({
    {.kind = OpKind::dynamic_slice,
     .name = "dynamic_slice",
     .operands = {1, many},
     .traits = {Trait::move},
     .vhlo = {"slice_sizes"},
     .verify = verify_dynamic_slice,
     .evaluate = alone<evaluate_dynamic_slice>,
     .factors = factors_of_dynamic_slice,
     .part = part_of_dynamic_slice},
    {.kind = OpKind::real_dynamic_slice,
     .name = "real_dynamic_slice",
     .operands = {4, 4},
     .verify = verify_real_dynamic_slice,
     .evaluate = alone<evaluate_real_dynamic_slice>},
    {.kind = OpKind::slice,
     .name = "slice",
     .operands = {1, 1},
     .traits = {Trait::move, Trait::arrange},
     .vhlo = {"limit_indices start_indices strides"},
     .verify = verify_slice,
     .evaluate = alone<evaluate_slice>,
     .factors = factors_of_slice,
     .part = part_of_slice},
});

}  // namespace

std::span<const OpRecord> slices_ops() { return slices_records; }

}  // namespace trainyard::graph
