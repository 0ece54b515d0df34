#include "machine/consistency.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "machine/schema.h"

namespace trainyard::machine {

namespace {

struct Rule {
  std::string_view text;
  std::array<std::string_view, 3> keys;  // the figures to look at; empty: none
  bool (*holds)(const Machine&);
  Strictness strictness = Strictness::override;  // file: not asked of overrides
};

constexpr auto rules = std::to_array<Rule>({
    {"every HBM stack serves hbm.cores_per_stack cores of the chip",
     {"hbm.cores_per_stack", "hbm.stacks", "chip.cores"},
     [](const Machine& m) {
       return m.chip.hbm.stacks * m.chip.hbm.cores_per_stack == m.chip.cores;
     }},
    {"logical cores divide the chip",
     {"chip.cores_per_logical", "chip.cores"},
     [](const Machine& m) { return m.chip.cores % m.chip.cores_per_logical == 0; }},
    {"usable collective cores exist",
     {"chip.cc_cores", "chip.cc_cores_physical"},
     [](const Machine& m) { return m.chip.cc_cores <= m.chip.cc_cores_physical; }},
    {"the sustained HBM rate is at most the pin rate",
     {"hbm.bandwidth", "hbm.bandwidth_peak"},
     [](const Machine& m) { return m.chip.hbm.bandwidth <= m.chip.hbm.bandwidth_peak; },
     Strictness::file},
    {"a stack fits its address window",
     {"hbm.stack_size", "hbm.address_window"},
     [](const Machine& m) { return m.chip.hbm.stack_size <= m.chip.hbm.address_window; }},
    {"a DMA engine achieves at most its link rate",
     {"dma.achieved", "dma.link"},
     [](const Machine& m) { return m.core.dma.achieved <= m.core.dma.link; },
     Strictness::file},
    {"SBUF keeps bytes for programs",
     {"sbuf.reserved", "sbuf.partition_size"},
     [](const Machine& m) { return m.core.sbuf.reserved < m.core.sbuf.partition_size; }},
    {"SBUF partitions do not overlap",
     {"sbuf.partition_stride", "sbuf.partition_size"},
     [](const Machine& m) { return m.core.sbuf.partition_stride >= m.core.sbuf.partition_size; }},
    {"SBUF partitions are whole quadrants",
     {"sbuf.quadrant", "sbuf.partitions"},
     [](const Machine& m) { return m.core.sbuf.partitions % m.core.sbuf.quadrant == 0; }},
    {"PSUM has a partition for each column of the array",
     {"psum.partitions", "array.columns"},
     [](const Machine& m) { return m.core.psum.partitions == m.core.array.columns; }},
    {"SBUF has a partition for each row of the array",
     {"sbuf.partitions", "array.rows"},
     [](const Machine& m) { return m.core.sbuf.partitions == m.core.array.rows; }},
    {"row tiles divide the array",
     {"array.tile_rows_min", "array.rows"},
     [](const Machine& m) { return m.core.array.rows % m.core.array.tile_rows_min == 0; }},
    {"column tiles divide the array",
     {"array.tile_columns_min", "array.columns"},
     [](const Machine& m) { return m.core.array.columns % m.core.array.tile_columns_min == 0; }},
    {"the low limit is at most the full one",
     {"throttle.low", "throttle.full"},
     [](const Machine& m) { return m.core.throttle.low <= m.core.throttle.full; }},
    {"the full limit is at most the denominator",
     {"throttle.full", "throttle.denominator"},
     [](const Machine& m) { return m.core.throttle.full <= m.core.throttle.denominator; }},
    {"a run begins within a window of the clock limit",
     {"throttle.phase", "throttle.window"},
     [](const Machine& m) { return m.core.throttle.phase < m.core.throttle.window; }},
    {"mesh messages are smaller than those of recursive halving",
     {"collective.mesh_max", "collective.rdh_max"},
     [](const Machine& m) { return m.collective.mesh_max <= m.collective.rdh_max; }},
    {"no core idles above the package",
     {"power.tdp", "energy.chip_static"},
     [](const Machine& m) { return m.chip.energy.chip_static <= m.chip.power.tdp; },
     Strictness::file},
});

}  // namespace

namespace {

// Broken rules that speak of the same figure, and the figures that they speak of, that one first.
struct Contradiction {
  std::string rules;
  std::vector<std::string_view> keys;

  [[nodiscard]] bool has(std::string_view key) const {
    return std::ranges::find(keys, key) != keys.end();
  }
  void add(const Rule& rule) {
    rules += fmt::format("{}{}", rules.empty() ? "" : "; ", rule.text);
    for (const std::string_view key : rule.keys) {
      const auto known = std::ranges::find(keys, key);
      if (known != keys.end()) {
        std::rotate(keys.begin(), known, known + 1);
      } else if (!key.empty()) {
        keys.push_back(key);
      }
    }
  }
};

std::vector<Contradiction> contradictions(const Machine& machine, Strictness strictness) {
  std::vector<Contradiction> result;
  for (const Rule& rule : rules) {
    if (rule.holds(machine) ||
        (strictness == Strictness::override && rule.strictness == Strictness::file)) {
      continue;
    }
    const auto same = std::ranges::find_if(result, [&](const Contradiction& one) {
      return std::ranges::any_of(rule.keys, [&](std::string_view key) { return one.has(key); });
    });
    (same == result.end() ? result.emplace_back() : *same).add(rule);
  }
  return result;
}

// Where to look first: a figure of the author's own, not one of a file that theirs extends.
std::string place_of(const Contradiction& contradiction, const Machine& machine) {
  const auto where = [&](std::string_view key) {
    const Figure* figure = machine.figure(key);
    return figure != nullptr ? figure->place : machine.path;
  };
  const auto own = std::ranges::find_if(contradiction.keys, [&](std::string_view key) {
    return where(key) == "override" || where(key).starts_with(machine.path + ":");
  });
  const std::string_view key = own != contradiction.keys.end() ? *own : contradiction.keys[0];
  return fmt::format("{}: {}", where(key), key);
}

}  // namespace

std::vector<base::Violation> inconsistencies(const Machine& machine, Strictness strictness) {
  std::vector<base::Violation> result;
  for (const Contradiction& one : contradictions(machine, strictness)) {
    std::string found;
    for (const std::string_view key : one.keys) {
      const Field* field = find_field(key);
      base::check(field != nullptr, "a consistency rule names a key of the schema");
      found += fmt::format("{}{} = {}", found.empty() ? "" : ", ", key,
                           text(*field, field->fetch(machine)));
    }
    result.push_back(
        {"machine.consistent", one.rules, place_of(one, machine), found, "change one of them"});
  }
  return result;
}

}  // namespace trainyard::machine
