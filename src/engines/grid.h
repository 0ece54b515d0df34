// The untimed runner of the cores of a grid, or of several ranks: each runs in its author's order
// until it meets others or ends. Pipes and channels do not wait for each other: cores that come to
// them in different orders go on by their streams, as in a timed run.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engines/interpreter.h"
#include "engines/watch.h"
#include "isa/semantics/meeting.h"

namespace trainyard::engines {

// A core that cannot go on, or has ended: what it waits for, empty when it has ended.
struct StuckCore {
  std::string name;
  std::string waits_for;
  std::string place;  // in the author's source
};
// Throws Fault "run.deadlock" that names what cores stand at, those of many that are first. `when`
// is a time, or empty. `is_cut`: a part of the system failed.
[[noreturn]] void throw_grid_deadlock(std::span<const StuckCore> cores, bool has_ranks,
                                      const std::string& when, bool is_cut = false);

// How cores run between two meetings. `apart`: on threads of the host, in no order, which changes
// nothing unless their accesses race. `in_step`: one instruction of each in turn, so that a race
// has one result, near to that of cores that start together.
enum class Pace : std::uint8_t { apart, in_step };

// Runs all cores to their ends. Throws Fault ("run.deadlock" when some wait and the others cannot
// come, "meeting.match" when what they meet at does not fit), and what `watch` throws.
void run_together(std::span<Interpreter* const> cores, const isa::Seats& seats,
                  const Watch& watch = {}, Pace pace = Pace::apart);
// The same for the cores of one grid.
void run_grid(std::span<Interpreter* const> cores, const Watch& watch = {});

}  // namespace trainyard::engines
