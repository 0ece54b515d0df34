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

Format format_from(const std::string& word) {
  for (const Format format : {Format::bf16, Format::fp8, Format::fp4})
    if (name(format) == word) return format;
  refuse("plan.format", "a format is bf16, fp8 or fp4", word, "name one of them");
}

Recompute recompute_from(const std::string& word) {
  for (const Recompute each :
       {Recompute::none, Recompute::selective, Recompute::mlp, Recompute::full})
    if (name(each) == word) return each;
  refuse("plan.recompute", "recompute is none, selective, mlp or full", word, "name one of them");
}

void check_options(const Options& o) {
  const auto in = [](std::string_view what, double value, double low, double high) {
    if (value >= low && value <= high) return;  // false for NaN
    throw base::InputError({"plan.range", fmt::format("{} is {} to {}", what, low, high),
                            std::string(what), fmt::format("{}", value), "correct the option"});
  };
  in("input", o.input, 1, 1e8);
  in("output", o.output, 1, 1e8);
  in("batch", o.batch, 0, 1e6);
  in("prefills", o.prefills, 1, 1e6);
  in("interactivity", o.interactivity, 0, 1e6);
  in("tokens", o.tokens, 1, 1e18);
  in("sequence", o.sequence, 1, 1e8);
  in("global batch", o.global_batch, 1, 1e8);
  in("microbatch", o.microbatch, 1, o.global_batch);
  in("interleave", o.interleave, 1, 64);
  in("plans", static_cast<double>(o.plans), 1, 64);
  for (const std::int64_t size : {o.chips, o.tp, o.pp, o.dp})
    in("a number of chips", static_cast<double>(size), 0, 1e7);
}

Sheet sheet_of(const std::string& machine, const Options& options) {
  const Sheet sheet(machine::load_accelerator(machine), economics::load_prices());
  return sheet.with_settings(options.settings);
}

Serving serving_of(const Model& model, const Chip& chip, const Options& o) {
  Serving serving{.input = o.input,
                  .output = o.output,
                  .batch = std::max(1.0, o.batch),
                  .prefills = o.prefills};
  serving.cache = format_from(o.cache);
  if (!o.weights.empty()) {
    serving.weights = format_from(o.weights);
  } else if (model.stored_bits < 5) {
    serving.weights = Format::fp4;  // published in four bits, which any machine can unpack
  } else if (model.family == Family::decoder && chip.native[1]) {
    serving.weights = Format::fp8;
  }
  return serving;
}

Training training_of(const Options& o) {
  return {.sequence = o.sequence,
          .global_batch = o.global_batch,
          .microbatch = o.microbatch,
          .format = format_from(o.training_format),
          .recompute = o.recompute.empty() ? Recompute::selective : recompute_from(o.recompute),
          .interleave = o.interleave,
          .summed_bytes = o.sum_fp32 ? 4.0 : 2.0};
}

Purchase purchase_of(const Options& o) { return {.basis = o.price, .region = o.region}; }

bool has_plan(const Options& o) { return o.tp > 0 || o.pp > 0 || o.dp > 0; }

Plan plan_of(const Options& o) {
  const auto or_one = [](std::int64_t size) { return std::max<std::int64_t>(1, size); };
  return {.tp = or_one(o.tp), .pp = or_one(o.pp), .dp = or_one(o.dp)};
}

json answers(const std::vector<Sheet>& sheets, const Ask& ask, const Options& options) {
  if (options.intervals) {
    const Bracketed bracketed = bracket(sheets, ask);
    return {{"values", json_of(bracketed)}, {"unknown", bracketed.unknown}};
  }
  const Answer answer = ask(sheets);
  Bracketed plain{.values = {}, .unknown = answer.unknown};
  for (const auto& [name, value] : answer.values) plain.values[name] = {value, value, value, {}};
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

// Users that a plan has to be fast enough for; a plan that is asked for is taken as it is.
double speed_for(const Model& model, const Options& o) {
  return model.family == Family::decoder && !has_plan(o) ? o.interactivity : 0;
}

base::Violation nothing_fits(const Model& model, const Sheet& sheet, std::string_view phase,
                             const Options& options) {
  const double speed = phase == "serving" ? speed_for(model, options) : 0;
  const std::string found =
      fmt::format("no plan of {} on {} fits{}", model.name, sheet.machine(),
                  speed > 0 ? fmt::format(" and gives a user {} tokens a second", speed) : "");
  return {"plan.capacity", fmt::format("a plan of {} fits and is fast enough", phase), "options",
          found,
          speed > 0 ? "ask for fewer tokens a second (interactivity), a narrower format or a "
                      "shorter context"
                    : "ask for more chips, a narrower format or more recomputing"};
}

ServingChoice given_serving(const Model& model, const Sheet& sheet, const Options& options) {
  const Serving serving = serving_of(model, chip_of(sheet), options);
  const Plan plan = plan_of(options);
  return {plan, serving, serving_memory(model, plan, chip_of(sheet), serving),
          serve(model, plan, sheet, serving, purchase_of(options))};
}

template <typename Choice>
Trial<Choice> untried(const Choice& choice) {
  Tried<Choice> one;
  one.choice = choice;
  Trial<Choice> trial;
  trial.tried.push_back(std::move(one));
  return trial;
}

// The plan that is asked for, or the best one; by simulated time where there is a timer. Nothing
// where nothing fits and is fast enough.
Trial<ServingChoice> choose_serving(const Model& model, const Sheet& sheet, const Options& options,
                                    const LayerTimer* timer = nullptr) {
  const Purchase purchase = purchase_of(options);
  const double speed = speed_for(model, options);
  const std::vector<ServingChoice> choices =
      has_plan(options)
          ? std::vector{given_serving(model, sheet, options)}
          : serving_choices(model, sheet, serving_of(model, chip_of(sheet), options), purchase);
  const auto best = best_serving(choices, speed);
  if (!best) return {};
  if (timer == nullptr || !best->memory.fits()) return untried(*best);
  return simulated_serving(model, sheet, purchase, choices, speed, {*timer, options.plans});
}

TrainingChoice given_training(const Model& model, const Sheet& sheet, const Options& options) {
  const Training training = training_of(options);
  const Plan plan = plan_of(options);
  return {plan, training, training_memory(model, plan, chip_of(sheet), training),
          train(model, plan, sheet, training, purchase_of(options), options.tokens)};
}

// Likewise.
Trial<TrainingChoice> choose_training(const Model& model, const Sheet& sheet,
                                      const Options& options, const LayerTimer* timer = nullptr) {
  const Purchase purchase = purchase_of(options);
  const double chips = options.chips > 0 ? static_cast<double>(options.chips) : 1024;
  const std::vector<TrainingChoice> choices =
      has_plan(options)
          ? std::vector{given_training(model, sheet, options)}
          : training_choices(model, sheet, training_of(options), purchase, chips, options.tokens);
  if (choices.empty()) return {};
  if (timer == nullptr || !choices.front().memory.fits()) return untried(choices.front());
  return simulated_training(model, sheet, purchase, choices, options.tokens,
                            {*timer, options.plans});
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

std::string no_plan(const Model& model, const Sheet& sheet, const std::string& phase,
                    const Options& options) {
  const base::Violation why = nothing_fits(model, sheet, phase, options);
  json document = head(model, sheet, fmt::format("trainyard.{}/1", phase));
  document["plan"] = nullptr;
  document["why"] = fmt::format("{}: {}", why.found, why.fix);
  return document.dump();
}

json frontier_json(const Model& model, const Sheet& sheet, const Options& options) {
  json points = json::array();
  if (model.family != Family::decoder || has_plan(options)) return points;
  const Serving serving = serving_of(model, chip_of(sheet), options);
  for (const ServingChoice& choice :
       frontier(serving_choices(model, sheet, serving, purchase_of(options)))) {
    json point = json_of(choice.plan);
    point["conc"] = choice.serving.batch;
    for (const auto& [name, value] : choice.answer.values) point[name] = value;
    points.push_back(std::move(point));
  }
  return points;
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
  const Sheet sheet = sheet_of(machine, {});
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
  check_options(options);
  const Model m = load_model(model);
  const Sheet sheet = sheet_of(machine, options);
  const Chip chip = chip_of(sheet);
  Serving serving = serving_of(m, chip, options);
  if (options.weights.empty()) serving.weights = Format::bf16;
  json document = head(m, sheet, "trainyard.fit/1");
  document["serving"] = fit_json(fit_serving(m, chip, serving, options.chips), chip);
  document["serving"]["workload"] = json_of(serving);
  const Training training = training_of(options);
  document["training"] = fit_json(fit_training(m, chip, training, options.chips), chip);
  document["training"]["workload"] = json_of(training);
  return document.dump();
}

std::string serving_document(const std::string& model, const std::string& machine,
                             const Options& options, const LayerTimer* timer) {
  check_options(options);
  const Model m = load_model(model);
  const Sheet sheet = sheet_of(machine, options);
  const Trial<ServingChoice> trial = choose_serving(m, sheet, options, timer);
  if (trial.tried.empty()) return no_plan(m, sheet, "serving", options);
  const ServingChoice& choice = trial.best().choice;
  const Chip chip = chip_of(sheet);
  const Phases work = phases(m, choice.plan, chip, choice.serving);
  json document = head(m, sheet, "trainyard.serving/1");
  document["plan"] = json_of(choice.plan);
  document["workload"] = json_of(choice.serving);
  document["native"] = chip.native[static_cast<std::size_t>(choice.serving.weights)];
  document["memory"] = json_of(choice.memory, chip);
  const Phases bound = phases(m, choice.plan, ideal_of(sheet), choice.serving);
  document["phases"] = {
      {"prefill", json_of(work.prefill, seconds(work.prefill, chip), bound.prefill)}};
  if (m.family == Family::decoder)
    document["phases"]["decode"] = json_of(work.decode, seconds(work.decode, chip), bound.decode);
  document["collectives"] = collectives_by(sheet);
  document["price"] = price_key(sheet, purchase_of(options));
  document["frontier"] = frontier_json(m, sheet, options);
  add_answers(document, sheet, trial, options, [&](const Sheet& moved, const PhaseTimes& times) {
    return serve(m, choice.plan, moved, choice.serving, purchase_of(options), times);
  });
  return document.dump();
}

std::string training_document(const std::string& model, const std::string& machine,
                              const Options& options, const LayerTimer* timer) {
  check_options(options);
  const Model m = load_model(model);
  const Sheet sheet = sheet_of(machine, options);
  const Trial<TrainingChoice> trial = choose_training(m, sheet, options, timer);
  if (trial.tried.empty()) return no_plan(m, sheet, "training", options);
  const TrainingChoice& choice = trial.best().choice;
  const Chip chip = chip_of(sheet);
  const Step step = training_step(m, choice.plan, chip, choice.training);
  const Step bound = training_step(m, choice.plan, ideal_of(sheet), choice.training);
  json document = head(m, sheet, "trainyard.training/1");
  document["plan"] = json_of(choice.plan);
  document["workload"] = json_of(choice.training);
  document["workload"]["tokens"] = options.tokens;
  document["memory"] = json_of(choice.memory, chip);
  document["phases"] = {{"microbatches", step.microbatches * step.stage},
                        {"bubble", step.bubble},
                        {"gradients", step.gradients},
                        {"optimizer", step.optimizer},
                        {"microbatch", json_of(step.microbatch, step.stage, bound.microbatch)}};
  document["collectives"] = collectives_by(sheet);
  document["price"] = price_key(sheet, purchase_of(options));
  add_answers(document, sheet, trial, options, [&](const Sheet& moved, const PhaseTimes& times) {
    return train(m, choice.plan, moved, choice.training, purchase_of(options), options.tokens,
                 times);
  });
  return document.dump();
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
  const Sheet sheet = sheet_of(machine, {});
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
  check_options(options);
  if (phase != "serving" && phase != "training")
    refuse("plan.phase", "a phase is serving or training", phase, "name one of them");
  const Model m = load_model(model);
  const std::vector<Sheet> sheets{sheet_of(machine, options), sheet_of(other, options)};
  const Purchase purchase = purchase_of(options);
  std::vector<std::function<Answer(const Sheet&)>> asks;
  const auto only = [&](const auto& trial, const Sheet& sheet) {
    if (trial.tried.empty()) throw base::InputError(nothing_fits(m, sheet, phase, options));
    return trial.best().choice;
  };
  for (const Sheet& sheet : sheets) {
    if (phase == "serving") {
      asks.emplace_back(
          [&m, &purchase, choice = only(choose_serving(m, sheet, options), sheet)](const Sheet& s) {
            return serve(m, choice.plan, s, choice.serving, purchase);
          });
    } else {
      asks.emplace_back([&m, &purchase, &options,
                         choice = only(choose_training(m, sheet, options), sheet)](const Sheet& s) {
        return train(m, choice.plan, s, choice.training, purchase, options.tokens);
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
                   {"model", json_of(m)},
                   {"machine", machine},
                   {"other", other},
                   {"phase", phase}};
  document.update(answers(sheets, ratio, options));
  return document.dump();
}

}  // namespace trainyard::planner
