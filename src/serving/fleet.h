// Several replicas of the planned engine behind a router, on one clock: each has a scheduler and a
// cache of its own. Replicas are lost and come back, are started and stopped by a policy, and read
// prompts for others, to which keys and values are sent. A fleet of one serves as simulate() does.
#pragma once

#include <cstdint>
#include <vector>

#include "serving/simulate.h"

namespace trainyard::serving {

// Who gets the next request, of the replicas that serve: drawn; in turn; who has the fewest
// requests, the first of equals; who had the last one that begins alike, else the fewest.
enum class Routing : std::uint8_t { random, round_robin, least_requests, prefix };

// A replica's devices are gone from `from` until `until`, with the caches; -1: for ever.
struct Outage {
  std::int32_t replica = 0;
  std::int64_t from = 0, until = -1;
};

// As many replicas as the requests that are not over divided by `target`: looked at each `period`.
// One more is there after `cold_start`; one fewer only where fewer were enough throughout
// `patience`, and it ends what it has begun. period 0: always the same number.
struct Scaling {
  std::int64_t period = 0, cold_start = 0, patience = 0;
  double target = 0;
  std::int32_t least = 1, most = 1;
};

struct FleetSettings {
  std::int32_t replicas = 1;
  std::int32_t readers = 0;  // replicas besides, which read prompts and send them; 0: each its own
  Routing routing = Routing::least_requests;
  std::uint64_t seed = 0;
  StepCost sent = {};        // to send keys and values: of each request,
  StepCost sent_token = {};  // and of each token in a group of layers; one after the other
  std::vector<Outage> outages = {};
  Scaling scaling = {};
};

// The number of replicas that are paid for, from a time on.
struct FleetSize {
  std::int64_t time = 0;
  std::int32_t serving = 0, starting = 0;
};

struct Fleet {
  std::vector<Record> records = {};
  Counters counters = {};  // of all replicas; peaks are those of the highest
  Durations gaps = {};
  std::vector<FleetSize> sizes = {};
  std::vector<std::int64_t> busy = {};     // of each replica, readers last
  std::int64_t tokens_per_second_max = 0;  // as of Simulated
  std::int64_t moved = 0;                  // requests that another replica had to take over
  std::int64_t sent_ticks = 0;             // from a prompt that is read to the reader of its answer
  std::int64_t paid = 0;  // ticks of replicas there or starting, from the first arrival
  std::int64_t end = 0;
  double joules = 0;
};

// Throws InputError "serve.fleet" with every setting that is out of range.
void check_fleet(const FleetSettings& fleet, const Simulation& simulation);

// Serves `requests`, sorted by arrival, until all are over; who finds no replica, now or ever, is
// cancelled. Throws InputError as check_fleet() does.
[[nodiscard]] Fleet serve_fleet(std::vector<Request> requests, const Settings& settings,
                                const StepCosts& costs, const Simulation& simulation,
                                const FleetSettings& fleet);

}  // namespace trainyard::serving
