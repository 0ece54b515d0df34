// Which system some chips of one kind are.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/units.h"
#include "machine/topology.h"

namespace trainyard::machine {

namespace {

// Servers over a network, as few as have that many chips, and at least two.
System of_servers(const System& system, std::int64_t chips) {
  const std::size_t network = system.levels.size() - 1;
  const std::int64_t servers = base::ceil_div(chips, system.chips_below(network));
  return apply_override(system, fmt::format("{}.size={}", system.levels[network].name,
                                            std::max<std::int64_t>(2, servers)));
}

[[noreturn]] void refuse(const Machine& machine, std::int64_t chips, const std::string& nearest) {
  throw base::InputError(
      {"system.chips", "chips of one kind are a part of one server, or whole servers", machine.name,
       fmt::format("{} chips", chips), fmt::format("the nearest that exist: {}", nearest)});
}

}  // namespace

System system_of(const Machine& machine, std::int64_t chips) {
  std::optional<System> best;
  std::int64_t largest = 1;
  for (const std::string& name : available_systems()) {
    System system = load_system(name);
    if (system.chip.name != machine.name || system.levels.empty()) continue;
    if (system.levels.back().join == Join::network) system = of_servers(system, chips);
    largest = std::max(largest, system.chips());
    if (system.chips() >= chips && (!best || system.chips() < best->chips()))
      best = std::move(system);
  }
  if (!best) refuse(machine, chips, fmt::format("{}", largest));
  best->chip = machine;
  return *std::move(best);
}

void check_chips(const Machine& machine, std::int64_t chips) {
  if (chips == 1) return;
  const System system = system_of(machine, chips);
  if (system.levels.back().join != Join::network || system.chips() == chips) return;
  const std::int64_t server = system.chips_below(system.levels.size() - 1);
  refuse(
      machine, chips,
      fmt::format("{}, {} ({} chips a server)", system.chips() - server, system.chips(), server));
}

}  // namespace trainyard::machine
