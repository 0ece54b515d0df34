// A run of several devices together: pieces, loops between them, and exchanges of values.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "base/error.h"
#include "graph/folds.h"
#include "graph/together.h"

namespace trainyard::graph {

namespace {

using Values = std::map<ValueId, Shared>;  // of one device

// A module of one operation on values of those types.
class Alone {
 public:
  explicit Alone(OpKind kind) { op_.kind = kind; }

  Alone& with(std::string name, decltype(Attribute::value) value) {
    op_.attributes.push_back({std::move(name), {std::move(value)}});
    return *this;
  }
  Alone& with(const Region& region, const Function& of) {
    main_.types = of.types;
    op_.regions = {region};
    return *this;
  }
  [[nodiscard]] Literal of(std::span<const Literal> operands, const Type& result) {
    main_.name = "main";
    for (const Literal& operand : operands) {
      op_.operands.push_back(main_.add_value(operand.type));
      main_.body.arguments.push_back(op_.operands.back());
    }
    op_.results = {main_.add_value(result)};
    std::ranges::sort(op_.attributes, {}, &NamedAttribute::name);
    main_.body.ops = {op_, {.kind = OpKind::return_, .operands = op_.results}};
    Module module;
    module.functions.push_back(main_);
    return evaluate(module, operands).front();
  }

 private:
  Function main_;
  Op op_;
};

}  // namespace

class RunningTogether {
 public:
  RunningTogether(const Together& together, PieceRunner& runner, const EvaluateLimits& limits)
      : together_(together),
        function_(*together.main_),
        devices_(together.devices_),
        runner_(runner),
        limits_(limits),
        values_(together.devices_) {}

  TogetherRun run(std::span<const std::vector<Shared>> inputs) {
    const std::vector<ValueId>& arguments = function_.body.arguments;
    for (std::size_t d = 0; d < devices_; ++d) {
      for (std::size_t i = 0; i < arguments.size(); ++i)
        values_[d].insert_or_assign(arguments[i], inputs[d].at(i));
    }
    run_steps(together_.steps_);
    TogetherRun result = std::move(run_);
    result.counted_once = std::ssize(once_);
    result.results.resize(devices_);
    result.time = computed_;
    for (const ValueId value : function_.results()) {
      result.time = std::max(result.time, ready(value));
      for (std::size_t d = 0; d < devices_; ++d) result.results[d].push_back(values_[d].at(value));
    }
    return result;
  }

 private:
  [[nodiscard]] std::int64_t ready(ValueId value) const {
    const auto found = ready_.find(value);
    return found == ready_.end() ? 0 : found->second;
  }

  void run_steps(const Together::Steps& steps) {
    for (const Together::Step& step : steps) {
      if (step.op == nullptr) {
        run_piece(step.piece);
      } else if (step.loop != nullptr) {
        run_loop(*step.op, *step.loop);
      } else {
        is_ahead_ = step.is_ahead;
        exchange(*step.op);
      }
    }
  }

  void run_piece(std::size_t number) {
    const Piece& piece = together_.pieces_[number];
    std::int64_t begin = computed_;
    std::vector<std::vector<Shared>> inputs(devices_);
    for (const ValueId value : piece.inputs) {
      begin = std::max(begin, ready(value));
      for (std::size_t d = 0; d < devices_; ++d) inputs[d].push_back(values_[d].at(value));
    }
    std::int64_t time = 0;
    std::vector<std::vector<Shared>> outputs = runner_.run(number, inputs, time);
    run_.computing += time;
    computed_ = begin + time;
    for (std::size_t i = 0; i < piece.outputs.size(); ++i) {
      ready_[piece.outputs[i]] = computed_;
      for (std::size_t d = 0; d < devices_; ++d)
        values_[d].insert_or_assign(piece.outputs[i], std::move(outputs[d].at(i)));
    }
  }

  void hand_over(const std::vector<ValueId>& from, const std::vector<ValueId>& to) {
    std::vector<std::int64_t> times;
    for (const ValueId value : from) times.push_back(ready(value));
    for (std::size_t i = 0; i < to.size(); ++i) ready_[to[i]] = times[i];
    for (Values& mine : values_) {
      std::vector<Shared> all;
      for (const ValueId value : from) all.push_back(mine.at(value));
      for (std::size_t i = 0; i < to.size(); ++i) mine.insert_or_assign(to[i], std::move(all[i]));
    }
  }

  void run_loop(const Op& op, const Together::Loop& loop) {
    const Region &condition = op.regions.at(0), &body = op.regions.at(1);
    hand_over(op.operands, op.results);
    const std::int64_t outer = std::exchange(turn_before_, computed_);
    for (std::int64_t turn = 0; turn < limits_.loop_iterations_max; ++turn) {
      const std::int64_t begin = computed_;
      hand_over(op.results, condition.arguments);
      run_steps(loop.condition);
      const ValueId decides = condition.ops.back().operands.at(0);
      computed_ = std::max(computed_, ready(decides));
      if (!goes_on(op, loop, decides, turn)) {
        turn_before_ = outer;
        return;
      }
      hand_over(op.results, body.arguments);
      run_steps(loop.body);
      hand_over(body.ops.back().operands, op.results);
      turn_before_ = begin;
    }
    together_.refuse(op, "a loop without an end");
  }

  [[nodiscard]] bool goes_on(const Op& op, const Together::Loop& loop, ValueId decides,
                             std::int64_t turn) {
    if (values_.front().at(decides) == nullptr) {
      if (!loop.turns && turn == 0) once_.insert(&op);
      return turn < loop.turns.value_or(1);
    }
    const auto ready = std::ranges::count_if(values_, [&](const Values& mine) {
      return mine.at(decides)->content.at(0) != std::byte{0};
    });
    if (ready != 0 && static_cast<std::size_t>(ready) != devices_)
      together_.refuse(op, fmt::format("{} of {} devices go on", ready, devices_));
    return ready != 0;
  }

  // --- What devices exchange ---

  [[nodiscard]] std::vector<std::int64_t> numbers(const Op& op, std::string_view attribute) const {
    const Literal& literal = op.literal(attribute);
    const std::vector<std::byte> content = literal.expanded();
    std::vector<std::int64_t> all(content.size() / sizeof(std::int64_t));
    std::memcpy(all.data(), content.data(), all.size() * sizeof(std::int64_t));
    return all;
  }

  // The devices of each group, in its order.
  [[nodiscard]] std::vector<std::vector<std::size_t>> groups_of(const Op& op) const {
    const Literal& literal = op.literal("replica_groups");
    const std::vector<std::int64_t> ids = numbers(op, "replica_groups");
    const auto width = static_cast<std::size_t>(literal.type.shape.at(1));
    std::vector<std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (i % width == 0) groups.emplace_back();
      if (ids[i] < 0) continue;
      if (static_cast<std::size_t>(ids[i]) >= devices_)
        together_.refuse(op, fmt::format("device {} of {}", ids[i], devices_));
      groups.back().push_back(static_cast<std::size_t>(ids[i]));
    }
    if (groups.empty()) {
      groups.emplace_back();
      for (std::size_t d = 0; d < devices_; ++d) groups.back().push_back(d);
    }
    return groups;
  }

  void exchange(const Op& op) {
    if (op.kind == OpKind::partition_id || op.kind == OpKind::replica_id) return number(op);
    if (op.kind == OpKind::collective_broadcast) together_.refuse(op, "collective_broadcast");
    pass_time(op);
    if (values_.front().at(op.operands.front()) == nullptr) {
      for (const ValueId value : op.results) {
        for (Values& mine : values_) mine.insert_or_assign(value, nullptr);
      }
      return;
    }
    if (op.kind == OpKind::collective_permute) return permute(op);
    for (const std::vector<std::size_t>& group : groups_of(op)) {
      for (std::size_t i = 0; i < op.operands.size(); ++i) {
        std::vector<Literal> given;
        for (const std::size_t d : group) given.push_back(*values_[d].at(op.operands[i]));
        std::vector<Shared> results = combined(op, given, function_.type(op.results[i]));
        for (std::size_t k = 0; k < group.size(); ++k)
          values_[group[k]].insert_or_assign(op.results[i], std::move(results[k]));
      }
    }
  }

  void pass_time(const Op& op) {
    Exchange exchange{.op = &op};
    std::int64_t given = 0, got = 0, begin = is_ahead_ ? turn_before_ : 0;
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      given += function_.type(op.operands[i]).bytes();
      got += function_.type(op.results[i]).bytes();
      if (!is_ahead_) begin = std::max(begin, ready(op.operands[i]));
    }
    exchange.bytes = std::max(given, got);
    if (op.kind != OpKind::collective_permute) exchange.groups = groups_of(op);
    const std::int64_t time = runner_.exchanged(exchange);
    run_.exchanging += time;
    const std::int64_t end = on_links(begin, time) + time;
    for (const ValueId value : op.results) ready_[value] = end;
  }

  // When links are free for that long, from a moment on: what waits for its operands lets others
  // pass.
  std::int64_t on_links(std::int64_t begin, std::int64_t time) {
    if (time == 0) return begin;
    auto next = busy_.upper_bound(begin);
    if (next != busy_.begin()) begin = std::max(begin, std::prev(next)->second);
    for (; next != busy_.end() && next->first < begin + time; ++next)
      begin = std::max(begin, next->second);
    busy_.emplace(begin, begin + time);
    return begin;
  }

  // `type`: of one device's result.
  [[nodiscard]] std::vector<Shared> combined(const Op& op, const std::vector<Literal>& given,
                                             const Type& type) const {
    const std::size_t count = given.size();
    if (op.kind == OpKind::all_gather)
      return {count, shared(joined(given, op.integer("all_gather_dim"), type))};
    std::vector<Shared> results;
    if (op.kind == OpKind::all_to_all) {
      for (std::size_t k = 0; k < count; ++k) {
        std::vector<Literal> parts;
        for (const Literal& each : given)
          parts.push_back(part(each, op.integer("split_dimension"), k, count));
        results.push_back(shared(joined(parts, op.integer("concat_dimension"), type)));
      }
      return results;
    }
    Literal sum = folded(op.regions.at(0), given);
    if (op.kind == OpKind::all_reduce) return {count, shared(std::move(sum))};
    for (std::size_t k = 0; k < count; ++k)
      results.push_back(shared(part(sum, op.integer("scatter_dimension"), k, count)));
    return results;
  }

  // Narrow formats accumulate in float32 and are rounded once, unless the region says otherwise.
  [[nodiscard]] Literal folded(const Region& region, const std::vector<Literal>& given) const {
    const Type type = given.front().type;
    const auto kinds = simple_folds(region);
    const bool is_wide =
        kinds && is_float(type.element) && bits(type.element) < bits(ElementType::f32);
    const Type wide{.element = is_wide ? ElementType::f32 : type.element, .shape = type.shape};
    Literal sum = converted(given.front(), wide);
    std::vector<std::int64_t> dimensions;
    for (std::int64_t d = 0; d < type.rank(); ++d) dimensions.push_back(d);
    for (const Literal& each : std::span(given).subspan(1)) {
      const std::array<Literal, 2> both{sum, converted(each, wide)};
      sum = is_wide ? Alone(kinds->front()).of(both, wide)
                    : Alone(OpKind::map)
                          .with("dimensions", dimensions)
                          .with(region, function_)
                          .of(both, wide);
    }
    return converted(sum, type);
  }
  [[nodiscard]] static Literal converted(const Literal& literal, const Type& type) {
    return literal.type == type ? literal : Alone(OpKind::convert).of(std::span(&literal, 1), type);
  }

  [[nodiscard]] static Shared shared(Literal literal) {
    return std::make_shared<const Literal>(std::move(literal));
  }

  [[nodiscard]] static Literal joined(std::span<const Literal> parts, std::int64_t dim,
                                      const Type& type) {
    return Alone(OpKind::concatenate).with("dimension", dim).of(parts, type);
  }

  [[nodiscard]] static Literal part(const Literal& whole, std::int64_t dim, std::size_t k,
                                    std::size_t count) {
    Type type = whole.type;
    const auto at = static_cast<std::size_t>(dim);
    type.shape[at] /= static_cast<std::int64_t>(count);
    std::vector<std::int64_t> starts(type.shape.size(), 0), limits = whole.type.shape;
    const std::vector<std::int64_t> strides(type.shape.size(), 1);
    starts[at] = static_cast<std::int64_t>(k) * type.shape[at];
    limits[at] = starts[at] + type.shape[at];
    return Alone(OpKind::slice)
        .with("limit_indices", std::move(limits))
        .with("start_indices", std::move(starts))
        .with("strides", strides)
        .of({&whole, 1}, type);
  }

  void permute(const Op& op) {
    const std::span<const std::int64_t> pairs = op.integers("source_target_pairs");
    const Type& type = function_.type(op.results[0]);
    const Shared zeros = shared(
        {.type = type,
         .content = std::vector<std::byte>(static_cast<std::size_t>(size_in_bytes(type.element))),
         .splat = true});
    std::vector<Shared> received(devices_, zeros);
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
      if (std::max(pairs[i], pairs[i + 1]) >= static_cast<std::int64_t>(devices_))
        together_.refuse(op, fmt::format("from {} to {}", pairs[i], pairs[i + 1]));
      received[static_cast<std::size_t>(pairs[i + 1])] =
          values_[static_cast<std::size_t>(pairs[i])].at(op.operands[0]);
    }
    for (std::size_t d = 0; d < devices_; ++d)
      values_[d].insert_or_assign(op.results[0], std::move(received[d]));
  }

  void number(const Op& op) {
    for (std::size_t d = 0; d < devices_; ++d) {
      const auto id = static_cast<std::uint32_t>(op.kind == OpKind::partition_id ? d : 0);
      Literal literal{.type = function_.type(op.results[0]),
                      .content = std::vector<std::byte>(sizeof(id))};
      std::memcpy(literal.content.data(), &id, sizeof(id));
      values_[d].insert_or_assign(op.results[0], shared(std::move(literal)));
    }
  }

  const Together& together_;
  const Function& function_;
  std::size_t devices_;
  PieceRunner& runner_;
  const EvaluateLimits& limits_;
  std::vector<Values> values_;
  std::map<ValueId, std::int64_t> ready_;      // when values are there
  std::int64_t computed_ = 0;                  // when devices are free
  std::map<std::int64_t, std::int64_t> busy_;  // links: from when to when
  std::int64_t turn_before_ = 0;               // when it began, in a loop
  bool is_ahead_ = false;                      // the exchange at hand
  TogetherRun run_;
  std::set<const Op*> once_;  // loops whose turns nobody knows
};

TogetherRun Together::run(std::span<const std::vector<Shared>> inputs, PieceRunner& runner,
                          const EvaluateLimits& limits) const {
  return RunningTogether(*this, runner, limits).run(inputs);
}

namespace {

// Devices with equal inputs have equal results.
class Evaluator : public PieceRunner {
 public:
  Evaluator(const Together& together, const EvaluateLimits& limits)
      : together_(together), limits_(limits) {}

  std::vector<std::vector<Shared>> run(std::size_t piece,
                                       std::span<const std::vector<Shared>> inputs,
                                       std::int64_t&) override {
    std::vector<std::vector<Shared>> all;
    for (std::size_t d = 0; d < inputs.size(); ++d) {
      std::size_t same = 0;
      while (same < d && !alike(inputs[same], inputs[d])) ++same;
      if (same < d) {
        all.push_back(all[same]);
        continue;
      }
      std::vector<Literal> given;
      for (const Shared& each : inputs[d]) given.push_back(*each);
      std::vector<Shared> results;
      for (Literal& each : evaluate(together_.pieces()[piece].module, given, limits_))
        results.push_back(std::make_shared<const Literal>(std::move(each)));
      all.push_back(std::move(results));
    }
    return all;
  }
  std::int64_t exchanged(const Exchange&) override { return 0; }

 private:
  static bool alike(const std::vector<Shared>& a, const std::vector<Shared>& b) {
    return std::ranges::equal(a, b,
                              [](const Shared& x, const Shared& y) { return x == y || *x == *y; });
  }

  const Together& together_;
  const EvaluateLimits& limits_;
};

}  // namespace

std::vector<std::vector<Shared>> evaluate_together(const Together& together,
                                                   std::span<const std::vector<Shared>> inputs,
                                                   const EvaluateLimits& limits) {
  Evaluator evaluator(together, limits);
  return together.run(inputs, evaluator, limits).results;
}

}  // namespace trainyard::graph
