// Operations between ranks: shapes follow from those of one rank; groups are the run's affair.
#include <array>

#include "graph/verify/check.h"

namespace trainyard::graph {

namespace {

// Results have the types of as many operands.
void passed_on(OpCheck& c) {
  for (std::size_t i = 0; i < c.op.results.size() && i < c.op.operands.size(); ++i)
    c.require(same_shape(c.operand(i), c.result(i)) && same_element(c.operand(i), c.result(i)),
              "a result has the type of its operand");
}

// The region may accumulate in a wider type.
void reduced(OpCheck& c) {
  if (!c.require(c.op.results.size() == c.op.operands.size(), "it has a result for each operand"))
    return;
  for (std::size_t i = 0; i < c.op.results.size(); ++i)
    c.require(same_shape(c.operand(i), c.result(i)), "a result has the shape of its operand");
  if (!c.op.regions.empty()) c.scalar_region(0, 2, 1);
}

// One dimension grows or shrinks by the size of the group.
template <bool grows>
void along(OpCheck& c) {
  constexpr std::string_view name = grows ? "all_gather_dim" : "scatter_dimension";
  for (std::size_t i = 0; i < c.op.results.size() && i < c.op.operands.size(); ++i) {
    const Type &from = c.operand(i), &to = c.result(i);
    const std::size_t dim = c.dimension(name, from.shape.size());
    if (!c.require(from.shape.size() == to.shape.size() && (!grows || same_element(from, to)),
                   "the rank stays, and where nothing is computed the element type") ||
        c.has_failed())
      return;
    for (std::size_t d = 0; d < from.shape.size(); ++d) {
      const std::int64_t few = grows ? from.shape[d] : to.shape[d],
                         all = grows ? to.shape[d] : from.shape[d];
      if (few == dynamic_extent || all == dynamic_extent) continue;
      c.require(d == dim ? few == all || (few > 0 && all % few == 0) : few == all,
                "one dimension is divided between ranks, the others stay");
    }
  }
  if (!c.op.regions.empty()) c.scalar_region(0, 2, 1);
}

void all_to_all(OpCheck& c) {
  for (std::size_t i = 0; i < c.op.results.size() && i < c.op.operands.size(); ++i)
    c.require(c.operand(i).shape.size() == c.result(i).shape.size() &&
                  same_element(c.operand(i), c.result(i)),
              "rank and element type stay");
  (void)c.dimension("split_dimension", c.operand(0).shape.size());
  (void)c.dimension("concat_dimension", c.operand(0).shape.size());
}

void rank(OpCheck& c) {
  c.require(is_scalar(c.result()) && c.result().element == ElementType::u32,
            "the result is one ui32");
}

constexpr auto collective_table = std::to_array<Form>({
    {OpKind::all_gather, 1, many, 1, many, 0, 0, along<true>},
    {OpKind::all_reduce, 1, many, 1, many, 1, 1, reduced},
    {OpKind::all_to_all, 1, many, 1, many, 0, 0, all_to_all},
    {OpKind::collective_broadcast, 1, many, 1, many, 0, 0, passed_on},
    {OpKind::collective_permute, 1, many, 1, many, 0, 0, passed_on},
    {OpKind::collective_reduce, 1, many, 1, many, 0, 1, passed_on},
    {OpKind::cross_replica_sum, 1, many, 1, many, 0, 0, passed_on},
    {OpKind::partition_id, 0, 0, 1, 1, 0, 0, rank},
    {OpKind::reduce_scatter, 1, many, 1, many, 1, 1, along<false>},
    {OpKind::replica_id, 0, 0, 1, 1, 0, 0, rank},
});

}  // namespace

std::span<const Form> collective_forms() { return collective_table; }

}  // namespace trainyard::graph
