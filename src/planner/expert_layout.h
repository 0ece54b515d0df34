// Where the experts of a layer lie while a model is served, and how much more the busiest of those
// who hold whole ones has to do than the mean. Tokens choose experts evenly and by chance.
#pragma once

#include "planner/model.h"
#include "planner/plan.h"

namespace trainyard::planner {

// Groups of cores that have whole experts, of which each core of a group has its share: 1 where
// every expert is divided between all.
[[nodiscard]] double expert_holders(const Model& model, const Plan& plan, double cores_of_chip);

// What the busiest holder has, over the mean: experts that some token chose, and rows of tokens.
struct Crowd {
  double experts = 1, rows = 1;
};
[[nodiscard]] Crowd busiest_holder(const Model& model, double tokens, double holders);

// The largest of `many` numbers on average, each of `trials` that succeed with `chance`.
[[nodiscard]] double largest_of(double many, double trials, double chance);

}  // namespace trainyard::planner
