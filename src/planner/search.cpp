#include "planner/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/stable_sort.h"

namespace trainyard::planner {

namespace {

constexpr double gib = 1024.0 * 1024 * 1024;

// Batches of a replica that are tried, smallest first.
std::vector<double> batches_of(const Model& m, const Plan& plan, const Wanted& wanted) {
  if (wanted.batch) return {*wanted.batch};
  const double batch_max = m.family == Family::decoder ? 16'384 : 512;
  std::vector<double> result;
  for (double batch = real(plan.dp); batch <= batch_max; batch *= 2) {
    result.push_back(batch);
    if (batch >= 2 * real(plan.dp)) result.push_back(1.5 * batch);
  }
  return result;
}

// The plan that needs least memory, and what it lacks.
Obstacle describe_shortage(const Plan& plan, const MemoryNeed& memory, std::string_view fix) {
  return {
      fmt::format("the plan that needs least does not fit ({}): {:.1f} of {:.1f} GiB a chip, {} "
                  "most of all",
                  fmt::format("tp {}, pp {}, dp {}", plan.tp, plan.pp, plan.dp),
                  memory.total() / gib, memory.capacity / gib, memory.largest().name),
      std::string(fix)};
}

std::vector<Training> trainings_of(const Training& training, const Wanted& wanted,
                                   const Plan& plan) {
  std::vector<Training> result;
  for (const Recompute recompute :
       {Recompute::none, Recompute::selective, Recompute::mlp, Recompute::full}) {
    if (wanted.recompute && recompute != *wanted.recompute) continue;
    for (const double microbatch : {1.0, 2.0, 4.0}) {
      const double size = wanted.microbatch.value_or(microbatch);
      if (wanted.microbatch && microbatch > 1) continue;
      if (std::fmod(training.global_batch, size * real(plan.dp)) != 0) continue;
      Training chosen = training;
      chosen.recompute = recompute;
      chosen.microbatch = size;
      result.push_back(chosen);
    }
  }
  return result;
}

}  // namespace

double throughput(const Answer& answer) {
  return answer.has("output_tput_per_gpu") ? answer.at("output_tput_per_gpu")
                                           : answer.at("samples_per_second_per_gpu");
}

double interactivity_of(const Answer& answer) {
  return answer.has("mean_intvty") ? answer.at("mean_intvty") : 1 / answer.at("mean_ttft");
}

bool is_worth_more(const Answer& larger, const Answer& than) {
  return throughput(larger) > 1.02 * throughput(than);
}

std::vector<ServingChoice> serving_choices(const Model& m, const Sheet& sheet,
                                           const Serving& serving, const Purchase& purchase,
                                           const Wanted& wanted) {
  const Chip chip = chip_of(sheet);
  std::vector<ServingChoice> result;
  for (const Plan& plan : serving_plans(m, chip, wanted)) {
    for (const double batch : batches_of(m, plan, wanted)) {
      Serving chosen = serving;
      chosen.batch = batch;
      MemoryNeed memory = serving_memory(m, plan, chip, chosen);
      if (!memory.fits()) break;
      result.push_back({plan, chosen, std::move(memory), serve(m, plan, sheet, chosen, purchase)});
    }
  }
  return result;
}

Obstacle find_serving_obstacle(const Model& m, const Sheet& sheet, const Serving& serving,
                               const Purchase& purchase, const Wanted& wanted,
                               double interactivity) {
  const Chip chip = chip_of(sheet);
  const std::vector<Plan> plans = serving_plans(m, chip, wanted);
  if (plans.empty())
    return {"no replica of whole heads, stages and groups divides the chips and the batch",
            "name fewer of chips, tp, pp, dp and batch, or sizes that divide each other"};
  std::optional<MemoryNeed> least;
  Plan smallest;
  for (const Plan& plan : plans) {
    Serving chosen = serving;
    chosen.batch = batches_of(m, plan, wanted).front();
    MemoryNeed memory = serving_memory(m, plan, chip, chosen);
    if (least && least->total() <= memory.total()) continue;
    least = std::move(memory);
    smallest = plan;
  }
  if (!least->fits())
    return describe_shortage(
        smallest, *least,
        "ask for more chips, a narrower format, a shorter context or a smaller batch");
  double fastest = 0;
  for (const ServingChoice& choice : serving_choices(m, sheet, serving, purchase, wanted))
    fastest = std::max(fastest, interactivity_of(choice.answer));
  return {fmt::format("no plan that fits gives a user {:.4g} tokens a second; the fastest gives "
                      "{:.3g}",
                      interactivity, fastest),
          "ask for fewer tokens a second (interactivity), a narrower format or a shorter context"};
}

std::vector<ServingChoice> frontier(std::vector<ServingChoice> choices) {
  base::stable_sort(choices, std::ranges::greater{},
                    [](const ServingChoice& choice) { return throughput(choice.answer); });
  std::vector<ServingChoice> result;
  for (ServingChoice& choice : choices) {
    if (!result.empty() &&
        interactivity_of(choice.answer) <= interactivity_of(result.back().answer) * 1.0001)
      continue;
    result.push_back(std::move(choice));
  }
  return result;
}

std::optional<ServingChoice> best_serving(const std::vector<ServingChoice>& choices,
                                          double interactivity) {
  const ServingChoice* best = nullptr;
  for (const ServingChoice& choice : choices) {
    if (interactivity_of(choice.answer) < interactivity) continue;
    if (best == nullptr || is_worth_more(choice.answer, best->answer)) best = &choice;
  }
  return best == nullptr ? std::nullopt : std::optional(*best);
}

Answer serve_at_speed(const Model& m, const ServingChoice& choice, const Sheet& moved,
                      const Purchase& purchase, double interactivity) {
  const Chip chip = chip_of(moved);
  const std::vector<double> batches = batches_of(m, choice.plan, {});
  const auto answer_with = [&](double batch) {
    Serving serving = choice.serving;
    serving.batch = batch;
    return std::pair(serve(m, choice.plan, moved, serving, purchase),
                     serving_memory(m, choice.plan, chip, serving).fits());
  };
  const auto is_good = [&](const std::pair<Answer, bool>& one) {
    return one.second && interactivity_of(one.first) >= interactivity;
  };
  auto at = std::ranges::find(batches, choice.serving.batch);
  auto best = answer_with(choice.serving.batch);
  if (at == batches.end()) return best.first;
  if (!is_good(best)) {
    auto smaller = best;
    while (at != batches.begin() && !is_good(smaller)) smaller = answer_with(*--at);
    return is_good(smaller) ? smaller.first : best.first;
  }
  while (++at != batches.end()) {
    auto larger = answer_with(*at);
    if (!is_good(larger) || throughput(larger.first) <= throughput(best.first)) break;
    best = std::move(larger);
  }
  return best.first;
}

std::vector<TrainingChoice> training_choices(const Model& m, const Sheet& sheet,
                                             const Training& training, const Purchase& purchase,
                                             const Wanted& wanted, double tokens) {
  const Chip chip = chip_of(sheet);
  std::vector<TrainingChoice> result;
  for (const Plan& plan : training_plans(m, chip, wanted, training.global_batch)) {
    for (const Training& chosen : trainings_of(training, wanted, plan)) {
      MemoryNeed memory = training_memory(m, plan, chip, chosen);
      if (!memory.fits()) continue;
      result.push_back(
          {plan, chosen, std::move(memory), train(m, plan, sheet, chosen, purchase, tokens)});
    }
  }
  base::stable_sort(result, std::ranges::greater{}, [](const TrainingChoice& choice) {
    return choice.answer.at("tokens_per_second");
  });
  return result;
}

Obstacle find_training_obstacle(const Model& m, const Sheet& sheet, const Training& training,
                                const Wanted& wanted) {
  const Chip chip = chip_of(sheet);
  std::optional<MemoryNeed> least;
  Plan smallest;
  for (const Plan& plan : training_plans(m, chip, wanted, training.global_batch)) {
    for (const Training& chosen : trainings_of(training, wanted, plan)) {
      MemoryNeed memory = training_memory(m, plan, chip, chosen);
      if (least && least->total() <= memory.total()) continue;
      least = std::move(memory);
      smallest = plan;
    }
  }
  if (least)
    return describe_shortage(smallest, *least,
                             "ask for more chips, a narrower format or more recomputing");
  const std::int64_t nearest = nearest_chips(m, chip, wanted, training.global_batch);
  return {
      fmt::format("{} chips are tp x pp x dp of which dp divides the {:.0f} sequences of a step "
                  "for no tp and pp",
                  wanted.chips.value_or(0), training.global_batch),
      nearest > 0 ? fmt::format("ask for {} chips, or a global batch with their factors", nearest)
                  : "ask for a larger global batch, or leave tp, pp and dp to be chosen"};
}

}  // namespace trainyard::planner
