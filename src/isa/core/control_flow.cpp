#include "isa/core/control_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <map>
#include <ranges>

#include "base/units.h"
#include "isa/core/opcodes_used.h"
#include "isa/core/register_use.h"

namespace trainyard::isa {

namespace {

std::int64_t index_in(const Program& program, std::uint32_t instruction, Role role) {
  const OperandInfo* operand = program.info_at(instruction).with(role);
  base::check(operand != nullptr, "the instruction names another one");
  return operand->in<std::int32_t>(program.record(instruction));
}

}  // namespace

std::int64_t begin_of(const Program& program, std::uint32_t loop_end) {
  return index_in(program, loop_end, Role::loop);
}
std::int64_t target_of(const Program& program, std::uint32_t branch) {
  return index_in(program, branch, Role::target);
}

LoopTree::LoopTree(const Program& program, std::vector<Problem>* problems) {
  build(program, std::views::iota(0u, static_cast<std::uint32_t>(program.instructions.size())),
        problems);
}

LoopTree::LoopTree(const Program& program, std::span<const std::uint32_t> list,
                   std::vector<Problem>* problems) {
  build(program, list, problems);
}

template <typename List>
void LoopTree::build(const Program& program, const List& list, std::vector<Problem>* problems) {
  if (!uses(program, [](const InstructionInfo& info) {
        return info.flow == Flow::loop_begin || info.flow == Flow::loop_end;
      }))
    return;
  const auto wrong = [&](std::uint32_t instruction, std::string what) {
    base::check(problems != nullptr, "the loops of a program are well formed");
    problems->push_back({instruction, std::move(what)});
  };
  const auto count = static_cast<std::uint32_t>(list.size());
  std::vector<std::uint32_t> open;
  for (std::uint32_t at = 0; at < count; ++at) {
    const std::uint32_t i = list[at];
    const Flow flow = flow_of(program, i);
    if (flow == Flow::loop_begin) {
      if (loops_.empty()) loop_of_.assign(count, none);
      loops_.push_back({at, count, open.empty() ? none : open.back()});
      open.push_back(static_cast<std::uint32_t>(loops_.size() - 1));
    }
    if (!open.empty()) loop_of_[at] = open.back();
    if (flow != Flow::loop_end) continue;
    const std::int64_t begin = begin_of(program, i);
    if (open.empty() || std::int64_t{list[loops_[open.back()].begin]} != begin)
      return wrong(i, fmt::format("instruction {} closes the loop of {}", i, begin));
    loops_[open.back()].end = at;
    open.pop_back();
  }
  for (const std::uint32_t loop : open) {
    const std::uint32_t begin = list[loops_[loop].begin];
    wrong(begin, fmt::format("the loop of instruction {} stays open", begin));
  }
}

std::optional<std::int64_t> turns_of(const Program& program, std::uint32_t loop_begin) {
  const LoopBounds loop = program.info_at(loop_begin).loop(program.record(loop_begin));
  if (loop.kind != LoopKind::counted || loop.start.reg || loop.stop.reg || loop.step <= 0)
    return std::nullopt;
  return std::max<std::int64_t>(
      0, base::ceil_div(loop.stop.constant - loop.start.constant, loop.step));
}

std::uint32_t LoopTree::around(std::uint32_t position) const {
  const std::uint32_t loop = at(position);
  if (loop == none) return none;
  const Loop& one = loops_[loop];
  return position == one.begin || position == one.end ? one.parent : loop;
}

std::uint32_t LoopTree::outermost(std::uint32_t position) const {
  std::uint32_t loop = at(position);
  while (loop != none && loops_[loop].parent != none) loop = loops_[loop].parent;
  return loop;
}

bool LoopTree::encloses(std::uint32_t loop, std::uint32_t inner) const {
  while (inner != loop && inner != none) inner = loops_[inner].parent;
  return inner == loop;
}

std::optional<std::uint32_t> LoopTree::outermost_since(std::uint32_t position,
                                                       std::uint32_t since) const {
  std::optional<std::uint32_t> found;
  for (std::uint32_t loop = at(position); loop != none; loop = loops_[loop].parent) {
    if (position == loops_[loop].end) continue;  // its end closes it
    if (loops_[loop].begin < since) break;
    found = loops_[loop].begin;
  }
  return found;
}

bool has_branches(const Program& program) {
  return uses(program, [](const InstructionInfo& info) { return info.flow == Flow::branch; });
}

namespace {

// Which loops and branches read a register that holds what was loaded from memory, or follows from
// it, when they do.
class LoadedRegisters {
 public:
  explicit LoadedRegisters(const Program& program)
      : program_(program), is_flow_of_memory_(program.instructions.size(), false) {
    do {
      changed_ = false;
      loaded_.reset();
      for (std::uint32_t i = 0; i < program.instructions.size(); ++i) pass(i);
    } while (changed_);
  }

  [[nodiscard]] bool are_read_by(std::uint32_t i) const { return is_flow_of_memory_[i]; }

 private:
  using Registers = std::bitset<256>;

  void pass(std::uint32_t i) {
    if (const auto from = joins_.find(i); from != joins_.end()) loaded_ |= from->second;
    const InstructionInfo& info = program_.info_at(i);
    if (info.kind != Kind::control) return;
    const bool is_loaded = reads_loaded(i);
    if (info.flow == Flow::none) return write(i, is_loaded);
    if (is_loaded) is_flow_of_memory_[i] = true;
    if (info.flow == Flow::loop_begin && !turns_while(i)) write(i, is_loaded);
    if (info.flow == Flow::branch) join(static_cast<std::uint32_t>(target_of(program_, i)));
    if (info.flow != Flow::loop_end) return;
    // What its loop_begin reads, the end of a turn may read again.
    const auto begin = static_cast<std::uint32_t>(begin_of(program_, i));
    if (reads_loaded(begin)) is_flow_of_memory_[begin] = true;
    join(begin + 1);
  }

  // Whether its counter is what it turns by.
  [[nodiscard]] bool turns_while(std::uint32_t i) const {
    return flow_of(program_, i) == Flow::loop_begin &&
           program_.info_at(i).loop(program_.record(i)).kind != LoopKind::counted;
  }
  [[nodiscard]] bool reads_loaded(std::uint32_t i) const {
    const bool reads_all = turns_while(i);
    bool is_loaded = false;
    for_each_register(program_, i, [&](Register reg, bool is_written) {
      is_loaded = is_loaded || ((reads_all || !is_written) && loaded_.test(reg.index));
    });
    return is_loaded;
  }
  void write(std::uint32_t i, bool is_loaded) {
    program_.for_each_tile(i, [&](const OperandInfo&, const Tile&, Access access) {
      is_loaded = is_loaded || reads(access);
    });
    for_each_register(program_, i, [&](Register reg, bool is_written) {
      if (is_written) loaded_.set(reg.index, is_loaded);
    });
  }
  void join(std::uint32_t at) {
    Registers& there = joins_[at];
    changed_ = changed_ || (loaded_ & ~there).any();
    there |= loaded_;
  }

  const Program& program_;
  std::vector<bool> is_flow_of_memory_;
  std::map<std::uint32_t, Registers> joins_;  // what jumps to there bring along
  Registers loaded_;
  bool changed_ = false;
};

}  // namespace

bool has_loops_or_branches(const Program& program) {
  return uses(program, [](const InstructionInfo& info) {
    return info.flow != Flow::none && info.flow != Flow::drain;
  });
}

std::vector<std::uint32_t> flows_by_memory(const Program& program) {
  // In a straight program registers hold addresses only.
  if (!has_loops_or_branches(program)) return {};
  const LoadedRegisters loaded(program);
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    if (flow_of(program, i) != Flow::none && loaded.are_read_by(i)) all.push_back(i);
  }
  return all;
}

bool flow_reads_memory(const Program& program) { return !flows_by_memory(program).empty(); }

}  // namespace trainyard::isa
