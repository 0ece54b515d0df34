// Which system some chips of one kind are.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "machine/topology.h"

namespace trainyard::machine {

namespace {

// Servers over a network, with as many of them as that takes; nothing where that is no whole
// number.
std::optional<System> of_whole_servers(const System& system, std::int64_t chips) {
  const std::size_t network = system.levels.size() - 1;
  const std::int64_t server = system.chips_below(network);
  if (chips % server != 0 || chips / server < 2) return std::nullopt;
  const std::string& level = system.levels[network].name;
  return apply_override(system, fmt::format("{}.size={}", level, chips / server));
}

}  // namespace

System system_of(const Machine& machine, std::int64_t chips) {
  std::optional<System> best;
  std::vector<std::int64_t> servers;  // chips of the largest server of each network
  std::int64_t largest = 0;
  for (const std::string& name : available_systems()) {
    System system = load_system(name);
    if (system.chip.name != machine.name || system.levels.empty()) continue;
    if (system.levels.back().join == Join::network) {
      servers.push_back(system.chips_below(system.levels.size() - 1));
      std::optional<System> whole = of_whole_servers(system, chips);
      if (!whole) continue;
      system = *std::move(whole);
    }
    largest = std::max(largest, system.chips());
    if (system.chips() >= chips && (!best || system.chips() < best->chips()))
      best = std::move(system);
  }
  if (best) {
    best->chip = machine;
    return *std::move(best);
  }
  std::string nearest = largest == 0 ? "1" : fmt::format("{}", largest);
  for (const std::int64_t server : servers) {
    const std::int64_t below = std::max<std::int64_t>(2, chips / server) * server;
    nearest += fmt::format(", {} or {} ({} chips a server)", below, below + server, server);
  }
  throw base::InputError(
      {"system.chips", "chips of one kind are a part of one server, or whole servers", machine.name,
       fmt::format("{} chips", chips), fmt::format("the nearest that exist: {}", nearest)});
}

}  // namespace trainyard::machine
