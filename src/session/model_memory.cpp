// What a model holds in HBM, besides its arguments and results.
#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "base/overloaded.h"
#include "compiler/liveness.h"
#include "session/each_step.h"
#include "session/loaded.h"
#include "session/model.h"
#include "session/slots.h"

namespace trainyard::session {

namespace {

using compiler::Block, compiler::SlotId;

// The most that internal tensors of a program take at a time, in its order; those that all cores
// share are counted with the first one's.
std::int64_t most_inside(const isa::Program& program, const std::set<isa::TensorId>& outside,
                         bool counts_shared) {
  const std::vector<compiler::Lifetime> lives = compiler::lifetimes(program);
  std::map<std::uint32_t, std::int64_t> changes;  // by instruction
  for (isa::TensorId id = 0; id < program.tensors.size(); ++id) {
    const isa::Tensor& tensor = program.tensors[id];
    if (tensor.space != isa::Space::hbm || outside.contains(id) || !lives[id].used()) continue;
    if (tensor.role == isa::TensorRole::constant || (tensor.shared && !counts_shared)) continue;
    changes[lives[id].first] += tensor.bytes();
    changes[lives[id].last + 1] -= tensor.bytes();
  }
  std::int64_t now = 0, most = 0;
  for (const auto& [at, change] : changes) most = std::max(most, now += change);
  return most;
}

// Follows the slots of a model through its steps, in their order.
class Following {
 public:
  Following(const compiler::Lowered& lowered,
            const std::map<const compiler::ProgramStep*, std::int64_t>& inside,
            const std::map<const compiler::Step*, SlotEnds>& ends)
      : lowered_(lowered), inside_(inside), ends_(ends) {
    for (const auto* const slots : {&lowered.arguments, &lowered.block.results})
      outside_.insert(slots->begin(), slots->end());
    for_each_step(lowered.block, [&](const compiler::Step& step) {
      const auto* const routine = std::get_if<compiler::RoutineStep>(&step.what);
      if (routine == nullptr || !routine->is_held) return;  // in whatever format memory holds them
      outside_.insert(routine->operands.begin(), routine->operands.end());
      outside_.insert(routine->results.begin(), routine->results.end());
    });
    for (const auto& [slot, literal] : lowered.constants) live_.insert(slot);
  }

  std::int64_t most() && {
    run(lowered_.block);
    return most_;
  }

 private:
  // What was there before a block stays, for the next turn or the other branch.
  void run(const Block& block) {
    for (const compiler::Step& step : block.steps) {
      const std::vector<SlotId>& dying = ends_.at(&step).behind;
      std::visit([&](const auto& each) { take(each, dying); }, step.what);
      for (const SlotId slot : dying) live_.erase(slot);
    }
  }

  void take(const compiler::ProgramStep& step, std::span<const SlotId>) {
    for (const auto& [slot, tensor] : step.outputs) {
      // An input that is overwritten is the output's memory.
      const bool is_in_place =
          std::ranges::any_of(step.inputs, [&, of = tensor](const auto& input) {
            return input.second == of && !outside_.contains(input.first);
          });
      if (!is_in_place) live_.insert(slot);
    }
    note(inside_.at(&step));
    for (const auto& [slot, tensor] : step.outputs) live_.insert(slot);
  }
  void take(const compiler::RoutineStep& step, std::span<const SlotId>) {
    live_.insert(step.results.begin(), step.results.end());
    note(0);
  }
  // A loop's state begins in the memory of what nobody reads behind it.
  void take(const compiler::LoopStep& step, std::span<const SlotId> dying) {
    for (const SlotId slot : step.initial) {
      if (std::ranges::find(dying, slot) != dying.end()) live_.erase(slot);
    }
    live_.insert(step.state.begin(), step.state.end());
    for (const Block* const block : {&step.condition, &step.body}) {
      const Slots around = live_;
      run(*block);
      live_ = around;
    }
  }
  void take(const compiler::BranchStep& step, std::span<const SlotId>) {
    const Slots around = live_;
    for (const Block& branch : step.branches) {
      run(branch);
      live_ = around;
    }
    live_.insert(step.results.begin(), step.results.end());
    note(0);
  }

  void note(std::int64_t inside) {
    std::int64_t sum = inside;
    for (const SlotId slot : live_) {
      const graph::Type& type = lowered_.slots[slot];
      if (!outside_.contains(slot) && type.kind == graph::Type::Kind::tensor) sum += type.bytes();
    }
    most_ = std::max(most_, sum);
  }

  const compiler::Lowered& lowered_;
  const std::map<const compiler::ProgramStep*, std::int64_t>& inside_;
  const std::map<const compiler::Step*, SlotEnds>& ends_;
  Slots outside_, live_;
  std::int64_t most_ = 0;
};

}  // namespace

std::int64_t Model::outside_bytes() const {
  std::int64_t sum = 0;
  for (const auto* const slots : {&lowered_.arguments, &lowered_.block.results}) {
    for (const SlotId slot : *slots) {
      const graph::Type& type = lowered_.slots[slot];
      sum += type.kind == graph::Type::Kind::tensor ? type.bytes() : 0;
    }
  }
  return sum;
}

std::int64_t Model::most_held() const {
  std::map<const compiler::ProgramStep*, std::int64_t> inside;
  std::map<const isa::Program*, std::int64_t> known;  // equal layers share their programs
  for (const Loaded& loaded : loaded_) {
    const std::set<isa::TensorId> outside = outside_of(*loaded.step);
    std::int64_t& sum = inside[loaded.step];
    for (const auto& instance : loaded.instances) {
      const isa::Program& program = instance->program();
      const auto [at, is_new] = known.try_emplace(&program, 0);
      if (is_new) at->second = most_inside(program, outside, instance == loaded.instances.front());
      sum += at->second;
    }
  }
  return Following(lowered_, inside, ends_).most();
}

}  // namespace trainyard::session
