#include "serving/step_costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/units.h"

namespace trainyard::serving {

namespace {

[[noreturn]] void refuse(std::string rule, std::string found, std::string fix) {
  throw base::InputError(
      {"serve.table", std::move(rule), "step times", std::move(found), std::move(fix)});
}

bool rises(const std::vector<double>& axis) {
  return !axis.empty() && std::ranges::adjacent_find(axis, std::greater_equal<>()) == axis.end();
}

// The point at or before `value` with one behind it, and how far `value` is on the way to it.
struct Place {
  std::size_t low = 0;
  double share = 0;
};

Place place_of(const std::vector<double>& axis, double value) {
  if (axis.size() == 1) return {};
  const auto after = std::ranges::upper_bound(axis, value);
  const auto last = static_cast<std::ptrdiff_t>(axis.size()) - 2;
  const auto low =
      static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(after - axis.begin() - 1, 0, last));
  return {low, (value - axis[low]) / (axis[low + 1] - axis[low])};
}

}  // namespace

CostTable::CostTable(std::vector<double> rows, std::vector<double> columns,
                     std::vector<double> seconds, std::vector<double> joules,
                     const std::vector<PassParts>& parts)
    : rows_(std::move(rows)),
      columns_(std::move(columns)),
      seconds_(std::move(seconds)),
      joules_(std::move(joules)) {
  if (!rises(rows_) || !rises(columns_))
    refuse("the axes of a table rise", "one does not", "sort them and leave out what repeats");
  const std::size_t size = rows_.size() * columns_.size();
  if (seconds_.size() != size || joules_.size() != size)
    refuse("a table has a cost at each point of its grid",
           fmt::format("{} seconds and {} joules for {} points", seconds_.size(), joules_.size(),
                       size),
           "fill it");
  for (const PassParts& one : parts) {
    collectives_.push_back(one.collectives);
    launches_.push_back(one.launches);
  }
  if (!parts.empty() && parts.size() != size)
    refuse("parts of a table's costs are those of each point",
           fmt::format("{} for {} points", parts.size(), size), "fill them, or name none");
  const auto is_cost = [](double value) { return std::isfinite(value) && value >= 0; };
  for (const auto* values : {&seconds_, &joules_, &collectives_, &launches_})
    if (!std::ranges::all_of(*values, is_cost))
      refuse("costs are finite and not negative", "one is not", "correct it");
}

bool CostTable::covers(double row, double column) const {
  return row >= rows_.front() && row <= rows_.back() && column >= columns_.front() &&
         column <= columns_.back();
}

double CostTable::between(const std::vector<double>& values, double row, double column) const {
  const Place r = place_of(rows_, row), c = place_of(columns_, column);
  const std::size_t width = columns_.size();
  const std::size_t down = rows_.size() > 1 ? width : 0, right = width > 1 ? 1 : 0;
  const std::size_t first = r.low * width + c.low;
  const double top = values[first] + c.share * (values[first + right] - values[first]);
  const double bottom =
      values[first + down] + c.share * (values[first + down + right] - values[first + down]);
  return top + r.share * (bottom - top);
}

StepCost CostTable::at(double row, double column) const {
  if (!covers(row, column))
    refuse(fmt::format("the table covers {} to {} by {} to {}", rows_.front(), rows_.back(),
                       columns_.front(), columns_.back()),
           fmt::format("a step of {} by {}", row, column), "make the table for longer steps");
  return {between(seconds_, row, column), between(joules_, row, column)};
}

PassParts CostTable::parts_at(double row, double column) const {
  if (collectives_.empty()) return {};
  return {between(collectives_, row, column), between(launches_, row, column)};
}

std::int64_t total_context(const Step& step, const StepCosts& costs) {
  std::int64_t sum = 0, longest = 0;
  for (const Item& item : step.decodes) {
    sum += item.start;
    longest = std::max<std::int64_t>(longest, item.start);
  }
  return costs.by_longest ? longest * static_cast<std::int64_t>(step.decodes.size()) : sum;
}

StepCost decode_cost(std::int64_t requests, std::int64_t context, const StepCosts& costs) {
  const auto batch = static_cast<double>(requests);
  const StepCost cost = costs.decode.at(batch, static_cast<double>(context) / batch);
  return {cost.seconds + costs.launch.seconds + costs.scheduling.seconds,
          cost.joules + costs.launch.joules + costs.scheduling.joules};
}

StepCost cost_of(const Step& step, const StepCosts& costs) {
  StepCost sum = costs.scheduling;
  const auto add = [&](const StepCost& cost, double times = 1) {
    sum.seconds += times * cost.seconds;
    sum.joules += times * cost.joules;
  };
  for (const Item& item : step.prefills) {
    add(costs.prefill.at(item.count, item.start));
    add(costs.launch);
  }
  if (!step.decodes.empty()) {
    const auto batch = static_cast<double>(step.decodes.size());
    add(costs.decode.at(batch, static_cast<double>(total_context(step, costs)) / batch));
    add(costs.launch);
  }
  for (const auto* swaps : {&step.swaps_out, &step.swaps_in})
    for (const Swap& swap : *swaps)
      add(costs.swapped_block, static_cast<double>(swap.blocks.size()));
  return sum;
}

StepParts parts_of(const Step& step, const StepCosts& costs) {
  PassParts sum{.launches = costs.scheduling.seconds};
  const auto add = [&](const PassParts& parts) {
    sum.collectives += parts.collectives;
    sum.launches += parts.launches + costs.launch.seconds;
  };
  for (const Item& item : step.prefills) add(costs.prefill.parts_at(item.count, item.start));
  if (!step.decodes.empty()) {
    const auto batch = static_cast<double>(step.decodes.size());
    add(costs.decode.parts_at(batch, static_cast<double>(total_context(step, costs)) / batch));
  }
  double swaps = 0;
  for (const auto* each : {&step.swaps_out, &step.swaps_in})
    for (const Swap& swap : *each)
      swaps += static_cast<double>(swap.blocks.size()) * costs.swapped_block.seconds;
  constexpr double second = 1e9 * static_cast<double>(base::ticks_per_nanosecond);
  return {std::llround(sum.collectives * second), std::llround(sum.launches * second),
          std::llround(swaps * second)};
}

}  // namespace trainyard::serving
