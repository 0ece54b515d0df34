#include "report/rolled_loops.h"

#include <fmt/format.h>

#include <algorithm>

namespace trainyard::report {

trace::Loop RolledLoops::loop_of(std::uint32_t begin) const {
  const isa::LoopBounds record = program_.info_at(begin).loop(program_.record(begin));
  trace::Loop loop{.name = labels_.add_string(fmt::format("r{}", record.counter.index)),
                   .trips = 0};
  if (record.kind != isa::LoopKind::counted) return loop;
  loop.step = record.step;
  if (record.start.reg) return loop;
  loop.first = record.start.constant;
  loop.trips = static_cast<std::uint32_t>(isa::turns_of(program_, begin).value_or(0));
  return loop;
}

std::vector<trace::Loop> RolledLoops::around(std::uint32_t i) const {
  std::vector<trace::Loop> loops;
  const auto engine_of = [&](std::uint32_t k) { return program_.instructions[k].engine; };
  for (std::uint32_t loop = tree_.around(i); loop != isa::LoopTree::none;
       loop = tree_[loop].parent) {
    const isa::Engine turns = engine_of(tree_[loop].begin);  // a loop of one engine is no other's
    if (turns == isa::Engine::any || turns == engine_of(i))
      loops.insert(loops.begin(), loop_of(tree_[loop].begin));
  }
  const auto is_unknown = [](const trace::Loop& loop) { return loop.trips == 0; };
  if (!loops.empty() && std::any_of(loops.begin() + 1, loops.end(), is_unknown)) {
    return {{.name = labels_.add_string("turn"), .trips = 0}};
  }
  return loops;
}

}  // namespace trainyard::report
