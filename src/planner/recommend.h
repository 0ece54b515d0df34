// How many chips a service needs, between two bounds that no scheduler is run for: how fast a
// replica could go if nothing ever waited, and how fast it goes for sure with requests at random.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/rates.h"
#include "planner/serving.h"
#include "planner/wanted.h"

namespace trainyard::planner {

// What a share of all requests gets at most, in seconds.
struct ServiceLevel {
  double ttft = 0.5, tpot = 0.03;
  double share = 0.99;
};

struct Service {
  ServiceLevel level = {};
  double rate = 1;            // requests a second
  double chunk = 512;         // tokens of a prompt in a step
  double requests_max = 256;  // at once in each of dp groups
  double drafts = 0;  // tokens drafted in a step, of which `acceptance` are taken one by one
  double acceptance = 0;
};

// A replica at a rate, as the slow bound sees it.
struct Load {
  double rate = 0;
  double requests = 0;        // at once, in the mean
  double ttft = 0, tpot = 0;  // of the share
  double busy = 0;            // of the time, that which prompts take
};

struct Sizing {
  Plan plan;
  Serving serving;  // its batch is the most requests that fit and may be
  bool is_disaggregated = false;
  std::int64_t prefill_replicas = 0;            // where prompts have replicas of their own
  double rate_low = 0, rate_high = 0;           // requests a second that a replica carries
  std::int64_t replicas = 0, replicas_low = 0;  // for sure, and at least
  double chips = 0, chips_low = 0;
  Load load = {};                  // of a replica, with the service shared out
  std::string why_not_fewer = {};  // what breaks with one replica less
};

// Of every plan that fits and can keep the level, fewest chips first. Where there is none, `why`
// says what comes nearest. `chips_low`: fewer are too few for any plan; 0: no number is enough.
struct Recommendation {
  std::vector<Sizing> sizings;
  double chips_low = 0;
  std::string why = {};
};
[[nodiscard]] Recommendation recommend(const Model& model, const Chip& chip, const Serving& serving,
                                       const Service& service, const Wanted& wanted);

}  // namespace trainyard::planner
