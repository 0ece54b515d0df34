#include "compiler/lowering/loops/row_regions.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "base/units.h"
#include "compiler/lowering/canonical/definitions.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "graph/reads.h"

namespace trainyard::compiler {

namespace {

using graph::Factor;
using graph::FactorsOfDims;
using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::ValueId;
using Numbers = std::span<const std::int64_t>;

// What is read behind products still takes its turn on the way.
constexpr double hidden_reads_weigh = 0.05;
double product_of(const std::vector<std::int64_t>& shape, Numbers dims) {
  double all = 1;
  for (const std::int64_t dim : dims)
    all *= static_cast<double>(shape.at(static_cast<std::size_t>(dim)));
  return all;
}

// As many sums as an instruction makes in each partition of PSUM.
std::int64_t columns_of_tile(const machine::Core& core) {
  return std::min<std::int64_t>(core.array.moving_free_max_fp32, core.psum.bank_size.value / 4);
}

std::int64_t instructions_of_product(const Op& op, const Function& function,
                                     const machine::Core& core) {
  const auto& left = function.type(op.operands[0]).shape;
  const double depth = product_of(left, op.integers("lhs_contracting_dimensions"));
  const double batches = product_of(left, op.integers("lhs_batching_dimensions"));
  const auto rows = static_cast<std::int64_t>(
      static_cast<double>(function.type(op.operands[0]).elements()) / depth / batches);
  const auto columns = static_cast<std::int64_t>(
      static_cast<double>(function.type(op.operands[1]).elements()) / depth / batches);
  const std::int64_t held = core.array.stationary_free_max, moved = columns_of_tile(core);
  const std::int64_t tiles = std::min(base::ceil_div(rows, held) * base::ceil_div(columns, moved),
                                      base::ceil_div(columns, held) * base::ceil_div(rows, moved));
  return static_cast<std::int64_t>(batches) * tiles *
         base::ceil_div(static_cast<std::int64_t>(depth),
                        static_cast<std::int64_t>(core.array.rows));
}

// The smallest divisor of `size` from `wanted` on that leaves parts of `part_min`, or the greatest
// that does.
std::int64_t turns_of_rows(std::int64_t size, std::int64_t wanted, std::int64_t part_min) {
  std::int64_t turns = 1;
  for (std::int64_t way = 2; way * part_min <= size && turns < wanted; ++way) {
    if (size % way == 0) turns = way;
  }
  return turns;
}

bool is_of(const FactorsOfDims& dims, std::size_t factor) {
  return std::ranges::any_of(
      dims, [&](const auto& dim) { return std::ranges::find(dim, factor) != dim.end(); });
}

}  // namespace

std::int64_t instructions_of(const Op& op, const Function& function, const machine::Core& core) {
  if (op.kind == OpKind::dot_general) return instructions_of_product(op, function, core);
  return 0;
}

RowRegions::RowRegions(const Function& function, const std::vector<Op>& ops,
                       const machine::Core& core, const TurnLimits& limits)
    : function_(function), ops_(ops), core_(core), limits_(limits), facts_(function) {
  for (std::size_t i = 0; i < ops.size(); ++i) {
    for (const ValueId value : ops[i].results) made_by_[value] = i;
    std::set<ValueId> read;
    graph::add_read(ops[i], read);
    for (const ValueId value : read) users_[value].push_back(i);
  }
}

// What is a view, or is updated in place in a buffer from outside, is so as a whole.
bool RowRegions::stays_whole(const Op& op) const {
  const bool updates = op.kind == OpKind::dynamic_update_slice || op.kind == OpKind::scatter;
  return op.kind == OpKind::dynamic_slice || (updates && !made_by_.contains(op.operands[0]));
}

std::optional<graph::Factors> RowRegions::factors(const Op& op) const {
  if (op.results.empty() || stays_whole(op)) return std::nullopt;
  if (op.kind == OpKind::composite && op.results.size() == 1 && lowers_elementwise(op, function_))
    return graph::factors_of_elementwise(op, facts_);
  return graph::factors_of(op, facts_);
}

// Where the factor is the slowest part of one dimension, wherever it occurs.
RowRegions::Along RowRegions::along(const Op& op, const graph::Factors& factors, std::size_t factor,
                                    std::int64_t turns) const {
  Along found;
  if (factors.all[factor].kind != Factor::Kind::kept || factors.all[factor].size % turns != 0)
    return found;
  const bool is_counted_by_indices =
      op.kind == OpKind::scatter && !is_of(factors.operands[2], factor);
  if (is_counted_by_indices) return found;
  const auto add = [&](ValueId value, const FactorsOfDims& of_dims) {
    std::optional<std::size_t> place;
    for (std::size_t d = 0; d < of_dims.size(); ++d) {
      if (std::ranges::find(of_dims[d], factor) == of_dims[d].end()) continue;
      if (place || of_dims[d].front() != factor) return false;
      place = d;
    }
    if (!place) {
      found.whole.insert(value);
      return !found.values.contains(value);
    }
    const auto [known, is_new] = found.values.try_emplace(value, *place);
    return known->second == *place && !found.whole.contains(value);
  };
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    if (!add(op.operands[i], factors.operands[i])) return found;
  }
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    if (!is_of(factors.results[i], factor) || !add(op.results[i], factors.results[i])) return found;
  }
  found.is_possible = true;
  return found;
}

// The factor that a value which lies along the rows has there.
std::optional<std::size_t> RowRegions::factor_at(const Op& op, const graph::Factors& factors,
                                                 const RowDims& dims) const {
  const auto look = [&](const std::vector<ValueId>& values,
                        const std::vector<FactorsOfDims>& of) -> std::optional<std::size_t> {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto known = dims.find(values[i]);
      if (known != dims.end() && !of[i].at(known->second).empty())
        return of[i][known->second].front();
    }
    return std::nullopt;
  };
  const auto of_result = look(op.results, factors.results);
  return of_result ? of_result : look(op.operands, factors.operands);
}

std::optional<RowRegion> RowRegions::grown(std::size_t seed, std::size_t factor,
                                           std::int64_t turns) const {
  RowRegion region{.turns = turns, .members = {}, .dims = {}};
  std::set<std::size_t> candidates;
  std::set<ValueId> whole;  // as candidates read them
  std::deque<ValueId> next;
  const auto join = [&](std::size_t i, const Along& found) {
    const bool agrees = std::ranges::all_of(found.values, [&](const auto& each) {
      const auto known = region.dims.find(each.first);
      return !whole.contains(each.first) &&
             (known == region.dims.end() || known->second == each.second);
    });
    const bool reads_rows_whole = std::ranges::any_of(
        found.whole, [&](ValueId value) { return region.dims.contains(value); });
    if (!found.is_possible || !agrees || reads_rows_whole) return;
    candidates.insert(i);
    whole.insert(found.whole.begin(), found.whole.end());
    for (const auto& [value, dim] : found.values) {
      if (region.dims.try_emplace(value, dim).second) next.push_back(value);
    }
  };
  join(seed, along(ops_[seed], *factors(ops_[seed]), factor, turns));
  const auto look = [&](std::size_t i) {
    if (candidates.contains(i)) return;
    const Op& op = ops_[i];
    const auto of = factors(op);
    const auto at = of ? factor_at(op, *of, region.dims) : std::nullopt;
    if (at) join(i, along(op, *of, *at, turns));
  };
  while (!next.empty()) {
    const ValueId value = next.front();
    next.pop_front();
    if (const auto maker = made_by_.find(value); maker != made_by_.end()) look(maker->second);
    if (const auto users = users_.find(value); users != users_.end())
      std::ranges::for_each(users->second, look);
  }
  // The rest of what was reached is outside.
  const auto leads_around = [&](std::size_t i) { return !candidates.contains(i); };
  std::set<std::size_t> before;  // what leads to the seed by way of other operations
  std::set<std::size_t> ancestors{seed};
  for (std::size_t i = seed; i-- > 0;) {
    for (const ValueId value : ops_[i].results) {
      const auto users = users_.find(value);
      if (users == users_.end()) continue;
      for (const std::size_t user : users->second) {
        if (!ancestors.contains(user)) continue;
        ancestors.insert(i);
        if (before.contains(user) || leads_around(user)) before.insert(i);
      }
    }
  }
  std::erase_if(candidates, [&](std::size_t i) { return before.contains(i); });
  region.members = joined(candidates);
  if (!region.members.contains(seed)) return std::nullopt;
  trim(region, seed);
  return region;
}

// In the order of the program: what reads a member's result otherwise stands behind the loop, and
// so does what reads that.
std::set<std::size_t> RowRegions::joined(const std::set<std::size_t>& candidates) const {
  std::set<std::size_t> members;
  std::set<ValueId> made, behind;
  for (std::size_t i = 0; i < ops_.size(); ++i) {
    std::set<ValueId> read;
    graph::add_read(ops_[i], read);
    const auto reads = [&](const std::set<ValueId>& of) {
      return std::ranges::any_of(read, [&](ValueId value) { return of.contains(value); });
    };
    const bool is_behind = reads(behind);
    if (candidates.contains(i) && !is_behind) {
      members.insert(i);
      made.insert(ops_[i].results.begin(), ops_[i].results.end());
    } else if (is_behind || reads(made)) {
      behind.insert(ops_[i].results.begin(), ops_[i].results.end());
    }
  }
  return members;
}

std::set<ValueId> RowRegions::outputs(const RowRegion& region) const {
  std::set<ValueId> all;
  for (const std::size_t i : region.members) {
    for (const ValueId value : ops_[i].results) {
      const auto users = users_.find(value);
      const auto is_outside = [&](std::size_t user) { return !region.members.contains(user); };
      if (users != users_.end() && std::ranges::any_of(users->second, is_outside))
        all.insert(value);
    }
  }
  return all;
}

void RowRegions::trim(RowRegion& region, std::size_t seed) const {
  const std::vector<std::size_t> members(region.members.rbegin(), region.members.rend());
  for (const std::size_t i : members) {
    if (i == seed || instructions_of(ops_[i], function_, core_) > 0) continue;
    const auto sum = [&](const std::set<ValueId>& values) {
      double all = 0;
      for (const ValueId value : values) all += bytes(value);
      return all;
    };
    const bool is_last = std::ranges::all_of(ops_[i].results, [&](ValueId value) {
      const auto users = users_.find(value);
      return users == users_.end() || std::ranges::none_of(users->second, [&](std::size_t user) {
               return region.members.contains(user);
             });
    });
    if (!is_last) continue;
    const double before = sum(outputs(region));
    region.members.erase(i);
    const double after = sum(outputs(region));
    if (after > before || (after == before && !moves_only(ops_[i].kind))) region.members.insert(i);
  }
}

// Bytes of operands of products whose parts, as their place is known only when the program runs, no
// transfer can turn on its way.
double RowRegions::turned_by_array(const RowRegion& region) const {
  double all = 0;
  std::set<ValueId> made;
  for (const std::size_t i : region.members) {
    made.insert(ops_[i].results.begin(), ops_[i].results.end());
    if (ops_[i].kind != OpKind::dot_general) continue;
    for (std::size_t side = 0; side < 2; ++side) {
      const ValueId value = ops_[i].operands[side];
      const auto summed =
          ops_[i].integers(side == 0 ? "lhs_contracting_dimensions" : "rhs_contracting_dimensions");
      const bool is_turned = !summed.empty() && summed.back() + 1 == function_.type(value).rank();
      if (is_turned && region.dims.contains(value) && !made.contains(value)) all += bytes(value);
    }
  }
  return all;
}

double RowRegions::traffic(const RowRegion& region) const {
  double handed_on = 0, read_again = 0;
  const std::set<ValueId> outputs = this->outputs(region);
  for (const std::size_t i : region.members) {
    for (const ValueId value : ops_[i].results)
      handed_on += outputs.contains(value) ? bytes(value) : -bytes(value);
  }
  std::set<ValueId> whole;
  for (const std::size_t i : region.members) {
    for (const ValueId value : ops_[i].operands) {
      if (!region.dims.contains(value) && whole.insert(value).second) read_again += bytes(value);
    }
  }
  read_again *= static_cast<double>(region.turns);
  handed_on += turned_by_array(region);
  const base::Ticks busy =
      core_.tensor.clock(core_.array.macs_bf16(instructions(region) * columns_of_tile(core_)));
  const auto meanwhile = static_cast<std::int64_t>(read_again);
  const base::Ticks reading = core_.dma.links()({meanwhile});
  const double waits =
      1 - static_cast<double>(busy.value) / static_cast<double>(std::max(reading, busy).value);
  return handed_on + read_again * std::max(waits, hidden_reads_weigh);
}

std::int64_t RowRegions::instructions(const RowRegion& region) const {
  std::int64_t all = 0;
  for (const std::size_t i : region.members) all += instructions_of(ops_[i], function_, core_);
  return all;
}

std::optional<RowRegion> RowRegions::around(std::size_t seed) const {
  const auto of = factors(ops_[seed]);
  if (!of) return std::nullopt;
  std::optional<RowRegion> best;
  std::pair<double, double> least{};
  for (std::size_t f = 0; f < of->all.size(); ++f) {
    const bool is_batch = std::ranges::all_of(
        of->operands, [&](const FactorsOfDims& dims) { return is_of(dims, f); });
    std::int64_t all = instructions_of(ops_[seed], function_, core_);
    for (int round = 0; round < 2; ++round) {  // what joins makes turns longer
      const std::int64_t turns = turns_of_rows(
          of->all[f].size,
          std::max<std::int64_t>(2, base::ceil_div(all, limits_.instructions_of_turn)),
          is_batch ? 1 : limits_.rows_min);
      if (turns < 2) break;
      std::optional<RowRegion> region = grown(seed, f, turns);
      if (!region) break;
      all = instructions(*region);
      if (round == 0) continue;
      const double excess = static_cast<double>(all / turns / (8 * limits_.instructions_of_turn));
      const std::pair cost{excess, traffic(*region)};
      if (best && cost >= least) continue;
      best = std::move(region);
      least = cost;
    }
  }
  return best;
}

}  // namespace trainyard::compiler
