#include "planner/collectives.h"

#include "planner/forward.h"

namespace trainyard::planner {

namespace {

double token_bytes(const Model& m) { return real(m.hidden) * 2; }

}  // namespace

Collective sum_over_tensors(const Model& m, const Plan& plan, const Pass& pass) {
  return {.operation = fabric::CollectiveOp::all_reduce,
          .bytes = pass.samples * pass.tokens / real(plan.dp) * token_bytes(m),
          .chips = real(plan.tp),
          .times = 2};
}

Collective exchange_tokens(const Model& m, const Plan& plan, const Pass& pass) {
  const double all = real(plan.tp * plan.dp);
  const bool is_apart = pass.experts_stride > 0;
  return {.operation = fabric::CollectiveOp::all_to_all,
          .bytes = pass.samples * pass.tokens / all * real(m.experts_per_token) * token_bytes(m),
          .chips = is_apart ? real(plan.dp) : all,
          .stride = is_apart ? pass.experts_stride : 1,
          .times = 2};
}

Transfer price(const Chip& chip, const Collective& c) {
  const Transfer one = c.operation == fabric::CollectiveOp::all_reduce
                           ? all_reduce(chip, c.bytes, c.chips)
                           : all_to_all(chip, c.bytes, c.chips, c.stride);
  return one * c.times;
}

}  // namespace trainyard::planner
