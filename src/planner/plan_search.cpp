#include "planner/plan_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "base/stable_sort.h"

namespace trainyard::planner {

namespace {

constexpr std::int64_t tp_most = 64;  // beyond it, shares of a layer are too small
constexpr std::int64_t cp_most = 256;
constexpr std::int64_t pieces_most = 16;     // of a stage's layers
constexpr std::int64_t microbatch_most = 8;  // sequences
constexpr auto recomputes = std::to_array<Recompute>(
    {Recompute::none, Recompute::selective, Recompute::mlp, Recompute::full});

// The steps of a microbatch by what is recomputed and whether tp shares out sequences.
using Passes = std::array<std::optional<Microbatch>, 2 * recomputes.size()>;

std::vector<std::int64_t> or_only(const std::optional<std::int64_t>& fixed,
                                  std::vector<std::int64_t> sizes) {
  if (fixed) return {*fixed};
  return sizes;
}

template <typename T>
bool keeps_to(const std::optional<T>& fixed, T value) {
  return !fixed || *fixed == value;
}

class Search {
 public:
  Search(const Model& model, const Chip& chip, const Training& training, const PlanSpace& space)
      : m_(model),
        chip_(chip),
        asked_(training),
        space_(space),
        parameters_(parameters(model)),
        replicas_(or_only(
            space.dp, divisors(static_cast<std::int64_t>(training.global_batch), space.chips))) {}

  PlanSearch run(std::size_t kept) {
    for (const std::int64_t tp : tensor_sizes())
      for (const std::int64_t cp : context_sizes(tp))
        for (const std::int64_t ep : expert_sizes()) try_shares(tp, cp, ep);
    for (auto& [sizes, plan] : best_) found_.best.push_back(plan);
    base::stable_sort(found_.best, std::ranges::less{}, &TrainingPlan::seconds);
    if (found_.best.size() > kept) found_.best.resize(kept);
    return std::move(found_);
  }

 private:
  [[nodiscard]] std::vector<std::int64_t> tensor_sizes() const {
    if (space_.tp) return {*space_.tp};
    const double most = std::min({chip_.domain(), real(tp_most), real(space_.chips)});
    std::vector<std::int64_t> sizes;
    for (std::int64_t tp = 1; real(tp) <= most; ++tp)
      if (tp == 1 || space_.pads_heads || deals_heads(m_, tp)) sizes.push_back(tp);
    return sizes;
  }

  [[nodiscard]] std::vector<std::int64_t> context_sizes(std::int64_t tp) const {
    if (space_.cp) return {*space_.cp};
    if (m_.family != Family::decoder) return {1};
    return divisors(static_cast<std::int64_t>(asked_.sequence),
                    std::min(cp_most, space_.chips / tp));
  }

  [[nodiscard]] std::vector<std::int64_t> expert_sizes() const {
    if (m_.experts == 0) return {1};
    return or_only(space_.ep, divisors(m_.experts, m_.experts));
  }

  // Chips of tp, cp and ep are one thing to time for every number of stages and replicas.
  void try_shares(std::int64_t tp, std::int64_t cp, std::int64_t ep) {
    const auto sequences = static_cast<std::int64_t>(asked_.global_batch);
    for (std::int64_t size = 1; size <= microbatch_most; ++size) {
      if (space_.microbatch && size > 1) break;
      training_ = asked_;
      training_.ep = ep;
      training_.microbatch = space_.microbatch.value_or(real(size));
      near_ = {};
      apart_.clear();
      for (const std::int64_t dp : replicas_) {
        if (std::fmod(real(sequences), training_.microbatch * real(dp)) != 0) continue;
        const bool is_inside = ep <= cp ? cp % ep == 0 : ep % cp == 0 && (dp * cp) % ep == 0;
        if (!is_inside) {
          ++found_.counts.pruned;
          continue;
        }
        try_stages({.tp = tp, .pp = 1, .dp = dp, .cp = cp});
      }
    }
  }

  void try_stages(Plan plan) {
    const double chips = plan.chips();
    const double least = std::ceil(real(space_.chips) * (1 - space_.idle_share));
    const bool is_cut = m_.family == Family::convolution;
    const std::int64_t most =
        std::min(static_cast<std::int64_t>(real(space_.chips) / chips),
                 is_cut ? std::int64_t{1} : std::max<std::int64_t>(1, m_.layers));
    auto stages = static_cast<std::int64_t>(std::ceil(least / chips));
    for (stages = std::max<std::int64_t>(1, stages); stages <= most; ++stages) {
      if (!keeps_to(space_.pp, stages)) continue;
      plan.pp = stages;
      plan_ = plan;
      fastest_.reset();
      for (const Placement placement : {Placement::stages_inside, Placement::replicas_inside}) {
        if (!keeps_to(space_.placement, placement)) continue;
        const bool is_same = plan.pp == 1 || plan.dp == 1;
        if (is_same && placement != space_.placement.value_or(Placement::stages_inside)) continue;
        training_.placement = placement;
        try_schedules();
      }
      keep_fastest();
    }
  }

  void try_schedules() {
    const double microbatches = asked_.global_batch / (training_.microbatch * real(plan_.dp));
    for (const Schedule schedule :
         {Schedule::one_forward_one_backward, Schedule::zb_h1, Schedule::zb_h2}) {
      if (!keeps_to(space_.schedule, schedule)) continue;
      const bool is_plain = schedule == Schedule::one_forward_one_backward;
      if (plan_.pp == 1 && !is_plain && !space_.schedule) continue;
      const std::int64_t most =
          is_plain && plan_.pp > 1 ? (m_.layers + plan_.pp - 1) / plan_.pp : 1;
      for (std::int64_t turns = 1; turns <= std::min(most, pieces_most); ++turns) {
        if (!keeps_to(space_.interleave, real(turns)) && plan_.pp > 1 && is_plain) continue;
        // Megatron's rule: pieces take turns on whole rounds of microbatches.
        if (turns > 1 && std::fmod(microbatches, real(plan_.pp)) != 0) {
          ++found_.counts.pruned;
          continue;
        }
        training_.schedule = schedule;
        training_.interleave = real(turns);
        try_variants();
      }
    }
  }

  void try_variants() {
    const Owned owned = owned_by_chip(m_, parameters_, plan_, training_);
    const std::vector<std::int64_t> copies = numbers_of_copies();
    std::vector<std::optional<Exchange>> exchanges(copies.size());
    std::optional<Exchange> whole;  // sums of whole gradients, without ZeRO
    const bool is_alone = plan_.dp * plan_.cp == 1;
    for (int zero = 0; zero <= (is_alone && !space_.zero ? 0 : 3); ++zero) {
      if (!keeps_to(space_.zero, std::int64_t{zero})) continue;
      training_.zero = zero;
      training_.copies = 1;
      if (zero == 0 && keeps_to(space_.copies, std::int64_t{1})) try_kept(owned, whole);
      for (std::size_t i = 0; zero > 0 && i < copies.size(); ++i) {
        training_.copies = copies[i];
        try_kept(owned, exchanges[i]);
      }
    }
  }

  // Copies of the states among replicas: one, or a divisor of dp such that more than one chip
  // shares out each, and its chips have all experts.
  [[nodiscard]] std::vector<std::int64_t> numbers_of_copies() const {
    std::vector<std::int64_t> numbers;
    for (const std::int64_t copies : divisors(plan_.dp, plan_.dp)) {
      const std::int64_t sharing = plan_.dp / copies * plan_.cp;
      const bool is_sharing = copies == 1 || (sharing > 1 && sharing % training_.ep == 0);
      if (is_sharing && keeps_to(space_.copies, copies)) numbers.push_back(copies);
    }
    return numbers;
  }

  void try_kept(const Owned& owned, std::optional<Exchange>& exchange) {
    for (const bool is_sequence : {true, false}) {
      if (!keeps_to(space_.sequence_parallel, is_sequence)) continue;
      if (plan_.tp == 1 && !is_sequence && !space_.sequence_parallel) continue;
      training_.sequence_parallel = is_sequence;
      for (const Recompute recompute : recomputes) {
        if (!keeps_to(space_.recompute, recompute)) continue;
        training_.recompute = recompute;
        try_plan(owned, exchange);
      }
    }
  }

  void try_plan(const Owned& owned, std::optional<Exchange>& exchange) {
    const double bytes = training_bytes(m_, parameters_, plan_, training_).total();
    if (bytes > chip_.memory) {
      ++found_.counts.refused;
      if (!found_.smallest || bytes < found_.smallest->bytes)
        found_.smallest = {plan_, training_, 0, bytes};
      return;
    }
    if (!exchange) exchange = exchange_of(m_, owned, plan_, chip_, training_);
    const double seconds = step_of(m_, pass(), *exchange, owned, plan_, chip_, training_).seconds();
    ++found_.counts.timed;
    if (!fastest_ || seconds < fastest_->seconds) fastest_ = {plan_, training_, seconds, bytes};
  }

  const Microbatch& pass() {
    const bool is_apart =
        training_.placement == Placement::stages_inside && training_.ep > plan_.cp;
    Passes& passes = is_apart ? apart_[plan_.pp] : near_;
    const auto which = static_cast<std::size_t>(training_.recompute) * 2 +
                       static_cast<std::size_t>(training_.sequence_parallel);
    std::optional<Microbatch>& known = passes[which];
    if (!known) known = microbatch_of(m_, plan_, chip_, training_);
    return *known;
  }

  void keep_fastest() {
    if (!fastest_) return;
    const auto sizes = std::tuple(plan_.tp, plan_.cp, training_.ep, plan_.pp, plan_.dp);
    const auto [known, is_new] = best_.try_emplace(sizes, *fastest_);
    if (!is_new && fastest_->seconds < known->second.seconds) known->second = *fastest_;
  }

  const Model& m_;
  const Chip& chip_;
  const Training& asked_;
  const PlanSpace& space_;
  const Parameters parameters_;
  const std::vector<std::int64_t> replicas_;
  Plan plan_;
  Training training_;
  Passes near_ = {};
  std::map<std::int64_t, Passes> apart_;  // by stages, which stand between chips of an expert group
  std::optional<TrainingPlan> fastest_;   // of plan_
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>,
           TrainingPlan>
      best_;
  PlanSearch found_;
};

}  // namespace

PlanSearch search_plans(const Model& model, const Chip& chip, const Training& training,
                        const PlanSpace& space, std::size_t kept) {
  return Search(model, chip, training, space).run(kept);
}

}  // namespace trainyard::planner
