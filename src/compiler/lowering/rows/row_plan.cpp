#include "compiler/lowering/rows/row_plan.h"

#include <algorithm>
#include <utility>

#include "compiler/lowering/clusters/row_clusters.h"
#include "compiler/lowering/clusters/row_membership.h"
#include "compiler/lowering/rows/row_algebra.h"
#include "compiler/lowering/rows/row_blends.h"
#include "compiler/lowering/rows/row_engines.h"
#include "compiler/lowering/rows/row_joins.h"
#include "compiler/lowering/rows/row_room.h"
#include "compiler/lowering/rows/row_shares.h"
#include "compiler/lowering/rows/row_stacks.h"
#include "compiler/lowering/rows/row_steps.h"
#include "compiler/lowering/rows/row_sweeps.h"

namespace trainyard::compiler {

namespace {

using graph::Op;
using graph::ValueId;
using Kind = RowStep::Kind;

// A step that needs a whole row reduced comes a stage after the reduction.
void set_stages(RowPlan& plan) {
  for (RowStep& step : plan.steps) {
    RowValue& result = plan.values[step.result];
    bool is_reduced = false;
    step.stage = 0;
    for_each_operand(step, [&](RowValueId id) {
      const RowValue& value = plan.values[id];
      const bool waits = value.is_reduced && (result.is_full || step.kind == Kind::column_sum);
      step.stage = std::max(step.stage, value.first + (waits ? 1 : 0));
      is_reduced |= value.is_reduced;
    });
    result.first = result.last = step.stage;
    result.is_reduced =
        !result.is_full && (is_reduced || step.kind == Kind::reduce || step.kind == Kind::moments);
    if (step.sum) {
      RowValue& sum = plan.values[*step.sum];
      sum.first = sum.last = step.stage;
      sum.is_reduced = true;
    }
    for_each_operand(step, [&](RowValueId id) {
      plan.values[id].last = std::max(plan.values[id].last, step.stage);
    });
    plan.stages = std::max(plan.stages, step.stage + 1);
  }
}

// Bands that overlap in sweeps, where SBUF has no room for several whole ones.
std::optional<base::Ticks> swept(RowPlan& plan, const RowSpace& space, const machine::Core& core,
                                 std::int64_t bytes) {
  constexpr std::int64_t bands_min = 8;
  const bool takes_product = std::ranges::any_of(plan.values, &RowValue::is_product);
  // Two bands that fit are overlapped by the schedule.
  constexpr std::int64_t schedule_percent = 90;
  const bool is_small =
      200 * bytes_alone(plan, space.width()) <= schedule_percent * core.sbuf.usable().value;
  if (takes_product || is_small || plan.stages == 1 || space.parts > 1 || plan.stacked > 1 ||
      space.rows() < bands_min * core.sbuf.partitions)
    return std::nullopt;
  for (const std::int64_t width : {2048, 1024}) {
    const RowSpace pieces = in_pieces(space, width);
    RowPlan made = plan;
    if (pieces.pieces() == 1 || !plan_carrying_sweeps(made, pieces, bytes)) continue;
    const base::Ticks time = choose_row_engines(made, pieces.width(), core);
    plan = std::move(made);
    return time;
  }
  return std::nullopt;
}

// Rows too long for SBUF, in pieces narrow enough for all that the sweeps compute.
std::optional<base::Ticks> swept_in_pieces(RowPlan& plan, RowSpace space, const machine::Core& core,
                                           std::int64_t bytes) {
  constexpr std::int64_t width_min = 256;
  while (!plan_sweeps(plan, space, bytes)) {
    if (space.piece / 2 < width_min) return std::nullopt;
    space = in_pieces(space, space.piece / 2);
  }
  return choose_row_engines(plan, space.width(), core);
}

// Stages, overlap and engines; what the busiest engine takes for a band. Nothing where one needs
// too much memory.
std::optional<base::Ticks> completed(RowPlan& plan, const RowSpace& space,
                                     const machine::Core& core, std::int64_t bytes,
                                     bool may_overlap) {
  set_stages(plan);
  if (space.piece > 0) return swept_in_pieces(plan, space, core, bytes);
  const bool has_room = choose_overlap(plan, space.width(), bytes, may_overlap);
  if (may_overlap && !(has_room && plan.overlaps)) {
    if (const auto time = swept(plan, space, core, bytes)) return time;
  }
  if (!has_room) return std::nullopt;
  return choose_row_engines(plan, space.width(), core);
}

// --- Rows that share a partition ---

// The plan with so many rows in a partition that few fixed costs, of instructions and transfers, go
// with each; nothing where that is not faster than `least`. `simple`: one step for each operation.
std::optional<RowPlan> stacked(const RowPlan& simple, const RowSpace& space,
                               const machine::Core& core, std::int64_t bytes,
                               const Variation& variation, base::Ticks least) {
  constexpr std::int64_t columns_max = 4096;
  std::optional<RowPlan> best;
  for (std::int64_t rows = 2; rows * space.columns() <= columns_max; ++rows) {
    const std::optional<RowSpace> stacks = in_stacks(space, rows, core);
    if (!stacks) continue;
    for (RowPlan& made : ways_to_stack(simple, rows, space.columns())) {
      const auto engines = completed(made, *stacks, core, bytes, variation.overlaps_rows);
      if (!engines || made.overlaps != variation.overlaps_rows) continue;
      const base::Ticks time = time_of(made, *stacks, *engines, core);
      if (time >= least) continue;
      least = made.time = time;
      best = std::move(made);
    }
  }
  return best;
}

// What few bands take: the first one's loads, then one after the other.
base::Ticks time_of_few(const RowPlan& plan, const RowSpace& space, base::Ticks engines,
                        const machine::Core& core) {
  const std::int64_t bands = space.bands(rows_of_band(plan, core));
  const base::Ticks moved = transfer_time(plan, space.share_columns() / space.parts, core);
  return moved + std::max(engines, moved) * (bands + plan.stages - 1);
}

// Rows in several partitions each, where that is faster than `least`, or the only way.
std::optional<RowPlan> shared(const graph::Function& function, const Op& cluster,
                              const machine::Core& core, std::int64_t bytes,
                              const std::function<RowInput(ValueId)>& input,
                              const Variation& variation, std::optional<base::Ticks> least) {
  // Until the array has what it adds with, and its sums have come back: 5 rows of 2,500 elements
  // are summed in 6.7 us where each lies in one partition, and in 7.4 otherwise, of which engines
  // take 2 less.
  constexpr base::Ticks shares_cost = base::nanoseconds(2'700);
  const RowSpace space = row_space_of(cluster);
  std::optional<RowPlan> best;
  for (const std::int64_t shares : ways_to_share(space, core)) {
    const std::optional<RowSpace> rows = in_shares(space, shares);
    if (!rows) continue;
    std::optional<RowPlan> plan = steps_of_rows(function, cluster, input, shares);
    if (!plan || plan->column_sums > 0 || std::ranges::any_of(plan->values, &RowValue::is_product))
      return std::nullopt;
    plan->minds_bus = variation.minds_bus;
    simplify(*plan, rows->columns());
    join_row_steps(*plan);
    RowSpace whole = *rows;
    whole.piece = 0;
    std::vector<RowPlan> plans{*plan};
    if (auto other = with_moments(*plan, rows->columns())) plans.push_back(*std::move(other));
    for (std::size_t i = 0, count = plans.size(); i < count; ++i) {
      if (auto blended = with_blends(plans[i])) plans.push_back(*std::move(blended));
    }
    for (const RowPlan& each : plans) {
      RowPlan made = each;
      auto engines = completed(made, whole, core, bytes, variation.overlaps_rows);
      if (!engines) {
        made = each;
        engines = completed(made, in_pieces(whole), core, bytes, variation.overlaps_rows);
      }
      if (!engines) continue;
      made.time = time_of(made, whole, *engines, core);
      const base::Ticks alone = time_of_few(made, whole, *engines, core) + shares_cost;
      if ((least && alone >= *least) || (best && made.time >= best->time)) continue;
      best = std::move(made);
    }
  }
  return best;
}

}  // namespace

bool RowPlan::reads_parts(const RowStep& step) const {
  if (step.kind == RowStep::Kind::moments || step.kind == RowStep::Kind::column_sum ||
      step.kind == RowStep::Kind::blend || step.is_apart)
    return true;
  return step.is_divisible && (step.parts.size() > 1 || last_slices > 1);
}

bool RowPlan::is_sliced(RowValueId value) const {
  return std::ranges::any_of(steps, [&](const RowStep& step) {
    return step.result == value && step.is_divisible && step.stage + 1 == stages;
  });
}

std::optional<RowPlan> plan_rows(const graph::Function& function, const Op& cluster,
                                 const machine::Core& core, std::int64_t bytes,
                                 const std::function<RowInput(ValueId)>& input,
                                 const Variation& variation) {
  const RowSpace space = row_space_of(cluster);
  if (space.share_dims > 0)
    return shared(function, cluster, core, bytes, input, variation, std::nullopt);
  std::optional<RowPlan> plan = steps_of_rows(function, cluster, input, 1);
  if (!plan) return std::nullopt;
  plan->minds_bus = variation.minds_bus;
  const std::int64_t columns = space.columns() / space.parts;
  simplify(*plan, columns);
  const RowPlan simple = *plan;
  join_row_steps(*plan);
  if (space.piece > 0) localize_maxima(*plan);
  std::vector<RowPlan> plans{*plan};
  if (auto other = with_moments(*plan, columns)) plans.insert(plans.begin(), *std::move(other));
  for (std::size_t i = 0, count = plans.size(); i < count && space.piece == 0; ++i) {
    if (auto blended = with_blends(plans[i])) plans.push_back(*std::move(blended));
  }
  std::optional<RowPlan> best;
  std::optional<base::Ticks> least;
  for (RowPlan& each : plans) {
    const std::optional<base::Ticks> time =
        completed(each, space, core, bytes, variation.overlaps_rows);
    if (!time || (least && *least <= *time)) continue;
    least = time;
    best = std::move(each);
  }
  const bool takes_product = std::ranges::any_of(plan->values, &RowValue::is_product);
  if (!best || takes_product || space.parts > 1) return best;
  best->time = time_of(*best, space, *least, core);
  if (space.rows() < core.sbuf.partitions) {
    const base::Ticks time = time_of_few(*best, space, *least, core);
    if (auto made = shared(function, cluster, core, bytes, input, variation, time)) return made;
  }
  if (best->is_swept()) return best;
  if (auto made = stacked(simple, space, core, bytes, variation, best->time)) return made;
  return best;
}

}  // namespace trainyard::compiler
