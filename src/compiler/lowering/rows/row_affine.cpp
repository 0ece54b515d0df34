#include "compiler/lowering/rows/row_affine.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/lowering/rows/row_joins.h"

namespace trainyard::compiler {

namespace {

using isa::DType;
using numerics::AluOp;
using Kind = RowStep::Kind;

class AffineMerger {
 public:
  explicit AffineMerger(RowPlan& plan) : plan_(plan) {}

  void run() {
    count_uses(plan_);
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
      const std::vector<std::size_t> chain = chain_to(i);
      if (chain.size() >= chain_min && is_end(i)) i = merge(chain);
    }
    count_uses(plan_);
  }

 private:
  // An instruction takes two.
  static constexpr std::size_t chain_min = 3;

  [[nodiscard]] bool is_link(const RowStep& step) const {
    if (step.kind != Kind::operators || step.operators.size() != 1 || step.is_early) return false;
    const AluOp how = step.operators[0].op;
    return (how == AluOp::add || how == AluOp::subtract || how == AluOp::multiply) &&
           plan_.values[step.data].is_full && plan_.values[step.result].is_full;
  }
  // Whether only the next link reads it.
  [[nodiscard]] bool is_between(RowValueId id) const {
    const RowValue& value = plan_.values[id];
    return value.dtype == DType::float32 && value.uses == 1 && !value.result && !value.input;
  }
  [[nodiscard]] std::optional<std::size_t> maker(RowValueId id) const {
    const auto found = std::ranges::find(plan_.steps, id, &RowStep::result);
    if (found == plan_.steps.end()) return std::nullopt;
    return static_cast<std::size_t>(found - plan_.steps.begin());
  }

  // The links up to that step, in order.
  [[nodiscard]] std::vector<std::size_t> chain_to(std::size_t i) const {
    std::vector<std::size_t> chain;
    for (std::optional<std::size_t> at = i; at && is_link(plan_.steps[*at]);) {
      chain.insert(chain.begin(), *at);
      const RowValueId data = plan_.steps[*at].data;
      if (is_between(data)) {
        at = maker(data);
        continue;
      }
      if (const auto first = maker(data); first && is_absorbed(*first, *at))
        chain.insert(chain.begin(), *first);
      break;
    }
    return chain;
  }
  // Whether all that reads a link beside that one takes it as an operator of its own.
  [[nodiscard]] bool is_absorbed(std::size_t link, std::size_t reader) const {
    const RowValueId id = plan_.steps[link].result;
    if (!is_link(plan_.steps[link]) || plan_.values[id].dtype != DType::float32 ||
        plan_.values[id].result)
      return false;
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
      const RowStep& step = plan_.steps[i];
      bool reads = false;
      for_each_operand(step, [&](RowValueId each) { reads |= each == id; });
      if (reads && i != reader && (step.kind != Kind::activate || !step.operators.empty()))
        return false;
    }
    return true;
  }
  [[nodiscard]] bool is_end(std::size_t i) const {
    const RowValueId result = plan_.steps[i].result;
    return !is_between(result) || std::ranges::none_of(plan_.steps, [&](const RowStep& step) {
      return is_link(step) && step.data == result;
    });
  }

  // One number a row of two; `like`: where it comes from.
  [[nodiscard]] RowOperand number(const RowOperand& a, AluOp how, const RowOperand& b,
                                  const RowStep& like) {
    RowStep step{.kind = Kind::operators};
    step.op = like.op;
    if (a.number && b.number) {
      const double x = *a.number, y = *b.number;
      return {.number = how == AluOp::multiply ? x * y : how == AluOp::add ? x + y : x - y};
    }
    if (a.number || b.number) {
      step.data = a.number ? b.value : a.value;
      step.operators = {{how, a.number ? a : b, a.number && how == AluOp::subtract}};
    } else {
      step.kind = Kind::combine;
      step.data = a.value;
      step.second = b.value;
      step.how = how;
    }
    plan_.values.push_back({.dtype = DType::float32});
    step.result = static_cast<RowValueId>(plan_.values.size() - 1);
    made_.push_back(step);
    return {.value = step.result};
  }

  // The step behind what takes the chain's place.
  std::size_t merge(const std::vector<std::size_t>& chain) {
    const RowStep first = plan_.steps[chain.front()], last = plan_.steps[chain.back()];
    std::optional<RowOperand> scale, shift;
    made_.clear();
    for (const std::size_t at : chain) {
      const RowStep link = plan_.steps[at];
      const RowOperator& by = link.operators[0];
      if (by.op == AluOp::multiply) {
        scale = scale ? number(*scale, AluOp::multiply, by.operand, link) : by.operand;
        if (shift) shift = number(*shift, AluOp::multiply, by.operand, link);
        continue;
      }
      if (by.op == AluOp::subtract && by.reverse) {
        const RowOperand minus{.number = -1};
        scale = scale ? number(*scale, AluOp::multiply, minus, link) : minus;
        shift = shift ? number(by.operand, AluOp::subtract, *shift, link) : by.operand;
        continue;
      }
      const RowOperand before = shift.value_or(RowOperand{.number = 0});
      shift = !shift && by.op == AluOp::add ? by.operand : number(before, by.op, by.operand, link);
    }
    const bool both = scale && shift;
    RowStep step = last;
    step.data = first.data;
    step.operators = {{scale ? AluOp::multiply : AluOp::add, scale ? *scale : *shift, false}};
    if (both) {
      plan_.values.push_back({.is_full = true, .dtype = DType::float32});
      step.result = static_cast<RowValueId>(plan_.values.size() - 1);
      made_.push_back(step);
      step.data = step.result;
      step.result = last.result;
      step.operators = {{AluOp::add, *shift, false}};
    }
    made_.push_back(step);
    const auto at = plan_.steps.begin() + static_cast<std::ptrdiff_t>(chain.back());
    plan_.steps.insert(plan_.steps.erase(at), made_.begin(), made_.end());
    count_uses(plan_);  // what nobody reads any more is dropped with the rest
    return chain.back() + made_.size() - 1;
  }

  RowPlan& plan_;
  std::vector<RowStep> made_;
};

}  // namespace

void merge_scales_and_shifts(RowPlan& plan) { AffineMerger(plan).run(); }

}  // namespace trainyard::compiler
