#include "planner/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>

#include "base/stable_sort.h"

namespace trainyard::planner {

namespace {

constexpr std::size_t alternatives_max = 8;
constexpr std::int64_t chips_max = 65'536;

// Of the plans over exactly `chips` chips that keep to `wanted`, the one whose chips hold least:
// tp within the domain, stages of at least a layer, groups of at least a request. Nothing where
// there is none.
std::optional<Plan> spread(const Model& m, const Chip& chip, const Serving& serving,
                           const Wanted& wanted, std::int64_t chips) {
  std::optional<Plan> best;
  double least = 0;
  const auto domain = static_cast<std::int64_t>(std::max(1.0, chip.domain()));
  for (const std::int64_t tp : divisors(chips, wanted.tp.value_or(domain))) {
    if (wanted.tp ? tp != *wanted.tp : !wanted.pads_heads && !deals_heads(m, tp)) continue;
    for (const std::int64_t pp : divisors(chips / tp, std::max<std::int64_t>(1, m.layers))) {
      const Plan plan{.tp = tp, .pp = pp, .dp = chips / (tp * pp)};
      if (wanted.pp && pp != *wanted.pp) continue;
      if (wanted.dp ? plan.dp != *wanted.dp : real(plan.dp) > serving.batch) continue;
      const double bytes = serving_memory(m, plan, chip, serving).total();
      if (best && bytes > least) continue;
      best = plan;
      least = bytes;
    }
  }
  return best;
}

// The most chips up to `chips` that spread() has a plan for, and the layout of it as a fix.
[[noreturn]] void refuse_chips(const Model& m, std::int64_t chips,
                               const std::function<bool(std::int64_t)>& is_possible) {
  std::int64_t nearest = chips - 1;
  while (nearest > 0 && !is_possible(nearest)) --nearest;
  throw base::InputError(
      {"plan.layout", "chips are tp x pp x dp: whole heads, stages of a layer, groups of a request",
       "chips", fmt::format("{} chips for {} heads and {} layers", chips, m.heads, m.layers),
       nearest > 0 ? fmt::format("ask for {} chips, or a larger batch", nearest)
                   : "leave tp, pp and dp to be chosen"});
}

std::string describe(const Plan& plan) {
  std::string text =
      fmt::format("{:.0f} chip{}: tp {}", plan.chips(), plan.chips() == 1 ? "" : "s", plan.tp);
  if (plan.pp > 1) text += fmt::format(", pp {}", plan.pp);
  if (plan.dp > 1) text += fmt::format(", dp {}", plan.dp);
  return text;
}

double largest_batch(const Model& m, const Plan& plan, const Chip& chip, Serving serving) {
  double fitting = 0;
  for (serving.batch = 1; serving.batch <= 65'536; serving.batch *= 2) {
    if (!serving_memory(m, plan, chip, serving).fits()) break;
    fitting = serving.batch;
  }
  double step = fitting / 2;  // between that power of two and the next
  for (double batch = fitting; step >= 1; step /= 2) {
    serving.batch = batch + step;
    if (!serving_memory(m, plan, chip, serving).fits()) continue;
    batch = fitting = serving.batch;
  }
  return fitting;
}

Layout serving_layout(const Model& m, const Chip& chip, const Serving& asked, const Serving& chosen,
                      const Plan& plan) {
  Layout layout{.plan = plan, .memory = serving_memory(m, plan, chip, chosen)};
  std::string changed;
  if (chosen.weights != asked.weights) changed += fmt::format("{} weights, ", name(chosen.weights));
  if (chosen.cache != asked.cache) changed += fmt::format("{} cache, ", name(chosen.cache));
  layout.changes = (chosen.weights != asked.weights) + (chosen.cache != asked.cache);
  layout.what = changed + describe(plan);
  layout.batch_max = largest_batch(m, plan, chip, chosen);
  return layout;
}

// The first of `start`, twice it, four times it, ... chips that `fits` accepts; nothing beyond
// chips_max.
std::int64_t fewest(std::int64_t start, const std::function<bool(std::int64_t)>& fits) {
  for (std::int64_t chips = start; chips <= chips_max; chips *= 2)
    if (fits(chips)) return chips;
  return 0;
}

// Chips that the fixed sizes make.
std::int64_t fixed_chips(const Wanted& wanted) {
  return wanted.tp.value_or(1) * wanted.pp.value_or(1) * wanted.dp.value_or(1);
}

void rank(std::vector<Layout>& layouts) {
  base::stable_sort(layouts, [](const Layout& a, const Layout& b) {
    return std::pair(a.plan.chips(), a.changes) < std::pair(b.plan.chips(), b.changes);
  });
  if (layouts.size() > alternatives_max) layouts.resize(alternatives_max);
}

struct Recipe {
  Recompute recompute;
  bool zero;
};
constexpr auto recipes = std::to_array<Recipe>({{Recompute::none, true},
                                                {Recompute::selective, true},
                                                {Recompute::full, true},
                                                {Recompute::selective, false},
                                                {Recompute::full, false}});

std::vector<Layout> training_layouts(const Model& m, const Chip& chip, const Training& asked,
                                     Wanted wanted, std::int64_t chips) {
  std::vector<Layout> result;
  wanted.chips = chips;
  for (const Plan& plan : training_plans(m, chip, wanted, asked.global_batch)) {
    for (const Recipe& recipe : recipes) {
      if (wanted.recompute && recipe.recompute != *wanted.recompute) continue;
      Training chosen = asked;
      chosen.recompute = recipe.recompute;
      chosen.zero = recipe.zero ? std::max(1, asked.zero) : 0;
      Layout layout{.plan = plan, .memory = training_memory(m, plan, chip, chosen)};
      layout.changes = (chosen.recompute != asked.recompute) + (chosen.zero != asked.zero);
      layout.what =
          fmt::format("{}, {} recomputed{}", describe(plan), name(chosen.recompute),
                      chosen.zero > 0 ? fmt::format(", ZeRO-{}", chosen.zero) : std::string());
      result.push_back(std::move(layout));
    }
  }
  // What is nearest to the question stands first, of those what needs the least memory.
  base::stable_sort(result, [](const Layout& a, const Layout& b) {
    return std::pair(a.changes, a.memory.total()) < std::pair(b.changes, b.memory.total());
  });
  return result;
}

}  // namespace

Fit fit_serving(const Model& m, const Chip& chip, const Serving& serving, const Wanted& wanted) {
  const std::int64_t fixed = fixed_chips(wanted);
  const auto smallest = [&](const Serving& chosen) {
    return fewest(fixed, [&](std::int64_t count) {
      const auto plan = spread(m, chip, chosen, wanted, count);
      return plan && serving_memory(m, *plan, chip, chosen).fits();
    });
  };
  const auto is_possible = [&](std::int64_t count) {
    return spread(m, chip, serving, wanted, count).has_value();
  };
  const std::int64_t chips = wanted.chips.value_or(std::max(fixed, smallest(serving)));
  const auto asked = spread(m, chip, serving, wanted, chips);
  if (!asked) refuse_chips(m, chips, is_possible);
  Fit fit{.asked = serving_layout(m, chip, serving, serving, *asked), .alternatives = {}};
  for (const Format weights : {Format::bf16, Format::fp8, Format::fp4}) {
    for (const Format cache : {Format::bf16, Format::fp8}) {
      Serving chosen = serving;
      if (weights != serving.weights) chosen.stored_bytes = 0;
      chosen.weights = weights;
      chosen.cache = cache;
      const std::int64_t count = smallest(chosen);
      if (count == 0) continue;
      const Plan plan = spread(m, chip, chosen, wanted, count).value();
      if (plan == fit.asked.plan && weights == serving.weights && cache == serving.cache) continue;
      fit.alternatives.push_back(serving_layout(m, chip, serving, chosen, plan));
    }
  }
  rank(fit.alternatives);
  return fit;
}

Fit fit_training(const Model& m, const Chip& chip, const Training& training, const Wanted& wanted) {
  const auto first_that_fits = [&](std::int64_t count) -> std::optional<Layout> {
    std::vector<Layout> layouts = training_layouts(m, chip, training, wanted, count);
    if (layouts.empty()) return std::nullopt;
    const auto found =
        std::ranges::find_if(layouts, [](const Layout& l) { return l.memory.fits(); });
    return found == layouts.end() ? std::move(layouts.front()) : std::move(*found);
  };
  const std::int64_t fixed = fixed_chips(wanted);
  const std::int64_t smallest = fewest(fixed, [&](std::int64_t count) {
    const auto layout = first_that_fits(count);
    return layout && layout->memory.fits();
  });
  const std::int64_t chips = wanted.chips.value_or(std::max(fixed, smallest));
  auto asked = first_that_fits(chips);
  if (!asked) {
    Wanted limited = wanted;
    limited.chips = chips;
    const std::int64_t nearest = nearest_chips(m, chip, limited, training.global_batch);
    refuse_chips(m, chips, [&](std::int64_t count) { return count == nearest; });
  }
  Fit fit{.asked = std::move(*asked), .alternatives = {}};
  for (const std::int64_t count : {smallest, chips, chips * 2, chips * 4}) {
    if (count == 0 || count > chips_max) continue;
    for (Layout& layout : training_layouts(m, chip, training, wanted, count)) {
      const bool known =
          layout.what == fit.asked.what ||
          std::ranges::find(fit.alternatives, layout.what, &Layout::what) != fit.alternatives.end();
      if (layout.memory.fits() && !known) fit.alternatives.push_back(std::move(layout));
    }
  }
  rank(fit.alternatives);
  return fit;
}

}  // namespace trainyard::planner
