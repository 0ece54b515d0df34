#include "machine/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "machine/chain.h"
#include "machine/figure_reader.h"
#include "machine/schema_topology.h"

namespace trainyard::machine {

namespace {

using Violations = std::vector<base::Violation>;

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> list;
  for (std::string word; in >> word;) list.push_back(word);
  return list;
}

std::vector<std::string> level_names(const System& system) {
  std::vector<std::string> names;
  for (const Level& level : system.levels) names.push_back(level.name);
  return names;
}

void report_unknown(const Document& document, std::span<const SystemField> fields,
                    Violations& violations) {
  for (const auto& [key, entry] : document.entries) {
    const auto same = [&key = key](const SystemField& f) { return f.field.key == key; };
    if (std::ranges::any_of(fields, same)) continue;
    violations.push_back({"machine.unknown_key", "every key is of a level or of transport",
                          place(entry.file, entry.line, key), key,
                          fmt::format("the levels are {}", document.levels)});
  }
}

void check_levels(const Document& document, std::span<const std::string> levels,
                  const std::string& file, Violations& violations) {
  std::vector<std::string> sorted(levels.begin(), levels.end());
  std::ranges::sort(sorted);
  if (!levels.empty() && std::ranges::adjacent_find(sorted) == sorted.end()) return;
  violations.push_back({"system.levels", "a system names its levels, each once, innermost first",
                        place(file, 1, "machine.levels"), document.levels,
                        "write for instance levels = \"sled rack\""});
}

const SystemField& field_of(std::span<const SystemField> fields, std::string_view key,
                            std::string_view setting) {
  const auto found = std::ranges::find(fields, key, [](const auto& f) { return f.field.key; });
  if (found == fields.end()) {
    std::vector<std::string> keys;
    for (const SystemField& field : fields) keys.push_back(field.field.key);
    throw base::InputError({"machine.unknown_key", "every key is of a level or of transport",
                            "override", std::string(setting),
                            fmt::format("one of {}", fmt::join(keys, ", "))});
  }
  return *found;
}

void check_size(const System& system) {
  constexpr std::int64_t chips_max = 1'000'000;
  if (system.chips() <= chips_max) return;
  throw base::InputError({"system.size", "a system has at most a million chips", system.path,
                          fmt::format("{}", system.chips()), "write smaller levels"});
}

// "x2" times the present value, else the value as written.
Split read_setting(const SystemField& field, const System& system, std::string_view text) {
  if (text.size() > 1 && text.front() == 'x' && field.field.dimension != Dimension::choice) {
    const Split factor = split(text.substr(1));
    const auto number = [](const Written& written) {
      if (const auto* whole = std::get_if<std::int64_t>(&written))
        return static_cast<double>(*whole);
      const auto* real = std::get_if<double>(&written);
      return real != nullptr ? *real : -1.0;
    };
    const double value = canonical_number(field.field.dimension, field.fetch(system, field.level)) *
                         number(factor.written);
    const bool counts = field.field.dimension == Dimension::count;
    const bool whole = counts && std::abs(value) < 1e15;  // false for NaN
    return {whole ? Written{static_cast<std::int64_t>(value)} : Written{value},
            std::string(canonical_unit(field.field.dimension))};
  }
  if (field.field.dimension == Dimension::choice)
    return {std::string(text), std::string(canonical_unit(Dimension::choice))};
  Split result = split(text);
  if (result.unit.empty()) {
    if (field.field.dimension == Dimension::count || field.field.dimension == Dimension::fraction)
      result.unit = canonical_unit(field.field.dimension);
  }
  return result;
}

}  // namespace

std::string_view name(Join join) {
  constexpr auto names = std::to_array<std::string_view>({"ring", "direct", "switch", "network"});
  return names.at(static_cast<std::size_t>(join));
}

std::int64_t System::chips() const { return chips_below(levels.size()); }

std::int64_t System::chips_below(std::size_t level) const {
  std::int64_t product = 1;
  constexpr std::int64_t countless = 1'000'000'000'000;  // a product of any levels stays in 64 bits
  for (std::size_t i = 0; i < level; ++i) product = std::min(product * levels[i].size, countless);
  return product;
}

std::int64_t System::coordinate(std::int64_t which, std::size_t level) const {
  return which / chips_below(level) % levels[level].size;
}

double System::bytes_per_second(const Level& level) const {
  return static_cast<double>(level.link.bytes_per_second * level.links) * level.achieved.value;
}

const Figure* System::figure(std::string_view key) const {
  const auto found = std::ranges::find(figures, key, &Figure::key);
  return found == figures.end() ? nullptr : &*found;
}

Interval System::picojoules_per_byte(const Level& level) const {
  const std::string key = level.name + ".energy";
  const double value = level.energy.picojoules;
  const Figure* const known = figure(key);
  if (known == nullptr && level.energy == chip.chip.energy.link_byte)
    return chip.interval("energy.link_byte");
  if (known == nullptr || !known->range) return {value, value, value};
  const auto at = static_cast<std::size_t>(&level - levels.data());
  const auto at_the = [&](End end) { return at_end(*this, key, end).levels[at].energy.picojoules; };
  return {at_the(End::low), value, at_the(End::high)};
}

std::vector<const Figure*> System::uncertain() const {
  std::vector<const Figure*> list;
  for (const Figure& figure : figures) {
    if (figure.range && !figure.key.ends_with(".energy")) list.push_back(&figure);
  }
  for (const std::string_view key : {"collective.start", "collective.step"}) {
    const Figure* const figure = chip.figure(key);
    if (figure != nullptr && figure->range) list.push_back(figure);
  }
  return list;
}

System load_system_text(std::string_view text, std::string_view where, std::string_view folder) {
  const std::string file(where);
  Violations violations;
  const Document document = read_chain(text, file, folder, violations);
  if (!violations.empty()) throw base::InputError(violations);
  if (document.chip.empty()) {
    throw base::InputError({"machine.system", "a system names the chip it is made of",
                            place(file, 1, "machine.chip"), document.name,
                            fmt::format("one of {}", fmt::join(available_systems(), ", "))});
  }
  const std::vector<std::string> levels = words(document.levels);
  check_levels(document, levels, file, violations);
  if (!violations.empty()) throw base::InputError(violations);
  System system{.name = document.name,
                .title = document.title,
                .path = file,
                .chip = load(document.chip),
                .levels = {},
                .transport = {}};
  for (const std::string& level : levels) system.levels.push_back({.name = level});
  const std::vector<SystemField> fields = system_schema(levels);
  report_unknown(document, fields, violations);
  for (const SystemField& field : fields) {
    const auto entry = document.entries.find(field.field.key);
    if (entry == document.entries.end() && field.is_optional) continue;
    if (entry == document.entries.end()) {
      violations.push_back({"machine.missing_key", "every key of a system has a figure",
                            place(file, section_line(document, field.field.key), field.field.key),
                            "nothing", example(field.field)});
    } else if (auto read = read_figure(field.field, entry->second, violations)) {
      field.store(system, field.level, read->value);
      system.figures.push_back(std::move(read->figure));
    }
  }
  if (!violations.empty()) throw base::InputError(std::move(violations));
  for (Level& level : system.levels) {
    if (system.figure(level.name + ".energy") == nullptr)
      level.energy = system.chip.chip.energy.link_byte;
  }
  check_size(system);
  return system;
}

System apply_override(System system, std::string_view setting) {
  const std::size_t equals = setting.find('=');
  const std::string_view key = setting.substr(0, equals);
  const std::string_view prefix = key.substr(0, key.find('.'));
  const bool own = prefix == "transport" || std::ranges::any_of(system.levels, [&](const Level& l) {
                     return l.name == prefix;
                   });
  if (!own || equals == std::string_view::npos) {
    system.chip = apply_override(std::move(system.chip), setting);
    return system;
  }
  const std::vector<SystemField> fields = system_schema(level_names(system));
  const SystemField& field = field_of(fields, key, setting);
  const Split written = read_setting(field, system, setting.substr(equals + 1));
  const auto parsed = parse(field.field, written.written, written.unit);
  if (const auto* problem = std::get_if<Problem>(&parsed)) {
    throw base::InputError({std::string(problem->label), problem->rule, "override",
                            std::string(setting), problem->fix});
  }
  field.store(system, field.level, std::get<Value>(parsed));
  check_size(system);
  for (Figure& figure : system.figures) {
    if (figure.key != key) continue;
    figure.replaced = fmt::format("{} {}", figure.value, figure.unit);
    figure.value = describe(written.written);
    figure.unit = written.unit;
    figure.kind = Kind::assumed;
    figure.source = fmt::format("override of {} ({})", figure.replaced, figure.source);
    figure.range.reset();
  }
  return system;
}

System at_end(const System& system, std::string_view key, End end) {
  System result = system;
  if (const Figure* known = system.figure(key); known != nullptr && known->range) {
    const std::vector<SystemField> fields = system_schema(level_names(system));
    const SystemField& field = field_of(fields, key, key);
    const std::string& written = end == End::high ? known->range->high : known->range->low;
    const auto parsed = parse(field.field, split(written).written, known->unit);
    field.store(result, field.level, std::get<Value>(parsed));
  } else if (system.chip.figure(key) != nullptr) {
    if (auto chip = at_end(system.chip, key, end)) result.chip = std::move(*chip);
  }
  return result;
}

System at_ends(const System& system, bool slow) {
  constexpr auto slow_when_high = std::to_array<std::string_view>(
      {"latency", "ring_step", "oversubscription", "start", "step"});
  System result = system;
  for (const Figure* figure : system.uncertain()) {
    const std::string_view key = figure->key;
    const std::string_view name = key.substr(key.rfind('.') + 1);
    if (name == "size") continue;
    const bool rises = std::ranges::find(slow_when_high, name) != slow_when_high.end();
    result = at_end(result, key, rises == slow ? End::high : End::low);
  }
  return result;
}

}  // namespace trainyard::machine
