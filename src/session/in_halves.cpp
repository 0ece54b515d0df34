#include "session/in_halves.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"

namespace trainyard::session {

namespace {

using compiler::Lowered, compiler::ProgramStep, compiler::RoutineStep, compiler::SlotId;

// What is made before the first run of what both cores read whole.
bool is_prepared(const compiler::Step& step, const std::set<SlotId>& halved) {
  const auto* const routine = std::get_if<RoutineStep>(&step.what);
  return routine != nullptr && (routine->is_prepared || routine->is_held) &&
         std::ranges::none_of(routine->operands,
                              [&](SlotId slot) { return halved.contains(slot); });
}

// Says of which buffers each core has its half; false where that cannot be.
bool halve(Lowered& each, std::set<SlotId>& halved) {
  for (compiler::Step& step : each.block.steps) {
    auto* const program = std::get_if<ProgramStep>(&step.what);
    if (program == nullptr && !is_prepared(step, halved)) return false;
    if (program == nullptr) continue;
    for (const auto& [slot, tensor] : program->outputs) halved.insert(slot);
    for (const auto* const list : {&program->inputs, &program->outputs}) {
      for (const auto& [slot, tensor] : *list)
        if (halved.contains(slot)) program->halved.insert(tensor);
    }
    const bool writes_whole = std::ranges::any_of(program->overwritten, [&](isa::TensorId tensor) {
      return !program->halved.contains(tensor);
    });
    if (writes_whole) return false;
  }
  return std::ranges::all_of(each.block.results,
                             [&](SlotId slot) { return halved.contains(slot); });
}

// The slots of the rest, among those of the whole.
class Renumbering {
 public:
  Renumbering(Lowered& whole, const Lowered& rest) : whole_(whole), rest_(rest) {}

  void same(SlotId of_rest, SlotId of_whole) { numbers_[of_rest] = of_whole; }
  SlotId slot(SlotId of_rest) {
    const auto [at, is_new] = numbers_.try_emplace(of_rest, 0);
    if (is_new) {
      at->second = static_cast<SlotId>(whole_.slots.size());
      whole_.slots.push_back(rest_.slots[of_rest]);
    }
    return at->second;
  }
  void step(ProgramStep& step) {
    for (auto* const list : {&step.inputs, &step.outputs})
      for (auto& [of_rest, tensor] : *list) of_rest = slot(of_rest);
  }
  void step(RoutineStep& step) {
    for (auto* const list : {&step.operands, &step.results})
      for (SlotId& of_rest : *list) of_rest = slot(of_rest);
  }

 private:
  Lowered& whole_;
  const Lowered& rest_;
  std::map<SlotId, SlotId> numbers_;
};

// Adds the steps of the rest and gives its results; nothing where the host loops or branches there.
std::optional<std::vector<SlotId>> add_rest(Lowered& whole, Lowered rest,
                                            const graph::Halves::Rest& of) {
  Renumbering numbers(whole, rest);
  for (std::size_t i = 0; i < of.arguments.size(); ++i) {
    const auto& [is_argument, index] = of.arguments[i];
    numbers.same(rest.arguments[i],
                 is_argument ? whole.arguments.at(index) : whole.block.results.at(index));
  }
  for (auto& [slot, literal] : rest.constants)
    whole.constants.emplace_back(numbers.slot(slot), std::move(literal));
  for (compiler::Step& step : rest.block.steps) {
    if (auto* const program = std::get_if<ProgramStep>(&step.what))
      numbers.step(*program);
    else if (auto* const routine = std::get_if<RoutineStep>(&step.what))
      numbers.step(*routine);
    else
      return std::nullopt;
    whole.block.steps.push_back(std::move(step));
  }
  std::vector<SlotId> results;
  for (const SlotId slot : rest.block.results) results.push_back(numbers.slot(slot));
  return results;
}

}  // namespace

std::optional<Lowered> join_halves(Lowered each, std::optional<Lowered> rest,
                                   const graph::Halves& halves, const graph::Function& whole) {
  base::check(each.arguments.size() == halves.arguments.size(), "halves have all arguments");
  std::set<SlotId> halved;
  for (std::size_t i = 0; i < halves.arguments.size(); ++i)
    if (halves.arguments[i]) halved.insert(each.arguments[i]);
  if (!halve(each, halved)) return std::nullopt;
  for (const SlotId slot : halved) {
    std::vector<std::int64_t>& shape = each.slots[slot].shape;
    shape.insert(shape.begin(), 2);
  }
  std::vector<SlotId> behind;
  if (rest) {
    auto results = add_rest(each, std::move(*rest), *halves.rest);
    if (!results) return std::nullopt;
    behind = std::move(*results);
  }
  std::vector<SlotId> results;
  for (const auto& [is_of_rest, index] : halves.results)
    results.push_back((is_of_rest ? behind : each.block.results).at(index));
  each.block.results = std::move(results);
  for (std::size_t i = 0; i < each.arguments.size(); ++i)
    each.slots[each.arguments[i]] = whole.type(whole.body.arguments[i]);
  for (std::size_t i = 0; i < each.block.results.size(); ++i)
    each.slots[each.block.results[i]] = whole.type(whole.results()[i]);
  return each;
}

}  // namespace trainyard::session
