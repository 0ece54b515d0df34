#include "planner/simulated_search.h"

#include <fmt/format.h>

#include <algorithm>

#include "planner/layer_pass.h"

namespace trainyard::planner {

namespace {

// Layers that leave work out could be faster than the peaks allow.
void keep_to_bound(Timed& timed, double seconds, double bound) {
  if (!timed.seconds || seconds >= bound) return;
  timed = {.why =
               fmt::format("what is simulated takes {:.3g} s, less than the peaks allow ({:.3g})",
                           seconds, bound)};
}

Timed time_layers(const LayerTimer& timer, const LayerPass& pass) {
  return pass.why.empty() ? timer.time(pass) : Timed{.why = pass.why};
}

// A phase counts where the analytic choice has it, too; false: one that counts is missing.
bool keep_common(Timed& timed, const Timed& first) {
  if (first.seconds) return timed.seconds.has_value();
  timed = first;
  return true;
}

class ServingTrial {
 public:
  ServingTrial(const Model& model, const Sheet& sheet, const Purchase& purchase,
               double interactivity, const LayerTimer& timer)
      : model_(model),
        sheet_(sheet),
        purchase_(purchase),
        interactivity_(interactivity),
        timer_(timer) {}

  // `batches`: those of one plan that fit, smallest first; `first`: the analytic choice of them.
  void try_plan(const std::vector<ServingChoice>& batches, const ServingChoice& first) {
    auto at = std::ranges::find(batches, first.serving.batch,
                                [](const ServingChoice& one) { return one.serving.batch; });
    if (!is_good(*at)) {
      while (at != batches.begin() && !is_good(*--at)) {
      }
      return;
    }
    while (++at != batches.end()) {
      const double before = throughput(trial_.tried.back().answer);
      if (!is_good(*at) || throughput(trial_.tried.back().answer) <= before) return;
    }
  }

  [[nodiscard]] Trial<ServingChoice> chosen() && {
    const Answer* best = nullptr;
    for (std::size_t i = 0; i < trial_.tried.size(); ++i) {
      const Tried<ServingChoice>& one = trial_.tried[i];
      if (!one.is_compared || !one.is_fast_enough) continue;
      if (best != nullptr && !is_worth_more(one.answer, *best)) continue;
      best = &one.answer;
      trial_.chosen = i;
    }
    return std::move(trial_);
  }

 private:
  [[nodiscard]] PhaseTimes times_of(const ServingChoice& one) const {
    const Chip chip = chip_of(sheet_), ideal = ideal_of(sheet_);
    PhaseTimes times;
    times.prefill = time_layers(
        timer_, prefill_layers(model_, chip, one.plan, prefill_pass(model_, one.plan, one.serving),
                               timer_.cores()));
    if (model_.family == Family::decoder) {
      LayerPass step =
          decode_layers(model_, chip, one.plan, decode_pass(one.plan, one.serving), timer_.cores());
      step.batch = one.serving.batch;
      times.decode = time_layers(timer_, step);
    }
    const Phases work = phases(model_, one.plan, chip, one.serving, times);
    const Phases bound = phases(model_, one.plan, ideal, one.serving);
    keep_to_bound(times.prefill, seconds(work.prefill, chip), seconds(bound.prefill, ideal));
    keep_to_bound(times.decode, seconds(work.decode, chip), seconds(bound.decode, ideal));
    return times;
  }

  bool is_good(const ServingChoice& choice) {
    Tried<ServingChoice> one{.choice = choice, .times = times_of(choice)};
    if (!trial_.tried.empty()) {
      const PhaseTimes& first = trial_.tried.front().times;
      const bool prefill = keep_common(one.times.prefill, first.prefill);
      one.is_compared = keep_common(one.times.decode, first.decode) && prefill;
    }
    one.answer = serve(model_, choice.plan, sheet_, choice.serving, purchase_, one.times);
    one.is_fast_enough = interactivity_of(one.answer) >= interactivity_;
    trial_.tried.push_back(std::move(one));
    return trial_.tried.back().is_compared && trial_.tried.back().is_fast_enough;
  }

  const Model& model_;
  const Sheet& sheet_;
  const Purchase& purchase_;
  double interactivity_;
  const LayerTimer& timer_;
  Trial<ServingChoice> trial_;
};

}  // namespace

Trial<ServingChoice> simulated_serving(const Model& model, const Sheet& sheet,
                                       const Purchase& purchase,
                                       const std::vector<ServingChoice>& choices,
                                       double interactivity, const Simulation& simulation) {
  ServingTrial trial(model, sheet, purchase, interactivity, simulation.timer);
  std::vector<ServingChoice> left = choices;
  for (std::int64_t plan = 0; plan < simulation.plans; ++plan) {
    const auto best = best_serving(left, interactivity);
    if (!best) break;
    std::vector<ServingChoice> batches, others;
    for (const ServingChoice& one : left)
      (one.plan == best->plan ? batches : others).push_back(one);
    trial.try_plan(batches, *best);
    left = std::move(others);
  }
  return std::move(trial).chosen();
}

Trial<TrainingChoice> simulated_training(const Model& model, const Sheet& sheet,
                                         const Purchase& purchase,
                                         const std::vector<TrainingChoice>& choices, double tokens,
                                         const Simulation& simulation) {
  Trial<TrainingChoice> trial;
  const Chip chip = chip_of(sheet), ideal = ideal_of(sheet);
  const auto rate = [](const Answer& answer) { return answer.at("tokens_per_second"); };
  for (const TrainingChoice& choice : choices) {
    if (std::ranges::ssize(trial.tried) == simulation.plans) break;
    if (std::ranges::any_of(trial.tried,
                            [&](const auto& one) { return one.choice.plan == choice.plan; }))
      continue;
    Tried<TrainingChoice> one{.choice = choice};
    Timed& timed = one.times.microbatch;
    timed = time_layers(
        simulation.timer,
        microbatch_layers(model, chip, choice.plan, choice.training, simulation.timer.cores()));
    keep_to_bound(timed, training_step(model, choice.plan, chip, choice.training, timed).seconds(),
                  training_step(model, choice.plan, ideal, choice.training).seconds());
    if (!trial.tried.empty())
      one.is_compared = keep_common(timed, trial.tried.front().times.microbatch);
    one.answer = train(model, choice.plan, sheet, choice.training, purchase, tokens, one.times);
    trial.tried.push_back(std::move(one));
    const Tried<TrainingChoice>& last = trial.tried.back();
    if (last.is_compared && rate(last.answer) > rate(trial.best().answer))
      trial.chosen = trial.tried.size() - 1;
  }
  return trial;
}

}  // namespace trainyard::planner
