// Time, energy and prices to dollars: rented by the hour, owned, and per million tokens.
#pragma once

#include "base/units.h"
#include "economics/estimate.h"
#include "economics/prices.h"
#include "machine/machine.h"

namespace trainyard::economics {

// `chips` rented at `rate` each for `duration`.
[[nodiscard]] Estimate<Dollars> rental_cost(const Estimate<DollarsPerHour>& rate, double chips,
                                            base::Ticks duration);

// The electricity of `energy` drawn by the chips, with the data centre's overhead (finance.pue).
[[nodiscard]] Estimate<Dollars> electricity_cost(const Estimate<Joules>& energy,
                                                 const Prices& prices);

// The share of `present` that is paid each year to own it for `years` at `interest` (0.08 = 8 %).
[[nodiscard]] double capital_recovery_factor(double interest, double years);

// What owning one chip costs an hour, and how it divides.
struct Ownership {
  Estimate<DollarsPerHour> capital, upkeep, electricity, facility;
  [[nodiscard]] Estimate<DollarsPerHour> total() const {
    return capital + upkeep + electricity + facility;
  }
};
// From capex.<machine> (the chip with its share of server and network), the finance.* figures and
// `all_in`, the provisioned utility power of a chip. The same sum as public total-cost models:
// capital recovery + upkeep + power x (electricity + facility rent).
[[nodiscard]] Ownership ownership(const Prices& prices, std::string_view machine,
                                  const Estimate<Kilowatts>& all_in);
[[nodiscard]] Ownership ownership(const Prices& prices, const machine::Machine& machine);

}  // namespace trainyard::economics
