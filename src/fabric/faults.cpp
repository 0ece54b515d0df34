#include "fabric/faults.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/error.h"
#include "base/stable_sort.h"

namespace trainyard::fabric {

namespace {

constexpr auto forms =
    "link:5.twin@10us=down, link:5.x+@0us=x0.5, chip:7@1ms=down, switch:rack.1@10us=down, "
    "rank:3@0us=x0.25 or rank:3@50us=late";

constexpr auto sorts = std::to_array<std::string_view>({"link", "chip", "switch", "rank"});

[[noreturn]] void refuse(std::string_view text, std::string found) {
  throw base::InputError({"fabric.fault", "a fault says what fails, when, and how",
                          std::string(text), std::move(found), fmt::format("write {}", forms)});
}

struct Parts {
  std::string_view sort, what, time, how;  // "link", "5.twin", "10us", "down"
};

Parts split(std::string_view text) {
  const std::size_t colon = text.find(':'), at = text.find('@'), equals = text.find('=');
  if (colon == text.npos || at == text.npos || equals == text.npos || colon > at || at > equals)
    refuse(text, "not sort:what@time=how");
  return {text.substr(0, colon), text.substr(colon + 1, at - colon - 1),
          text.substr(at + 1, equals - at - 1), text.substr(equals + 1)};
}

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

// What is left of a resource: 0 is down.
double share_of(std::string_view how, std::string_view all) {
  if (how == "down") return 0;
  const auto share = how.starts_with('x') ? number(how.substr(1)) : std::nullopt;
  if (!share || *share < 0 || *share > 1) refuse(all, fmt::format("the effect {}", how));
  return *share;
}

std::int64_t whole(std::string_view text, std::int64_t limit, std::string_view all) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0 || value >= limit)
    refuse(all, fmt::format("number {}; the last one is {}", text, limit - 1));
  return value;
}

std::vector<std::uint32_t> of_switch(const Network& network, std::string_view what,
                                     std::string_view all) {
  const machine::System& system = network.system();
  const std::string_view name = what.substr(0, what.find('.'));
  std::vector<std::uint32_t> found;
  for (std::size_t l = 0; l < system.levels.size(); ++l) {
    if (system.levels[l].name != name || name.size() == what.size()) continue;
    const std::int64_t members = system.chips_below(l + 1);
    const std::int64_t which = whole(what.substr(name.size() + 1), system.chips() / members, all);
    for (std::int64_t chip = which * members; chip < (which + 1) * members; ++chip) {
      const auto links = network.find(fmt::format("chip {}, {}", chip, name));
      found.insert(found.end(), links.begin(), links.end());
    }
  }
  return found;
}

std::vector<std::uint32_t> resources_of(const Network& network, const Parts& parts,
                                        std::string_view all) {
  const std::int64_t chips = network.system().chips();
  const std::size_t dot = parts.what.find('.');
  if (parts.sort == "link" && dot != parts.what.npos) {
    return network.find(fmt::format("chip {}, {}", whole(parts.what.substr(0, dot), chips, all),
                                    parts.what.substr(dot + 1)));
  }
  if (parts.sort == "chip")
    return network.find(fmt::format("chip {}, ", whole(parts.what, chips, all)));
  if (parts.sort == "switch") return of_switch(network, parts.what, all);
  if (parts.sort == "rank")
    return network.find(fmt::format("rank {}, ", whole(parts.what, network.ranks(), all)));
  return {};
}

}  // namespace

base::Ticks fault_time(std::string_view text, std::string_view all) {
  constexpr std::pair<std::string_view, double> units[] = {
      {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
  for (const auto& [unit, nanoseconds] : units) {
    if (!text.ends_with(unit)) continue;
    const auto value = number(text.substr(0, text.size() - unit.size()));
    if (!value || *value < 0 || *value * nanoseconds > 1e15) break;
    return {static_cast<std::int64_t>(*value * nanoseconds * base::ticks_per_nanosecond)};
  }
  refuse(all, fmt::format("the time {}", text));
}

void add_fault(const Network& network, std::string_view text, Options& options) {
  const Parts parts = split(text);
  if (parts.sort == "ecc" || parts.sort == "flip")
    refuse(text, fmt::format("{}, which happens to the memory of a kernel's run", parts.sort));
  if (std::ranges::find(sorts, parts.sort) == sorts.end())
    refuse(text, fmt::format("{}, which is none of {}", parts.sort, fmt::join(sorts, ", ")));
  const base::Ticks time = fault_time(parts.time, text);
  if (parts.sort == "rank" && parts.how == "late") {
    options.late.emplace_back(static_cast<std::int32_t>(whole(parts.what, network.ranks(), text)),
                              time);
    return;
  }
  const double share = share_of(parts.how, text);
  const auto resources = resources_of(network, parts, text);
  if (resources.empty())
    refuse(text, fmt::format("nothing is called {}:{}", parts.sort, parts.what));
  for (const std::uint32_t resource : resources)
    options.changes.push_back({time, resource, network.capacity(resource) * share});
  base::stable_sort(options.changes, {}, &Change::time);
}

}  // namespace trainyard::fabric
