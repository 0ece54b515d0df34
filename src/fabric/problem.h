// Schedules laid on a network: every transfer with the resources of its path, its bytes, the queue
// that it stands in and the two actors that it joins. What fold.h and simulate.h work on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fabric/network.h"
#include "fabric/schedule.h"
#include "fabric/symmetry.h"

namespace trainyard::fabric {

using Group = std::vector<std::int32_t>;  // ranks of the network, each once

inline constexpr std::uint32_t no_queue = 0xFFFFFFFFu;

// A transfer of a phase, once for all repetitions of the phase.
struct Flow {
  std::uint32_t source = 0, target = 0;  // actors: a rank's share in one stripe
  std::uint32_t queue = no_queue;        // transfers of one queue go one after the other
  std::uint32_t phase = 0;
  std::uint32_t position = 0;  // in its queue and phase
  double bytes = 0;
  base::Ticks latency;
  float share = 1;  // of a full resource, in proportion to other transfers
};

struct PhaseRepeats {
  std::int32_t repeat = 1;
  bool rings = false;
};

// A collective of one group: it begins at one moment, and its transfers are those of its actors.
struct Site {
  std::uint32_t first_phase = 0, phases = 0;
  base::Ticks start;  // from its beginning to its first step, what a step takes not counted
};

// An actor belongs to something, at a place of it: actors of one collective begin together, those
// of one chip run programs that depend on each other. What is folded keeps such ties.
struct Tie {
  std::uint32_t actor = 0, node = 0;
  std::uint64_t place = 0;
};

// From `time` on, a resource has another capacity: a link that fails, a chip that is throttled.
struct Change {
  base::Ticks time;
  std::uint32_t resource = 0;
  double capacity = 0;
};

struct Problem {
  std::vector<Flow> flows;           // by phase
  std::vector<std::uint32_t> begin;  // of flow f, its uses are begin[f] .. begin[f + 1]
  std::vector<Use> uses;
  std::vector<PhaseRepeats> phases;
  std::vector<double> capacity;  // by resource
  std::uint32_t actors = 0, queues = 0;
  std::vector<std::int32_t> rank_of_actor;
  std::vector<base::Ticks> late;  // by actor: starts that much later
  std::vector<Site> sites;
  std::vector<std::uint32_t> site_of_actor;
  std::vector<Tie> ties;  // none: all begins at once, and folding looks at the network alone
  std::uint32_t nodes = 0;
  std::vector<std::uint64_t> marks;  // by actor: those with different ones are never alike
  std::vector<Change> changes;       // by time
  // Where they are known, only transfers from the first actor of each orbit are here.
  std::optional<Orbits> orbits;
  double rate_max = 0;
  base::Ticks step, ring_step;
};

struct Layout {
  // Of ranks that each send to every other one, or to all on lines, one of those alike is laid out.
  bool finds_orbits = false;
  Memory memory = Memory::hbm;
};

// `schedules[g]` runs on `groups[g]`, all at once; they have the same phases. `bytes`: the buffer
// of each rank. Throws InputError "fabric.group" for a rank that is not there, or there twice.
[[nodiscard]] Problem make_problem(const Network& network, std::span<const Group> groups,
                                   std::span<const Schedule> schedules, double bytes,
                                   const Layout& layout = {});

// A collective among others that share the network with it.
struct Collective {
  Group group;
  const Schedule* schedule = nullptr;
  double bytes = 0;
  bool starts = true;       // else it is part of the one before: no time to start
  std::uint32_t shape = 0;  // equal of those with the same schedule but for the ranks
  float share = 1;          // by its class of priority
  Memory memory = Memory::hbm;
};

// Collectives that begin whenever their time comes: site k is collectives[k]. `are_chips_alike`:
// chips may change places in whatever is laid on the problem besides, so that of transfers between
// all ranks those of one chip are enough, where the groups allow it.
[[nodiscard]] Problem make_joint(const Network& network, std::span<const Collective> collectives,
                                 bool are_chips_alike = false);

}  // namespace trainyard::fabric
