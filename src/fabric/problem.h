// Schedules laid on a network: every transfer with the resources of its path, its bytes, the queue
// that it stands in and the two actors that it joins. What fold.h and simulate.h work on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fabric/network.h"
#include "fabric/schedule.h"

namespace trainyard::fabric {

using Group = std::vector<std::int32_t>;  // ranks of the network, each once

inline constexpr std::uint32_t no_queue = 0xFFFFFFFFu;

// A transfer of a phase, once for all repetitions of the phase.
struct Flow {
  std::uint32_t source = 0, target = 0;  // actors: a rank's share in one lane
  std::uint32_t queue = no_queue;        // transfers of one queue go one after the other
  std::uint32_t phase = 0;
  std::uint32_t position = 0;  // in its queue and phase
  double bytes = 0;
  base::Ticks latency;
};

struct PhaseTimes {
  std::int32_t repeat = 1;
  bool rings = false;
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
  std::vector<PhaseTimes> phases;
  std::vector<double> capacity;  // by resource
  std::uint32_t actors = 0, queues = 0;
  std::vector<std::int32_t> rank_of_actor;
  std::vector<base::Ticks> late;  // by actor: starts that much later
  std::vector<Change> changes;    // by time
  double rate_max = 0;
  base::Ticks start, step, ring_step;
};

// `schedules[g]` runs on `groups[g]`, all at once; they have the same phases. `bytes`: the buffer
// of each rank. Throws InputError "fabric.group" for a rank that is not there, or there twice.
[[nodiscard]] Problem make_problem(const Network& network, std::span<const Group> groups,
                                   std::span<const Schedule> schedules, double bytes);

}  // namespace trainyard::fabric
