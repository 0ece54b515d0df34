#include "report/rolled_loops.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/instructions/loop_begin.h"
#include "isa/instructions/loop_end.h"

namespace trainyard::report {

trace::Loop RolledLoops::loop_of(std::uint32_t begin) const {
  const auto& record = program_.as<isa::LoopBegin>(begin);
  trace::Loop loop{.name = labels_.add_string(fmt::format("r{}", record.counter.index)),
                   .trips = 0};
  if (record.kind != isa::LoopKind::counted) return loop;
  loop.step = record.step;
  if (record.start.reg) return loop;
  loop.first = record.start.constant;
  if (record.stop.reg || record.step <= 0) return loop;
  const std::int64_t length = record.stop.constant - record.start.constant;
  loop.trips =
      static_cast<std::uint32_t>(std::max<std::int64_t>(0, base::ceil_div(length, record.step)));
  return loop;
}

std::vector<trace::Loop> RolledLoops::step(std::uint32_t i) {
  const isa::Engine engine = program_.instructions[i].engine;
  std::vector<trace::Loop>& own = open_[static_cast<std::size_t>(engine)];
  if (program_.is<isa::LoopEnd>(i) && !own.empty()) own.pop_back();
  std::vector<trace::Loop> loops = open_[static_cast<std::size_t>(isa::Engine::any)];
  if (engine != isa::Engine::any) loops.insert(loops.end(), own.begin(), own.end());
  if (program_.is<isa::LoopBegin>(i)) own.push_back(loop_of(i));
  const auto is_unknown = [](const trace::Loop& loop) { return loop.trips == 0; };
  if (!loops.empty() && std::any_of(loops.begin() + 1, loops.end(), is_unknown)) {
    return {{.name = labels_.add_string("turn"), .trips = 0}};
  }
  return loops;
}

}  // namespace trainyard::report
