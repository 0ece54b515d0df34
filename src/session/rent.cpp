#include "session/rent.h"

#include "economics/cost.h"

namespace trainyard::session {

Spent spent(const machine::Machine& machine, base::Ticks time, double cores) {
  const double nanoseconds = base::to_nanoseconds(time);
  Spent result{.cycles = nanoseconds * machine.core.tensor.clock.gigahertz(),
               .seconds = nanoseconds * 1e-9};
  const economics::Prices prices = economics::load_prices();
  const std::vector<std::string> bases = prices.bases(machine.name);
  if (!bases.empty()) {
    const auto rate = prices.rental(machine.name, bases.front());
    const double chips = cores / static_cast<double>(machine.chip.cores);
    result.dollars = economics::rental_cost(rate, chips, time).value.value;
  }
  return result;
}

}  // namespace trainyard::session
