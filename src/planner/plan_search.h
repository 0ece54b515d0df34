// Every way to lay a training run out over a number of chips: enumerated, checked for memory,
// timed. The step's model is training.h's and memory.h's; this adds the order of the loops, so that
// what plans share is computed once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/training.h"
#include "planner/wanted.h"

namespace trainyard::planner {

// What is fixed; nothing: every value is tried.
struct PlanSpace {
  std::int64_t chips = 1;    // at most
  double idle_share = 0.05;  // of the chips that may stay without work
  std::optional<std::int64_t> tp = {}, cp = {}, ep = {}, pp = {}, dp = {}, zero = {}, copies = {};
  std::optional<double> microbatch = {}, interleave = {};
  std::optional<Recompute> recompute = {};
  std::optional<Schedule> schedule = {};
  std::optional<Placement> placement = {};
  std::optional<bool> sequence_parallel = {};
  bool pads_heads = false;
};

struct TrainingPlan {
  Plan plan;
  Training training;
  double seconds = 0;  // of a step
  double bytes = 0;    // of the fullest chip
};

struct PlanCounts {
  std::int64_t pruned = 0;   // that no library could run, left out unasked
  std::int64_t refused = 0;  // checked, and they do not fit into memory
  std::int64_t timed = 0;    // checked, and timed
};

struct PlanSearch {
  std::vector<TrainingPlan> best;  // of each tp, cp, ep, pp and dp the fastest, fastest first
  PlanCounts counts;
  // Where nothing fits: what needs least memory.
  std::optional<TrainingPlan> smallest = {};
};

// `training` says what is not searched: sequence, global batch, formats. At most `kept` plans.
[[nodiscard]] PlanSearch search_plans(const Model& model, const Chip& chip,
                                      const Training& training, const PlanSpace& space,
                                      std::size_t kept);

}  // namespace trainyard::planner
