// Which plans a machine allows for a model, and the best of them.
#pragma once

#include <optional>
#include <vector>

#include "planner/memory.h"
#include "planner/serving.h"
#include "planner/training.h"
#include "planner/wanted.h"

namespace trainyard::planner {

struct ServingChoice {
  Plan plan;
  Serving serving;
  MemoryNeed memory;
  Answer answer;
};

// Every plan and batch that fits and keeps to `wanted`, on up to the chips of the sold system; for
// each plan the batches are its groups times 1, 2, 3, 4, 6, 8, 12, ...
[[nodiscard]] std::vector<ServingChoice> serving_choices(const Model& model, const Sheet& sheet,
                                                         const Serving& serving,
                                                         const Purchase& purchase,
                                                         const Wanted& wanted = {});
// Why no choice is left that gives a user `interactivity` tokens a second: no such replica, too
// little memory, or too slow; then what to change.
struct Obstacle {
  std::string found, fix;
};
[[nodiscard]] Obstacle find_serving_obstacle(const Model& model, const Sheet& sheet,
                                             const Serving& serving, const Purchase& purchase,
                                             const Wanted& wanted, double interactivity);

// Of one chip: tokens or samples a second; and how fast a user gets them.
[[nodiscard]] double throughput(const Answer& answer);
[[nodiscard]] double interactivity_of(const Answer& answer);
// A larger batch or replica has to be worth it: two hundredths more.
[[nodiscard]] bool is_worth_more(const Answer& larger, const Answer& than);

// What cannot be beaten in both throughput a chip and speed a user, slowest users first.
[[nodiscard]] std::vector<ServingChoice> frontier(std::vector<ServingChoice> choices);

// The most output per chip with at least `interactivity` tokens a second for each user; of encoders
// the most samples. Nothing where no plan fits or is fast enough.
[[nodiscard]] std::optional<ServingChoice> best_serving(const std::vector<ServingChoice>& choices,
                                                        double interactivity);

// A choice where figures of the sheet have moved: the same plan with the batch that is best there,
// of those that serving_choices() tries: the largest that fits and gives each user `interactivity`
// tokens a second, where throughput still grows. Where none is fast enough, the choice's own: then
// users wait longer.
[[nodiscard]] Answer serve_at_speed(const Model& model, const ServingChoice& choice,
                                    const Sheet& moved, const Purchase& purchase,
                                    double interactivity);

struct TrainingChoice {
  Plan plan;
  Training training;
  MemoryNeed memory;
  Answer answer;
};

// Every plan that fits and keeps to `wanted`, fastest first.
[[nodiscard]] std::vector<TrainingChoice> training_choices(const Model& model, const Sheet& sheet,
                                                           const Training& training,
                                                           const Purchase& purchase,
                                                           const Wanted& wanted, double tokens);
[[nodiscard]] Obstacle find_training_obstacle(const Model& model, const Sheet& sheet,
                                              const Training& training, const Wanted& wanted);

}  // namespace trainyard::planner
