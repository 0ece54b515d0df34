// What a collective costs on a system: every algorithm that fits is simulated, the fastest is
// taken, the others are kept with their times and why they lost.
//
// The interface for planners is price(): one call, one answer. In Python:
// trainyard.collectives.price().
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fabric/schedule.h"
#include "fabric/simulate.h"

namespace trainyard::fabric {

struct Options {
  bool folds_ranks = true;
  std::string algorithm = {};  // only this one; empty: the fastest
  std::vector<Change> changes = {};
  std::vector<std::pair<std::int32_t, base::Ticks>> late = {};  // ranks that start later
  std::int32_t root = 0;
  Memory memory = Memory::hbm;
  // What would take more events to simulate stays at its bound, where another algorithm was run.
  double events_max = 1e18;
  std::function<void()> look = nullptr;  // called now and then; may throw

  // Ranks may be alike, and no fault tells them apart.
  [[nodiscard]] bool is_uniform() const { return folds_ranks && changes.empty() && late.empty(); }
  [[nodiscard]] Layout layout() const { return {.finds_orbits = is_uniform(), .memory = memory}; }
};

struct Candidate {
  std::string algorithm;
  base::Ticks time;      // or what it takes at least, where it was not run
  bool was_run = false;  // else the fastest one is known to be faster, or it has too many events
  std::int64_t steps = 0;
};

struct Saturated {
  std::string name, kind;  // "chip 3, twin link"; "twin link"
  double share = 0;        // of what it could carry in the time
  double bytes = 0;
};

struct Price {
  CollectiveOp operation = CollectiveOp::all_reduce;
  double bytes = 0;  // the buffer of a rank
  std::int64_t ranks = 0;
  std::string algorithm;
  base::Ticks time, bound;
  std::vector<Candidate> candidates;  // fastest first
  std::vector<Saturated> loads;       // by kind, busiest first: its busiest resource
  std::uint64_t events = 0, transfers = 0;
  std::size_t classes = 0;          // of transfers
  machine::Interval link_joules;    // of what passed links and switches
  machine::Interval memory_joules;  // of what passed DMA engines and HBM
  std::vector<std::string> stuck;
};

// The schedules that can do `operation` on these ranks, by algorithm.
[[nodiscard]] std::vector<Schedule> schedules(const Network& network, CollectiveOp operation,
                                              const Group& group, std::int32_t root = 0);
// One of them on time.
[[nodiscard]] Price run(const Network& network, CollectiveOp operation, double bytes,
                        std::span<const Group> groups, std::span<const Schedule> schedules,
                        const Options& options = {});

// The fastest way for `groups` of the same size at once. `bytes`: the larger of what a rank gives
// and what it gets. Throws InputError "fabric.group", "fabric.algorithm", "fabric.size".
[[nodiscard]] Price price(const Network& network, CollectiveOp operation, double bytes,
                          std::span<const Group> groups, const Options& options = {});

// One rank's part of an all-to-all may be as large as it likes: counts[source][target], in any
// unit. The largest sum of a row or a column is the whole buffer. Throws InputError
// "fabric.counts".
[[nodiscard]] Schedule uneven_exchange(const std::vector<std::vector<double>>& counts);

// The problem with the faults of `options`.
[[nodiscard]] Problem with_options(Problem problem, const Options& options);
// What a problem takes; the operation, the algorithm and its steps are left out.
[[nodiscard]] Price price_of(const Network& network, const Folded& folded, const Run& run);

// In words: what is down, and who waits for whom.
[[nodiscard]] std::vector<std::string> reasons(const Network& network, const Folded& folded,
                                               std::span<const Stuck> stuck);

// bytes / time times this is the bandwidth that a link of a ring would carry (as nccom-test has
// it).
[[nodiscard]] double bus_factor(CollectiveOp operation, std::int64_t ranks);

}  // namespace trainyard::fabric
