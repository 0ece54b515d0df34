#include "planner/schedules.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace trainyard::planner {

namespace {

std::vector<fabric::Group> groups_of(const Schedules::Question& question, std::int64_t cores) {
  std::vector<fabric::Group> groups(question.whole_chips ? 1 : static_cast<std::size_t>(cores));
  for (std::int64_t chip = 0; chip < question.chips; ++chip) {
    for (std::int64_t core = 0; core < cores; ++core) {
      groups[question.whole_chips ? 0 : static_cast<std::size_t>(core)].push_back(
          static_cast<std::int32_t>(chip * question.stride * cores + core));
    }
  }
  return groups;
}

}  // namespace

Schedules::Side& Schedules::side(std::size_t which) {
  if (!sides_[which]) {
    machine::System system = machine::load_system(name_);
    if (which != as_is) system = machine::at_ends(system, which == slow);
    const std::int64_t cores_per_rank = std::max<std::int64_t>(1, system.chip.chip.cores / cores_);
    sides_[which] = std::make_unique<Side>(std::move(system), cores_per_rank);
  }
  return *sides_[which];
}

double Schedules::simulated(const Question& question, std::size_t which) {
  std::optional<double>& known = known_[question][which];
  if (!known) {
    // A ring of a thousand ranks counts as fast as its bound where another schedule is simulated.
    constexpr double events_max = 1e5;
    fabric::Options options;
    options.events_max = events_max;
    const fabric::Price price = side(which).table.price(question.operation, question.bytes,
                                                        groups_of(question, cores_), options);
    known = base::to_nanoseconds(price.time) * 1e-9;
  }
  return *known;
}

std::optional<double> Schedules::seconds(const Question& question, double ends) {
  const fabric::Network& network = side(as_is).network;
  if (network.ranks_per_chip() != cores_ ||
      (question.chips - 1) * question.stride >= network.system().chips())
    return std::nullopt;
  const double middle = simulated(question, as_is);
  if (ends == 1) return middle;
  const double other = ends < 1 ? std::min(middle, simulated(question, fast))
                                : std::max(middle, simulated(question, slow));
  return middle + (other - middle) * std::abs(ends - 1);
}

}  // namespace trainyard::planner
