#include "serving/replica.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "planner/forward.h"
#include "planner/memory.h"
#include "planner/read_model.h"
#include "planner/serving.h"
#include "serving/groups.h"

namespace trainyard::serving {

namespace {

[[noreturn]] void refuse(std::string_view label, std::string rule, std::string place,
                         std::string found, std::string fix) {
  throw base::InputError(
      {std::string(label), std::move(rule), std::move(place), std::move(found), std::move(fix)});
}

planner::Format format_from(std::string_view option, const std::string& word) {
  for (const auto format : {planner::Format::bf16, planner::Format::fp8, planner::Format::fp4})
    if (planner::name(format) == word) return format;
  refuse("plan.format", "a format is bf16, fp8 or fp4", std::string(option), word,
         "name one of them");
}

// What the formulas need of a plan.
struct Setting {
  planner::Model model;
  planner::Sheet sheet;
  planner::Chip chip;
  planner::Plan plan;
  planner::Format weights, cache;
};

void check_experts(const ReplicaPlan& plan, const planner::Model& model, std::int64_t chips,
                   std::int64_t cores) {
  if (plan.plan.experts != planner::ExpertLayout::whole) return;
  if (model.experts > 0 && model.experts % (chips * cores) == 0) return;
  refuse("serve.experts", "each core of a replica has as many whole experts", "ep",
         fmt::format("{} experts on {} chip{} of {} cores", model.experts, chips,
                     chips == 1 ? "" : "s", cores),
         "use chips whose cores divide the experts (--tp, --dp), or divide each expert (--ep no)");
}

Setting setting_of(const ReplicaPlan& plan) {
  planner::Model model = planner::load_model(plan.model);
  if (model.family != planner::Family::decoder)
    refuse("serve.family", "requests for tokens are served by a decoder", "model",
           std::string(planner::name(model.family)), "name a language model");
  if (plan.plan.tp < 1 || plan.plan.dp < 1 || plan.plan.pp != 1)
    refuse("serve.plan", "a replica has one stage, and one chip at least",
           plan.plan.tp < 1   ? "tp"
           : plan.plan.dp < 1 ? "dp"
                              : "pp",
           fmt::format("tp {}, dp {}, pp {}", plan.plan.tp, plan.plan.dp, plan.plan.pp),
           "name tp, and dp of experts, without pp");
  const planner::Sheet sheet =
      planner::Sheet(machine::load_accelerator(plan.machine), economics::load_prices())
          .without_software()
          .with_settings(plan.settings);
  planner::Chip chip = planner::chip_of(sheet);
  check_experts(plan, model, plan.plan.tp * plan.plan.dp,
                static_cast<std::int64_t>(chip.logical_cores));
  return {std::move(model),
          sheet,
          std::move(chip),
          plan.plan,
          format_from("weights", plan.weights),
          format_from("cache", plan.cache)};
}

// Of the layers that guess, with the model's own head.
Setting drafting_of(const Setting& whole, const ReplicaPlan& plan) {
  if (plan.draft_layers < 0 || plan.draft_layers >= whole.model.layers)
    refuse("serve.draft", "fewer layers than all guess tokens", "draft_layers",
           fmt::format("{} of {}", plan.draft_layers, whole.model.layers), "name fewer");
  Setting found = whole;
  if (plan.draft_layers == 0) return found;
  found.model.layers = plan.draft_layers;
  std::int64_t left = plan.draft_layers;  // kinds come in the order of their first layers
  for (planner::LayerKind& kind : found.model.kinds) {
    kind.count = std::min(kind.count, left);
    left -= kind.count;
  }
  std::erase_if(found.model.kinds, [](const planner::LayerKind& kind) { return kind.count == 0; });
  return found;
}

planner::Pass pass_at(const Setting& s, const ReplicaPlan& plan, CostPhase phase, double row,
                      double column) {
  const bool is_prompt = phase == CostPhase::prefill;
  return {.samples = is_prompt ? 1 : row,
          .tokens = is_prompt ? row : 1.0 + plan.draft_tokens,
          .context = column,
          .format = s.weights,
          .cache = s.cache};
}

struct PassCost {
  StepCost whole;
  PassParts parts;
};

PassCost cost_of_pass(const Setting& s, const planner::Pass& pass, double fixed,
                      std::optional<planner::LayerSeconds> simulated) {
  planner::Work work =
      planner::forward(s.model, s.plan, s.chip, pass, {.seconds = simulated, .why = {}});
  work.fixed += fixed;
  const double time = planner::seconds(work, s.chip);
  const double launches = work.fixed + s.chip.fixed_step;
  return {.whole = {time, planner::joules(s.plan, s.chip, work, s.weights, time)},
          .parts = {std::max(0.0, time - work.computing() - launches), launches}};
}

CostTable table(const std::vector<double>& rows, const std::vector<double>& columns,
                const std::function<PassCost(double, double)>& cost) {
  std::vector<double> seconds, joules;
  std::vector<PassParts> parts;
  for (const double row : rows) {
    for (const double column : columns) {
      const PassCost one = cost(row, column);
      seconds.push_back(one.whole.seconds);
      joules.push_back(one.whole.joules);
      parts.push_back(one.parts);
    }
  }
  return {rows, columns, std::move(seconds), std::move(joules), parts};
}

// Windows that no request of `context` tokens is longer than keep all of it.
Groups groups_of(const planner::Model& model, double context) {
  std::vector<CachedLayers> layers;
  for (const planner::LayerKind& kind : model.kinds) {
    const auto count = static_cast<double>(kind.count);
    const auto window = static_cast<double>(kind.window);
    layers.push_back(
        {window < context ? static_cast<std::int32_t>(kind.window) : 0, count * kind.cached});
    layers.push_back({0, count * (kind.selection.cached + kind.selection.searched)});
  }
  return group_layers(layers);
}

void add_links(Replica& replica, const planner::Chip& chip) {
  const planner::Level* level = &chip.levels.back();
  if (2 * replica.chips <= chip.domain())
    for (std::size_t i = 0; i + 1 < chip.levels.size(); ++i)
      if (chip.levels[i].size > 1 && chip.levels[i].bandwidth > 0) level = &chip.levels[i];
  replica.send_bytes_per_second = replica.chips * level->bandwidth;
  replica.send_latency = level->latency + level->step;
  replica.send_joules_per_byte = chip.energy_link_byte;
}

}  // namespace

Replica describe_replica(const ReplicaPlan& plan, double prompt, double context) {
  const Setting s = setting_of(plan);
  planner::Serving serving{.input = prompt, .output = std::max(1.0, context - prompt), .batch = 1};
  serving.weights = s.weights;
  serving.cache = s.cache;
  const planner::MemoryNeed need = planner::serving_memory(s.model, s.plan, s.chip, serving);
  double fixed = 0;
  for (const planner::MemoryPart& part : need.parts)
    if (part.name != "KV cache") fixed += part.bytes;
  double weights = 0;
  for (const planner::MemoryPart& part : need.parts)
    if (part.name == "weights") weights += part.bytes;
  const double chips = s.plan.chips();
  const double element = planner::cache_share(s.model, s.plan, s.chip.logical_cores) *
                         planner::bytes_of(s.cache);  // of a chip that has the token
  const Groups layers = groups_of(s.model, context);
  const double bytes = layers.elements * element;
  // Of each group, behind a window with what is read at once.
  double held = 0;
  for (const std::int32_t window : layers.windows)
    held += window == 0 ? context : std::min(context, window + prompt);
  Replica replica{.chips = chips,
                  .system_chips = s.chip.system_chips,
                  .experts = s.model.experts,
                  .weight_bytes = weights};
  add_links(replica, s.chip);
  replica.windows = layers.windows;
  replica.cache_bytes_per_token =
      planner::kv_elements(s.model) * element * static_cast<double>(s.plan.tp);
  replica.group_bytes_per_token = bytes * static_cast<double>(s.plan.tp);
  const double state =
      planner::kept_by_chip(s.model, s.plan, s.chip.logical_cores, 0) * planner::bytes_of(s.cache);
  replica.state_bytes = state * static_cast<double>(s.plan.tp);
  const double room = need.capacity - fixed;
  const auto groups = static_cast<double>(s.plan.dp);
  const double asked = std::ceil(plan.requests_max / groups);  // of a group
  const double requests =
      state > 0 ? std::min(asked, std::floor((room - held * bytes) / state)) : asked;
  replica.requests_max =
      std::min<std::int64_t>(plan.requests_max, static_cast<std::int64_t>(requests * groups));
  // Without attention, tokens take no room.
  const double tokens = bytes > 0 ? (room - requests * state) / bytes : requests * held;
  replica.cache_tokens = tokens * groups;
  if (!(requests >= 1 && tokens >= held))
    refuse("serve.fit", fmt::format("a request of {:g} tokens fits beside the weights", context),
           fmt::format("{} on {}, tp {}, dp {}", plan.model, plan.machine, s.plan.tp, s.plan.dp),
           fmt::format("{:.1f} GiB of a chip are needed without its cache, {:.1f} are there",
                       fixed / 1073741824, need.capacity / 1073741824),
           "use more chips (--tp), a narrower format (--weights, --cache) or a shorter context");
  replica.idle_watts = chips * s.chip.idle;
  replica.provisioned_watts = s.sheet.find("power.all_in");
  replica.usd_per_hour = planner::hourly_rate(s.sheet, plan.purchase, replica.unknown);
  for (const char* key : {"energy.flop_bf16", "energy.hbm_byte", "energy.link_byte", "power.idle"})
    if (!s.sheet.find(key)) replica.unknown.emplace_back(key);
  return replica;
}

planner::LayerPass replica_layers(const ReplicaPlan& plan, CostPhase phase, double row,
                                  double column, std::int64_t cores) {
  const Setting s = setting_of(plan);
  const planner::Pass pass = pass_at(s, plan, phase, row, column);
  const auto layers =
      phase == CostPhase::prefill ? planner::prefill_layers : planner::decode_layers;
  return layers(s.model, s.chip, s.plan, pass, cores);
}

StepCosts replica_costs(const ReplicaPlan& plan, const CostGrid& grid,
                        const LayerTimes& simulated) {
  const Setting s = setting_of(plan);
  const Setting drafting = drafting_of(s, plan);
  const auto times = [&](CostPhase phase, double row, double column) {
    return simulated ? simulated(phase, row, column) : std::nullopt;
  };
  const auto prefill = [&](double tokens, double behind) {
    const planner::Pass pass = pass_at(s, plan, CostPhase::prefill, tokens, behind);
    return cost_of_pass(s, pass, s.chip.fixed_prefill, times(CostPhase::prefill, tokens, behind));
  };
  const auto decode = [&](double requests, double context) {
    const planner::Pass pass = pass_at(s, plan, CostPhase::decode, requests, context);
    PassCost cost = cost_of_pass(s, pass, 0, times(CostPhase::decode, requests, context));
    if (plan.draft_layers == 0) return cost;
    planner::Pass guess = pass;
    guess.tokens = 1;
    const PassCost each = cost_of_pass(drafting, guess, 0, {});
    cost.whole.seconds += plan.draft_tokens * each.whole.seconds;
    cost.whole.joules += plan.draft_tokens * each.whole.joules;
    cost.parts.collectives += plan.draft_tokens * each.parts.collectives;
    cost.parts.launches += plan.draft_tokens * each.parts.launches;
    return cost;
  };
  return {.prefill = table(grid.chunks, grid.behind, prefill),
          .decode = table(grid.requests, grid.contexts, decode)};
}

}  // namespace trainyard::serving
