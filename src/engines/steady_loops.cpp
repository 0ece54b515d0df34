#include "engines/steady_loops.h"

#include <algorithm>
#include <set>

#include "engines/control_cursor.h"
#include "isa/core/opcodes_used.h"
#include "isa/core/run_time_index.h"

namespace trainyard::engines {

namespace {

using isa::Program;

using Registers = std::set<std::uint8_t>;

bool reads_any(const isa::RegisterOrInt& value, const Registers& counters) {
  return value.reg && counters.contains(value.reg.index);
}

// Whether time cannot see a count in an instruction: its cost does not depend on one.
bool is_blind(const Program& program, std::uint32_t i, const Registers& counters) {
  const isa::InstructionInfo& info = program.info_at(i);
  const void* record = program.record(i);
  bool blind = true;
  for (const isa::OperandInfo& operand : info.operands) {
    isa::for_each_held<isa::RegisterOrInt>(operand, record, [&](const isa::RegisterOrInt& value) {
      blind = blind && !reads_any(value, counters);
    });
  }
  isa::for_each_operand_tile(info, record, [&](std::size_t, const isa::Tile& tile, isa::Access) {
    // Banks of PSUM are shared; the place in SBUF and HBM costs nothing.
    if (tile.dynamic != 0 && tile.space == isa::Space::psum) blind = false;
  });
  return blind;
}

// Whether control flow takes the same way in each turn.
bool has_one_way(const Program& program, std::uint32_t i, const Registers& counters) {
  const isa::InstructionInfo& info = program.info_at(i);
  switch (info.flow) {
    case isa::Flow::loop_begin: {
      const isa::LoopBounds bounds = info.loop(program.record(i));
      return bounds.kind == isa::LoopKind::counted && !reads_any(bounds.start, counters) &&
             !reads_any(bounds.stop, counters);
    }
    case isa::Flow::loop_end:
    case isa::Flow::drain: return true;
    case isa::Flow::branch: return false;
    case isa::Flow::none: return info.kind != isa::Kind::control;  // registers change
  }
  return false;
}

// `instructions`: those of its turns.
bool is_steady(const Program& program, const SteadyLoop& loop) {
  Registers counters{loop.bounds.counter.index};
  for (const std::uint32_t i : loop.instructions) {
    if (isa::flow_of(program, i) == isa::Flow::loop_begin)
      counters.insert(program.info_at(i).loop(program.record(i)).counter.index);
  }
  return std::ranges::all_of(loop.instructions, [&](std::uint32_t i) {
    return i == loop.begin || (is_blind(program, i, counters) && has_one_way(program, i, counters));
  });
}

// Calls f(tile) for the tiles of an instruction whose place follows the count of a loop.
template <typename F>
void for_each_address(const Program& program, const SteadyLoop& loop, std::uint32_t i, F&& f) {
  const auto look = [&](std::size_t, const isa::Tile& tile, isa::Access) {
    if (tile.dynamic == 0) return;
    const isa::DynamicAddress& how = program.dynamics[tile.dynamic - 1];
    if (how.kind == isa::DynamicAddress::Kind::register_offset &&
        how.reg.index == loop.bounds.counter.index)
      f(tile);
  };
  isa::for_each_operand_tile(program.info_at(i), program.record(i), look);
}

}  // namespace

bool SteadyLoop::in_bounds(const Program& program, std::int64_t count) const {
  bool any = false, all = true;
  for (const std::uint32_t i : instructions) {
    for_each_address(program, *this, i, [&](const isa::Tile& tile) {
      any = true;
      all = all && count < isa::index_end(tile, program);
    });
  }
  return !any || (all && count >= 0);
}

SteadyLoops::SteadyLoops(const Program& program) {
  const isa::LoopTree tree(program);
  // What meets other cores is as fast as they are.
  const auto meets = [](const isa::InstructionInfo& info) { return info.meeting != nullptr; };
  if (tree.empty() || isa::uses(program, meets)) return;
  for (const isa::LoopTree::Loop& loop : tree.loops()) {
    const isa::LoopBounds bounds = program.info_at(loop.begin).loop(program.record(loop.begin));
    if (bounds.kind == isa::LoopKind::counted)
      loops_.push_back({.begin = loop.begin, .end = loop.end, .bounds = bounds});
  }
  if (loops_.empty()) return;
  for (std::size_t engine = program.streams.size(); engine-- > 0;) place_in(program, engine);
  for (SteadyLoop& loop : loops_) {
    std::ranges::sort(loop.instructions);
    const auto twice = std::ranges::unique(loop.instructions);
    loop.instructions.erase(twice.begin(), twice.end());
  }
  std::erase_if(loops_, [&](const SteadyLoop& loop) {
    return loop.instructions.empty() || !is_steady(program, loop);
  });
  by_end_.assign(program.instructions.size(), none);
  for (std::uint32_t k = 0; k < loops_.size(); ++k) by_end_[loops_[k].end] = k;
}

void SteadyLoops::place_in(const Program& program, std::size_t engine) {
  const std::vector<std::uint32_t> list = instructions_of(program.streams[engine]);
  const isa::LoopTree tree(program, list);
  for (const isa::LoopTree::Loop& loop : tree.loops()) {
    const auto found = std::ranges::find(loops_, list[loop.begin], &SteadyLoop::begin);
    if (found == loops_.end()) continue;
    std::size_t depth = 0;
    for (std::uint32_t parent = loop.parent; parent != isa::LoopTree::none;
         parent = tree[parent].parent)
      ++depth;
    found->places[engine] = {.begin = loop.begin, .end = loop.end, .depth = depth};
    found->pilot = engine;
    found->instructions.insert(found->instructions.end(), list.begin() + loop.begin,
                               list.begin() + loop.end + 1);
  }
}

}  // namespace trainyard::engines
