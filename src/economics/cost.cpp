#include "economics/cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace trainyard::economics {

namespace {

constexpr double hours_per_year = 8760;
constexpr double hours_per_month = 730;
constexpr double joules_per_kilowatt_hour = 3.6e6;

double hours(base::Ticks duration) { return base::to_nanoseconds(duration) / 3.6e12; }

// Calls `f` with all low, all middle and all high figures. Every figure here raises the cost when
// it rises, except the years of life, which the caller swaps.
template <typename F>
Estimate<DollarsPerHour> bracket(std::initializer_list<const Price*> prices, F f,
                                 machine::Kind kind = machine::Kind::published) {
  Estimate<DollarsPerHour> result{{f(&machine::Interval::low)},
                                  {f(&machine::Interval::value)},
                                  {f(&machine::Interval::high)},
                                  kind};
  for (const Price* price : prices) result.kind = std::max(result.kind, price->figure.kind);
  return result;
}

}  // namespace

Estimate<Dollars> rental_cost(const Estimate<DollarsPerHour>& rate, double chips,
                              base::Ticks duration) {
  const double factor = chips * hours(duration);
  return {{rate.low.value * factor},
          {rate.value.value * factor},
          {rate.high.value * factor},
          rate.kind};
}

Estimate<Dollars> electricity_cost(const Estimate<Joules>& energy, const Prices& prices) {
  const Price& rate = prices.at("finance.electricity");
  const Price& pue = prices.at("finance.pue");
  const auto dollars = [&](Joules joules, double machine::Interval::*end) {
    return Dollars{joules.value / joules_per_kilowatt_hour * rate.amount.*end * pue.amount.*end};
  };
  return {dollars(energy.low, &machine::Interval::low),
          dollars(energy.value, &machine::Interval::value),
          dollars(energy.high, &machine::Interval::high),
          std::max({energy.kind, rate.figure.kind, pue.figure.kind})};
}

double capital_recovery_factor(double interest, double years) {
  if (interest == 0) return 1 / years;
  const double growth = std::pow(1 + interest, years);
  return interest * growth / (growth - 1);
}

Ownership ownership(const Prices& prices, std::string_view machine,
                    const Estimate<Kilowatts>& all_in) {
  const Price& capex = prices.at(fmt::format("capex.{}", machine));
  const Price& network = prices.at("finance.network");
  const Price& interest = prices.at("finance.interest");
  const Price& life = prices.at("finance.life");
  const Price& upkeep = prices.at("finance.upkeep");
  const Price& electricity = prices.at("finance.electricity");
  const Price& facility = prices.at("finance.facility");
  using End = double machine::Interval::*;
  const auto kilowatts = [&](End end) {
    return end == &machine::Interval::low    ? all_in.low.value
           : end == &machine::Interval::high ? all_in.high.value
                                             : all_in.value.value;
  };
  const auto years = [&](End end) {  // a long life is cheap
    return end == &machine::Interval::low    ? life.amount.high
           : end == &machine::Interval::high ? life.amount.low
                                             : life.amount.value;
  };
  return {
      .capital = bracket({&capex, &network, &interest, &life},
                         [&](End end) {
                           return capex.amount.*end * (1 + network.amount.*end) *
                                  capital_recovery_factor(interest.amount.*end, years(end)) /
                                  hours_per_year;
                         }),
      .upkeep =
          bracket({&capex, &upkeep},
                  [&](End end) { return capex.amount.*end * upkeep.amount.*end / hours_per_year; }),
      .electricity = bracket(
          {&electricity}, [&](End end) { return kilowatts(end) * electricity.amount.*end; },
          all_in.kind),
      .facility = bracket(
          {&facility},
          [&](End end) { return kilowatts(end) * facility.amount.*end / hours_per_month; },
          all_in.kind),
  };
}

Ownership ownership(const Prices& prices, const machine::Machine& machine) {
  const machine::Interval watts = machine.interval("power.all_in");
  const Estimate<Kilowatts> all_in{{watts.low / 1000},
                                   {watts.value / 1000},
                                   {watts.high / 1000},
                                   machine.figure("power.all_in")->kind};
  return ownership(prices, machine.name, all_in);
}

}  // namespace trainyard::economics
