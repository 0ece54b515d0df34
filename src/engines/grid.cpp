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

// The cores of a run and where each of them stands.
class Together {
 public:
  Together(std::span<Interpreter* const> cores, const isa::Seats& seats, const Watch& watch)
      : cores_(cores), seats_(seats), watch_(watch), members_(cores.size()), waits_(cores.size()) {}

  void run() {
    for (std::size_t core = 0; core < cores_.size(); ++core) run(core);
    while (std::ranges::find(waits_, true) != waits_.end()) {
      bool met = false;
      for (std::size_t core = 0; core < cores_.size(); ++core) met = meet(core) || met;
      if (!met) report_deadlock();
    }
  }

 private:
  // Up to its end or its next meeting.
  void run(std::size_t core) {
    waits_[core] = cores_[core]->run_to_meeting(watch_);
    if (!waits_[core]) return;
    const Attendant a = cores_[core]->attendant();
    members_[core] = seats_.members(a.execution->program, a.instruction, core);
  }

  // The meeting at which `core` is the first: true when all are there; they run on to their next.
  bool meet(std::size_t core) {
    if (!waits_[core] || members_[core].front() != core) return false;
    const std::vector<std::size_t> members = members_[core];
    std::vector<Attendant> all;
    for (const std::size_t member : members) {
      if (!waits_[member] || members_[member] != members) return false;
      all.push_back(cores_[member]->attendant());
      all.back().who = seats_.name(member);
      if (!same_meeting(all.front(), all.back())) return false;
    }
    isa::check_match(all);
    std::vector<std::vector<std::byte>> sent(all.size());
    if (isa::meeting_of(all[0].execution->program, all[0].instruction).encounter !=
        isa::Encounter::barrier)
      std::ranges::transform(all, sent.begin(), isa::outgoing);
    for (const std::size_t member : members) cores_[member]->meet(sent);
    for (const std::size_t member : members) run(member);
    return true;
  }

  [[noreturn]] void report_deadlock() const {
    std::vector<StuckCore> stuck;
    for (std::size_t core = 0; core < cores_.size(); ++core) {
      StuckCore& one = stuck.emplace_back();
      one.name = seats_.name(core);
      if (!waits_[core]) continue;
      const Attendant a = cores_[core]->attendant();
      one.place = a.execution->program.place(a.instruction);
      one.waits_for = isa::describe(a.execution->program, a.instruction);
    }
    throw_grid_deadlock(stuck, seats_.has_ranks(), "");
  }

  std::span<Interpreter* const> cores_;
  const isa::Seats& seats_;
  const Watch& watch_;
  std::vector<std::vector<std::size_t>> members_;  // of the meeting that each waits at
  std::vector<bool> waits_;
};

}  // namespace

void throw_grid_deadlock(std::span<const StuckCore> cores, bool has_ranks,
                         const std::string& when) {
  std::string found, place;
  for (const StuckCore& one : cores) {
    if (!found.empty()) found += "; ";
    found += fmt::format("{} {}", one.name,
                         one.waits_for.empty() ? "has ended" : "waits at " + one.waits_for);
    if (place.empty()) place = one.place;
  }
  if (!when.empty()) found = when + ": " + found;
  throw base::Fault(base::FaultCategory::deadlock,
                    {"run.deadlock", "every core comes to where others wait for it", place, found,
                     has_ranks ? "let all ranks of a group run the same collectives on it, in the "
                                 "same order"
                               : "let all instances of the grid run the same core_barriers and "
                                 "sendrecvs, in the same order"});
}

void run_together(std::span<Interpreter* const> cores, const isa::Seats& seats,
                  const Watch& watch) {
  Together(cores, seats, watch).run();
}

void run_grid(std::span<Interpreter* const> cores, const Watch& watch) {
  run_together(cores, isa::Seats::grid(cores.size()), watch);
}

}  // namespace trainyard::engines
