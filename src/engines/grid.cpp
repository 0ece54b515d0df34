#include "engines/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "engines/crew.h"
#include "numerics/float_environment.h"

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

// What ends a core's run that nobody will look at.
struct InVain {};

// The cores of a run and where each of them stands. Those that can go on do so on threads of the
// host, side by side; when all have stopped, those that stand at the same place meet.
class Together {
 public:
  Together(std::span<Interpreter* const> cores, const isa::Seats& seats, const Watch& watch,
           Pace pace)
      : cores_(cores),
        seats_(seats),
        watch_(watch),
        pace_(pace),
        members_(cores.size()),
        waits_(cores.size()),
        crew_(cores.size(), [this] {
          if (watch_) watch_(seen_);
        }) {}

  void run() {
    std::vector<std::size_t> ready(cores_.size());
    std::iota(ready.begin(), ready.end(), std::size_t{0});
    while (!ready.empty()) {
      if (pace_ == Pace::in_step) {
        run_in_step(ready);
      } else {
        crew_.run(ready.size(), [&](std::size_t k, bool of_caller) {
          run(ready[k], {k, of_caller});
        });
      }
      ready = met();
    }
    if (std::ranges::find(waits_, 1) != waits_.end()) report_deadlock();
  }

 private:
  struct Place {
    std::size_t job = 0;
    bool of_caller = false;
  };

  // Up to its end or its next meeting.
  void run(std::size_t core, Place place) {
    const numerics::StandardFloatEnvironment standard;  // of this thread
    waits_[core] = cores_[core]->run_to_meeting([&](const Progress& progress) {
      if (crew_.is_in_vain(place.job)) throw InVain{};
      if (!place.of_caller || !watch_) return;
      seen_ = progress;
      watch_(progress);
    });
    if (waits_[core] != 0) seat(core);
  }

  void run_in_step(std::vector<std::size_t> going) {
    while (!going.empty()) {
      std::erase_if(going, [&](std::size_t core) {
        const Interpreter::Stand stand = cores_[core]->step(watch_);
        waits_[core] = stand == Interpreter::Stand::meeting;
        if (waits_[core] != 0) seat(core);
        return stand != Interpreter::Stand::between;
      });
    }
  }

  // A core stands at a meeting.
  void seat(std::size_t core) {
    const Attendant a = cores_[core]->attendant();
    members_[core] = seats_.members(a.execution->program, a.instruction, core);
  }

  // The cores whose meetings have taken place, in their order.
  std::vector<std::size_t> met() {
    std::vector<std::size_t> list;
    for (std::size_t core = 0; core < cores_.size(); ++core) {
      if (meet(core)) list.insert(list.end(), members_[core].begin(), members_[core].end());
    }
    for (const std::size_t core : list) waits_[core] = 0;
    std::ranges::sort(list);
    return list;
  }

  // The meeting at which `core` is the first: true when all are there.
  bool meet(std::size_t core) {
    if (waits_[core] == 0 || members_[core].front() != core) return false;
    const std::vector<std::size_t>& members = members_[core];
    std::vector<Attendant> all;
    for (const std::size_t member : members) {
      if (waits_[member] == 0 || members_[member] != members) return false;
      all.push_back(cores_[member]->attendant());
      all.back().who = seats_.name(member);
      if (!same_meeting(all.front(), all.back())) return false;
    }
    isa::check_match(all);
    std::vector<isa::Message> sent(all.size());
    if (isa::meeting_of(all[0].execution->program, all[0].instruction).encounter !=
        isa::Encounter::barrier)
      std::ranges::transform(members, sent.begin(),
                             [&](std::size_t member) { return cores_[member]->sends(); });
    for (const std::size_t member : members) cores_[member]->meet(sent);
    return true;
  }

  [[noreturn]] void report_deadlock() const {
    std::vector<StuckCore> stuck;
    for (std::size_t core = 0; core < cores_.size(); ++core) {
      StuckCore& one = stuck.emplace_back();
      one.name = seats_.name(core);
      if (waits_[core] == 0) continue;
      const Attendant a = cores_[core]->attendant();
      one.place = a.execution->program.place(a.instruction);
      one.waits_for = isa::describe(a.execution->program, a.instruction);
    }
    throw_grid_deadlock(stuck, seats_.has_ranks(), "");
  }

  std::span<Interpreter* const> cores_;
  const isa::Seats& seats_;
  const Watch& watch_;
  Pace pace_;
  std::vector<std::vector<std::size_t>> members_;  // of the meeting that each waits at
  std::vector<char> waits_;                        // not bool: threads write side by side
  Progress seen_;
  Crew crew_;
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

void run_together(std::span<Interpreter* const> cores, const isa::Seats& seats, const Watch& watch,
                  Pace pace) {
  Together(cores, seats, watch, pace).run();
}

void run_grid(std::span<Interpreter* const> cores, const Watch& watch) {
  run_together(cores, isa::Seats::grid(cores.size()), watch);
}

}  // namespace trainyard::engines
