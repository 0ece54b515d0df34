#include "plan/memory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "graph/donation.h"
#include "graph/reads.h"

namespace trainyard::plan {

namespace {

// Follows the values of a device through the steps, in their order.
class Following {
 public:
  Following(const Plan& plan, const std::function<std::int64_t(std::size_t)>& inside)
      : plan_(plan), main_(plan.main()), inside_(inside) {
    for (const ValueId value : main_.results()) outside_.insert(value);
    for (const ValueId value : main_.body.arguments) outside_.insert(value);
    note_makers(main_.body);
  }

  HighWater follow() && {
    run(plan_.steps, main_.body);
    std::ranges::stable_sort(most_.held, std::greater{}, &Held::bytes);
    return std::move(most_);
  }

 private:
  using Reads = std::map<ValueId, std::size_t>;  // the last step that reads a value

  [[nodiscard]] std::int64_t bytes_of(ValueId value) const {
    const graph::Type& type = main_.type(value);
    return type.kind == graph::Type::Kind::tensor && !outside_.contains(value) ? type.bytes() : 0;
  }

  void note_makers(const Region& region) {
    for (const Op& op : region.ops) {
      for (const ValueId value : op.results) makers_.emplace(value, &op);
      for (const Region& nested : op.regions) note_makers(nested);
    }
  }

  // Of the steps of a region; its end reads what it returns.
  [[nodiscard]] Reads reads_of(const Steps& steps, const Region& region) const {
    Reads last;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      std::set<ValueId> read;
      if (const auto* const body = std::get_if<RunBody>(&steps[i].what)) {
        const std::vector<ValueId>& inputs = plan_.bodies[body->body].inputs;
        read.insert(inputs.begin(), inputs.end());
      } else {
        graph::add_read(*op_of(steps[i]), read);
      }
      for (const ValueId value : read) last[value] = i;
    }
    for (const ValueId value : region.ops.back().operands) last[value] = steps.size();
    return last;
  }
  [[nodiscard]] static const Op* op_of(const Step& step) {
    if (const auto* const meet = std::get_if<Meet>(&step.what)) return meet->op;
    if (const auto* const loop = std::get_if<Loop>(&step.what)) return loop->op;
    return std::get<Choice>(step.what).op;
  }

  // What a region takes from outside of it stays, for the next turn or the other side.
  void run(const Steps& steps, const Region& region) {
    const Reads last = reads_of(steps, region);
    std::set<ValueId> own(region.arguments.begin(), region.arguments.end());
    for (const Op& op : region.ops) own.insert(op.results.begin(), op.results.end());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const auto dies = [&](ValueId value) {
        const auto read = last.find(value);
        return live_.contains(value) && own.contains(value) && read != last.end() &&
               read->second == i;
      };
      std::visit([&](const auto& what) { step(what, dies); }, steps[i].what);
      for (const auto& [value, at] : last) {
        if (at == i && own.contains(value)) live_.erase(value);
      }
      std::erase_if(live_, [&](ValueId value) { return is_unread(value, last, steps[i]); });
    }
  }
  // What a step made for nobody.
  [[nodiscard]] bool is_unread(ValueId value, const Reads& last, const Step& step) const {
    if (last.contains(value)) return false;
    if (const auto* const body = std::get_if<RunBody>(&step.what))
      return std::ranges::count(plan_.bodies[body->body].outputs, value) > 0;
    return std::ranges::count(op_of(step)->results, value) > 0;
  }

  template <typename Dies>
  void step(const RunBody& step, const Dies& dies) {
    const Body& body = plan_.bodies[step.body];
    const Function& function = body.module.entry();
    std::multiset<std::int64_t> free;  // donated, by size
    for (std::size_t i = 0; i < body.inputs.size(); ++i) {
      const auto& attributes = function.argument_attributes.at(i);
      const bool is_given = std::ranges::any_of(
          attributes, [](const auto& each) { return each.name == graph::donor_attribute; });
      if (is_given && dies(body.inputs[i])) free.insert(bytes_of(body.inputs[i]));
    }
    const std::int64_t beside = inside_(step.body);
    std::vector<ValueId> made;
    for (const ValueId value : body.outputs) {
      const auto place = free.find(bytes_of(value));
      if (place != free.end())
        free.erase(place);
      else
        made.push_back(value);
    }
    live_.insert(made.begin(), made.end());
    note(beside);
    live_.insert(body.outputs.begin(), body.outputs.end());
  }

  template <typename Dies>
  void step(const Meet& meet, const Dies&) {
    live_.insert(meet.op->results.begin(), meet.op->results.end());
    note(0);
  }

  // What turns change is the loop's own: moved into it where nobody reads it any more.
  template <typename Dies>
  void step(const Loop& loop, const Dies& dies) {
    const Op& op = *loop.op;
    const Region& body = op.regions.at(1);
    const std::vector<ValueId>& handed_on = body.ops.back().operands;
    std::vector<ValueId> results;
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      if (handed_on[i] == body.arguments[i]) {
        if (dies(op.operands[i])) results.push_back(op.results[i]);
        continue;  // the value of outside, as long as it is there
      }
      if (dies(op.operands[i])) live_.erase(op.operands[i]);
      if (outside_.contains(op.results[i]))
        outside_.insert({body.arguments[i], handed_on[i], op.regions.at(0).arguments[i]});
      live_.insert(body.arguments[i]);
      results.push_back(op.results[i]);
    }
    const std::set<ValueId> around = live_;
    note(0);
    run(loop.condition, op.regions.at(0));
    live_ = around;
    run(loop.body, body);
    live_ = around;
    for (const ValueId argument : body.arguments) live_.erase(argument);
    live_.insert(results.begin(), results.end());
  }

  template <typename Dies>
  void step(const Choice& choice, const Dies&) {
    const std::set<ValueId> around = live_;
    for (std::size_t i = 0; i < choice.sides.size(); ++i) {
      live_ = around;
      run(choice.sides[i], choice.op->regions[i]);
    }
    live_ = around;
    live_.insert(choice.op->results.begin(), choice.op->results.end());
    note(0);
  }

  void note(std::int64_t inside) {
    std::int64_t sum = inside;
    for (const ValueId value : live_) sum += bytes_of(value);
    if (sum <= most_.bytes) return;
    most_ = {.bytes = sum};
    if (inside > 0) most_.held.push_back({inside, "inside of a program", ""});
    for (const ValueId value : live_) {
      if (bytes_of(value) == 0) continue;
      const graph::Type& type = main_.type(value);
      const auto maker = makers_.find(value);
      most_.held.push_back(
          {bytes_of(value), fmt::format("{}[{}]", name(type.element), fmt::join(type.shape, ",")),
           maker == makers_.end() ? "" : plan_.module->describe(maker->second->location)});
    }
  }

  const Plan& plan_;
  const Function& main_;
  const std::function<std::int64_t(std::size_t)>& inside_;
  std::set<ValueId> outside_;  // arguments and results of main
  std::map<ValueId, const Op*> makers_;
  std::set<ValueId> live_;
  HighWater most_;
};

}  // namespace

HighWater high_water(const Plan& plan,
                     const std::function<std::int64_t(std::size_t body)>& inside) {
  return Following(plan, inside).follow();
}

}  // namespace trainyard::plan
