// Operations between ranks. Shapes follow from those of one rank, and groups are the run's affair;
// the evaluator has one rank, to which they pass their operands on.
#include "graph/evaluate/control.h"
#include "graph/ops/all.h"
#include "graph/ops/complete.h"

namespace trainyard::graph {

namespace {

// Results have the types of as many operands.
void verify_passed_on(OpCheck& c) {
  for (std::size_t i = 0; i < c.op.results.size() && i < c.op.operands.size(); ++i)
    c.require(same_shape(c.operand(i), c.result(i)) && same_element(c.operand(i), c.result(i)),
              "a result has the type of its operand");
}

// The region may accumulate in a wider type.
void verify_reduced(OpCheck& c) {
  if (!c.require(c.op.results.size() == c.op.operands.size(), "it has a result for each operand"))
    return;
  for (std::size_t i = 0; i < c.op.results.size(); ++i)
    c.require(same_shape(c.operand(i), c.result(i)), "a result has the shape of its operand");
  if (!c.op.regions.empty()) c.scalar_region(0, 2, 1);
}

// One dimension grows or shrinks by the size of the group.
template <bool grows>
void verify_along(OpCheck& c) {
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

void verify_all_to_all(OpCheck& c) {
  for (std::size_t i = 0; i < c.op.results.size() && i < c.op.operands.size(); ++i)
    c.require(c.operand(i).shape.size() == c.result(i).shape.size() &&
                  same_element(c.operand(i), c.result(i)),
              "rank and element type stay");
  (void)c.dimension("split_dimension", c.operand(0).shape.size());
  (void)c.dimension("concat_dimension", c.operand(0).shape.size());
}

void verify_rank(OpCheck& c) {
  c.require(is_scalar(c.result()) && c.result().element == ElementType::u32,
            "the result is one ui32");
}

// A rank that nobody sends to gets zeros.
std::vector<Value> evaluate_permute(const Evaluation& e) {
  const Shape pairs = e.list("source_target_pairs");
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    if (pairs[i] == 0 && pairs[i + 1] == 0) return pass_on(e);
  }
  return {make_value(e.result(), Content(static_cast<std::size_t>(e.result().bytes())))};
}

Value evaluate_rank(const Evaluation& e) {
  return make_value(e.result(), Content(static_cast<std::size_t>(e.result().bytes())));
}

void complete_group(Op& op) {
  add_default(op, "use_global_device_ids", {false});
  complete_channel(op);
}

constexpr auto collectives_records = std::to_array<OpRecord>({
    {.kind = OpKind::all_gather,
     .name = "all_gather",
     .operands = {1, many},
     .results = {1, many},
     .traits = {Trait::collective},
     .vhlo = {"all_gather_dim channel_id replica_groups use_global_device_ids",
              "all_gather_dim channel_id replica_groups use_global_device_ids"},
     .complete = complete_group,
     .verify = verify_along<true>,
     .evaluate = pass_on},
    {.kind = OpKind::all_reduce,
     .name = "all_reduce",
     .operands = {1, many},
     .results = {1, many},
     .regions = {1, 1},
     .traits = {Trait::collective},
     .vhlo = {"channel_id replica_groups use_global_device_ids",
              "channel_id replica_groups use_global_device_ids"},
     .complete = complete_group,
     .verify = verify_reduced,
     .evaluate = pass_on},
    {.kind = OpKind::all_to_all,
     .name = "all_to_all",
     .operands = {1, many},
     .results = {1, many},
     .traits = {Trait::collective},
     .vhlo = {"channel_id concat_dimension replica_groups split_count split_dimension",
              "channel_id concat_dimension replica_groups split_count split_dimension"},
     .complete = complete_channel,
     .verify = verify_all_to_all,
     .evaluate = pass_on},
    {.kind = OpKind::collective_broadcast,
     .name = "collective_broadcast",
     .operands = {1, many},
     .results = {1, many},
     .traits = {Trait::collective},
     .vhlo = {"channel_id replica_groups", "channel_id has_dynamic_root replica_groups"},
     .complete = complete_channel,
     .verify = verify_passed_on,
     .evaluate = pass_on},
    {.kind = OpKind::collective_permute,
     .name = "collective_permute",
     .operands = {1, many},
     .results = {1, many},
     .traits = {Trait::collective},
     .vhlo = {"channel_id source_target_pairs"},
     .complete = complete_channel,
     .verify = verify_passed_on,
     .evaluate = evaluate_permute},
    {.kind = OpKind::collective_reduce,
     .name = "collective_reduce",
     .operands = {1, many},
     .results = {1, many},
     .regions = {0, 1},
     .traits = {Trait::collective},
     .vhlo = {"channel_id has_dynamic_root replica_groups use_global_device_ids"},
     .verify = verify_passed_on,
     .evaluate = pass_on},
    {.kind = OpKind::cross_replica_sum,
     .name = "cross-replica-sum",
     .operands = {1, many},
     .results = {1, many},
     .traits = {Trait::collective},
     .vhlo = {"replica_groups"},
     .verify = verify_passed_on,
     .evaluate = pass_on},
    {.kind = OpKind::partition_id,
     .name = "partition_id",
     .verify = verify_rank,
     .evaluate = alone<evaluate_rank>},
    {.kind = OpKind::reduce_scatter,
     .name = "reduce_scatter",
     .operands = {1, many},
     .results = {1, many},
     .regions = {1, 1},
     .traits = {Trait::collective},
     .vhlo = {"channel_id replica_groups scatter_dimension use_global_device_ids"},
     .complete = complete_group,
     .verify = verify_along<false>,
     .evaluate = pass_on},
    {.kind = OpKind::replica_id,
     .name = "replica_id",
     .verify = verify_rank,
     .evaluate = alone<evaluate_rank>},
});

}  // namespace

std::span<const OpRecord> collectives_ops() { return collectives_records; }

}  // namespace trainyard::graph
