#include "compiler/lowering/row_engines.h"

#include <algorithm>
#include <array>
#include <utility>

#include "isa/cost/cycles.h"

namespace trainyard::compiler {

namespace {

using base::Ticks;
using isa::Engine;
using isa::Tile;
using numerics::AluOp;
using Function = numerics::ActivationFunction;
using Kind = RowStep::Kind;

struct Choice {
  Engine engine;
  Ticks time;
};

// The time of a pass on the engines that can take it.
class Choices {
 public:
  Choices(const RowPlan& plan, std::int64_t columns, const machine::Core& core)
      : plan_(plan), columns_(columns), core_(core) {}

  [[nodiscard]] std::vector<Choice> of(const RowStep& step) const {
    const RowValue& result = plan_.values[step.result];
    const bool is_full = step.kind == Kind::reduce || result.is_full;
    const Tile dst = tile(result, is_full);
    const Tile src = step.kind == Kind::other ? dst : tile(plan_.values[step.data], is_full);
    std::vector<Choice> all;
    const auto add = [&](Engine engine, const isa::Timing& timing) {
      all.push_back({engine, core_.engine(engine).clock(timing.occupancy)});
    };
    switch (step.kind) {
      case Kind::operators: {
        const bool columns = std::ranges::any_of(
            step.operators, [](const RowOperator& each) { return !each.operand.number; });
        add(Engine::vector,
            isa::cost::with_numbers(isa::cost::copy(dst, src, Engine::vector, core_), columns,
                                    Engine::vector, core_));
        if (scale_and_shift(step.operators) && can_shift(step.operators))
          add(Engine::scalar, isa::cost::activation(dst, src, false, core_));
        if (step.operators.empty() && !step.is_early)
          add(Engine::gpsimd, isa::cost::copy(dst, src, Engine::gpsimd, core_));
        break;
      }
      case Kind::combine:
        for (const Engine engine : {Engine::vector, Engine::gpsimd}) {
          const Tile other = tile(plan_.values[step.second], is_full);
          add(engine, isa::cost::pair(dst, src, other, engine, core_));
        }
        break;
      case Kind::activate:
        add(Engine::scalar, isa::cost::activation(dst, src, step.sum.has_value(), core_));
        if (is_exponential(step, core_))
          add(Engine::vector, isa::cost::vector(dst, src, core_.vector_rates.exponential, core_));
        break;
      case Kind::reciprocal:
        add(Engine::vector, isa::cost::vector(dst, src, core_.vector_rates.reciprocal, core_));
        break;
      case Kind::reduce:
        add(Engine::vector, isa::cost::tensor_reduce(dst, src, step.how, core_));
        if (step.how == AluOp::add)
          add(Engine::scalar, isa::cost::activation(dst, src, true, core_));
        break;
      case Kind::column_sum:
        all.push_back({Engine::tensor, Ticks{0}});  // which nothing else here uses
        break;
      case Kind::other:
        add(Engine::vector, isa::cost::pair(dst, src, src, Engine::vector, core_));
        break;
    }
    return all;
  }

 private:
  [[nodiscard]] Tile tile(const RowValue& value, bool is_full) const {
    Tile made{.space = value.is_product ? isa::Space::psum : isa::Space::sbuf,
              .dtype = value.dtype,
              .rank = 1};
    made.partitions = static_cast<std::uint16_t>(core_.sbuf.partitions);
    made.dims[0] = {1, static_cast<std::int32_t>(is_full ? columns_ : 1)};
    return made;
  }
  [[nodiscard]] bool can_shift(std::span<const RowOperator> operators) const {
    return core_.features.activation_number_bias ||
           std::ranges::all_of(operators, [](const RowOperator& each) {
             return each.op == AluOp::multiply || !each.operand.number;
           });
  }

  const RowPlan& plan_;
  std::int64_t columns_;
  const machine::Core& core_;
};

constexpr std::array<Engine, 3> engines{Engine::vector, Engine::scalar, Engine::gpsimd};

class Balance {
 public:
  explicit Balance(std::vector<std::vector<Choice>> choices)
      : choices_(std::move(choices)), chosen_(choices_.size(), 0) {
    for (std::size_t i = 0; i < choices_.size(); ++i) {
      const auto quickest = std::ranges::min_element(choices_[i], {}, &Choice::time);
      chosen_[i] = static_cast<std::size_t>(quickest - choices_[i].begin());
    }
  }

  // Moves one pass at a time, or exchanges two, as long as that helps.
  [[nodiscard]] std::vector<Engine> run() {
    while (improve()) {
    }
    std::vector<Engine> result;
    for (std::size_t i = 0; i < choices_.size(); ++i)
      result.push_back(choices_[i][chosen_[i]].engine);
    return result;
  }

  [[nodiscard]] bool is_busier(Engine one, Engine other) const {
    const auto all = busy();
    return all.at(static_cast<std::size_t>(one)) > all.at(static_cast<std::size_t>(other));
  }

 private:
  [[nodiscard]] std::array<Ticks, isa::engine_count> busy() const {
    std::array<Ticks, isa::engine_count> result{};
    for (std::size_t i = 0; i < choices_.size(); ++i) {
      const Choice& choice = choices_[i][chosen_[i]];
      result.at(static_cast<std::size_t>(choice.engine)) += choice.time;
    }
    return result;
  }
  // The busiest engine's time, then that of all.
  [[nodiscard]] std::pair<Ticks, Ticks> load() const {
    const auto all = busy();
    Ticks sum{0};
    for (const Ticks each : all) sum += each;
    return {*std::ranges::max_element(all), sum};
  }

  bool improve() {
    const auto before = load();
    for (std::size_t i = 0; i < choices_.size(); ++i) {
      const std::size_t kept = chosen_[i];
      for (chosen_[i] = 0; chosen_[i] < choices_[i].size(); ++chosen_[i]) {
        if (load() < before || improves_with(i, before)) return true;
      }
      chosen_[i] = kept;
    }
    return false;
  }
  bool improves_with(std::size_t i, const std::pair<Ticks, Ticks>& before) {
    for (std::size_t k = i + 1; k < choices_.size(); ++k) {
      const std::size_t kept = chosen_[k];
      for (chosen_[k] = 0; chosen_[k] < choices_[k].size(); ++chosen_[k]) {
        if (load() < before) return true;
      }
      chosen_[k] = kept;
    }
    return false;
  }

  std::vector<std::vector<Choice>> choices_;
  std::vector<std::size_t> chosen_;
};

}  // namespace

std::optional<std::vector<RowOperator>> scale_and_shift(std::span<const RowOperator> operators) {
  std::vector<RowOperator> all(operators.begin(), operators.end());
  if (all.size() > 2) return std::nullopt;
  if (all.size() == 1 && all[0].op == AluOp::subtract && all[0].reverse) {  // b - x
    return std::vector<RowOperator>{{AluOp::multiply, {.number = -1}, false},
                                    {AluOp::add, all[0].operand, false}};
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool shifts = (all[i].op == AluOp::add || all[i].op == AluOp::subtract) &&
                        !all[i].reverse && i + 1 == all.size();
    const bool scales = all[i].op == AluOp::multiply && i == 0;
    if (!shifts && !scales) return std::nullopt;
  }
  return all;
}

bool is_exponential(const RowStep& step, const machine::Core& core) {
  if (!core.features.exponential || step.function != Function::exp || step.operators.size() > 1)
    return false;
  return step.operators.empty() || step.operators[0].op == AluOp::subtract ||
         (step.operators[0].op == AluOp::add && step.operators[0].operand.number);
}

void choose_row_engines(RowPlan& plan, std::int64_t columns, const machine::Core& core) {
  const Choices choices(plan, columns, core);
  std::vector<std::vector<Choice>> all;
  for (const RowStep& step : plan.steps) all.push_back(choices.of(step));
  Balance balance(std::move(all));
  const std::vector<Engine> chosen = balance.run();
  for (std::size_t i = 0; i < chosen.size(); ++i) plan.steps[i].engine = chosen[i];
  plan.casts = balance.is_busier(Engine::vector, Engine::gpsimd) ? Engine::gpsimd : Engine::vector;
}

}  // namespace trainyard::compiler
