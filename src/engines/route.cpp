#include "engines/route.h"

#include <fmt/format.h>

#include <numeric>

#include "base/error.h"
#include "checks/registry.h"
#include "isa/instructions/drain.h"
#include "isa/instructions/loop_end.h"

namespace trainyard::engines {

namespace {

// The first position behind `at` that a branch to instruction `target` does not skip. Drains that
// the compiler put before an instruction belong to it, whatever their own index.
std::size_t branch_target(const isa::Program& program, std::span<const std::uint32_t> list,
                          std::size_t at, std::int64_t target) {
  std::size_t result = at + 1;
  for (std::size_t i = at + 1; i < list.size(); ++i) {
    if (program.is<isa::Drain>(list[i])) continue;
    if (list[i] >= target) return result;
    result = i + 1;
  }
  return list.size();
}

}  // namespace

Route::Route(const isa::Program& program, std::span<const std::uint32_t> list)
    : partner_(list.size(), 0) {
  std::vector<std::size_t> open;
  for (std::size_t at = 0; at < list.size(); ++at) {
    const std::uint32_t i = list[at];
    if (program.is<isa::LoopBegin>(i)) open.push_back(at);
    if (program.is<isa::Branch>(i)) {
      partner_[at] = static_cast<std::uint32_t>(
          branch_target(program, list, at, program.as<isa::Branch>(i).target));
    }
    if (!program.is<isa::LoopEnd>(i)) continue;
    base::check(!open.empty(), "a loop_end has a loop_begin");
    partner_[at] = static_cast<std::uint32_t>(open.back());
    partner_[open.back()] = static_cast<std::uint32_t>(at);
    open.pop_back();
  }
  base::check(open.empty(), "a loop_begin has a loop_end");
}

bool Walk::goes_on(std::uint32_t begin, isa::Execution& execution) {
  const isa::LoopBegin& loop = program_->as<isa::LoopBegin>(begin);
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

std::size_t Walk::after(std::size_t at, std::uint32_t instruction, isa::Execution& execution) {
  const std::size_t next = at + 1;
  if (program_->is<isa::LoopBegin>(instruction)) {
    loops_.push_back({isa::enter_loop(program_->as<isa::LoopBegin>(instruction), execution)});
    if (goes_on(instruction, execution)) return next;
    loops_.pop_back();
    return route_->partner(at) + 1;
  }
  if (program_->is<isa::LoopEnd>(instruction)) {
    const auto begin = static_cast<std::uint32_t>(program_->as<isa::LoopEnd>(instruction).begin);
    if (goes_on(begin, execution)) return route_->partner(at) + 1;
    loops_.pop_back();
    return next;
  }
  if (program_->is<isa::Branch>(instruction) &&
      isa::is_taken(program_->as<isa::Branch>(instruction), execution))
    return route_->partner(at);
  return next;
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
