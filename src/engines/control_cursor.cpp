#include "engines/control_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/units.h"
#include "checks/registry.h"
#include "isa/core/control_flow.h"
#include "isa/core/opcodes_used.h"

namespace trainyard::engines {

namespace {

// The first position behind `at` that a branch to instruction `target` does not skip. Drains that
// the compiler put before an instruction belong to it, whatever their own index.
std::size_t branch_target(const isa::Program& program, std::span<const std::uint32_t> list,
                          std::size_t at, std::int64_t target) {
  std::size_t result = at + 1;
  for (std::size_t i = at + 1; i < list.size(); ++i) {
    if (isa::flow_of(program, list[i]) == isa::Flow::drain) continue;
    if (list[i] >= target) return result;
    result = i + 1;
  }
  return list.size();
}

}  // namespace

ControlFlow::ControlFlow(const isa::Program& program, std::span<const std::uint32_t> list,
                         std::span<const std::uint32_t> once) {
  if (!isa::has_loops_or_branches(program)) return;
  if (!once.empty()) {
    for (const std::uint32_t instruction : list)
      once_.push_back(std::ranges::find(once, instruction) != once.end());
  }
  partner_.assign(list.size(), 0);
  list_.assign(list.begin(), list.end());
  const isa::LoopTree tree(program, list);
  for (const isa::LoopTree::Loop& loop : tree.loops()) {
    partner_[loop.begin] = loop.end;
    partner_[loop.end] = loop.begin;
  }
  for (std::size_t at = 0; at < list.size(); ++at) {
    if (isa::flow_of(program, list[at]) == isa::Flow::branch)
      partner_[at] = static_cast<std::uint32_t>(
          branch_target(program, list, at, isa::target_of(program, list[at])));
  }
}

ControlCursor::Running ControlCursor::enter(std::size_t at, std::uint32_t begin,
                                            const isa::Execution& execution) const {
  const isa::LoopBounds loop = bounds_of(begin);
  Running running{.begin = begin, .state = isa::enter_loop(loop, execution)};
  if (flow_->is_once(at)) {
    running.is_once = true;
    running.turns_all = 1;
    running.state.stop = running.state.next + loop.step;
  } else if (loop.kind == isa::LoopKind::counted) {
    running.turns_all = base::ceil_div(running.state.stop - running.state.next, loop.step);
  } else {
    running.repetition.emplace(*program_, flow_->between(at + 1, flow_->partner(at)), alone_);
  }
  return running;
}

bool ControlCursor::goes_on(isa::Execution& execution) {
  Running& running = loops_.back();
  if (running.is_once) {
    if (running.turns == 1) return false;
    const isa::LoopBounds loop = bounds_of(running.begin);
    if (loop.kind == isa::LoopKind::counted)
      base::check(isa::next_iteration(loop, running.state, execution), "the one turn is there");
    ++running.turns;
    return true;
  }
  if (!isa::next_iteration(bounds_of(running.begin), running.state, execution)) return false;
  ++running.turns;
  if (!running.repetition) return true;
  if (running.turns > while_iterations_max)
    report_endless(
        fmt::format("the loop is still running after {} iterations", while_iterations_max));
  if (const std::int64_t like = running.repetition->earlier_turn_like(running.turns, execution)) {
    report_endless(fmt::format(
        "iteration {} starts like iteration {}: all registers{} are the same", running.turns, like,
        running.repetition->loads_registers() ? ", and what the body writes," : ""));
  }
  return true;
}

void ControlCursor::report_endless(const std::string& found) const {
  const checks::Check& check = checks::find("run.endless");
  const std::uint32_t begin = loops_.back().begin;
  throw base::Fault(base::FaultCategory::deadlock,
                    {std::string(check.id),
                     std::string(check.rule),
                     program_->place(begin),
                     found,
                     std::string(check.fix),
                     {{.role = "loops",
                       .what = std::string(program_->info_at(begin).mnemonic),
                       .place = program_->place(begin)}}});
}

std::string ControlCursor::describe(std::uint32_t instruction) const {
  const auto line = [&](std::uint32_t i) {  // without its callers
    const std::string place = program_->place(i);
    return place.substr(0, place.find('\n'));
  };
  std::string text =
      fmt::format("{} at {}", program_->info_at(instruction).mnemonic, line(instruction));
  for (auto loop = loops_.rbegin(); loop != loops_.rend(); ++loop) {
    // Turns that are folded count where the loop counts, not where they are walked.
    const std::int64_t left = loop->repetition ? 0
                                               : base::ceil_div(loop->state.stop - loop->state.next,
                                                                bounds_of(loop->begin).step);
    text += loop->repetition
                ? fmt::format(", iteration {} of the loop at {}", loop->turns, line(loop->begin))
                : fmt::format(", iteration {} of {} of the loop at {}", loop->turns_all - left,
                              loop->turns_all, line(loop->begin));
  }
  return text;
}

isa::LoopBounds ControlCursor::bounds_of(std::uint32_t begin) const {
  return program_->info_at(begin).loop(program_->record(begin));
}

std::size_t ControlCursor::follow(std::uint32_t instruction, isa::Execution& execution,
                                  isa::Observer* observer) {
  const std::size_t passed = std::exchange(at_, after(at_ - 1, instruction, execution));
  if (at_ <= passed) return 0;
  // Items that a branch skips still count when an item says how far back the one it needs is.
  const std::size_t skipped = at_ - passed;
  if (observer != nullptr) observer->skipped(execution.engine, skipped);
  return skipped;
}

std::size_t ControlCursor::after(std::size_t at, std::uint32_t instruction,
                                 isa::Execution& execution) {
  const isa::InstructionInfo& info = program_->info_at(instruction);
  const std::size_t next = at + 1;
  switch (info.flow) {
    case isa::Flow::loop_begin:
      loops_.push_back(enter(at, instruction, execution));
      if (goes_on(execution)) return next;
      loops_.pop_back();
      return flow_->partner(at) + 1;
    case isa::Flow::loop_end:
      if (goes_on(execution)) return flow_->partner(at) + 1;
      loops_.pop_back();
      return next;
    case isa::Flow::branch:
      if (flow_->is_once(at)) return next;
      return isa::is_taken(info.condition(program_->record(instruction)), execution)
                 ? flow_->partner(at)
                 : next;
    case isa::Flow::none:
    case isa::Flow::drain: break;
  }
  return next;
}

void ControlCursor::show(base::StateVisitor& visitor, std::size_t depth, std::int64_t from) const {
  visitor.value(loops_.size());
  for (std::size_t i = 0; i < loops_.size(); ++i) {
    visitor.value(loops_[i].state.next - (i == depth ? from : 0));
    visitor.value(loops_[i].state.stop);
    visitor.value(loops_[i].repetition ? loops_[i].turns : 0);
  }
}

std::vector<ControlFlow> flows_of_streams(const isa::Program& program,
                                          std::span<const std::uint32_t> once) {
  base::check(program.compiled, "only a compiled program has streams");
  std::vector<ControlFlow> flows(program.streams.size());
  if (!isa::has_loops_or_branches(program)) return flows;
  for (std::size_t e = 0; e < flows.size(); ++e)
    flows[e] = ControlFlow(program, instructions_of(program.streams[e]), once);
  return flows;
}

std::vector<std::uint32_t> instructions_of(const std::vector<isa::StreamItem>& stream) {
  std::vector<std::uint32_t> list;
  list.reserve(stream.size());
  for (const isa::StreamItem& item : stream) list.push_back(item.instruction);
  return list;
}

std::vector<std::uint32_t> authors_order(const isa::Program& program) {
  std::vector<std::uint32_t> list(program.instructions.size());
  std::iota(list.begin(), list.end(), 0u);
  return list;
}

std::uint64_t expected_steps(const isa::Program& program, std::span<const std::uint32_t> list) {
  const isa::LoopTree tree(program, list);
  std::vector<std::uint64_t> turns;  // of each loop's body, in all
  for (const isa::LoopTree::Loop& loop : tree.loops()) {
    const std::optional<std::int64_t> each = isa::turns_of(program, list[loop.begin]);
    if (!each) return 0;
    const std::uint64_t entered = loop.parent == isa::LoopTree::none ? 1 : turns[loop.parent];
    turns.push_back(entered * static_cast<std::uint64_t>(*each));
  }
  std::uint64_t total = 0;
  for (std::uint32_t at = 0; at < list.size(); ++at) {
    const std::uint32_t loop = tree.at(at);
    const bool enters = loop != isa::LoopTree::none && tree[loop].begin == at;
    const std::uint32_t counted = enters ? tree[loop].parent : loop;
    total += counted == isa::LoopTree::none ? 1 : turns[counted];
  }
  return total;
}

std::uint64_t expected_steps(const isa::Program& program) {
  std::uint64_t total = 0;
  const auto loops = [](const isa::InstructionInfo& info) {
    return info.flow == isa::Flow::loop_begin;
  };
  if (!isa::uses(program, loops)) {
    for (const std::vector<isa::StreamItem>& stream : program.streams) total += stream.size();
    return total;
  }
  for (const std::vector<isa::StreamItem>& stream : program.streams) {
    const std::uint64_t steps = expected_steps(program, instructions_of(stream));
    if (steps == 0 && !stream.empty()) return 0;
    total += steps;
  }
  return total;
}

}  // namespace trainyard::engines
