#include "planner/plan_documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "planner/goodput.h"
#include "planner/intervals.h"
#include "planner/json_parts.h"
#include "planner/plan_search.h"
#include "planner/questions.h"

namespace trainyard::planner {

namespace {

using nlohmann::json;

constexpr double bytes_of_gib = 1 << 30;
constexpr double idle_under_cap = 0.5;  // at most, of the chips that a cap on power feeds

// The value of an enumeration that a word names; nothing for no word.
template <typename T, std::size_t size>
std::optional<T> named(const std::string& word, std::string_view what,
                       const std::array<T, size>& values,
                       std::vector<base::Violation>& violations) {
  if (word.empty()) return std::nullopt;
  std::string known;
  for (const T value : values) {
    if (name(value) == word) return value;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", name(value));
  }
  violations.push_back({"plan.option", fmt::format("{} is one of {}", what, known),
                        std::string(what), word, "name one of them"});
  return std::nullopt;
}

void check_whole(std::string_view what, double value, std::vector<base::Violation>& violations) {
  if (value == std::floor(value)) return;
  violations.push_back({"plan.range", fmt::format("{} is a whole number", what), std::string(what),
                        fmt::format("{}", value), "correct the option"});
}

void check_range(std::string_view what, double value, double low, double high,
                 std::vector<base::Violation>& violations) {
  if (value >= low && value <= high) return;  // false for NaN
  violations.push_back({"plan.range", fmt::format("{} is {} to {}", what, low, high),
                        std::string(what), fmt::format("{}", value), "correct the option"});
}

void check_sizes(const Model& m, const PlanOptions& plan, const Training& training,
                 const PlanSpace& space, std::vector<base::Violation>& violations) {
  for (const auto& [what, size] :
       {std::pair("tp", plan.tp), std::pair("cp", plan.cp), std::pair("ep", plan.ep),
        std::pair("pp", plan.pp), std::pair("dp", plan.dp), std::pair("copies", plan.copies)})
    if (size) check_range(what, real(*size), 1, real(space.chips), violations);
  const auto divides = [&](std::string_view what, const std::optional<std::int64_t>& size,
                           double whole, std::string_view of) {
    if (!size || *size < 1 || std::fmod(whole, real(*size)) == 0) return;
    violations.push_back({"plan.layout", fmt::format("{} divides {}", what, of), std::string(what),
                          fmt::format("{} of {:.0f}", *size, whole), "correct the option"});
  };
  divides("dp", plan.dp, training.global_batch, "the sequences of a step");
  divides("copies", plan.copies, real(plan.dp.value_or(0)), "the replicas");
  if (plan.copies.value_or(1) > 1 && plan.zero == 0)
    violations.push_back({"plan.layout", "copies are of states that ZeRO shares out", "copies",
                          fmt::format("{} copies of ZeRO-0", *plan.copies),
                          "ask for zero 1, 2 or 3, or leave copies out"});
  if (plan.copies && plan.dp == plan.copies && *plan.copies > 1 && plan.cp.value_or(1) == 1)
    violations.push_back({"plan.layout", "more than one chip shares out a copy of the states",
                          "copies", fmt::format("{} copies of {} replicas", *plan.copies, *plan.dp),
                          "name a smaller divisor of dp, or share out sequences (cp)"});
  divides("cp", plan.cp, training.sequence, "the tokens of a sequence");
  divides("ep", plan.ep, m.experts > 0 ? real(m.experts) : 1, "the experts");
  if (plan.pp && *plan.pp > std::max<std::int64_t>(1, m.layers))
    violations.push_back({"plan.layout", "a stage has a layer at least", "pp",
                          fmt::format("{} stages of {} layers", *plan.pp, m.layers),
                          "name fewer stages"});
  if (plan.tp && *plan.tp >= 1 && !space.pads_heads && !deals_heads(m, *plan.tp))
    violations.push_back({"plan.layout", "tp shares out whole heads", "tp",
                          fmt::format("{} heads over {} chips", m.heads, *plan.tp),
                          "name a size that divides them, or pads_heads"});
}

PlanSpace space_of(const Question& q, const PlanOptions& plan, const Training& training) {
  std::vector<base::Violation> violations;
  PlanSpace space{.chips = q.options().chips.value_or(0), .idle_share = plan.idle_share};
  if (!q.options().chips)
    violations.push_back(
        {"plan.range", "a plan is for a number of chips", "chips", "nothing", "say how many"});
  space.tp = plan.tp, space.cp = plan.cp, space.ep = plan.ep, space.pp = plan.pp;
  space.dp = plan.dp, space.zero = plan.zero, space.copies = plan.copies;
  space.microbatch = plan.microbatch, space.interleave = plan.interleave;
  space.sequence_parallel = plan.sequence_parallel;
  space.pads_heads = q.options().pads_heads;
  space.recompute =
      named(plan.recompute, "recompute",
            std::array{Recompute::none, Recompute::selective, Recompute::mlp, Recompute::full},
            violations);
  space.schedule = named(
      plan.schedule, "schedule",
      std::array{Schedule::one_forward_one_backward, Schedule::zb_h1, Schedule::zb_h2}, violations);
  space.placement =
      named(plan.placement, "placement",
            std::array{Placement::stages_inside, Placement::replicas_inside}, violations);
  check_whole("global_batch", training.global_batch, violations);
  check_whole("sequence", training.sequence, violations);
  check_range("idle_share", plan.idle_share, 0, 0.9, violations);
  check_range("kept", real(plan.kept), 1, 10'000, violations);
  check_range("gradient_bytes", plan.gradient_bytes, 2, 4, violations);
  check_range("state_bytes", plan.state_bytes, 6, 12, violations);
  if (plan.zero) check_range("zero", real(*plan.zero), 0, 3, violations);
  if (plan.spares) check_range("spares", *plan.spares, 0, 1e7, violations);
  if (plan.power_cap) check_range("power_cap", *plan.power_cap, 1, 1e12, violations);
  if (plan.microbatch) {
    check_whole("microbatch", *plan.microbatch, violations);
    check_range("microbatch", *plan.microbatch, 1, training.global_batch, violations);
  }
  if (plan.interleave) {
    check_whole("interleave", *plan.interleave, violations);
    check_range("interleave", *plan.interleave, 1, 64, violations);
  }
  check_sizes(q.model(), plan, training, space, violations);
  if (!violations.empty()) throw base::InputError(std::move(violations));
  return space;
}

Interruptions interruptions_of(const Model& m, const TrainingPlan& found, const Sheet& sheet,
                               const PlanSpace& space, const PlanOptions& plan) {
  // All states are written once: by each chip those that replicas share out.
  const double bytes = parameters(m).total * (2 + found.training.state_bytes) / found.plan.chips();
  const double idle = real(space.chips) - found.plan.chips();
  const double asked = plan.spares ? *plan.spares + idle : -1;
  Interruptions result = interruptions(sheet, found.plan.chips(), bytes, asked);
  if (!plan.spares && result.spares < idle)  // chips without work stand by
    result = interruptions(sheet, found.plan.chips(), bytes, idle);
  return result;
}

Answer answer_of(const Question& q, const TrainingPlan& found, const Sheet& sheet,
                 const PlanSpace& space, const PlanOptions& plan) {
  Answer answer =
      train(q.model(), found.plan, sheet, found.training, q.purchase(), q.options().tokens);
  const Chip chip = chip_of(sheet);
  const Step step = training_step(q.model(), found.plan, chip, found.training);
  const Interruptions lost = interruptions_of(q.model(), found, sheet, space, plan);
  const double bought = std::max(real(space.chips), found.plan.chips() + lost.spares);
  const double longer = 1 / lost.goodput();
  answer.values["bubble"] = step.bubble / step.seconds();
  answer.values["exposed"] = step.exposed() / step.seconds();
  answer.values["goodput"] = lost.goodput();
  answer.values["elapsed_days"] = answer.at("days") * longer;
  answer.values["chip_hours"] = found.plan.chips() * answer.at("days") * 24;
  for (const char* key : {"mwh", "usd", "usd_per_million_tokens"})
    if (answer.has(key)) answer.values[key] *= longer * bought / found.plan.chips();
  return answer;
}

// The most chips of a run that draw no more than the cap, with those that stand by for them.
std::int64_t chips_within(const Sheet& sheet, const PlanOptions& plan, std::int64_t chips) {
  const auto watts = sheet.find("power.all_in");
  if (!watts)
    throw base::InputError({"plan.power", "a cap on power needs what a chip draws", "power_cap",
                            fmt::format("power.all_in of {} is not public", sheet.machine()),
                            "supply it with --set power.all_in=WATTS, or leave the cap out"});
  const auto drawn = [&](std::int64_t count) {
    const double spares =
        plan.spares ? *plan.spares : interruptions(sheet, real(count), 1, -1).spares;
    return (real(count) + spares) * *watts;
  };
  std::int64_t within = 0;  // within the cap
  for (std::int64_t beyond = chips + 1; beyond - within > 1;) {
    const std::int64_t middle = within + (beyond - within) / 2;
    (drawn(middle) <= *plan.power_cap ? within : beyond) = middle;
  }
  if (within > 0) return within;
  throw base::InputError({"plan.power", "a cap on power allows a chip at least", "power_cap",
                          fmt::format("{:.4g} kW, and a chip of {} with those that stand by draws "
                                      "{:.4g} kW",
                                      *plan.power_cap / 1e3, sheet.machine(), drawn(1) / 1e3),
                          "raise the cap, or name fewer spares"});
}

json json_of_plan(const Plan& plan, const Training& training) {
  json result = json_of(plan);
  result["cp"] = plan.cp;
  result["ep"] = training.ep;
  return result;
}

json workload_json(const Training& training) {
  json result = json_of(training);
  result["copies"] = training.copies;
  result["interleave"] = training.interleave;
  result["schedule"] = name(training.schedule);
  result["placement"] = name(training.placement);
  result["sequence_parallel"] = training.sequence_parallel;
  result["gradient_bytes"] = training.gradient_bytes;
  result["state_bytes"] = training.state_bytes;
  return result;
}

// Where an axis lies: its chips are `stride` apart, and its outermost links are of that level.
json axis_json(const Chip& chip, std::string_view axis, double size, double stride) {
  std::string links = "within a chip";
  if (size > 1) {
    links = "network";
    double reached = 1;
    for (std::size_t i = 0; i + 1 < chip.levels.size(); ++i) {
      reached *= chip.levels[i].size;
      if (stride * size > reached || chip.levels[i].bandwidth == 0) continue;
      links = fmt::format("scale-up level {}", i + 1);
      break;
    }
  }
  return {{"axis", axis}, {"size", size}, {"stride", stride}, {"links", links}};
}

json fabric_json(const Chip& chip, const TrainingPlan& found) {
  const double tp = real(found.plan.tp);
  const double cp = real(found.plan.cp);
  const double pp = real(found.plan.pp);
  const double dp = real(found.plan.dp);
  const bool are_stages_inside = found.training.placement == Placement::stages_inside;
  json axes = {axis_json(chip, "tp", tp, 1), axis_json(chip, "cp", cp, tp)};
  axes.push_back(axis_json(chip, "pp", pp, are_stages_inside ? tp * cp : tp * cp * dp));
  axes.push_back(axis_json(chip, "dp", dp, are_stages_inside ? tp * cp * pp : tp * cp));
  const double ep = real(found.training.ep);
  const bool is_apart = are_stages_inside && ep > cp;
  if (ep > 1) axes.push_back(axis_json(chip, "ep", ep, is_apart ? tp * cp * pp : tp));
  return axes;
}

json parts_json(const Step& step, const Microbatch& pass, double busiest) {
  const double each = step.microbatches;
  const double output = pass.of_output.computing() + pass.of_output.fixed;
  return {{"products", each * pass.of_layers.linear * busiest},
          {"attention", each * pass.of_layers.attention * busiest},
          {"output", each * output},
          {"launches", each * pass.of_layers.fixed * busiest},
          {"exposed_collectives", each * (step.stage - step.computing)},
          {"bubble", step.bubble},
          {"exposed_gradients", step.gradients},
          {"optimizer", step.optimizer},
          {"fixed", step.fixed},
          {"seconds", step.seconds()},
          {"microbatches", each}};
}

json row_of(const Question& q, const TrainingPlan& found, const PlanSpace& space,
            const PlanOptions& plan) {
  const Answer answer = answer_of(q, found, q.sheet(), space, plan);
  const Step step = training_step(q.model(), found.plan, q.chip(), found.training);
  const Microbatch pass = microbatch_of(q.model(), found.plan, q.chip(), found.training);
  const double busiest =
      q.model().layers > 0
          ? layers_of_stage(q.model(), found.plan, found.training) / real(q.model().layers)
          : 1;
  return {{"plan", json_of_plan(found.plan, found.training)},
          {"workload", workload_json(found.training)},
          {"bytes", found.bytes},
          {"parts", parts_json(step, pass, busiest)},
          {"values", answer.values}};
}

json interruptions_json(const Interruptions& lost) {
  return {{"hours_between_failures", lost.between_hours},
          {"checkpoint_seconds", lost.checkpoint_seconds},
          {"checkpoint_interval_seconds", lost.interval_seconds},
          {"restart_seconds", lost.restart_seconds},
          {"availability", lost.availability},
          {"spare_chips", lost.spares},
          {"stragglers", lost.straggling},
          {"effective", lost.effective},
          {"goodput", lost.goodput()}};
}

// Why nothing is left, and what to change.
std::string obstacle_text(const Question& q, const PlanSearch& search, const PlanSpace& space,
                          const Training& training) {
  if (search.smallest) {
    const TrainingPlan& least = *search.smallest;
    const MemoryNeed need = training_memory(q.model(), least.plan, q.chip(), least.training);
    return fmt::format(
        "the plan that needs least does not fit (tp {}, cp {}, ep {}, pp {}, dp {}, ZeRO-{}): "
        "{:.1f} "
        "of {:.1f} GiB a chip, {} most of all: ask for more chips, a smaller global batch or more "
        "recomputing",
        least.plan.tp, least.plan.cp, least.training.ep, least.plan.pp, least.plan.dp,
        least.training.zero, need.total() / bytes_of_gib, need.capacity / bytes_of_gib,
        need.largest().name);
  }
  Wanted wanted{.chips = space.chips, .tp = space.tp, .pp = space.pp, .dp = space.dp};
  wanted.pads_heads = space.pads_heads;
  const std::int64_t nearest = nearest_chips(q.model(), q.chip(), wanted, training.global_batch);
  return fmt::format(
      "no tp x cp x pp x dp of at least {:.0f} of {} chips has a dp that divides the {:.0f} "
      "sequences of a step and whole heads, layers and experts: {}",
      std::ceil(real(space.chips) * (1 - space.idle_share)), space.chips, training.global_batch,
      nearest > 0 ? fmt::format("ask for {} chips, a global batch with their factors, or a larger "
                                "share of idle chips",
                                nearest)
                  : "ask for a larger global batch, or fix fewer sizes");
}

}  // namespace

std::string plan_training_document(const std::string& model, const std::string& machine,
                                   const Options& options, const PlanOptions& plan) {
  const Question q(model, machine, options);
  Training training = q.training();
  training.gradient_bytes = plan.gradient_bytes;
  training.state_bytes = plan.state_bytes;
  PlanSpace space = space_of(q, plan, training);
  bool is_capped = false;
  if (plan.power_cap) {
    const std::int64_t within = chips_within(q.sheet(), plan, space.chips);
    is_capped = within < space.chips;
    if (is_capped) space.idle_share = std::max(space.idle_share, idle_under_cap);
    space.chips = within;
  }
  // Of a number that a cap leaves nobody buys more than a plan needs.
  const auto space_for = [&](const TrainingPlan& found) {
    PlanSpace own = space;
    if (is_capped) own.chips = static_cast<std::int64_t>(found.plan.chips());
    return own;
  };
  const PlanSearch search =
      search_plans(q.model(), q.chip(), training, space, static_cast<std::size_t>(plan.kept));
  json document = {{"schema", "trainyard.plan_train/1"},
                   {"model", json_of(q.model())},
                   {"machine", {{"name", q.sheet().machine()}, {"title", q.sheet().title()}}},
                   {"asked",
                    {{"chips", *options.chips},
                     {"chips_within_power", space.chips},
                     {"tokens", options.tokens},
                     {"sequence", training.sequence},
                     {"global_batch", training.global_batch}}},
                   {"counts",
                    {{"pruned", search.counts.pruned},
                     {"refused", search.counts.refused},
                     {"timed", search.counts.timed}}},
                   {"plans", json::array()}};
  if (search.best.empty()) {
    document["why"] = obstacle_text(q, search, space, training);
    return document.dump();
  }
  for (const TrainingPlan& found : search.best)
    document["plans"].push_back(row_of(q, found, space_for(found), plan));
  const TrainingPlan& best = search.best.front();
  const MemoryNeed memory = training_memory(q.model(), best.plan, q.chip(), best.training);
  document["memory"] = json_of(memory, q.chip());
  document["fabric"] = fabric_json(q.chip(), best);
  document["interruptions"] =
      interruptions_json(interruptions_of(q.model(), best, q.sheet(), space_for(best), plan));
  const auto format = static_cast<std::size_t>(best.training.format);
  document["peak_tflops"] = q.chip().peak[format] / 1e12;
  document["native"] = q.chip().native[format];
  document["price"] = price_key(q.sheet(), q.purchase());
  const Ask ask = [&](const std::vector<Sheet>& sheets) {
    return answer_of(q, best, sheets[0], space_for(best), plan);
  };
  if (options.intervals) {
    const Bracketed bracketed = bracket({q.sheet()}, ask);
    document["values"] = json_of(bracketed);
    document["unknown"] = bracketed.unknown;
  } else {
    const Answer answer = ask({q.sheet()});
    document["unknown"] = answer.unknown;
    for (const auto& [name, value] : answer.values)
      document["values"][name] = {{"value", value}, {"unit", unit_of(name)}};
  }
  return document.dump();
}

}  // namespace trainyard::planner
