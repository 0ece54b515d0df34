#include "engines/grid.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace trainyard::engines {

namespace {

using isa::Attendant;
using isa::Meeting;

// What the cores meet for: two instructions meet when this is the same.
bool same_meeting(const Attendant& a, const Attendant& b) {
  const isa::Program &one = a.execution->program, &other = b.execution->program;
  const Meeting x = isa::meeting_of(one, a.instruction), y = isa::meeting_of(other, b.instruction);
  return x.encounter == y.encounter && x.channel == y.channel &&
         one.instructions[a.instruction].engine == other.instructions[b.instruction].engine;
}

[[noreturn]] void report_deadlock(std::span<Interpreter* const> cores,
                                  const std::vector<bool>& waits) {
  std::vector<StuckCore> stuck;
  for (std::size_t core = 0; core < cores.size(); ++core) {
    StuckCore& one = stuck.emplace_back();
    one.core = core;
    if (!waits[core]) continue;
    const Attendant a = cores[core]->attendant();
    one.place = a.execution->program.place(a.instruction);
    one.waits_for = isa::describe(a.execution->program, a.instruction);
  }
  throw_grid_deadlock(stuck, "");
}

void meet(std::span<Interpreter* const> cores) {
  std::vector<Attendant> all;
  for (const Interpreter* core : cores) all.push_back(core->attendant());
  isa::check_match(all);
  std::vector<std::vector<std::byte>> sent(cores.size());
  const Meeting first = isa::meeting_of(all[0].execution->program, all[0].instruction);
  if (first.encounter == isa::Encounter::exchange)
    std::transform(all.begin(), all.end(), sent.begin(), isa::outgoing);
  for (std::size_t core = 0; core < cores.size(); ++core) {
    const Meeting mine = isa::meeting_of(all[core].execution->program, all[core].instruction);
    cores[core]->meet(sent[static_cast<std::size_t>(mine.receive_from)]);
  }
}

}  // namespace

void throw_grid_deadlock(std::span<const StuckCore> cores, const std::string& when) {
  std::string found, place;
  for (const StuckCore& one : cores) {
    if (!found.empty()) found += "; ";
    found += fmt::format("core {} {}", one.core,
                         one.waits_for.empty() ? "has ended" : "waits at " + one.waits_for);
    if (place.empty()) place = one.place;
  }
  if (!when.empty()) found = when + ": " + found;
  throw base::Fault(base::FaultCategory::deadlock,
                    {"run.deadlock", "every core of a grid comes to where they meet", place, found,
                     "let all instances of the grid run the same core_barriers and sendrecvs, in "
                     "the same order"});
}

void run_grid(std::span<Interpreter* const> cores, const Watch& watch) {
  std::vector<bool> waits(cores.size());
  for (;;) {
    for (std::size_t core = 0; core < cores.size(); ++core)
      waits[core] = cores[core]->run_to_meeting(watch);
    if (std::find(waits.begin(), waits.end(), true) == waits.end()) return;
    const bool all_there =
        std::all_of(waits.begin(), waits.end(), [](bool waiting) { return waiting; }) &&
        std::all_of(cores.begin(), cores.end(), [&](const Interpreter* core) {
          return same_meeting(cores[0]->attendant(), core->attendant());
        });
    if (!all_there) report_deadlock(cores, waits);
    meet(cores);
  }
}

}  // namespace trainyard::engines
