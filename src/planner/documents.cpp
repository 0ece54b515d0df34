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
#include "planner/links.h"
#include "planner/read_model.h"
#include "planner/search.h"

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

json model_json(const Model& m) {
  const Parameters p = parameters(m);
  return {{"name", m.name},
          {"title", m.title},
          {"source", m.source},
          {"type", m.type},
          {"family", name(m.family)},
          {"parameters", p.total},
          {"active", p.active},
          {"layers", m.layers},
          {"hidden", m.hidden},
          {"kv_bytes_per_token", kv_elements(m) * static_cast<double>(m.layers) * 2},
          {"context_max", m.context_max}};
}

json plan_json(const Plan& plan) {
  return {{"tp", plan.tp}, {"pp", plan.pp}, {"dp", plan.dp}, {"chips", plan.chips()}};
}

json memory_json(const Memory& memory, const Chip& chip) {
  json parts = json::array();
  for (const MemoryPart& part : memory.parts)
    parts.push_back({{"name", part.name}, {"bytes", part.bytes}, {"why", part.why}});
  return {{"parts", parts},
          {"total", memory.total()},
          {"capacity", memory.capacity},
          {"per_logical_core", memory.total() / chip.logical_cores},
          {"fits", memory.fits()},
          {"largest", memory.largest().name}};
}

json values_json(const Bracketed& bracketed) {
  json values = json::object();
  for (const auto& [name, one] : bracketed.values) {
    json moved = json::array();
    for (const Influence& by : one.moved_by) {
      moved.push_back({{"key", by.key},
                       {"at_low", by.at_low},
                       {"at_high", by.at_high},
                       {"kind", by.kind},
                       {"source", by.source}});
      if (moved.size() == 8) break;
    }
    values[name] = {{"low", one.low},
                    {"value", one.value},
                    {"high", one.high},
                    {"unit", unit_of(name)},
                    {"moved_by", moved}};
  }
  return values;
}

json answers(const std::vector<Sheet>& sheets, const Ask& ask, const Options& options) {
  if (options.intervals) {
    const Bracketed bracketed = bracket(sheets, ask);
    return {{"values", values_json(bracketed)}, {"unknown", bracketed.unknown}};
  }
  const Answer answer = ask(sheets);
  Bracketed plain{.values = {}, .unknown = answer.unknown};
  for (const auto& [name, value] : answer.values) plain.values[name] = {value, value, value, {}};
  return {{"values", values_json(plain)}, {"unknown", plain.unknown}};
}

// `bound`: the same work where everything reaches its peak.
json work_json(const Work& work, double seconds, const Work& bound) {
  return {{"seconds", seconds},
          {"linear", work.linear},
          {"attention", work.attention},
          {"collective", work.collective},
          {"collective_bound", bound.collective},
          {"fixed", work.fixed},
          {"flops", work.flops},
          {"memory_bytes", work.memory_bytes},
          {"link_bytes", work.link_bytes}};
}

// How collectives within a system are priced.
std::string_view collectives_by(const Sheet& sheet) {
  return sheet.schedules() ? "schedule" : "ring, tree or switch";
}

json head(const Model& model, const Sheet& sheet, std::string_view schema) {
  return {{"schema", schema},
          {"model", model_json(model)},
          {"machine", {{"name", sheet.machine()}, {"title", sheet.title()}}}};
}

[[noreturn]] void nothing_fits(const Model& model, const Sheet& sheet, std::string_view what,
                               double speed) {
  refuse("plan.capacity", fmt::format("a plan of {} fits and is fast enough", what),
         speed > 0 ? fmt::format("no plan of {} on {} fits and gives a user {} tokens a second",
                                 model.name, sheet.machine(), speed)
                   : fmt::format("no plan of {} on {} fits", model.name, sheet.machine()),
         speed > 0
             ? "ask for fewer tokens a second (interactivity), a narrower format or a shorter "
               "context"
             : "ask for more chips, a narrower format or more recomputing");
}

ServingChoice choose_serving(const Model& model, const Sheet& sheet, const Options& options) {
  const Chip chip = chip_of(sheet);
  const Serving serving = serving_of(model, chip, options);
  const Purchase purchase = purchase_of(options);
  if (has_plan(options)) {
    const Plan plan = plan_of(options);
    Memory memory = serving_memory(model, plan, chip, serving);
    return {plan, serving, std::move(memory), serve(model, plan, sheet, serving, purchase)};
  }
  const double speed = model.family == Family::decoder ? options.interactivity : 0;
  auto best = best_serving(serving_choices(model, sheet, serving, purchase), speed);
  if (!best) nothing_fits(model, sheet, "serving", speed);
  return std::move(*best);
}

TrainingChoice choose_training(const Model& model, const Sheet& sheet, const Options& options) {
  const Chip chip = chip_of(sheet);
  const Training training = training_of(options);
  const Purchase purchase = purchase_of(options);
  if (has_plan(options)) {
    const Plan plan = plan_of(options);
    Memory memory = training_memory(model, plan, chip, training);
    return {plan, training, std::move(memory),
            train(model, plan, sheet, training, purchase, options.tokens)};
  }
  const double chips = options.chips > 0 ? static_cast<double>(options.chips) : 1024;
  auto choices = training_choices(model, sheet, training, purchase, chips, options.tokens);
  if (choices.empty()) nothing_fits(model, sheet, "training", 0);
  return std::move(choices.front());
}

json serving_json(const Serving& serving) {
  return {{"isl", serving.input},
          {"osl", serving.output},
          {"conc", serving.batch},
          {"weights", name(serving.weights)},
          {"cache", name(serving.cache)}};
}

json training_json(const Training& training) {
  return {{"sequence", training.sequence},         {"global_batch", training.global_batch},
          {"microbatch", training.microbatch},     {"format", name(training.format)},
          {"recompute", name(training.recompute)}, {"zero", training.zero},
          {"sum_fp32", training.summed_bytes > 2}};
}

json frontier_json(const Model& model, const Sheet& sheet, const Options& options) {
  json points = json::array();
  if (model.family != Family::decoder || has_plan(options)) return points;
  const Serving serving = serving_of(model, chip_of(sheet), options);
  for (const ServingChoice& choice :
       frontier(serving_choices(model, sheet, serving, purchase_of(options)))) {
    json point = plan_json(choice.plan);
    point["conc"] = choice.serving.batch;
    for (const auto& [name, value] : choice.answer.values) point[name] = value;
    points.push_back(std::move(point));
  }
  return points;
}

json layout_json(const Layout& layout, const Chip& chip) {
  json result = {{"what", layout.what},
                 {"plan", plan_json(layout.plan)},
                 {"memory", memory_json(layout.memory, chip)}};
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
  return json{{"schema", "trainyard.model/1"}, {"model", model_json(load_model(model))}}.dump();
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
  document["serving"]["workload"] = serving_json(serving);
  const Training training = training_of(options);
  document["training"] = fit_json(fit_training(m, chip, training, options.chips), chip);
  document["training"]["workload"] = training_json(training);
  return document.dump();
}

std::string serving_document(const std::string& model, const std::string& machine,
                             const Options& options) {
  check_options(options);
  const Model m = load_model(model);
  const Sheet sheet = sheet_of(machine, options);
  const ServingChoice choice = choose_serving(m, sheet, options);
  const Chip chip = chip_of(sheet);
  const Phases work = phases(m, choice.plan, chip, choice.serving);
  json document = head(m, sheet, "trainyard.serving/1");
  document["plan"] = plan_json(choice.plan);
  document["workload"] = serving_json(choice.serving);
  document["native"] = chip.native[static_cast<std::size_t>(choice.serving.weights)];
  document["memory"] = memory_json(choice.memory, chip);
  const Phases bound = phases(m, choice.plan, ideal_of(sheet), choice.serving);
  document["phases"] = {
      {"prefill", work_json(work.prefill, seconds(work.prefill, chip), bound.prefill)}};
  if (m.family == Family::decoder)
    document["phases"]["decode"] = work_json(work.decode, seconds(work.decode, chip), bound.decode);
  document["collectives"] = collectives_by(sheet);
  document["price"] = price_key(sheet, purchase_of(options));
  document["frontier"] = frontier_json(m, sheet, options);
  document.update(answers(
      {sheet},
      [&](const std::vector<Sheet>& sheets) {
        return serve(m, choice.plan, sheets[0], choice.serving, purchase_of(options));
      },
      options));
  return document.dump();
}

std::string training_document(const std::string& model, const std::string& machine,
                              const Options& options) {
  check_options(options);
  const Model m = load_model(model);
  const Sheet sheet = sheet_of(machine, options);
  const TrainingChoice choice = choose_training(m, sheet, options);
  const Chip chip = chip_of(sheet);
  const Step step = training_step(m, choice.plan, chip, choice.training);
  const Step bound = training_step(m, choice.plan, ideal_of(sheet), choice.training);
  json document = head(m, sheet, "trainyard.training/1");
  document["plan"] = plan_json(choice.plan);
  document["workload"] = training_json(choice.training);
  document["workload"]["tokens"] = options.tokens;
  document["memory"] = memory_json(choice.memory, chip);
  document["phases"] = {{"microbatches", step.microbatches * step.stage},
                        {"bubble", step.bubble},
                        {"gradients", step.gradients},
                        {"optimizer", step.optimizer},
                        {"microbatch", work_json(step.microbatch, step.stage, bound.microbatch)}};
  document["collectives"] = collectives_by(sheet);
  document["price"] = price_key(sheet, purchase_of(options));
  document.update(answers(
      {sheet},
      [&](const std::vector<Sheet>& sheets) {
        return train(m, choice.plan, sheets[0], choice.training, purchase_of(options),
                     options.tokens);
      },
      options));
  return document.dump();
}

std::string collective_document(const std::string& machine, const std::string& operation,
                                double bytes, std::int64_t chips) {
  const auto known = {fabric::Operation::all_reduce, fabric::Operation::all_to_all};
  const auto* const found_operation = std::ranges::find(known, operation, fabric::name);
  if (found_operation == known.end())
    refuse("plan.collective", "a sum or an exchange is priced", operation,
           fmt::format("name {}", fmt::join(known | std::views::transform(fabric::name), " or ")));
  const bool sums = *found_operation == fabric::Operation::all_reduce;
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
              {"values", values_json(found)}}
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
  for (const Sheet& sheet : sheets) {
    if (phase == "serving") {
      asks.emplace_back(
          [&m, &purchase, choice = choose_serving(m, sheet, options)](const Sheet& s) {
            return serve(m, choice.plan, s, choice.serving, purchase);
          });
    } else {
      asks.emplace_back(
          [&m, &purchase, &options, choice = choose_training(m, sheet, options)](const Sheet& s) {
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
                   {"model", model_json(m)},
                   {"machine", machine},
                   {"other", other},
                   {"phase", phase}};
  document.update(answers(sheets, ratio, options));
  return document.dump();
}

}  // namespace trainyard::planner
