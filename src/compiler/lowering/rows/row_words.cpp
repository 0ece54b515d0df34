#include "compiler/lowering/rows/row_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace trainyard::compiler {

namespace {

std::string explained_sweeps(const RowPlan& plan, const RowSpace& space, bool is_too_long,
                             std::int64_t partitions) {
  const std::size_t sweeps = plan.sweeps.size();
  const std::string kept =
      sweeps == 1
          ? ""
          : fmt::format(", of which {} stay on chip from one sweep to the next", plan.pieces_kept);
  return fmt::format(
      "{} rows of {} elements{} in bands of {} rows and {} pieces of {} "
      "elements{}; {} sweep{} over the pieces carr{} the reductions from piece to piece",
      space.rows(), space.columns(),
      is_too_long ? ", too long for SBUF," : ", several bands at a time,",
      std::min(partitions, space.rows()), space.pieces(), space.piece, kept, sweeps,
      sweeps == 1 ? "" : "s", sweeps == 1 ? "ies" : "y");
}

}  // namespace

std::string explained(const RowPlan& plan, const RowSpace& space, bool is_too_long,
                      std::int64_t partitions) {
  if (plan.is_swept()) return explained_sweeps(plan, space, is_too_long, partitions);
  const std::int64_t columns = space.columns() / plan.stacked;
  return fmt::format(
      "{} rows of {} elements in bands of {} x {}, one pass over memory in {} stages{}: what a row "
      "needs is known once it is on chip",
      space.rows() * plan.stacked, columns, std::min(partitions, space.rows()),
      plan.stacked > 1 ? fmt::format("{} rows of {}", plan.stacked, columns)
                       : fmt::format("{}", space.width()),
      plan.stages, plan.overlaps ? " that overlap" : "");
}

}  // namespace trainyard::compiler
