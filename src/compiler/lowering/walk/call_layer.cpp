// Equal layers are lowered once: a call takes the steps of the first one with its own buffers.
#include <fmt/format.h>

#include <map>
#include <set>

#include "base/error.h"
#include "base/overloaded.h"
#include "compiler/lowering/walk/lowerer.h"
#include "graph/users_line.h"

namespace trainyard::compiler {

namespace {

using Renamed = std::map<SlotId, SlotId>;

// The buffers that steps fill, in their order.
template <typename F>
void for_each_filled(const Block& block, F&& f) {
  for (const Step& step : block.steps) {
    std::visit(base::Overloaded{
                   [&](const ProgramStep& each) {
                     for (const auto& [slot, tensor] : each.outputs) f(slot);
                   },
                   [&](const RoutineStep& each) {
                     for (const SlotId slot : each.results) f(slot);
                   },
                   [&](const LoopStep& each) {
                     for (const SlotId slot : each.state) f(slot);
                     for_each_filled(each.condition, f);
                     for_each_filled(each.body, f);
                   },
                   [&](const BranchStep& each) {
                     for (const SlotId slot : each.results) f(slot);
                     for (const Block& branch : each.branches) for_each_filled(branch, f);
                   },
               },
               step.what);
  }
}

// A layer's steps with the buffers, and the names in the source, of one of its calls.
class Instance {
 public:
  Instance(Renamed slots, std::map<std::string, std::string> names)
      : slots_(std::move(slots)), names_(std::move(names)) {}

  void rename(Block& block) const {
    rename(block.results);
    for (Step& step : block.steps) std::visit([this](auto& each) { rename(each); }, step.what);
  }
  void rename(std::vector<SlotId>& slots) const {
    for (SlotId& slot : slots) rename(slot);
  }

 private:
  void rename(SlotId& slot) const {
    if (const auto found = slots_.find(slot); found != slots_.end()) slot = found->second;
  }
  void rename(ProgramStep& step) const {
    for (auto& [slot, tensor] : step.inputs) rename(slot);
    for (auto& [slot, tensor] : step.outputs) rename(slot);
    step.names = names_;
  }
  void rename(RoutineStep& step) const {
    rename(step.operands);
    rename(step.results);
  }
  void rename(LoopStep& step) const {
    rename(step.initial);
    rename(step.state);
    rename(step.condition);
    rename(step.body);
  }
  void rename(BranchStep& step) const {
    rename(step.index);
    rename(step.results);
    for (Block& branch : step.branches) rename(branch);
  }

  Renamed slots_;
  std::map<std::string, std::string> names_;
};

// As reports write them.
std::map<std::string, std::string> names_of(const graph::Module& module,
                                            std::span<const std::int64_t> compiled,
                                            std::span<const std::int64_t> here) {
  std::map<std::string, std::string> names;
  const auto add = [&](const std::string& from, const std::string& to) {
    if (!from.empty() && !to.empty() && from != to) names.try_emplace(from, to);
  };
  const auto line_of = [](const graph::SourceLine& line) {
    return fmt::format("{}:{}", line.file, line.line);
  };
  for (std::size_t i = 0; i < compiled.size() && i < here.size(); ++i) {
    const graph::Location& from = module.locations.at(static_cast<std::size_t>(compiled[i]));
    const graph::Location& to = module.locations.at(static_cast<std::size_t>(here[i]));
    add(from.scope, to.scope);
    if (from.frames.empty() || to.frames.empty()) continue;
    const graph::SourceLine before = graph::users_line(from).frames.front();
    const graph::SourceLine after = graph::users_line(to).frames.front();
    add(line_of(before), line_of(after));
    if (from.scope.empty()) add(before.function, after.function);
  }
  return names;
}

}  // namespace

const Lowerer::Layer& Lowerer::layer_of(const graph::Function& function) {
  const auto [entry, is_new] = layers_.try_emplace(function.name);
  Layer& layer = entry->second;
  if (!is_new) return layer;
  Scope inner(function, function.body);
  for (const graph::ValueId argument : function.body.arguments) {
    layer.arguments.push_back(fresh_slot(function.type(argument)));
    inner.place(argument).slot = layer.arguments.back();
  }
  Block* const outer = std::exchange(block_, &layer.block);
  scopes_.push_back(&inner);
  lower_ops();
  close();
  for (const graph::ValueId value : function.results()) layer.block.results.push_back(slot(value));
  scopes_.pop_back();
  block_ = outer;
  return layer;
}

void Lowerer::call_layer(const graph::Op& op) {
  close();
  const graph::Function* const function = module_.find(op.symbol("callee"));
  base::check(function != nullptr, "a shared layer is a function of the module");
  const Layer& layer = layer_of(*function);
  Renamed slots;
  for (std::size_t i = 0; i < op.operands.size(); ++i)
    slots[layer.arguments[i]] = slot(op.operands[i]);
  for_each_filled(layer.block, [&](SlotId filled) {
    if (!slots.contains(filled)) slots[filled] = fresh_slot(graph::Type(out_.slots[filled]));
  });
  const Instance instance(std::move(slots),
                          names_of(module_, op.integers("compiled"), op.integers("locations")));
  Block block = layer.block;
  instance.rename(block);
  for (std::size_t i = 0; i < op.results.size(); ++i)
    scope().place(op.results[i]) = {.slot = block.results[i]};
  for (Step& step : block.steps) block_->steps.push_back(std::move(step));
}

}  // namespace trainyard::compiler
