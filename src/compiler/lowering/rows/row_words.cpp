#include "compiler/lowering/rows/row_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/lowering/rows/row_shares.h"

namespace trainyard::compiler {

namespace {

std::string explained_sweeps(const RowPlan& plan, const RowSpace& space, bool is_too_long,
                             const machine::Core& core) {
  const std::size_t sweeps = plan.sweeps.size();
  const std::string kept =
      sweeps == 1
          ? ""
          : fmt::format(", of which {} stay on chip from one sweep to the next", plan.pieces_kept);
  return fmt::format(
      "{} rows of {} elements{}{} in bands of {} rows and {} pieces of {} "
      "elements{}; {} sweep{} over the pieces carr{} the reductions from piece to piece",
      space.rows() / plan.shares, space.columns() * plan.shares,
      plan.shares > 1 ? fmt::format(", each in {} partitions,", plan.shares) : "",
      is_too_long ? ", too long for SBUF," : ", several bands at a time,",
      std::min(rows_of_band(plan, core), space.rows()), space.pieces(), space.piece, kept, sweeps,
      sweeps == 1 ? "" : "s", sweeps == 1 ? "ies" : "y");
}

}  // namespace

std::string explained(const RowPlan& plan, const RowSpace& space, bool is_too_long,
                      const machine::Core& core) {
  if (plan.is_swept()) return explained_sweeps(plan, space, is_too_long, core);
  const std::int64_t columns = space.columns() / plan.stacked;
  const std::int64_t rows = std::min(rows_of_band(plan, core), space.rows());
  const bool blends = std::ranges::any_of(
      plan.steps, [](const RowStep& step) { return step.kind == RowStep::Kind::blend; });
  return fmt::format(
      "{} rows of {} elements{} in bands of {} x {}, one pass over memory in {} stages{}: what a "
      "row "
      "needs is known once it is on chip{}",
      space.rows() * plan.stacked / plan.shares, columns * plan.shares,
      plan.shares > 1 ? fmt::format(", each in {} partitions,", plan.shares) : "", rows,
      plan.stacked > 1 ? fmt::format("{} rows of {}", plan.stacked, columns)
                       : fmt::format("{}", space.width()),
      plan.stages, plan.overlaps ? " that overlap" : "",
      blends ? "; the array adds what is scaled" : "");
}

}  // namespace trainyard::compiler
