#include "planner/expert_layout.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace trainyard::planner {

std::string_view name(ExpertLayout layout) {
  switch (layout) {
    case ExpertLayout::even: return "even";
    case ExpertLayout::divided: return "divided";
    case ExpertLayout::whole: return "whole";
  }
  base::fail("unknown layout of experts");
}

double expert_holders(const Model& m, const Plan& plan, double cores_of_chip) {
  if (m.experts == 0) return 1;
  const double groups = real(plan.dp);
  switch (plan.experts) {
    case ExpertLayout::even: return 1;
    case ExpertLayout::divided: return std::min(real(m.experts), groups);
    case ExpertLayout::whole:
      return std::min(real(m.experts), groups * real(plan.tp) * cores_of_chip);
  }
  base::fail("unknown layout of experts");
}

double largest_of(double many, double trials, double chance) {
  if (chance >= 1 || trials <= 0) return trials;
  if (chance <= 0) return 0;
  const double mean = trials * chance;
  const double spread = std::sqrt(mean * (1 - chance));
  // Beyond these bounds lies less than what a double tells from nothing.
  const double low = std::max(0.0, std::floor(mean - 9 * spread - 9));
  const double high = std::min(trials, std::ceil(mean + 12 * spread + 12));
  double below = 0, largest = low;
  for (double count = low; count < high; ++count) {
    const double log_ways =
        std::lgamma(trials + 1) - std::lgamma(count + 1) - std::lgamma(trials - count + 1);
    below += std::exp(log_ways + count * std::log(chance) + (trials - count) * std::log1p(-chance));
    largest += 1 - std::pow(std::min(1.0, below), many);
  }
  return largest;
}

Crowd busiest_holder(const Model& m, double tokens, double holders) {
  if (holders <= 1) return {};
  const double own = real(m.experts) / holders;
  const double chosen = experts_touched(m, tokens) / real(m.experts);
  const double rows = std::max(1.0, std::round(tokens * real(m.experts_per_token)));
  const double most = std::min(largest_of(holders, rows, 1 / holders),
                               tokens * std::min(own, real(m.experts_per_token)));
  return {.experts = largest_of(holders, std::round(own), chosen) / (own * chosen),
          .rows = std::max(1.0, most / (tokens * real(m.experts_per_token) / holders))};
}

}  // namespace trainyard::planner
