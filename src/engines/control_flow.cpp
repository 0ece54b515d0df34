#include "engines/control_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "checks/registry.h"
#include "isa/core/control_flow.h"

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

ControlFlow::ControlFlow(const isa::Program& program, std::span<const std::uint32_t> list) {
  const auto flows = [&](std::uint32_t i) { return isa::flow_of(program, i) != isa::Flow::none; };
  if (std::ranges::none_of(list, flows)) return;
  partner_.assign(list.size(), 0);
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

bool ControlCursor::goes_on(std::uint32_t begin, isa::Execution& execution) {
  const isa::LoopBounds loop = bounds_of(begin);
  if (!isa::next_iteration(loop, loops_.back().state, execution)) return false;
  if (loop.kind == isa::LoopKind::counted || ++loops_.back().iterations <= while_iterations_max)
    return true;
  const checks::Check& check = checks::find("run.endless");
  throw base::Fault(
      base::FaultCategory::deadlock,
      {std::string(check.id),
       std::string(check.rule),
       program_->place(begin),
       fmt::format("the loop is still running after {} iterations", while_iterations_max),
       std::string(check.fix),
       {{.role = "loops",
         .what = std::string(program_->info_at(begin).mnemonic),
         .place = program_->place(begin)}}});
}

isa::LoopBounds ControlCursor::bounds_of(std::uint32_t begin) const {
  return program_->info_at(begin).loop(program_->record(begin));
}

std::size_t ControlCursor::after(std::size_t at, std::uint32_t instruction,
                                 isa::Execution& execution) {
  const isa::InstructionInfo& info = program_->info_at(instruction);
  const std::size_t next = at + 1;
  switch (info.flow) {
    case isa::Flow::loop_begin:
      loops_.push_back({isa::enter_loop(bounds_of(instruction), execution)});
      if (goes_on(instruction, execution)) return next;
      loops_.pop_back();
      return flow_->partner(at) + 1;
    case isa::Flow::loop_end:
      if (goes_on(static_cast<std::uint32_t>(isa::begin_of(*program_, instruction)), execution))
        return flow_->partner(at) + 1;
      loops_.pop_back();
      return next;
    case isa::Flow::branch:
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
    visitor.value(loops_[i].iterations);
  }
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

}  // namespace trainyard::engines
