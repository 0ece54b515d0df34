#include "planner/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "base/stable_sort.h"

namespace trainyard::planner {

namespace {

constexpr std::size_t alternatives_max = 8;
constexpr std::int64_t chips_max = 65'536;

// tp within the domain, the rest as stages: what holds most.
Plan spread(const Model& m, const Chip& chip, std::int64_t chips) {
  const auto domain = static_cast<std::int64_t>(chip.domain());
  Plan plan{.tp = std::min(chips, std::max<std::int64_t>(1, domain))};
  plan.pp = std::max<std::int64_t>(1, std::min(chips / plan.tp, m.layers));
  return plan;
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

// The first power of two of chips that `fits` accepts; nothing beyond chips_max.
std::int64_t fewest(const std::function<bool(std::int64_t)>& fits) {
  for (std::int64_t chips = 1; chips <= chips_max; chips *= 2)
    if (fits(chips)) return chips;
  return 0;
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

// Training plans over `chips`: some as tp, some as stages, the rest as replicas.
std::vector<Plan> training_plans(const Model& m, const Chip& chip, std::int64_t chips) {
  std::vector<Plan> result;
  const double domain = std::max(1.0, chip.domain());
  for (std::int64_t tp = 1; tp <= chips && real(tp) <= std::min(domain, 64.0); tp *= 2) {
    for (std::int64_t pp = 1; tp * pp <= chips && pp <= m.layers && pp <= 64; pp *= 2)
      result.push_back({.tp = tp, .pp = pp, .dp = chips / (tp * pp)});
  }
  return result;
}

std::vector<Layout> training_layouts(const Model& m, const Chip& chip, const Training& asked,
                                     std::int64_t chips) {
  std::vector<Layout> result;
  for (const Plan& plan : training_plans(m, chip, chips)) {
    for (const Recipe& recipe : recipes) {
      Training chosen = asked;
      chosen.recompute = recipe.recompute;
      chosen.zero = recipe.zero;
      Layout layout{.plan = plan, .memory = training_memory(m, plan, chip, chosen)};
      layout.changes = (chosen.recompute != asked.recompute) + (chosen.zero != asked.zero);
      layout.what = fmt::format("{}, {} recomputed{}", describe(plan), name(chosen.recompute),
                                chosen.zero ? ", ZeRO-1" : "");
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

Fit fit_serving(const Model& m, const Chip& chip, const Serving& serving, std::int64_t chips) {
  const auto smallest = [&](const Serving& chosen) {
    return fewest([&](std::int64_t count) {
      return serving_memory(m, spread(m, chip, count), chip, chosen).fits();
    });
  };
  if (chips == 0) chips = std::max<std::int64_t>(1, smallest(serving));
  Fit fit{.asked = serving_layout(m, chip, serving, serving, spread(m, chip, chips)),
          .alternatives = {}};
  for (const Format weights : {Format::bf16, Format::fp8, Format::fp4}) {
    for (const Format cache : {Format::bf16, Format::fp8}) {
      Serving chosen = serving;
      chosen.weights = weights;
      chosen.cache = cache;
      const std::int64_t count = smallest(chosen);
      if (count == 0) continue;
      const Plan plan = spread(m, chip, count);
      if (plan == fit.asked.plan && weights == serving.weights && cache == serving.cache) continue;
      fit.alternatives.push_back(serving_layout(m, chip, serving, chosen, plan));
    }
  }
  rank(fit.alternatives);
  return fit;
}

Fit fit_training(const Model& m, const Chip& chip, const Training& training, std::int64_t chips) {
  const auto first_that_fits = [&](std::int64_t count) {
    std::vector<Layout> layouts = training_layouts(m, chip, training, count);
    const auto found =
        std::ranges::find_if(layouts, [](const Layout& l) { return l.memory.fits(); });
    return found == layouts.end() ? std::move(layouts.front()) : std::move(*found);
  };
  const std::int64_t smallest =
      fewest([&](std::int64_t count) { return first_that_fits(count).memory.fits(); });
  if (chips == 0) chips = std::max<std::int64_t>(1, smallest);
  Fit fit{.asked = first_that_fits(chips), .alternatives = {}};
  for (const std::int64_t count : {smallest, chips, chips * 2, chips * 4}) {
    if (count == 0 || count > chips_max) continue;
    for (Layout& layout : training_layouts(m, chip, training, count)) {
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
