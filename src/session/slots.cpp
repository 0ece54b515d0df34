#include "session/slots.h"

#include <variant>

#include "base/overloaded.h"

namespace trainyard::session {

using compiler::Block, compiler::SlotId, compiler::Step;

namespace {

void add_read(const Step& step, Slots& read);
void add_read(const Block& block, Slots& read) {
  for (const Step& step : block.steps) add_read(step, read);
  read.insert(block.results.begin(), block.results.end());
}

// What a step reads of what lies outside it, and more.
void add_read(const Step& step, Slots& read) {
  std::visit(base::Overloaded{
                 [&](const compiler::ProgramStep& each) {
                   for (const auto& [slot, tensor] : each.inputs) read.insert(slot);
                 },
                 [&](const compiler::RoutineStep& each) {
                   read.insert(each.operands.begin(), each.operands.end());
                 },
                 [&](const compiler::LoopStep& each) {
                   read.insert(each.initial.begin(), each.initial.end());
                   add_read(each.condition, read);
                   add_read(each.body, read);
                 },
                 [&](const compiler::BranchStep& each) {
                   read.insert(each.index);
                   for (const Block& branch : each.branches) add_read(branch, read);
                 },
             },
             step.what);
}

// What a step fills.
void add_made(const Step& step, Slots& made) {
  std::visit(base::Overloaded{
                 [&](const compiler::ProgramStep& each) {
                   for (const auto& [slot, tensor] : each.outputs) made.insert(slot);
                 },
                 [&](const compiler::RoutineStep& each) {
                   made.insert(each.results.begin(), each.results.end());
                 },
                 [&](const compiler::LoopStep& each) {
                   made.insert(each.state.begin(), each.state.end());
                 },
                 [&](const compiler::BranchStep& each) {
                   made.insert(each.results.begin(), each.results.end());
                 },
             },
             step.what);
}

class Ends {
 public:
  // `own`: what lies there only for the steps of the block.
  void of(const Block& block, Slots own) {
    for (const Step& step : block.steps) add_made(step, own);
    Slots live(block.results.begin(), block.results.end());  // read behind a step
    for (auto step = block.steps.rbegin(); step != block.steps.rend(); ++step) {
      Slots here;
      add_read(*step, here);
      add_made(*step, here);  // nobody may read it
      SlotEnds& ends = all[&*step];
      for (const SlotId slot : here) {
        if (own.contains(slot) && live.insert(slot).second) ends.behind.push_back(slot);
      }
      inside(*step, ends);
    }
  }

  std::map<const Step*, SlotEnds> all{};

 private:
  void inside(const Step& step, SlotEnds& ends) {
    if (const auto* const loop = std::get_if<compiler::LoopStep>(&step.what)) {
      Slots read;
      add_read(loop->condition, read);
      add_read(loop->body, read);
      const Slots initial(loop->initial.begin(), loop->initial.end());
      for (const SlotId slot : ends.behind) {
        if (initial.contains(slot) && !read.contains(slot)) ends.before.push_back(slot);
      }
      of(loop->condition, {});
      of(loop->body, {});
    }
    if (const auto* const branch = std::get_if<compiler::BranchStep>(&step.what)) {
      for (const Block& each : branch->branches) of(each, {});
    }
  }
};

}  // namespace

std::map<const Step*, SlotEnds> slot_ends(const compiler::Lowered& lowered) {
  Ends ends;
  ends.of(lowered.block, Slots(lowered.arguments.begin(), lowered.arguments.end()));
  return std::move(ends.all);
}

}  // namespace trainyard::session
