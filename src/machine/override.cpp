// Checked changes to single figures of a machine: "hbm.bandwidth=6TB/s", "dma.link=x1.5".
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "machine/consistency.h"
#include "machine/machine.h"
#include "machine/schema.h"
#include "machine/unit.h"

namespace trainyard::machine {

namespace {

[[noreturn]] void reject(std::string_view label, std::string rule, std::string_view setting,
                         std::string fix) {
  throw base::InputError(
      {std::string(label), std::move(rule), "override", std::string(setting), std::move(fix)});
}

bool has_relative(Dimension dimension) {
  return dimension != Dimension::flag && dimension != Dimension::choice;
}

// Whether a value of this dimension may be written without its unit.
bool is_unitless(Dimension dimension) {
  return dimension == Dimension::count || dimension == Dimension::flag ||
         dimension == Dimension::rate || dimension == Dimension::fraction;
}

// The present value times `factor`, as it would be written in the canonical unit.
Split scaled(const Field& field, const Value& now, double factor) {
  double target = canonical_number(field.dimension, now) * factor;
  // A clock has whole ticks a cycle: the nearest one is taken.
  if (field.dimension == Dimension::frequency && factor > 0) {
    const auto ticks = std::round(static_cast<double>(now.exact) / factor);
    target = static_cast<double>(base::ticks_per_nanosecond) / std::max(ticks, 1.0);
  }
  // Twelve digits: 38.4 x 1.5 is written 57.6, not 57.599999999999994.
  const std::string digits = fmt::format("{:.12g}", target);
  double value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole =
      field.dimension == Dimension::count && value == std::floor(value) && std::abs(value) < 1e15;
  return {whole ? Written{static_cast<std::int64_t>(value)} : Written{value},
          std::string(canonical_unit(field.dimension))};
}

Split read_setting(const Field& field, const Machine& machine, std::string_view text,
                   std::string_view setting) {
  if (text.size() > 1 && text.front() == 'x' && has_relative(field.dimension)) {
    double factor = 0;
    const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), factor);
    if (error != std::errc{} || end != text.data() + text.size() || !(factor >= 0)) {
      reject("machine.override", "a relative override is x and a number", setting,
             "write for instance x1.5");
    }
    return scaled(field, field.fetch(machine), factor);
  }
  // A choice is a word, also where from_chars would take it for a number: "infinity".
  if (field.dimension == Dimension::choice)
    return {std::string(text), std::string(canonical_unit(field.dimension))};
  Split result = split(text);
  if (result.unit.empty() && is_unitless(field.dimension))
    result.unit = canonical_unit(field.dimension);
  return result;
}

void replace_figure(Machine& machine, const Field& field, const Split& split) {
  for (Figure& figure : machine.figures) {
    if (figure.key != field.key) continue;
    const std::string before = fmt::format("{} {}", figure.value, figure.unit);
    figure = {
        .key = field.key,
        .value = describe(split.written),
        .unit = split.unit,
        .kind = Kind::assumed,
        .source = fmt::format("override; {} says {} ({})", figure.place, before, figure.source),
        .range = std::nullopt,
        .place = "override",
        .date = {},
        .replaced = before};
  }
}

// A figure as a setting says it.
std::string setting_of(const Figure& figure) {
  const Dimension dimension = find_field(figure.key)->dimension;
  const bool bare = dimension == Dimension::choice ||
                    (is_unitless(dimension) && figure.unit == canonical_unit(dimension));
  return fmt::format("{}={}{}", figure.key, figure.value, bare ? "" : figure.unit);
}

// What to do about a wrong setting: what helps in a machine file is written otherwise there.
std::string fix_of(const Problem& problem, const Machine& machine, const Field& field) {
  if (problem.label == "machine.clock" || problem.label == "machine.choice") return problem.fix;
  const auto figure = std::ranges::find(machine.figures, field.key, &Figure::key);
  return figure == machine.figures.end() ? problem.fix
                                         : "write for instance --set " + setting_of(*figure);
}

}  // namespace

Machine apply_override(Machine machine, std::string_view setting) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string_view::npos) {
    reject("machine.override", "an override is key=value", setting,
           "write for instance hbm.bandwidth=6TB/s");
  }
  std::string_view key = setting.substr(0, equals);
  std::string_view text = setting.substr(equals + 1);
  while (!key.empty() && key.back() == ' ') key.remove_suffix(1);
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  const Field* field = find_field(key);
  if (field == nullptr) {
    reject("machine.unknown_key", "every key is in the schema", setting,
           fmt::format("did you mean {}?", nearest_key(key)));
  }
  const Split split = read_setting(*field, machine, text, setting);
  const auto parsed = parse(*field, split.written, split.unit);
  if (const auto* problem = std::get_if<Problem>(&parsed))
    reject(problem->label, problem->rule, setting, fix_of(*problem, machine, *field));
  field->store(machine, std::get<Value>(parsed));
  replace_figure(machine, *field, split);
  return machine;
}

Machine apply_overrides(Machine machine, std::span<const std::string> settings) {
  std::vector<base::Violation> violations;
  for (const std::string& setting : settings) {
    try {
      machine = apply_override(std::move(machine), setting);
    } catch (const base::InputError& error) {
      violations.insert(violations.end(), error.violations().begin(), error.violations().end());
    }
  }
  if (violations.empty()) violations = inconsistencies(machine, Strictness::override);
  if (!violations.empty()) throw base::InputError(std::move(violations));
  return machine;
}

std::vector<std::string> overrides_of(const Machine& machine) {
  std::vector<std::string> settings;
  for (const Figure& figure : machine.figures) {
    if (!figure.replaced.empty()) settings.push_back(setting_of(figure));
  }
  return settings;
}

}  // namespace trainyard::machine
