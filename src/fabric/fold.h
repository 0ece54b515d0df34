// Finds what of a problem is alike. Transfers, actors, queues and resources get colours, which are
// refined until everything of one colour meets the same colours in the same numbers. Such classes
// have one and the same rate and time, so one member stands for all. Nothing is declared: a fault,
// a torus that ends, one rank that is late, and the classes are smaller. Where a problem brings
// orbits, the classes are those of the whole problem, found in its part.
#pragma once

#include <cstdint>
#include <vector>

#include "fabric/problem.h"

namespace trainyard::fabric {

struct FlowClass {
  Flow flow;                                      // source, target and queue are classes
  std::int32_t source_rank = 0, target_rank = 0;  // of the first member
  std::uint64_t members = 0;
  std::uint32_t arrivals = 0;  // at each actor of the target's class
};

// A problem of classes; where nothing was folded, each class has one member.
struct Folded {
  std::vector<FlowClass> flows;  // by phase
  std::vector<std::uint32_t> begin, resource;
  std::vector<std::uint32_t> first_resource;  // by use: that of the class's first transfer
  std::vector<double> weight;    // of one transfer, times those that use one resource of the class
  std::vector<double> capacity;  // by resource class
  std::vector<std::uint32_t> resource_member;   // one resource of each class
  std::vector<std::uint64_t> resource_members;  // how many
  std::vector<std::int32_t> actor_rank;         // of one member of each actor class
  std::vector<base::Ticks> late;                // by actor class
  std::vector<Site> sites;                      // one of each class
  std::vector<std::uint32_t> site_of_actor;     // by actor class
  std::vector<std::uint32_t> site_class;        // by site of the problem
  std::vector<std::uint32_t> node_class;        // by node of the problem's ties
  std::vector<Change> changes;                  // of resource classes, by time
  std::uint32_t queues = 0;
};

[[nodiscard]] Folded fold(const Problem& problem);
[[nodiscard]] Folded unfolded(const Problem& problem);

}  // namespace trainyard::fabric
