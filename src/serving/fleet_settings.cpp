#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "base/error.h"
#include "serving/bounds.h"
#include "serving/fleet.h"

namespace trainyard::serving {

void check_fleet(const FleetSettings& f, const Simulation& simulation) {
  std::vector<base::Violation> violations;
  const auto need = [&](bool holds, std::string rule, std::string place, std::string found) {
    if (!holds)
      violations.push_back({"serve.fleet", std::move(rule), std::move(place), std::move(found),
                            "correct the setting"});
  };
  const auto number = [](auto value) { return fmt::format("{}", value); };
  check_bound(fleet_bounds, "serve.fleet", "replicas", f.replicas, violations);
  check_bound(fleet_bounds, "serve.fleet", "readers", f.readers, violations);
  need(simulation.users == 0, "requests of a fleet arrive when they say", "users",
       number(simulation.users));
  const auto is_cost = [](const StepCost& c) {
    return std::isfinite(c.seconds) && c.seconds >= 0 && std::isfinite(c.joules) && c.joules >= 0;
  };
  need(is_cost(f.sent) && is_cost(f.sent_token), "costs are finite and not negative", "sent",
       "one that is not");
  for (const Outage& o : f.outages)
    need(o.replica >= 0 && o.replica < f.replicas + f.readers && o.from >= 0 &&
             (o.until == -1 || o.until > o.from),
         "an outage is of a replica, and ends behind its beginning", "outages",
         fmt::format("replica {}, from {} until {}", o.replica, o.from, o.until));
  const Scaling& s = f.scaling;
  if (s.period != 0)
    need(s.period > 0 && s.cold_start >= 0 && s.patience >= 0 && s.target > 0 && s.least >= 1 &&
             s.least <= f.replicas && s.most >= f.replicas && s.most <= 4096 && f.readers == 0,
         "a fleet that scales has a period, a target, and a number between least and most; nobody "
         "reads for others",
         "scaling",
         fmt::format("period {}, target {}, {} to {} replicas, {} at first, {} readers", s.period,
                     s.target, s.least, s.most, f.replicas, f.readers));
  if (!violations.empty()) throw base::InputError(std::move(violations));
}

}  // namespace trainyard::serving
