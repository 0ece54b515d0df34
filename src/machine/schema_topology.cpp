#include "machine/schema_topology.h"

#include <array>

#include "machine/field.h"

namespace trainyard::machine {

namespace {

constexpr auto join_words =
    std::to_array<std::string_view>({"ring", "direct", "switch", "network"});

template <auto member>
SystemField of_level(std::string_view key, std::string_view meaning, std::size_t level,
                     std::string_view prefix, Bounds bounds) {
  using Member = std::remove_cvref_t<decltype(std::declval<Level&>().*member)>;
  SystemField result{
      .field = {.key = std::string(prefix) + "." + std::string(key),
                .meaning = meaning,
                .dimension = Dimension::choice,
                .bounds = bounds,
                .choices = join_words,
                .store = nullptr,
                .fetch = nullptr},
      .store = [](System& system, std::size_t at,
                  const Value& value) { store_member(system.levels[at].*member, value); },
      .fetch = [](const System& system,
                  std::size_t at) { return fetch_member(system.levels[at].*member); },
      .level = level};
  if constexpr (!std::is_same_v<Member, Join>) {
    result.field.dimension = dimension_of<Member>();
    result.field.choices = {};
  }
  return result;
}

template <auto member>
SystemField of_transport(std::string_view key, std::string_view meaning, Bounds bounds) {
  using Member = std::remove_cvref_t<decltype(std::declval<Transport&>().*member)>;
  return {.field = {.key = "transport." + std::string(key),
                    .meaning = meaning,
                    .dimension = dimension_of<Member>(),
                    .bounds = bounds,
                    .choices = {},
                    .store = nullptr,
                    .fetch = nullptr},
          .store = [](System& system, std::size_t,
                      const Value& value) { store_member(system.transport.*member, value); },
          .fetch = [](const System& system,
                      std::size_t) { return fetch_member(system.transport.*member); }};
}

}  // namespace

std::vector<SystemField> system_schema(std::span<const std::string> levels) {
  using L = Level;
  using T = Transport;
  constexpr Bounds rate{0.001, 1e6};  // GB/s
  constexpr Bounds time{0, 1e9};      // ns
  std::vector<SystemField> list;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const std::string& at = levels[i];
    list.push_back(of_level<&L::join>("join", "ring, direct, switch or network", i, at, {0, 3}));
    list.push_back(of_level<&L::size>("size", "members of the level", i, at, {1, 1'000'000}));
    list.push_back(of_level<&L::links>(
        "links", "links of a chip at this level; of a ring: to each neighbour", i, at, {1, 1024}));
    list.push_back(of_level<&L::link>("link", "rate of one link, one direction", i, at, rate));
    list.push_back(
        of_level<&L::latency>("latency", "one traversal of the switch or cable", i, at, time));
    list.push_back(of_level<&L::achieved>("achieved", "share of a link that payload reaches", i, at,
                                          {0.01, 1}));
    list.push_back(of_level<&L::oversubscription>(
        "oversubscription", "what members can send over what the core of the level carries", i, at,
        {1, 1000}));
    list.push_back(of_level<&L::energy>("energy", "one byte over the level, its ports and switch",
                                        i, at, {0, 1e6}));
    list.back().is_optional = true;
  }
  list.push_back(of_transport<&T::channel>("channel", "one rank to one peer", rate));
  list.push_back(of_transport<&T::rank>("rank", "all that a rank sends together", rate));
  list.push_back(of_transport<&T::ring_step>(
      "ring_step", "of a ring: from a slice's arrival to the next one's first byte", time));
  list.push_back(of_transport<&T::reduce>(
      "reduce", "rate of a transfer that adds, over that of a copy", {0.01, 1}));
  return list;
}

}  // namespace trainyard::machine
