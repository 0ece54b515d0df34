#include "engines/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "base/error.h"
#include "base/thread_pool.h"
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
         (x.encounter != isa::Encounter::barrier ||
          one.instructions[a.instruction].engine == other.instructions[b.instruction].engine);
}

// A core at a meeting, and who else has to come.
struct Standing {
  Attendant attendant;
  std::vector<std::size_t> members;
};

// What ends a core's run that nobody will look at.
struct InVain {};

// The cores of a run and where each of them stands. Those that can go on do so on threads of the
// host, side by side; when all have stopped, those that stand at the same place meet. When nobody
// can, all go ahead, each engine by itself: only then does it matter which of two meetings a core
// comes to first.
class Together {
 public:
  Together(std::span<Interpreter* const> cores, const isa::Seats& seats, const Watch& watch,
           Pace pace)
      : cores_(cores),
        seats_(seats),
        watch_(watch),
        pace_(pace),
        standings_(cores.size()),
        pool_(cores.size(), [this] {
          if (watch_) watch_(seen_);
        }) {
    if (cores.size() == 1) cores.front()->runs_alone();
  }

  void run() {
    std::vector<std::size_t> ready(cores_.size());
    std::iota(ready.begin(), ready.end(), std::size_t{0});
    while (!ready.empty()) {
      if (pace_ == Pace::in_step) {
        run_in_step(ready);
      } else {
        pool_.run(ready.size(), [&](std::size_t k, bool of_caller) {
          run(ready[k], {k, of_caller});
        });
      }
      ready = met();
      if (ready.empty()) ready = gone_ahead();
    }
    if (std::ranges::any_of(standings_, [](const auto& list) { return !list.empty(); }))
      report_deadlock();
  }

 private:
  struct Place {
    std::size_t job = 0;
    bool of_caller = false;
  };

  // Up to its end or its next meeting.
  void run(std::size_t core, Place place) {
    const numerics::StandardFloatEnvironment standard;  // of this thread
    const bool waits = cores_[core]->run_to_meeting([&](const Progress& progress) {
      if (pool_.is_in_vain(place.job)) throw InVain{};
      if (!place.of_caller || !watch_) return;
      seen_ = progress;
      watch_(progress);
    });
    if (place.of_caller) seen_.where = {};  // the core may go on elsewhere
    if (waits) seat(core);
  }

  void run_in_step(std::vector<std::size_t> going) {
    while (!going.empty()) {
      std::erase_if(going, [&](std::size_t core) {
        const Interpreter::Stand stand = cores_[core]->step(watch_);
        if (stand == Interpreter::Stand::meeting) seat(core);
        return stand != Interpreter::Stand::between;
      });
    }
  }

  // A core stands at a meeting, or at several.
  void seat(std::size_t core) {
    for (Attendant& a : cores_[core]->attendants()) {
      a.who = seats_.name(core);
      standings_[core].push_back({a, seats_.members(a.execution->program, a.instruction, core)});
    }
  }

  // The cores whose meetings have taken place, in their order.
  std::vector<std::size_t> met() {
    std::vector<std::size_t> list;
    for (std::size_t core = 0; core < cores_.size(); ++core) {
      for (const Standing& standing : std::vector(standings_[core])) {
        if (standing.members.front() != core || !meet(standing)) continue;
        list.insert(list.end(), standing.members.begin(), standing.members.end());
        for (const std::size_t member : standing.members) standings_[member].clear();
        break;
      }
    }
    std::ranges::sort(list);
    return list;
  }

  // The meeting of a core that is the first of it: true when all are there.
  bool meet(const Standing& first) {
    std::vector<Attendant> all;
    for (const std::size_t member : first.members) {
      const auto other = std::ranges::find_if(standings_[member], [&](const Standing& one) {
        return one.members == first.members && same_meeting(first.attendant, one.attendant);
      });
      if (other == standings_[member].end()) return false;
      all.push_back(other->attendant);
    }
    isa::check_match(all);
    std::vector<isa::Message> sent(all.size());
    if (isa::meeting_of(all[0].execution->program, all[0].instruction).encounter !=
        isa::Encounter::barrier) {
      for (std::size_t k = 0; k < all.size(); ++k)
        sent[k] = cores_[first.members[k]]->sends(all[k]);
    }
    isa::SharedSum sum;
    for (std::size_t k = 0; k < all.size(); ++k) cores_[first.members[k]]->meet(all[k], sent, sum);
    return true;
  }

  // The cores that leave the author's order, because nobody meets there.
  std::vector<std::size_t> gone_ahead() {
    std::vector<std::size_t> list;
    for (std::size_t core = 0; core < cores_.size(); ++core) {
      if (standings_[core].empty() || !cores_[core]->go_ahead()) continue;
      standings_[core].clear();
      list.push_back(core);
    }
    return list;
  }

  // Faults where two wait for each other at collectives that never fit together.
  void check_standing() const {
    for (std::size_t core = 0; core < standings_.size(); ++core) {
      for (const Standing& mine : standings_[core]) {
        for (const std::size_t member : mine.members) check_pair(core, mine, member);
      }
    }
  }

  void check_pair(std::size_t core, const Standing& mine, std::size_t member) const {
    if (member <= core) return;
    for (const Standing& other : standings_[member]) {
      if (std::ranges::find(other.members, core) == other.members.end()) continue;
      if (same_meeting(mine.attendant, other.attendant))
        isa::check_companions(mine.attendant, other.attendant);
      else
        isa::check_streams(mine.attendant, other.attendant);
    }
  }

  [[noreturn]] void report_deadlock() const {
    check_standing();
    std::vector<StuckCore> stuck;
    for (std::size_t core = 0; core < cores_.size(); ++core) {
      StuckCore& one = stuck.emplace_back();
      one.name = seats_.name(core);
      for (const Standing& standing : standings_[core]) {
        const Attendant& a = standing.attendant;
        const isa::Program& program = a.execution->program;
        if (one.place.empty()) one.place = program.place(a.instruction);
        one.waits_for += one.waits_for.empty() ? "" : " and ";
        one.waits_for += isa::describe(program, a.instruction, a.execution->rank);
      }
    }
    throw_grid_deadlock(stuck, seats_.has_ranks(), "");
  }

  std::span<Interpreter* const> cores_;
  const isa::Seats& seats_;
  const Watch& watch_;
  Pace pace_;
  std::vector<std::vector<Standing>> standings_;  // of each core
  Progress seen_;
  base::ThreadPool pool_;
};

}  // namespace

void throw_grid_deadlock(std::span<const StuckCore> cores, bool has_ranks, const std::string& when,
                         bool is_cut) {
  constexpr std::size_t told_max = 8;  // that wait, and that have ended
  std::string found, place;
  std::array<std::size_t, 2> told{};
  for (const StuckCore& one : cores) {
    if (++told[one.waits_for.empty() ? 1 : 0] > told_max) continue;
    if (!found.empty()) found += "; ";
    found += fmt::format("{} {}", one.name,
                         one.waits_for.empty() ? "has ended" : "waits at " + one.waits_for);
    if (place.empty()) place = one.place;
  }
  for (const std::size_t kind : {std::size_t{0}, std::size_t{1}}) {
    if (told[kind] <= told_max) continue;
    found += fmt::format("; {} more {}", told[kind] - told_max, kind == 0 ? "wait" : "have ended");
  }
  if (!when.empty()) found = when + ": " + found;
  const char* fix =
      "let all instances of the grid run the same core_barriers and sendrecvs, in the "
      "same order";
  if (has_ranks) fix = "let all ranks of a group run the same collectives on it, in the same order";
  if (is_cut) fix = "run without this fault, or on ranks that do not need what is down";
  throw base::Fault(
      base::FaultCategory::deadlock,
      {"run.deadlock", "every core reaches the operations at which others wait for it", place,
       found, fix});
}

void run_together(std::span<Interpreter* const> cores, const isa::Seats& seats, const Watch& watch,
                  Pace pace) {
  Together(cores, seats, watch, pace).run();
}

void run_grid(std::span<Interpreter* const> cores, const Watch& watch) {
  run_together(cores, isa::Seats::grid(cores.size()), watch);
}

}  // namespace trainyard::engines
