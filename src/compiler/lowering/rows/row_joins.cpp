#include "compiler/lowering/rows/row_joins.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "compiler/lowering/rows/row_algebra.h"
#include "compiler/lowering/rows/row_engines.h"

namespace trainyard::compiler {

namespace {

using isa::DType;
using numerics::AluOp;
using Kind = RowStep::Kind;

class Joiner {
 public:
  explicit Joiner(RowPlan& plan) : plan_(plan), gone_(plan.steps.size(), false) {}

  void run(bool sums) {
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) absorb(i);
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) take(i);
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) narrow(i);
    for (std::size_t i = 0; sums && i < plan_.steps.size(); ++i) sum(i);
    std::size_t i = 0;
    std::erase_if(plan_.steps, [&](const RowStep&) { return gone_[i++]; });
    count_uses(plan_);
    for (const RowStep& step : plan_.steps) {  // nobody reads more than the sum
      RowValue& value = plan_.values[step.result];
      if (step.sum && value.uses == 0 && !value.result) value.dtype = DType::bfloat16;
    }
  }

 private:
  [[nodiscard]] bool is_between(RowValueId id) const {
    const RowValue& value = plan_.values[id];
    return !value.result && !value.input && value.dtype == DType::float32;
  }

  // The operators in front of this step's own, where it can take them.
  [[nodiscard]] std::optional<std::vector<RowOperator>> behind(const RowStep& first,
                                                               const RowStep& then) const {
    std::vector<RowOperator> all = first.operators;
    all.insert(all.end(), then.operators.begin(), then.operators.end());
    if (then.kind == Kind::operators) return all.size() <= 2 ? std::optional(all) : std::nullopt;
    return then.kind == Kind::activate ? scale_and_shift(all) : std::nullopt;
  }

  // Operators with scalars become part of all the steps that read their result; where some cannot
  // take them, of the others, if what is read then is narrower.
  void absorb(std::size_t i) {
    const RowStep step = plan_.steps[i];
    if (step.kind != Kind::operators || step.operators.empty() || !is_between(step.result)) return;
    if (plan_.values[step.data].is_full != plan_.values[step.result].is_full) return;
    std::vector<std::pair<std::size_t, std::vector<RowOperator>>> readers;
    bool takes_all = true;
    for (std::size_t k = i + 1; k < plan_.steps.size(); ++k) {
      const RowStep& reader = plan_.steps[k];
      int reads = 0;
      if (!gone_[k])
        for_each_operand(reader, [&](RowValueId id) { reads += id == step.result ? 1 : 0; });
      if (reads == 0) continue;
      const bool is_data = reader.kind != Kind::other && reader.data == step.result && reads == 1;
      auto operators = is_data ? behind(step, reader) : std::nullopt;
      takes_all = takes_all && operators;
      if (operators) readers.emplace_back(k, std::move(*operators));
    }
    const bool is_narrow = numerics::size_in_bytes(plan_.values[step.data].dtype) < 4;
    if (!takes_all && (!is_narrow || step.is_early)) return;
    for (auto& [k, operators] : readers) {
      plan_.steps[k].data = step.data;
      plan_.steps[k].operators = std::move(operators);
    }
    gone_[i] = takes_all;
  }

  // What alone reads a product reads it where it lies.
  void take(std::size_t i) {
    const RowStep& step = plan_.steps[i];
    if (gone_[i] || !step.is_early || !is_between(step.result) || reads(step.result) != 1) return;
    const auto reader = std::ranges::find_if(plan_.steps, [&](const RowStep& each) {
      const bool is_simple = each.kind == Kind::operators || each.kind == Kind::activate;
      return is_simple && each.data == step.result && plan_.values[each.result].is_full;
    });
    if (reader == plan_.steps.end() ||
        gone_[static_cast<std::size_t>(reader - plan_.steps.begin())])
      return;
    const bool waits = std::ranges::any_of(reader->operators, [&](const RowOperator& each) {
      return !each.operand.number && !plan_.values[each.operand.value].input;
    });
    if (waits) return;
    reader->data = step.data;
    reader->is_early = true;
    plan_.values[reader->result].is_early = true;
    gone_[i] = true;
  }

  [[nodiscard]] RowStep* maker(RowValueId id, std::size_t before) {
    for (std::size_t k = before; k-- > 0;) {
      if (!gone_[k] && plan_.steps[k].result == id) return &plan_.steps[k];
    }
    return nullptr;
  }

  // A cast is the format that the step before writes.
  void narrow(std::size_t i) {
    const RowStep& step = plan_.steps[i];
    const bool is_cast = !gone_[i] && step.kind == Kind::operators && step.operators.empty();
    if (!is_cast || !is_between(step.data) || reads(step.data) != 1) return;
    if (plan_.values[step.data].is_full != plan_.values[step.result].is_full) return;
    RowStep* const before = maker(step.data, i);
    if (before == nullptr || before->kind == Kind::other || before->kind == Kind::reciprocal)
      return;
    before->result = step.result;
    plan_.values[step.result].is_early = before->is_early;
    gone_[i] = true;
  }

  [[nodiscard]] int reads(RowValueId id) const {
    int found = 0;
    for (std::size_t k = 0; k < plan_.steps.size(); ++k) {
      if (!gone_[k])
        for_each_operand(plan_.steps[k], [&](RowValueId each) { found += each == id; });
    }
    return found;
  }

  // Scalar sums what it computes.
  void sum(std::size_t i) {
    const RowStep& step = plan_.steps[i];
    if (gone_[i] || step.kind != Kind::reduce || step.how != AluOp::add) return;
    RowStep* const before = maker(step.data, i);
    if (before == nullptr || before->kind != Kind::activate || before->sum || before->is_early)
      return;
    before->sum = step.result;
    gone_[i] = true;
  }

  RowPlan& plan_;
  std::vector<bool> gone_;
};

}  // namespace

void count_uses(RowPlan& plan) {
  for (RowValue& value : plan.values) value.uses = 0;
  for (const RowStep& step : plan.steps)
    for_each_operand(step, [&](RowValueId id) { ++plan.values[id].uses; });
}

void join_row_steps(RowPlan& plan, bool sums) {
  count_uses(plan);
  Joiner(plan).run(sums);
}

namespace {

// The step that takes one number a row away from what is squared: the square itself, or the one
// before it where others read the difference, too. Null where neither does.
const RowStep* distance_of(const RowPlan& plan, const RowStep& squares) {
  const auto is_one = [](const RowStep& step) {
    return step.operators.size() == 1 && step.operators[0].op == AluOp::subtract &&
           !step.operators[0].reverse && !step.operators[0].operand.number;
  };
  if (!squares.operators.empty()) return is_one(squares) ? &squares : nullptr;
  const auto before = std::ranges::find(plan.steps, squares.data, &RowStep::result);
  const bool is_it = before != plan.steps.end() && before->kind == Kind::operators &&
                     is_one(*before) && plan.values[squares.data].dtype == DType::float32;
  return is_it ? &*before : nullptr;
}

bool is_summed_across(const RowPlan& plan, RowValueId value) {
  return std::ranges::any_of(plan.steps, [&](const RowStep& step) {
    return step.kind == Kind::across && step.data == value;
  });
}

// The squares of the distances from a share's own mean, and as many times that of the share's mean
// from the row's, are those from the row's mean.
void join_moments(RowPlan& plan, RowValueId sum, RowValueId mean, RowValueId squares,
                  std::int64_t columns) {
  const auto across = std::ranges::find_if(plan.steps, [&](const RowStep& step) {
    return step.kind == Kind::across && step.data == squares;
  });
  const auto count = static_cast<double>(columns);
  const auto add = [&] {
    plan.values.push_back({.dtype = DType::float32});
    return static_cast<RowValueId>(plan.values.size() - 1);
  };
  RowStep distance{.kind = Kind::operators, .op = across->op, .result = add(), .data = sum};
  distance.operators = {{AluOp::multiply, {.number = static_cast<float>(1 / count)}},
                        {AluOp::subtract, {.value = mean}}};
  RowStep square{
      .kind = Kind::activate, .op = across->op, .result = add(), .data = distance.result};
  square.function = numerics::ActivationFunction::square;
  square.operators = {{AluOp::multiply, {.number = std::sqrt(count)}}};
  RowStep all{.kind = Kind::combine, .op = across->op, .result = add(), .data = squares};
  all.second = square.result;
  all.how = AluOp::add;
  across->data = all.result;
  plan.steps.insert(across, {distance, square, all});
}

}  // namespace

std::optional<RowPlan> with_moments(const RowPlan& plan, std::int64_t columns) {
  const auto end = std::ssize(plan.steps);
  for (std::ptrdiff_t i = 0; i < end; ++i) {
    const RowStep& squares = plan.steps[static_cast<std::size_t>(i)];
    const RowValue& unread = plan.values[squares.result];
    if (squares.kind != Kind::activate ||
        squares.function != numerics::ActivationFunction::square || !squares.sum ||
        unread.uses > 0 || unread.result)
      continue;
    const RowStep* const distance = distance_of(plan, squares);
    if (distance == nullptr) continue;
    const RowStep* const sum =
        sum_of_mean(plan, distance->operators[0].operand.value, distance->data, columns);
    if (sum == nullptr) continue;
    const std::ptrdiff_t total = sum - plan.steps.data();
    RowPlan changed = plan;
    RowStep& both = changed.steps[static_cast<std::size_t>(total)];
    both.kind = Kind::moments;
    both.sum = squares.sum;
    const RowValueId sum_of_all = both.result, mean = distance->operators[0].operand.value;
    const bool is_joined =
        plan.values[*squares.sum].uses == 1 && is_summed_across(plan, *squares.sum);
    if (plan.shares > 1 && !is_joined) continue;
    changed.steps.erase(changed.steps.begin() + i);
    if (plan.shares > 1) join_moments(changed, sum_of_all, mean, *squares.sum, columns);
    count_uses(changed);
    return changed;
  }
  return std::nullopt;
}

}  // namespace trainyard::compiler
