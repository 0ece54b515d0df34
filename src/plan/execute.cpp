#include "plan/execute.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/error.h"

namespace trainyard::plan {

namespace {

class Executing {
 public:
  Executing(const Plan& plan, Devices& devices, const Limits& limits, const Placement& placement)
      : plan_(plan),
        devices_(devices),
        limits_(limits),
        processes_(plan, placement),
        mine_(processes_.mine()),
        values_(plan.devices),
        timeline_(limits.early_bytes, limits.begin) {}

  Execution run(std::span<const std::vector<Shared>> inputs) && {
    processes_.check_same(inputs);
    const std::vector<ValueId>& arguments = plan_.main().body.arguments;
    for (std::size_t d = 0; d < plan_.devices; ++d) {
      const bool is_mine = processes_.is_mine(d);
      for (std::size_t i = 0; i < arguments.size(); ++i)
        values_[d].insert_or_assign(arguments[i], is_mine ? inputs[d].at(i) : nullptr);
    }
    run_steps(plan_.steps);
    Execution result{.results = std::vector<std::vector<Shared>>(plan_.devices),
                     .timeline = std::move(timeline_),
                     .meetings = std::move(meetings_),
                     .counted_once = std::ssize(once_),
                     .joules = joules_};
    for (const ValueId value : plan_.main().results()) {
      for (std::size_t d = 0; d < plan_.devices; ++d)
        result.results[d].push_back(values_[d].at(value));
    }
    processes_.share(result.results);
    result.timeline.run();
    return result;
  }

 private:
  using Values = std::map<ValueId, Shared>;  // of one device

  void run_steps(const Steps& steps) {
    for (const Step& step : steps) std::visit([&](const auto& what) { run(what); }, step.what);
  }

  // The task that a value comes from, to those that a task waits for.
  void wait_for(ValueId value, std::vector<TaskId>& after) const {
    if (const auto made = made_by_.find(value); made != made_by_.end())
      after.push_back(made->second);
  }

  void run(const RunBody& step) {
    const Body& body = plan_.bodies[step.body];
    Task task{.kind = Task::Kind::body, .what = step.body, .after = std::exchange(decided_by_, {})};
    std::vector<std::vector<Shared>> inputs(mine_.size());
    for (const ValueId value : body.inputs) {
      wait_for(value, task.after);
      for (std::size_t i = 0; i < mine_.size(); ++i)
        inputs[i].push_back(values_[mine_[i]].at(value));
    }
    Ran ran = devices_.run(step.body, inputs);
    task.work = ran.is_of_values ? processes_.all_of(std::move(ran.work)) : std::move(ran.work);
    task.work_at = devices_.body_at(step.body);
    joules_ += task.work.joules;
    last_body_ = timeline_.add(std::move(task));
    std::vector<std::vector<Shared>> results(plan_.devices,
                                             std::vector<Shared>(body.outputs.size()));
    for (std::size_t i = 0; i < mine_.size(); ++i) results[mine_[i]] = std::move(ran.results[i]);
    give(body.outputs, std::move(results), *last_body_);
  }

  void give(const std::vector<ValueId>& to, std::vector<std::vector<Shared>> results, TaskId by) {
    for (std::size_t i = 0; i < to.size(); ++i) {
      made_by_.insert_or_assign(to[i], by);
      for (std::size_t d = 0; d < plan_.devices; ++d)
        values_[d].insert_or_assign(to[i], std::move(results[d].at(i)));
    }
  }

  void run(const Meet& step) {
    const Op& op = *step.op;
    Task task{.kind = Task::Kind::meeting, .what = number_of(step)};
    if (step.is_ahead) {
      if (turn_before_) task.after.push_back(*turn_before_);
    } else {
      for (const ValueId value : op.operands) wait_for(value, task.after);
    }
    for (const ValueId value : op.results) task.bytes += plan_.main().type(value).bytes();
    if (!step.groups.empty()) {
      task.work = devices_.meet(step);
      task.work_at = devices_.meet_at(step);
    }
    joules_ += task.work.joules;
    give(op.results, exchanged_values(step), timeline_.add(std::move(task)));
  }
  [[nodiscard]] std::vector<std::vector<Shared>> exchanged_values(const Meet& step) const {
    const Op& op = *step.op;
    std::vector<std::vector<Shared>> given(plan_.devices);
    bool has_values = true;
    for (std::size_t d = 0; d < plan_.devices; ++d) {
      for (const ValueId value : op.operands) given[d].push_back(values_[d].at(value));
      if (processes_.is_mine(d))
        has_values = has_values && std::ranges::none_of(given[d], &is_null);
    }
    std::vector<std::vector<Shared>> nothing(plan_.devices, std::vector<Shared>(op.results.size()));
    if (!has_values) return nothing;
    const Meet own = processes_.with_others(step, given);
    std::vector<std::vector<Shared>> results = exchanged(plan_, own, given);
    for (std::size_t d = 0; d < plan_.devices; ++d)
      if (!processes_.is_mine(d)) results[d] = std::move(nothing[d]);
    return results;
  }
  static bool is_null(const Shared& value) { return value == nullptr; }

  std::size_t number_of(const Meet& meet) {
    const auto [at, is_new] = numbers_.try_emplace(&meet, meetings_.size());
    if (is_new) meetings_.push_back(&meet);
    return at->second;
  }

  void hand_over(const std::vector<ValueId>& from, const std::vector<ValueId>& to) {
    std::vector<std::optional<TaskId>> makers;
    for (const ValueId value : from) {
      const auto made = made_by_.find(value);
      makers.push_back(made == made_by_.end() ? std::nullopt : std::optional(made->second));
    }
    for (std::size_t i = 0; i < to.size(); ++i) {
      if (makers[i])
        made_by_.insert_or_assign(to[i], *makers[i]);
      else
        made_by_.erase(to[i]);
    }
    for (Values& mine : values_) {
      std::vector<Shared> all;
      for (const ValueId value : from) all.push_back(mine.at(value));
      for (std::size_t i = 0; i < to.size(); ++i) mine.insert_or_assign(to[i], std::move(all[i]));
    }
  }

  void run(const Loop& loop) {
    const Op& op = *loop.op;
    const Region &condition = op.regions.at(0), &body = op.regions.at(1);
    hand_over(op.operands, op.results);
    const auto outer = std::exchange(turn_before_, last_body_);
    for (std::int64_t turn = 0; turn < limits_.turns_max; ++turn) {
      const auto begin = last_body_;
      hand_over(op.results, condition.arguments);
      run_steps(loop.condition);
      const ValueId decides = condition.ops.back().operands.at(0);
      wait_for(decides, decided_by_);
      if (!goes_on(loop, decides, turn)) {
        turn_before_ = outer;
        return;
      }
      hand_over(op.results, body.arguments);
      run_steps(loop.body);
      hand_over(body.ops.back().operands, op.results);
      turn_before_ = begin;
    }
    refuse(*plan_.module, op, "a loop without an end");
  }

  [[nodiscard]] bool goes_on(const Loop& loop, ValueId decides, std::int64_t turn) {
    if (!has_values(decides)) {
      if (!loop.turns && turn == 0) once_.insert(loop.op);
      return turn < loop.turns.value_or(1);
    }
    if (loop.turns && processes_.are_several()) return turn < *loop.turns;
    std::vector<std::int64_t> ways;
    for (const std::size_t d : mine_)
      ways.push_back(values_[d].at(decides)->content.at(0) != std::byte{0} ? 1 : 0);
    const std::vector<std::int64_t> all = processes_.all_of(ways, "a loop goes on");
    if (all.size() > 1) {
      refuse(*plan_.module, *loop.op,
             fmt::format("{} of {} devices go on", std::ranges::count(ways, 1), ways.size()));
    }
    return all.front() != 0;
  }
  // Of what the devices that are computed here decide by; those of others have it.
  [[nodiscard]] bool has_values(ValueId decides) const {
    return mine_.empty() || values_[mine_.front()].at(decides) != nullptr;
  }

  void run(const Choice& choice) {
    const Op& op = *choice.op;
    const std::size_t side = side_of(choice);
    wait_for(op.operands.at(0), decided_by_);
    run_steps(choice.sides[side]);
    hand_over(op.regions[side].ops.back().operands, op.results);
  }

  [[nodiscard]] std::size_t side_of(const Choice& choice) {
    const Op& op = *choice.op;
    const ValueId decides = op.operands.at(0);
    if (!has_values(decides)) {
      once_.insert(&op);
      const auto meeting = std::ranges::find_if(op.regions, [&](const Region& region) {
        return std::ranges::any_of(region.ops,
                                   [&](const Op& each) { return meets(*plan_.module, each); });
      });
      return static_cast<std::size_t>(meeting - op.regions.begin());
    }
    std::vector<std::int64_t> mine;
    for (const std::size_t d : mine_) mine.push_back(side_by(op, *values_[d].at(decides)));
    const std::vector<std::int64_t> sides =
        processes_.all_of(std::move(mine), "the side of a branch");
    if (sides.size() > 1) {
      refuse(*plan_.module, op,
             fmt::format("{} of its sides are taken by different devices", sides.size()));
    }
    return static_cast<std::size_t>(sides.front());
  }

  // An `if` has its true side first; a `case` outside its range takes the last.
  [[nodiscard]] static std::int64_t side_by(const Op& op, const graph::Literal& value) {
    if (op.kind == graph::OpKind::if_) return value.content.at(0) != std::byte{0} ? 0 : 1;
    std::int32_t number = 0;
    std::memcpy(&number, value.content.data(), sizeof(number));
    const auto last = static_cast<std::int32_t>(op.regions.size()) - 1;
    return number < 0 || number > last ? last : number;
  }

  const Plan& plan_;
  Devices& devices_;
  Limits limits_;
  Processes processes_;
  const std::vector<std::size_t>& mine_;
  std::vector<Values> values_;
  Timeline timeline_;
  std::map<ValueId, TaskId> made_by_;
  std::map<const Meet*, std::size_t> numbers_;
  std::vector<const Meet*> meetings_;
  std::optional<TaskId> last_body_, turn_before_;  // the last body before the turn before began
  std::vector<TaskId> decided_by_;  // what the next body waits for besides its inputs
  std::set<const Op*> once_;        // whose way nobody knows
  double joules_ = 0;
};

// Devices with equal inputs have equal results.
class Evaluating : public Devices {
 public:
  Evaluating(const Plan& plan, const graph::EvaluateLimits& limits)
      : plan_(plan), limits_(limits) {}

  Ran run(std::size_t body, std::span<const std::vector<Shared>> inputs) override {
    Ran ran;
    for (std::size_t d = 0; d < inputs.size(); ++d) {
      std::size_t same = 0;
      while (same < d && !alike(inputs[same], inputs[d])) ++same;
      if (same < d) {
        ran.results.push_back(ran.results[same]);
        continue;
      }
      std::vector<graph::Literal> given;
      for (const Shared& each : inputs[d]) given.push_back(*each);
      std::vector<Shared> results;
      for (graph::Literal& each : graph::evaluate(plan_.bodies[body].module, given, limits_))
        results.push_back(std::make_shared<const graph::Literal>(std::move(each)));
      ran.results.push_back(std::move(results));
    }
    return ran;
  }
  Work meet(const Meet&) override { return {}; }

 private:
  const Plan& plan_;
  const graph::EvaluateLimits& limits_;
};

}  // namespace

Execution execute(const Plan& plan, std::span<const std::vector<Shared>> inputs, Devices& devices,
                  const Limits& limits, const Placement& placement) {
  return Executing(plan, devices, limits, placement).run(inputs);
}

std::vector<std::vector<Shared>> evaluate(const Plan& plan,
                                          std::span<const std::vector<Shared>> inputs,
                                          const graph::EvaluateLimits& limits,
                                          const Placement& placement) {
  Evaluating evaluating(plan, limits);
  return execute(plan, inputs, evaluating, {.turns_max = limits.loop_iterations_max}, placement)
      .results;
}

bool alike(const std::vector<Shared>& a, const std::vector<Shared>& b) {
  return std::ranges::equal(a, b,
                            [](const Shared& x, const Shared& y) { return x == y || *x == *y; });
}

}  // namespace trainyard::plan
