#include "planner/search.h"

#include <algorithm>
#include <cmath>

#include "base/stable_sort.h"

namespace trainyard::planner {

namespace {

// 1, 2, 4, ... up to `most`, and `most` itself.
std::vector<std::int64_t> sizes_to(double most) {
  std::vector<std::int64_t> result;
  for (std::int64_t size = 1; real(size) < most; size *= 2) result.push_back(size);
  result.push_back(static_cast<std::int64_t>(most));
  return result;
}

// Replicas of up to one sold system, or of several where the model does not fit into one.
std::vector<Plan> serving_plans(const Model& m, const Chip& chip) {
  std::vector<Plan> result;
  const std::vector<std::int64_t> sizes = sizes_to(std::min(chip.domain(), chip.system_chips));
  for (const std::int64_t tp : sizes) {
    result.push_back({.tp = tp});
    for (const std::int64_t more : sizes) {
      if (more == 1 || m.family == Family::convolution) continue;
      if (m.experts > 0 && real(tp * more) <= chip.domain())
        result.push_back({.tp = tp, .dp = more});
      if (tp == sizes.back() && more <= 16) result.push_back({.tp = tp, .pp = more});
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
                                           const Serving& serving, const Purchase& purchase) {
  const double batch_max = m.family == Family::decoder ? 16'384 : 512;
  const Chip chip = chip_of(sheet);
  std::vector<ServingChoice> result;
  for (const Plan& plan : serving_plans(m, chip)) {
    for (double batch = real(plan.dp); batch <= batch_max; batch *= 2) {
      Serving chosen = serving;
      chosen.batch = batch;
      MemoryNeed memory = serving_memory(m, plan, chip, chosen);
      if (!memory.fits()) break;
      result.push_back({plan, chosen, std::move(memory), serve(m, plan, sheet, chosen, purchase)});
    }
  }
  return result;
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

std::vector<TrainingChoice> training_choices(const Model& m, const Sheet& sheet,
                                             const Training& training, const Purchase& purchase,
                                             double chips, double tokens) {
  const Chip chip = chip_of(sheet);
  std::vector<TrainingChoice> result;
  for (const std::int64_t tp : sizes_to(std::min({chip.domain(), 64.0, chips}))) {
    for (const std::int64_t pp : {1, 2, 4, 8, 16, 32}) {
      if (pp > m.layers || (pp > 1 && m.family == Family::convolution)) continue;
      const double replicas = chips / real(tp * pp);
      if (replicas < 1 || replicas != std::floor(replicas) || replicas > training.global_batch)
        continue;
      for (const Recompute recompute :
           {Recompute::none, Recompute::selective, Recompute::mlp, Recompute::full}) {
        for (const double microbatch : {1.0, 2.0, 4.0}) {
          Training chosen = training;
          chosen.recompute = recompute;
          chosen.microbatch = microbatch;
          const Plan plan{.tp = tp, .pp = pp, .dp = static_cast<std::int64_t>(replicas)};
          if (chosen.global_batch < microbatch * replicas) continue;
          MemoryNeed memory = training_memory(m, plan, chip, chosen);
          if (!memory.fits()) continue;
          result.push_back(
              {plan, chosen, std::move(memory), train(m, plan, sheet, chosen, purchase, tokens)});
        }
      }
    }
  }
  base::stable_sort(result, std::ranges::greater{}, [](const TrainingChoice& choice) {
    return choice.answer.at("tokens_per_second");
  });
  return result;
}

}  // namespace trainyard::planner
