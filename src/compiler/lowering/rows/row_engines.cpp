#include "compiler/lowering/rows/row_engines.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "compiler/lowering/rows/row_blends.h"
#include "isa/cost/cycles.h"

namespace trainyard::compiler {

namespace {

using base::Ticks;
using isa::Engine;
using isa::Tile;
using numerics::ActivationFunction;
using numerics::AluOp;
using Kind = RowStep::Kind;

// A pass over fewer columns is not divided: each part has its fixed costs.
constexpr std::int64_t divided_columns_min = 1024;

constexpr std::array engines_of_rows{Engine::tensor, Engine::vector, Engine::scalar,
                                     Engine::gpsimd};

struct Choice {
  Engine engine;
  Ticks time;
  bool uses_bus = false;  // to SBUF, which GpSimd shares with Vector where that is quick
};

// What GpSimd computes, too, with other roundings than Scalar.
bool is_root(const RowStep& step) {
  return step.kind == Kind::activate && step.function == ActivationFunction::rsqrt &&
         step.operators.empty() && !step.sum;
}

// What Vector has, too, where only the sum is read.
bool sums_squares(const RowStep& step) {
  return step.kind == Kind::activate && step.function == ActivationFunction::square &&
         step.operators.empty() && step.sum;
}

// The time of a pass on the engines that can take it.
class Choices {
 public:
  Choices(const RowPlan& plan, std::int64_t columns, const machine::Core& core)
      : plan_(plan),
        columns_(columns),
        core_(core),
        minds_bus_(plan.minds_bus && core.sbuf.vector_gpsimd_shared_bus) {}

  [[nodiscard]] std::vector<Choice> of(const RowStep& step) const {
    const RowValue& result = plan_.values[step.result];
    const bool is_full = step.kind == Kind::reduce || step.kind == Kind::moments || result.is_full;
    const Tile dst = tile(step, result, is_full);
    const Tile src = step.kind == Kind::other ? dst : tile(step, plan_.values[step.data], is_full);
    std::vector<Choice> all;
    const auto add = [&](Engine engine, const isa::Timing& timing) {
      const bool is_quick = timing.occupancy.value < width(step, is_full);
      const std::int64_t times = step.is_apart ? plan_.stacked : 1;
      all.push_back(
          {engine, core_.engine(engine).clock(timing.occupancy) * times,
           minds_bus_ && (engine == Engine::gpsimd || (engine == Engine::vector && is_quick))});
    };
    switch (step.kind) {
      case Kind::operators: {
        const bool columns = std::ranges::any_of(
            step.operators, [](const RowOperator& each) { return !each.operand.number; });
        add(Engine::vector,
            isa::cost::with_numbers(isa::cost::copy(dst, src, Engine::vector, core_), columns,
                                    Engine::vector, core_));
        if (core_.features.scalar_tensor_ops) {
          add(Engine::scalar, isa::cost::copy(dst, src, Engine::scalar, core_));
        } else if (scale_and_shift(step.operators) && can_shift(step.operators)) {
          add(Engine::scalar, isa::cost::activation(dst, src, false, core_));
        }
        if (step.operators.empty() && !step.is_early)
          add(Engine::gpsimd, isa::cost::copy(dst, src, Engine::gpsimd, core_));
        break;
      }
      case Kind::combine:
        for (const Engine engine : {Engine::vector, Engine::gpsimd}) {
          const Tile other = tile(step, plan_.values[step.second], is_full);
          add(engine, isa::cost::pair(dst, src, other, engine, core_));
        }
        break;
      case Kind::activate:
        add(Engine::scalar, isa::cost::activation(dst, src, step.sum.has_value(), core_));
        if (is_root(step) && !result.is_full)
          add(Engine::gpsimd, isa::cost::copy(dst, src, Engine::gpsimd, core_));
        if (is_exponential(step, core_))
          add(Engine::vector, isa::cost::vector(dst, src, core_.vector_rates.exponential, core_));
        break;
      case Kind::reciprocal:
        add(Engine::vector, isa::cost::vector(dst, src, core_.vector_rates.reciprocal, core_));
        if (is_full && core_.features.scalar_tensor_ops)
          add(Engine::scalar, isa::cost::copy(dst, src, Engine::scalar, core_));
        break;
      case Kind::reduce:
        add(Engine::vector, isa::cost::tensor_reduce(dst, src, step.how, core_));
        if (step.how == AluOp::add && plan_.stacked == 1)
          add(Engine::scalar, isa::cost::activation(dst, src, true, core_));
        break;
      case Kind::moments: add(Engine::vector, moments(dst, src)); break;
      case Kind::rescale: add(Engine::scalar, isa::cost::activation(dst, src, false, core_)); break;
      case Kind::blend: add_blend(step, add); break;
      case Kind::across:
        add(Engine::vector, isa::cost::copy(dst, src, Engine::vector, core_));
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

  // What Vector takes for squares of which only the sum is read; nothing where it cannot have them.
  [[nodiscard]] std::optional<Choice> squares(const RowStep& step) const {
    const RowValue& result = plan_.values[step.result];
    if (!sums_squares(step) || result.result || result.uses > 0 ||
        !core_.features.vector_extended_operators || step.is_apart)
      return std::nullopt;
    const isa::Timing timing = isa::cost::vector_reduce(tile(step, result, true),
                                                        tile(step, plan_.values[step.data], true),
                                                        core_.vector_rates.other, core_);
    return Choice{Engine::vector, core_.engine(Engine::vector).clock(timing.occupancy)};
  }

 private:
  // Of what one instruction of the step computes.
  [[nodiscard]] std::int64_t width(const RowStep& step, bool is_full) const {
    const std::int64_t rows = step.is_apart ? 1 : plan_.stacked;
    return is_full ? columns_ / plan_.stacked * rows : rows;
  }
  [[nodiscard]] Tile tile(const RowStep& step, const RowValue& value, bool is_full) const {
    Tile made{.space = value.is_product ? isa::Space::psum : isa::Space::sbuf,
              .dtype = value.dtype,
              .rank = 1};
    made.partitions = static_cast<std::uint16_t>(core_.sbuf.partitions);
    made.dims[0] = {1, static_cast<std::int32_t>(width(step, is_full))};
    return made;
  }
  // What scales the sums, a bank at a time.
  template <typename F>
  void add_blend(const RowStep& step, F&& add) const {
    const std::int64_t width = std::min(columns_, blend_columns(core_));
    const std::int64_t count = base::ceil_div(columns_, width);
    Tile dst = tile(step, plan_.values[step.result], true), sums = dst;
    dst.dims[0].count = sums.dims[0].count = static_cast<std::int32_t>(width);
    sums.space = isa::Space::psum;
    sums.dtype = isa::DType::float32;
    for (const Engine engine : {Engine::vector, Engine::scalar}) {
      if (engine == Engine::scalar && !core_.features.scalar_tensor_ops) continue;
      isa::Timing timing =
          isa::cost::with_numbers(isa::cost::copy(dst, sums, engine, core_), true, engine, core_);
      timing.occupancy = timing.occupancy * count;
      add(engine, timing);
    }
  }
  // Mean and variance: statistics of parts of a row, joined, and scaled twice.
  [[nodiscard]] isa::Timing moments(const Tile& dst, const Tile& src) const {
    const std::int64_t most = core_.access.bn_stats_elements_max;
    const std::int64_t columns = columns_ / plan_.stacked;
    const std::int64_t parts = base::ceil_div(columns, most);
    Tile some = src, statistics = dst, one = dst;
    some.dims[0].count = static_cast<std::int32_t>(std::min(most, columns));
    statistics.dtype = one.dtype = isa::DType::float32;
    statistics.dims[0].count = static_cast<std::int32_t>(6 * parts);
    one.dims[0].count = 1;
    const base::Cycles each =
        isa::cost::vector(some, some, core_.vector_rates.bn_stats, core_).occupancy;
    const base::Cycles joined =
        isa::cost::vector(statistics, statistics, core_.vector_rates.bn_aggr, core_).occupancy;
    const base::Cycles scaled = isa::cost::copy(one, one, Engine::vector, core_).occupancy;
    const base::Cycles sum = each * parts + joined + scaled + scaled;
    return {sum, sum};
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
  bool minds_bus_;
};

// One choice for each pass, or part of one.
class Balance {
 public:
  // `start`: a choice of each, or none.
  explicit Balance(std::vector<std::vector<Choice>> choices, std::vector<std::size_t> start = {})
      : choices_(std::move(choices)), chosen_(std::move(start)) {
    for (std::size_t i = chosen_.size(); i < choices_.size(); ++i) {
      const auto quickest = std::ranges::min_element(choices_[i], {}, &Choice::time);
      chosen_.push_back(static_cast<std::size_t>(quickest - choices_[i].begin()));
    }
    for (std::size_t i = 0; i < choices_.size(); ++i) add(i, 1);
    // Moves one pass at a time, or exchanges two, as long as that helps.
    while (improve()) {
    }
  }

  [[nodiscard]] std::size_t choice(std::size_t i) const { return chosen_[i]; }
  [[nodiscard]] Engine engine(std::size_t i) const { return choices_[i][chosen_[i]].engine; }
  [[nodiscard]] bool is_busier(Engine one, Engine other) const {
    return busy_.at(static_cast<std::size_t>(one)) > busy_.at(static_cast<std::size_t>(other));
  }
  // What the engines and the bus have to do, the busiest first: the others wait less for each other
  // where they have something to spare.
  static constexpr std::size_t bus = isa::engine_count;
  using Load = std::array<Ticks, bus + 1>;
  [[nodiscard]] Load load() const {
    Load result = busy_;
    std::ranges::sort(result, std::greater{});
    return result;
  }
  // What the busiest engine has to do.
  [[nodiscard]] Ticks longest() const {
    return *std::max_element(busy_.begin(), busy_.begin() + isa::engine_count);
  }

 private:
  void add(std::size_t i, std::int64_t times) {
    const Choice& choice = choices_[i][chosen_[i]];
    busy_.at(static_cast<std::size_t>(choice.engine)) += choice.time * times;
    if (choice.uses_bus) busy_[bus] += choice.time * times;
  }
  void choose(std::size_t i, std::size_t choice) {
    add(i, -1);
    chosen_[i] = choice;
    add(i, 1);
  }
  bool improve() {
    const Load before = load();
    return any_choice(0, [&](std::size_t i) {
      return load() < before || any_choice(i + 1, [&](std::size_t) { return load() < before; });
    });
  }
  // Whether another choice of a pass from `begin` on is good; it stays so.
  template <typename F>
  bool any_choice(std::size_t begin, F&& is_good) {
    for (std::size_t i = begin; i < choices_.size(); ++i) {
      const std::size_t kept = chosen_[i];
      for (std::size_t c = 0; c < choices_[i].size(); ++c) {
        if (c == kept) continue;
        choose(i, c);
        if (is_good(i)) return true;
      }
      choose(i, kept);
    }
    return false;
  }

  std::vector<std::vector<Choice>> choices_;
  std::vector<std::size_t> chosen_;
  Load busy_{};
};

constexpr std::int64_t parts_max = 8;
constexpr int slices = 2;

// Whether engines may take different columns of the pass: each gives every element the same bits,
// and what it reads is as wide as what it writes.
bool is_divisible(const RowPlan& plan, const RowStep& step, std::int64_t columns) {
  const bool is_wide = plan.values[step.result].is_full && plan.values[step.data].is_full;
  if (!is_wide || step.is_early || step.is_apart || columns % (parts_max * slices) != 0 ||
      columns < divided_columns_min)
    return false;
  const RowValue& result = plan.values[step.result];
  if (sums_squares(step)) return !plan.is_swept() && !result.result && result.uses == 0;
  return step.kind == Kind::operators || step.kind == Kind::reciprocal ||
         (step.kind == Kind::combine && plan.values[step.second].is_full);
}

// What the bytes of a band's loads and stores take.
Ticks transfers(const RowPlan& plan, std::int64_t columns, const machine::Core& core) {
  std::int64_t bytes = 0;
  for (const RowValue& value : plan.values) {
    const bool is_moved = (value.input && !value.is_alike) || value.result;
    if (value.is_full && is_moved) bytes += columns * numerics::size_in_bytes(value.dtype);
  }
  const double rate = static_cast<double>(core.dma.links().bytes_per_second);
  const double seconds = static_cast<double>(bytes * core.sbuf.partitions) / rate;
  return {static_cast<std::int64_t>(seconds * 1e9 * base::ticks_per_nanosecond)};
}

// The columns that each engine takes, in the order of their numbers.
std::vector<RowPart> parts_of(std::span<const Engine> chosen, std::int64_t columns) {
  std::vector<RowPart> parts;
  for (const Engine engine : engines_of_rows) {
    const std::int64_t count = std::ranges::count(chosen, engine);
    if (count > 0)
      parts.push_back({engine, columns * count / static_cast<std::int64_t>(chosen.size())});
  }
  return parts;
}

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
  if (!core.features.exponential || step.function != ActivationFunction::exp ||
      step.operators.size() > 1)
    return false;
  return step.operators.empty() || step.operators[0].op == AluOp::subtract ||
         (step.operators[0].op == AluOp::add && step.operators[0].operand.number);
}

Ticks transfer_time(const RowPlan& plan, std::int64_t columns, const machine::Core& core) {
  std::int64_t loads = 0, stores = 0;
  for (const RowValue& value : plan.values) {
    if (!value.is_full && plan.shares == 1) continue;  // few of them are loaded by themselves
    if (value.input && !value.is_alike) ++loads;
    if (value.result) ++stores;
  }
  const machine::DescriptorCosts& made =
      core.dma.dge_blocks > 0 ? core.dma.hardware : core.dma.fixed;
  return std::max(transfers(plan, columns, core), made.issue_interval * (loads + stores));
}

Ticks choose_row_engines(RowPlan& plan, std::int64_t columns, const machine::Core& core) {
  const Choices choices(plan, columns, core);
  std::vector<std::vector<Choice>> whole;
  for (const RowStep& step : plan.steps) {
    whole.push_back(choices.of(step));
    for (Choice& choice : whole.back()) choice.time = choice.time * step.times;
  }
  const Balance undivided(whole);
  // A divided sum has to be joined, and Vector then holds up GpSimd at the port that they share: it
  // is no gain where loads and stores take about as long. The percentage is from RMSNorm of
  // 4096 x 4096 in BF16, where 107 lost 3 % and 112 (with float32 inside) gained 6 %.
  constexpr std::int64_t percent = 110;
  const bool divides_sums =
      100 * undivided.longest().value > percent * transfers(plan, columns, core).value;
  for (std::size_t i = 0; divides_sums && i < whole.size(); ++i) {
    std::optional<Choice> choice = choices.squares(plan.steps[i]);
    if (!choice) continue;
    choice->time = choice->time * plan.steps[i].times;
    whole[i].push_back(*choice);
  }
  std::vector<std::vector<Choice>> all;
  std::vector<std::size_t> start;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    plan.steps[i].is_divisible =
        is_divisible(plan, plan.steps[i], columns) && (divides_sums || !plan.steps[i].sum);
    if (plan.steps[i].is_divisible && !plan.steps[i].sum && !plan.is_swept())
      plan.last_slices = slices;
    const std::int64_t parts = plan.steps[i].is_divisible && whole[i].size() > 1 ? parts_max : 1;
    for (Choice& choice : whole[i]) choice.time = {choice.time.value / parts};
    all.insert(all.end(), static_cast<std::size_t>(parts), whole[i]);
    start.insert(start.end(), static_cast<std::size_t>(parts), undivided.choice(i));
    plan.steps[i].parts.resize(static_cast<std::size_t>(parts));
  }
  const Balance from_whole(all, std::move(start)), from_quickest(std::move(all));
  const Balance& balance = from_quickest.load() < from_whole.load() ? from_quickest : from_whole;
  std::size_t at = 0;
  for (RowStep& step : plan.steps) {
    std::vector<Engine> chosen;
    for (std::size_t part = 0; part < step.parts.size(); ++part)
      chosen.push_back(balance.engine(at++));
    step.parts = parts_of(chosen, columns);
  }
  if (plan.is_swept()) plan.last_slices = 1;
  plan.casts = balance.is_busier(Engine::vector, Engine::gpsimd) ? Engine::gpsimd : Engine::vector;
  return std::max(balance.longest(), array_time(plan, columns, core));
}

}  // namespace trainyard::compiler
