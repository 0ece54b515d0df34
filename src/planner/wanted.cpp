#include "planner/wanted.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace trainyard::planner {

namespace {

constexpr std::int64_t tp_max = 64;  // of training: beyond it, shares of a layer are too small
constexpr std::int64_t stages_max = 64;
constexpr std::int64_t stages_of_serving = 16;

bool is_cut(const Model& m) { return m.family == Family::convolution; }

// Sizes of tp that are tried: powers of two and the whole domain, or what divides fixed chips.
std::vector<std::int64_t> tp_sizes(const Model& m, const Wanted& wanted, double most) {
  if (wanted.tp) return {*wanted.tp};
  std::vector<std::int64_t> sizes = sizes_to(most);
  if (wanted.chips) {
    sizes = divisors(*wanted.chips, static_cast<std::int64_t>(most));
  }
  if (!wanted.pads_heads) std::erase_if(sizes, [&](auto tp) { return !deals_heads(m, tp); });
  return sizes;
}

void add_plan(std::vector<Plan>& plans, const Plan& plan, const Wanted& wanted) {
  if (wanted.pp && plan.pp != *wanted.pp) return;
  if (wanted.dp && plan.dp != *wanted.dp) return;
  const std::int64_t chips = plan.tp * plan.pp * plan.dp;
  if (wanted.chips && *wanted.chips % chips != 0) return;
  if (wanted.batch && *wanted.batch < real(plan.dp)) return;
  if (std::ranges::find(plans, plan) == plans.end()) plans.push_back(plan);
}

std::vector<std::int64_t> or_fixed(std::vector<std::int64_t> sizes,
                                   const std::optional<std::int64_t>& fixed) {
  if (fixed) return {*fixed};
  return sizes;
}

base::Violation layout_violation(std::string rule, std::string place, std::string found,
                                 std::string fix) {
  return {"plan.layout", std::move(rule), std::move(place), std::move(found), std::move(fix)};
}

}  // namespace

std::vector<std::int64_t> sizes_to(double most) {
  std::vector<std::int64_t> result;
  for (std::int64_t size = 1; real(size) < most; size *= 2) result.push_back(size);
  result.push_back(static_cast<std::int64_t>(most));
  return result;
}

std::vector<std::int64_t> divisors(std::int64_t count, std::int64_t most) {
  std::vector<std::int64_t> result;
  for (std::int64_t size = 1; size <= std::min(count, most); ++size)
    if (count % size == 0) result.push_back(size);
  return result;
}

bool deals_heads(const Model& m, std::int64_t tp) {
  const auto whole = [&](std::int64_t heads) {
    return heads == 0 || heads % tp == 0 || tp % heads == 0;
  };
  return whole(m.heads) && (m.latent.kv_rank > 0 || whole(m.kv_heads));
}

std::vector<base::Violation> find_violations(const Model& m, const Wanted& wanted,
                                             const Training* training) {
  std::vector<base::Violation> found;
  if (wanted.tp && !wanted.pads_heads && !deals_heads(m, *wanted.tp)) {
    const std::int64_t heads = m.heads % *wanted.tp != 0 ? m.heads : m.kv_heads;
    std::vector<std::int64_t> whole = divisors(m.heads, 256);
    std::erase_if(whole, [&](auto tp) { return !deals_heads(m, tp); });
    found.push_back(layout_violation(
        "tp shares out whole heads", "tp", fmt::format("{} heads over {} chips", heads, *wanted.tp),
        fmt::format("name one of {}, or pads_heads where the software pads them",
                    fmt::join(whole, ", "))));
  }
  if (wanted.pp && *wanted.pp > std::max<std::int64_t>(1, is_cut(m) ? 1 : m.layers)) {
    found.push_back(layout_violation("a stage has a layer at least", "pp",
                                     fmt::format("{} stages of {} layers", *wanted.pp, m.layers),
                                     "name fewer stages"));
  }
  const std::int64_t fixed = wanted.tp.value_or(1) * wanted.pp.value_or(1) * wanted.dp.value_or(1);
  const bool is_training = training != nullptr;
  if (wanted.chips && (*wanted.chips % fixed != 0 || (is_training && wanted.tp && wanted.pp &&
                                                      wanted.dp && fixed != *wanted.chips))) {
    found.push_back(layout_violation(
        is_training ? "tp x pp x dp are the chips" : "chips hold whole replicas of tp x pp x dp",
        "chips", fmt::format("{} chips, replicas of {}", *wanted.chips, fixed),
        fmt::format("name {}", is_training && wanted.dp ? fmt::format("{} chips", fixed)
                                                        : fmt::format("a multiple of {}", fixed))));
  }
  if (!is_training && wanted.batch && wanted.dp && *wanted.batch < real(*wanted.dp)) {
    found.push_back(layout_violation("each of dp groups has a request at least", "batch",
                                     fmt::format("{} at once, dp {}", *wanted.batch, *wanted.dp),
                                     fmt::format("name at least {}", *wanted.dp)));
  }
  if (is_training && wanted.dp && std::fmod(training->global_batch, real(*wanted.dp)) != 0) {
    found.push_back(layout_violation(
        "dp divides the sequences of a step", "dp",
        fmt::format("{} sequences over {} replicas", training->global_batch, *wanted.dp),
        "correct dp or global_batch"));
  }
  return found;
}

std::vector<Plan> serving_plans(const Model& m, const Chip& chip, const Wanted& wanted) {
  std::vector<Plan> result;
  const double system = std::min(chip.domain(), chip.system_chips);
  const std::vector<std::int64_t> sizes = tp_sizes(m, wanted, system);
  for (const std::int64_t tp : sizes) {
    for (const std::int64_t dp : or_fixed({1}, wanted.dp))
      for (const std::int64_t pp : or_fixed({1}, wanted.pp))
        add_plan(result, {.tp = tp, .pp = pp, .dp = dp}, wanted);
    if (is_cut(m)) continue;
    const std::vector<std::int64_t> more =
        wanted.chips ? divisors(*wanted.chips, static_cast<std::int64_t>(chip.domain()))
                     : sizes_to(system);
    for (const std::int64_t dp : more)
      if (m.experts > 0 && real(tp * dp) <= chip.domain())
        add_plan(result, {.tp = tp, .pp = wanted.pp.value_or(1), .dp = dp}, wanted);
    for (const std::int64_t pp : more)
      if (tp == sizes.back() && !wanted.tp && pp <= std::min(stages_of_serving, m.layers))
        add_plan(result, {.tp = tp, .pp = pp, .dp = wanted.dp.value_or(1)}, wanted);
  }
  return result;
}

std::vector<Plan> training_plans(const Model& m, const Chip& chip, const Wanted& wanted,
                                 double global_batch) {
  std::vector<Plan> result;
  const std::int64_t chips = wanted.chips.value_or(0);
  const bool is_fixed = wanted.tp && wanted.pp && wanted.dp;
  if (is_fixed) return {{.tp = *wanted.tp, .pp = *wanted.pp, .dp = *wanted.dp}};
  const double most = std::min({chip.domain(), real(tp_max), real(chips)});
  Wanted sizes = wanted;
  sizes.chips.reset();  // powers of two: what does not divide the chips is left out below
  for (const std::int64_t tp : tp_sizes(m, sizes, most)) {
    const std::int64_t stages = is_cut(m) ? 1 : std::min(stages_max, m.layers);
    for (std::int64_t pp = 1; pp <= std::max(stages, wanted.pp.value_or(1)); ++pp) {
      if (wanted.pp && pp != *wanted.pp) continue;
      if (chips % (tp * pp) != 0) continue;
      const std::int64_t dp = chips / (tp * pp);
      if (wanted.dp && dp != *wanted.dp) continue;
      if (dp < 1 || std::fmod(global_batch, real(dp)) != 0) continue;
      result.push_back({.tp = tp, .pp = pp, .dp = dp});
    }
  }
  return result;
}

std::int64_t nearest_chips(const Model& m, const Chip& chip, const Wanted& wanted,
                           double global_batch) {
  const auto chips = wanted.chips.value_or(0);
  const auto sequences = static_cast<std::int64_t>(global_batch);
  Wanted sizes = wanted;
  sizes.chips.reset();
  std::int64_t best = 0;
  const std::vector<std::int64_t> replicas = divisors(sequences, chips);
  for (const std::int64_t tp : tp_sizes(m, sizes, std::min(chip.domain(), real(tp_max)))) {
    for (std::int64_t pp = 1; pp <= std::max<std::int64_t>(1, std::min(stages_max, m.layers));
         ++pp) {
      if ((wanted.pp && pp != *wanted.pp) || (is_cut(m) && pp > 1)) continue;
      for (const std::int64_t dp : or_fixed(replicas, wanted.dp))
        if (tp * pp * dp <= chips) best = std::max(best, tp * pp * dp);
    }
  }
  return best;
}

}  // namespace trainyard::planner
