// The best few plans of the analytic model, answered again with their layers simulated, and the
// best of them by simulated time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "planner/search.h"
#include "planner/timing.h"

namespace trainyard::planner {

// A choice, analytic, and its answer with simulated layers.
template <typename Choice>
struct Tried {
  Choice choice;
  PhaseTimes times = {};
  Answer answer = {};
  bool is_compared = true;     // it has every phase that the analytic choice has
  bool is_fast_enough = true;  // for a user
};

template <typename Choice>
struct Trial {
  std::vector<Tried<Choice>> tried;  // the analytic choice first; none: there is no choice
  std::size_t chosen = 0;
  [[nodiscard]] const Tried<Choice>& best() const { return tried.at(chosen); }
};

struct Simulation {
  const LayerTimer& timer;
  std::int64_t plans = 1;  // that differ in tp, pp or dp
};

// Of each plan the batch of the analytic model and those around it: larger ones while users get
// `interactivity`, else smaller ones until they do. A plan that the analytic model puts behind
// another has to be worth it, as in best_serving. Where none is fast enough by simulated time, the
// analytic choice stays. A phase that is not simulated for the analytic choice stays analytic for
// all, and who lacks one of its phases is not compared.
[[nodiscard]] Trial<ServingChoice> simulated_serving(const Model& model, const Sheet& sheet,
                                                     const Purchase& purchase,
                                                     const std::vector<ServingChoice>& choices,
                                                     double interactivity,
                                                     const Simulation& simulation);

// Of each plan the fastest of `choices`, which are sorted.
[[nodiscard]] Trial<TrainingChoice> simulated_training(const Model& model, const Sheet& sheet,
                                                       const Purchase& purchase,
                                                       const std::vector<TrainingChoice>& choices,
                                                       double tokens, const Simulation& simulation);

}  // namespace trainyard::planner
