#include "planner/documents.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ranges>

#include "base/error.h"
#include "machine/schema.h"
#include "planner/fit.h"
#include "planner/intervals.h"
#include "planner/json_parts.h"
#include "planner/links.h"
#include "planner/questions.h"
#include "planner/read_model.h"
#include "planner/simulated_search.h"

namespace trainyard::planner {

namespace {

using nlohmann::json;

[[noreturn]] void refuse(std::string_view label, std::string rule, std::string found,
                         std::string fix) {
  throw base::InputError(
      {std::string(label), std::move(rule), "options", std::move(found), std::move(fix)});
}

json answers(const std::vector<Sheet>& sheets, const Ask& ask, const Options& options) {
  if (options.intervals) {
    const Bracketed bracketed = bracket(sheets, ask);
    return {{"values", json_of(bracketed)}, {"unknown", bracketed.unknown}};
  }
  const Answer answer = ask(sheets);
  Bracketed plain{.values = {}, .unknown = answer.unknown};
  for (const auto& [name, value] : answer.values)
    plain.values[name] = {value, value, value, value, value, {}, {}};
  return {{"values", json_of(plain)}, {"unknown", plain.unknown}};
}

// How collectives within a system are priced.
std::string_view collectives_by(const Sheet& sheet) {
  return sheet.schedules() ? "schedule" : "ring, tree or switch";
}

json head(const Model& model, const Sheet& sheet, std::string_view schema) {
  return {{"schema", schema},
          {"model", json_of(model)},
          {"machine", {{"name", sheet.machine()}, {"title", sheet.title()}}}};
}

base::Violation nothing_fits(const Question& q, std::string_view phase, const Obstacle& obstacle) {
  return {"plan.capacity", fmt::format("a plan of {} fits and is fast enough", phase), "options",
          fmt::format("{} on {}: {}", q.model().name, q.sheet().machine(), obstacle.found),
          obstacle.fix};
}

template <typename Choice>
Trial<Choice> untried(const Choice& choice) {
  Tried<Choice> one;
  one.choice = choice;
  Trial<Choice> trial;
  trial.tried.push_back(std::move(one));
  return trial;
}

// The best plan of those that keep to what is asked; by simulated time where there is a timer.
// Nothing where nothing fits and is fast enough.
Trial<ServingChoice> choose_serving(const Question& q, const LayerTimer* timer = nullptr) {
  const std::vector<ServingChoice> choices =
      serving_choices(q.model(), q.sheet(), q.serving(), q.purchase(), q.wanted_serving());
  const auto best = best_serving(choices, q.speed());
  if (!best) return {};
  if (timer == nullptr) return untried(*best);
  return simulated_serving(q.model(), q.sheet(), q.purchase(), choices, q.speed(),
                           {*timer, q.options().plans});
}

// Likewise.
Trial<TrainingChoice> choose_training(const Question& q, const LayerTimer* timer = nullptr) {
  const std::vector<TrainingChoice> choices = training_choices(
      q.model(), q.sheet(), q.training(), q.purchase(), q.wanted_training(), q.options().tokens);
  if (choices.empty()) return {};
  if (timer == nullptr) return untried(choices.front());
  return simulated_training(q.model(), q.sheet(), q.purchase(), choices, q.options().tokens,
                            {*timer, q.options().plans});
}

base::Violation obstacle_of(const Question& q, std::string_view phase) {
  const Obstacle obstacle =
      phase == "serving"
          ? find_serving_obstacle(q.model(), q.sheet(), q.serving(), q.purchase(),
                                  q.wanted_serving(), q.speed())
          : find_training_obstacle(q.model(), q.sheet(), q.training(), q.wanted_training());
  return nothing_fits(q, phase, obstacle);
}

const Serving& workload_of(const ServingChoice& choice) { return choice.serving; }
const Training& workload_of(const TrainingChoice& choice) { return choice.training; }

// The choices whose layers were simulated, the analytic one first.
template <typename Choice>
json tried_json(const Trial<Choice>& trial) {
  json result = json::array();
  for (const Tried<Choice>& one : trial.tried) {
    json phases = json::object();
    for (const auto& [name, timed] :
         {std::pair("prefill", one.times.prefill), std::pair("decode", one.times.decode),
          std::pair("microbatch", one.times.microbatch)})
      if (timed.seconds || !timed.why.empty()) phases[name] = json_of(timed);
    result.push_back({{"plan", json_of(one.choice.plan)},
                      {"workload", json_of(workload_of(one.choice))},
                      {"phases", phases},
                      {"analytic", one.choice.answer.values},
                      {"simulated", one.answer.values},
                      {"is_compared", one.is_compared},
                      {"is_fast_enough", one.is_fast_enough},
                      {"is_chosen", &one == &trial.best()}});
  }
  return result;
}

// The answers of the best choice; of one that was simulated, what was tried and the analytic
// answers besides. Simulated seconds stay as they are while the figures of the sheet move.
template <typename Choice>
void add_answers(json& document, const Sheet& sheet, const Trial<Choice>& trial,
                 const Options& options,
                 const std::function<Answer(const Sheet&, const PhaseTimes&)>& ask) {
  const auto with = [&](const PhaseTimes& times) {
    return answers(
        {sheet}, [&](const std::vector<Sheet>& sheets) { return ask(sheets[0], times); }, options);
  };
  document.update(with(trial.best().times));
  if (trial.best().answer.values.empty()) return;
  if (trial.best().times.any()) document["analytic"] = with({})["values"];
  document["tried"] = tried_json(trial);
}

// A choice's answers where figures have moved. Whoever runs a service chooses the batch by the
// speed that users are promised, on the machine as it turns out to be: unless the batch was asked
// for, the best one there counts.
Answer answer_moved(const Question& q, const ServingChoice& choice, const Sheet& moved) {
  if (q.options().batch || q.model().family != Family::decoder)
    return serve(q.model(), choice.plan, moved, choice.serving, q.purchase());
  return serve_at_speed(q.model(), choice, moved, q.purchase(), q.speed());
}

std::string no_plan(const Question& q, const std::string& phase) {
  const base::Violation why = obstacle_of(q, phase);
  json document = head(q.model(), q.sheet(), fmt::format("trainyard.{}/1", phase));
  document["plan"] = nullptr;
  document["why"] = fmt::format("{}: {}", why.found, why.fix);
  return document.dump();
}

// The curve of what cannot be beaten, where the plan and the batch are free.
json frontier_json(const Question& q) {
  json points = json::array();
  const Wanted wanted = q.wanted_serving();
  if (q.model().family != Family::decoder || wanted.batch || (wanted.tp && wanted.pp && wanted.dp))
    return points;
  for (const ServingChoice& choice :
       frontier(serving_choices(q.model(), q.sheet(), q.serving(), q.purchase(), wanted))) {
    json point = json_of(choice.plan);
    point["conc"] = choice.serving.batch;
    for (const auto& [name, value] : choice.answer.values) point[name] = value;
    points.push_back(std::move(point));
  }
  return points;
}

// What all chips that were asked for do together.
json deployment_json(const ServingChoice& choice, std::int64_t chips) {
  const auto replicas = static_cast<double>(chips) / choice.plan.chips();
  json result = {
      {"chips", chips}, {"replicas", replicas}, {"conc", replicas * choice.serving.batch}};
  const bool has_tokens = choice.answer.has("output_tput_per_gpu");
  result[has_tokens ? "output_tput" : "samples_per_second"] =
      throughput(choice.answer) * static_cast<double>(chips);
  return result;
}

json layout_json(const Layout& layout, const Chip& chip) {
  json result = {{"what", layout.what},
                 {"plan", json_of(layout.plan)},
                 {"memory", json_of(layout.memory, chip)}};
  if (layout.batch_max > 0) result["batch_max"] = layout.batch_max;
  return result;
}

json fit_json(const Fit& fit, const Chip& chip) {
  json alternatives = json::array();
  for (const Layout& layout : fit.alternatives) alternatives.push_back(layout_json(layout, chip));
  return {{"asked", layout_json(fit.asked, chip)}, {"alternatives", alternatives}};
}

}  // namespace

std::string model_document(const std::string& model) {
  return json{{"schema", "trainyard.model/1"}, {"model", json_of(load_model(model))}}.dump();
}

std::string accelerator_document(const std::string& machine) {
  const Sheet sheet(machine::load_accelerator(machine), economics::load_prices());
  json figures = json::array();
  for (const auto& [key, input] : sheet.inputs()) {
    figures.push_back({{"key", key},
                       {"low", input.amount.low},
                       {"value", input.amount.value},
                       {"high", input.amount.high},
                       {"unit", input.unit},
                       {"kind", machine::name(input.kind)},
                       {"source", input.source},
                       {"date", input.date}});
  }
  return json{{"schema", "trainyard.accelerator/1"},
              {"name", sheet.machine()},
              {"title", sheet.title()},
              {"figures", figures}}
      .dump();
}

std::string fit_document(const std::string& model, const std::string& machine,
                         const Options& options) {
  const Question q(model, machine, options);
  Serving serving = q.serving();
  if (options.weights.empty() && serving.stored_bytes == 0) serving.weights = Format::bf16;
  json document = head(q.model(), q.sheet(), "trainyard.fit/1");
  document["serving"] =
      fit_json(fit_serving(q.model(), q.chip(), serving, q.wanted_serving()), q.chip());
  document["serving"]["workload"] = json_of(serving);
  Wanted wanted = q.wanted_training();
  wanted.chips = options.chips;
  document["training"] =
      fit_json(fit_training(q.model(), q.chip(), q.training(), wanted), q.chip());
  document["training"]["workload"] = json_of(q.training());
  return document.dump();
}

std::string serving_document(const std::string& model, const std::string& machine,
                             const Options& options, const LayerTimer* timer) {
  const Question q(model, machine, options);
  const Model& m = q.model();
  const Trial<ServingChoice> trial = choose_serving(q, timer);
  if (trial.tried.empty()) return no_plan(q, "serving");
  const ServingChoice& choice = trial.best().choice;
  const Chip& chip = q.chip();
  const Phases work = phases(m, choice.plan, chip, choice.serving);
  json document = head(m, q.sheet(), "trainyard.serving/1");
  document["plan"] = json_of(choice.plan);
  if (options.chips) document["deployment"] = deployment_json(choice, *options.chips);
  document["workload"] = json_of(choice.serving);
  document["native"] = chip.native[static_cast<std::size_t>(choice.serving.weights)];
  document["memory"] = json_of(choice.memory, chip);
  const Phases bound = phases(m, choice.plan, ideal_of(q.sheet()), choice.serving);
  document["phases"] = {
      {"prefill", json_of(work.prefill, seconds(work.prefill, chip), bound.prefill)}};
  if (m.family == Family::decoder)
    document["phases"]["decode"] = json_of(work.decode, seconds(work.decode, chip), bound.decode);
  document["collectives"] = collectives_by(q.sheet());
  document["price"] = price_key(q.sheet(), q.purchase());
  document["frontier"] = frontier_json(q);
  // Simulated seconds are of one batch, and the model's beside them are of the same.
  const bool is_simulated = trial.best().times.any();
  add_answers(
      document, q.sheet(), trial, options, [&](const Sheet& moved, const PhaseTimes& times) {
        return is_simulated ? serve(m, choice.plan, moved, choice.serving, q.purchase(), times)
                            : answer_moved(q, choice, moved);
      });
  return document.dump();
}

std::string training_document(const std::string& model, const std::string& machine,
                              const Options& options, const LayerTimer* timer) {
  const Question q(model, machine, options);
  const Model& m = q.model();
  const Trial<TrainingChoice> trial = choose_training(q, timer);
  if (trial.tried.empty()) return no_plan(q, "training");
  const TrainingChoice& choice = trial.best().choice;
  const Chip& chip = q.chip();
  const Step step = training_step(m, choice.plan, chip, choice.training);
  const Step bound = training_step(m, choice.plan, ideal_of(q.sheet()), choice.training);
  json document = head(m, q.sheet(), "trainyard.training/1");
  document["plan"] = json_of(choice.plan);
  document["workload"] = json_of(choice.training);
  document["workload"]["tokens"] = options.tokens;
  document["memory"] = json_of(choice.memory, chip);
  document["phases"] = {{"microbatches", step.microbatches * step.stage},
                        {"bubble", step.bubble},
                        {"gradients", step.gradients},
                        {"optimizer", step.optimizer},
                        {"microbatch", json_of(step.microbatch, step.stage, bound.microbatch)}};
  document["collectives"] = collectives_by(q.sheet());
  document["price"] = price_key(q.sheet(), q.purchase());
  add_answers(
      document, q.sheet(), trial, options, [&](const Sheet& moved, const PhaseTimes& times) {
        return train(m, choice.plan, moved, choice.training, q.purchase(), options.tokens, times);
      });
  return document.dump();
}

std::string layers_document(const std::string& model, const std::string& machine,
                            const std::string& phase, const Options& options, std::int64_t cores) {
  if (cores < 1 || cores > 1024)
    refuse("plan.range", "a chip has 1 to 1024 cores", fmt::format("{}", cores), "correct cores");
  const Question q(model, machine, options);
  const auto dump = [&](const LayerPass& pass) {
    json document = json_of(pass);
    document["schema"] = "trainyard.layers/1";
    return document.dump();
  };
  const auto choice_of = [&](const auto& trial, const char* what) {
    if (trial.tried.empty()) throw base::InputError(obstacle_of(q, what));
    return trial.best().choice;
  };
  if (phase == "microbatch") {
    const TrainingChoice choice = choice_of(choose_training(q), "training");
    return dump(microbatch_layers(q.model(), q.chip(), choice.plan, choice.training, cores));
  }
  if (phase != "prefill" && phase != "decode")
    refuse("plan.phase", "a pass is a prefill, a decode or a microbatch", phase,
           "name one of them");
  const ServingChoice choice = choice_of(choose_serving(q), "serving");
  if (phase == "prefill")
    return dump(prefill_layers(q.model(), q.chip(), choice.plan,
                               prefill_pass(q.model(), choice.plan, choice.serving), cores));
  return dump(decode_layers(q.model(), q.chip(), choice.plan,
                            decode_pass(choice.plan, choice.serving), cores));
}

std::string collective_document(const std::string& machine, const std::string& operation,
                                double bytes, std::int64_t chips) {
  const auto known = {fabric::CollectiveOp::all_reduce, fabric::CollectiveOp::all_to_all};
  const auto* const found_operation = std::ranges::find(known, operation, fabric::name);
  if (found_operation == known.end())
    refuse("plan.collective", "a sum or an exchange is priced", operation,
           fmt::format("name {}", fmt::join(known | std::views::transform(fabric::name), " or ")));
  const bool sums = *found_operation == fabric::CollectiveOp::all_reduce;
  if (!(bytes >= 1 && bytes <= 1e15 && chips >= 1 && chips <= 10'000'000))
    refuse("plan.range", "a collective is of 1 to 1e15 bytes by 1 to 1e7 chips",
           fmt::format("{} bytes, {} chips", bytes, chips), "correct the argument");
  const auto seconds = [&](const Chip& chip) {
    const auto group = static_cast<double>(chips);
    return (sums ? all_reduce(chip, bytes, group) : all_to_all(chip, bytes, group)).seconds;
  };
  const Sheet sheet(machine::load_accelerator(machine), economics::load_prices());
  const Bracketed found = bracket({sheet}, [&](const std::vector<Sheet>& sheets) {
    const double time = seconds(chip_of(sheets.front()));
    const double least = seconds(ideal_of(sheets.front()));
    base::check(time >= least * (1 - 1e-9), "a collective beats its bound");
    return Answer{.values = {{"collective_seconds", time}, {"collective_bound", least}},
                  .unknown = {}};
  });
  return json{{"schema", "trainyard.collective/1"},
              {"machine", machine},
              {"operation", operation},
              {"bytes", bytes},
              {"chips", chips},
              {"by_schedule", sheet.schedules() != nullptr},
              {"values", json_of(found)}}
      .dump();
}

std::string ratio_document(const std::string& model, const std::string& machine,
                           const std::string& other, const std::string& phase,
                           const Options& options) {
  if (phase != "serving" && phase != "training")
    refuse("plan.phase", "a phase is serving or training", phase, "name one of them");
  const std::vector<Question> questions{{model, machine, options}, {model, other, options}};
  std::vector<Sheet> sheets;
  std::vector<std::function<Answer(const Sheet&)>> asks;
  const auto only = [&](const auto& trial, const Question& q) {
    if (trial.tried.empty()) throw base::InputError(obstacle_of(q, phase));
    return trial.best().choice;
  };
  for (const Question& q : questions) {
    sheets.push_back(q.sheet());
    if (phase == "serving") {
      asks.emplace_back([&q, choice = only(choose_serving(q), q)](const Sheet& sheet) {
        return answer_moved(q, choice, sheet);
      });
    } else {
      asks.emplace_back([&q, choice = only(choose_training(q), q)](const Sheet& sheet) {
        return train(q.model(), choice.plan, sheet, choice.training, q.purchase(),
                     q.options().tokens);
      });
    }
  }
  const Ask ratio = [&](const std::vector<Sheet>& moved) {
    const Answer ours = asks[0](moved[0]);
    const Answer theirs = asks[1](moved[1]);
    Answer result;
    for (const Answer* one : {&ours, &theirs})
      result.unknown.insert(result.unknown.end(), one->unknown.begin(), one->unknown.end());
    for (const auto& [name, value] : ours.values)
      if (theirs.has(name)) result.values[name] = value / theirs.at(name);
    return result;
  };
  json document = {{"schema", "trainyard.ratio/1"},
                   {"model", json_of(questions.front().model())},
                   {"machine", machine},
                   {"other", other},
                   {"phase", phase}};
  document.update(answers(sheets, ratio, options));
  return document.dump();
}

}  // namespace trainyard::planner
