#include "isa/core/control_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
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

// The registers that hold what was loaded from memory, or follows from it, at any time.
class LoadedRegisters {
 public:
  explicit LoadedRegisters(const Program& program) : program_(program) {
    do {
      changed_ = false;
      for (std::uint32_t i = 0; i < program.instructions.size(); ++i) follow(i);
    } while (changed_);
  }

  [[nodiscard]] bool are_read_by(std::uint32_t i) const {
    bool any = false;
    for_each_register(program_, i,
                      [&](Register reg, bool) { any = any || loaded_.test(reg.index); });
    return any;
  }

 private:
  void follow(std::uint32_t i) {
    const InstructionInfo& info = program_.info_at(i);
    if (info.kind != Kind::control || info.flow != Flow::none) return;
    bool is_loaded = false;
    Register written;
    for_each_register(program_, i, [&](Register reg, bool is_written) {
      if (is_written) written = reg;
      is_loaded = is_loaded || (!is_written && loaded_.test(reg.index));
    });
    program_.for_each_tile(i, [&](const OperandInfo&, const Tile&, Access access) {
      is_loaded = is_loaded || reads(access);
    });
    if (!written || !is_loaded || loaded_.test(written.index)) return;
    loaded_.set(written.index);
    changed_ = true;
  }

  const Program& program_;
  std::bitset<256> loaded_;
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
