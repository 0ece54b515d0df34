#include "compiler/lowering/rows/row_sweeps.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "compiler/lowering/rows/row_joins.h"

namespace trainyard::compiler {

namespace {

using Kind = RowStep::Kind;
using numerics::AluOp;

// The row's maximum of what the step exponentiates, where the step sums exp(data - a row's value).
const RowStep* maximum_for(const RowPlan& plan, std::size_t i) {
  const RowStep& step = plan.steps[i];
  if (step.kind != Kind::activate || step.function != numerics::ActivationFunction::exp ||
      !step.sum || step.operators.size() != 1)
    return nullptr;
  const RowOperator& shift = step.operators[0];
  if (shift.op != AluOp::subtract || shift.reverse || shift.operand.number) return nullptr;
  const auto found = std::find_if(
      plan.steps.begin(), plan.steps.begin() + static_cast<std::ptrdiff_t>(i),
      [&](const RowStep& each) {
        return each.kind == Kind::reduce && each.how == AluOp::maximum && each.data == step.data;
      });
  return found == plan.steps.begin() + static_cast<std::ptrdiff_t>(i) ? nullptr : &*found;
}

bool reduces(const RowStep& step) {
  return step.kind == Kind::reduce || step.kind == Kind::moments || step.kind == Kind::column_sum ||
         step.sum;
}

// The steps on pieces that a sweep needs, in order.
std::vector<std::size_t> steps_of(const RowPlan& plan, int sweep) {
  std::set<RowValueId> needed;
  std::vector<std::size_t> all;
  for (std::size_t i = plan.steps.size(); i-- > 0;) {
    const RowStep& step = plan.steps[i];
    const RowValue& result = plan.values[step.result];
    if (!result.is_full && !reduces(step)) continue;
    if (plan.carries) {
      if (step.stage == sweep) all.push_back(i);
      continue;
    }
    const bool is_due = step.stage == sweep && (reduces(step) || result.result);
    if (!is_due && !needed.contains(step.result)) continue;
    all.push_back(i);
    for_each_operand(step, [&](RowValueId id) {
      if (plan.values[id].is_full) needed.insert(id);
    });
  }
  std::ranges::reverse(all);
  return all;
}

RowSweep sweep_of(const RowPlan& plan, int sweep) {
  RowSweep made;
  made.steps = steps_of(plan, sweep);
  std::set<RowValueId> inputs, carried;
  for (const std::size_t i : made.steps) {
    for_each_operand(plan.steps[i], [&](RowValueId id) {
      const RowValue& value = plan.values[id];
      if (value.is_full && value.input) inputs.insert(id);
      if (value.is_full && !value.input && value.first < sweep && plan.carries) carried.insert(id);
    });
  }
  made.carried.assign(carried.begin(), carried.end());
  made.inputs.assign(inputs.begin(), inputs.end());
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const RowStep& step = plan.steps[i];
    const RowValue& result = plan.values[step.result];
    if (result.is_full || reduces(step) || step.stage != sweep) continue;
    (result.is_reduced ? made.behind : made.before).push_back(i);
  }
  return made;
}

// What the pieces under way take of a partition.
class PieceBytes {
 public:
  PieceBytes(const RowPlan& plan, const RowSpace& space) : pieces_(space.pieces()) {
    std::set<RowValueId> read;
    const auto bytes_of = [&](RowValueId id) {
      return space.width() * numerics::size_in_bytes(plan.values[id].dtype);
    };
    for (const RowSweep& sweep : plan.sweeps) {
      for (const RowValueId id : sweep.inputs) {
        (read.insert(id).second ? once_ : again_) += bytes_of(id);
      }
      for (const std::size_t i : sweep.steps) {
        if (plan.values[plan.steps[i].result].is_full) computed_ += bytes_of(plan.steps[i].result);
      }
    }
  }

  // What several sweeps read stays until the next one has come to it.
  [[nodiscard]] std::int64_t of(std::int64_t ahead, std::int64_t kept) const {
    const std::int64_t loaded = once_ + (kept < pieces_ ? again_ : 0);
    return (ahead + 1) * loaded + 2 * computed_ + (kept > 0 ? (kept + sweep_lag) * again_ : 0);
  }
  [[nodiscard]] bool reads_again() const { return again_ > 0; }

 private:
  std::int64_t pieces_;
  std::int64_t once_ = 0, again_ = 0, computed_ = 0;  // of one piece
};

bool choose_pieces(RowPlan& plan, const RowSpace& space, std::int64_t bytes) {
  const PieceBytes needed(plan, space);
  for (plan.ahead = 4; plan.ahead > 1; --plan.ahead) {
    plan.pieces_kept = needed.reads_again() ? space.pieces() : 0;
    if (needed.of(plan.ahead, plan.pieces_kept) <= bytes) return true;
  }
  for (plan.ahead = 3; plan.ahead > 0; --plan.ahead) {
    for (plan.pieces_kept = space.pieces() - 1; plan.pieces_kept >= 0; --plan.pieces_kept) {
      if (needed.of(plan.ahead, plan.pieces_kept) <= bytes) return true;
    }
  }
  return false;
}

// What the pieces take of a partition where nothing is loaded or computed again.
std::int64_t bytes_carrying(const RowPlan& plan, const RowSpace& space) {
  std::map<RowValueId, std::pair<int, int>> sweeps;  // the first and the last one
  const auto touch = [&](RowValueId id, int sweep) {
    sweeps.try_emplace(id, sweep, sweep).first->second.second = sweep;
  };
  for (int sweep = 0; sweep < plan.stages; ++sweep) {
    const RowSweep& each = plan.sweeps[static_cast<std::size_t>(sweep)];
    for (const RowValueId id : each.inputs) touch(id, sweep);
    for (const RowValueId id : each.carried) touch(id, sweep);
    for (const std::size_t i : each.steps) touch(plan.steps[i].result, sweep);
  }
  std::int64_t sum = 0;
  for (const auto& [id, range] : sweeps) {
    const RowValue& value = plan.values[id];
    if (!value.is_full) continue;
    const std::int64_t kept = (range.second - range.first) * (space.pieces() + sweep_lag);
    const std::int64_t fresh = value.input ? plan.ahead + 1 : value.result ? 2 : 1;
    sum += (value.is_alike ? space.pieces() : kept + fresh) * space.width() *
           numerics::size_in_bytes(value.dtype);
  }
  return sum;
}

void set_sweeps(RowPlan& plan, const RowSpace& space) {
  plan.sweeps.clear();
  plan.piece = space.piece;
  for (int sweep = 0; sweep < plan.stages; ++sweep) plan.sweeps.push_back(sweep_of(plan, sweep));
  for (RowStep& step : plan.steps) step.times = 0;
  for (const RowSweep& sweep : plan.sweeps) {
    for (const std::size_t i : sweep.steps) plan.steps[i].times += static_cast<int>(space.pieces());
  }
  for (RowStep& step : plan.steps) step.times = std::max(step.times, 1);
}

}  // namespace

void localize_maxima(RowPlan& plan) {
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const RowStep* const maximum = maximum_for(plan, i);
    if (maximum == nullptr) continue;
    RowStep& own = plan.steps[i];
    const auto add = [&](const RowValue& value) {
      plan.values.push_back(value);
      return static_cast<RowValueId>(plan.values.size() - 1);
    };
    RowStep local = own, rescaled = own;
    local.is_local = true;
    local.second = maximum->result;
    local.result = add({.is_full = true, .dtype = isa::DType::bfloat16});
    local.sum = rescaled.data = add({.dtype = isa::DType::float32});
    rescaled.kind = Kind::rescale;
    rescaled.result = *std::exchange(rescaled.sum, std::nullopt);
    rescaled.second = local.second;
    own.sum.reset();
    const bool is_read = plan.values[own.result].uses > 0 || plan.values[own.result].result;
    const auto at = plan.steps.begin() + static_cast<std::ptrdiff_t>(i);
    if (!is_read) plan.steps.erase(at);
    plan.steps.insert(plan.steps.begin() + static_cast<std::ptrdiff_t>(i), {local, rescaled});
    ++i;
  }
  count_uses(plan);
}

bool plan_carrying_sweeps(RowPlan& plan, const RowSpace& space, std::int64_t bytes) {
  plan.carries = true;
  plan.pieces_kept = space.pieces();
  set_sweeps(plan, space);
  for (plan.ahead = 3; plan.ahead > 1; --plan.ahead) {
    if (bytes_carrying(plan, space) <= bytes) return true;
  }
  return false;
}

bool plan_sweeps(RowPlan& plan, const RowSpace& space, std::int64_t bytes) {
  if (plan_carrying_sweeps(plan, space, bytes)) return true;
  plan.carries = false;
  set_sweeps(plan, space);
  return choose_pieces(plan, space, bytes);
}

}  // namespace trainyard::compiler
