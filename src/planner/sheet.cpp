#include "planner/sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "machine/schema.h"

namespace trainyard::planner {

namespace {

// Prices of other machines than `chip` do not matter to it.
bool concerns(std::string_view key, std::string_view chip) {
  for (const std::string_view family : {"rental.", "capex.", "all_in.", "bom."}) {
    if (!key.starts_with(family)) continue;
    const std::string_view rest = key.substr(family.size());
    return rest == chip || (rest.starts_with(chip) && rest[chip.size()] == '.');
  }
  if (key.starts_with("region."))
    return key.find(fmt::format(".{}.", chip)) != std::string_view::npos;
  return key.starts_with("finance.") || key.starts_with("operation.");
}

// What schedules know from the system file, and the link bound from the sheet.
bool is_of_links(std::string_view key) {
  return key.starts_with("scale_up.") || key == "reach.link" || key == "fixed.collective" ||
         key == "chip.logical_cores";
}

// A share is at most 1, whoever sets it.
void check_bounds(const std::string& key, double value, const std::string& setting) {
  const auto& fields = machine::accelerator_schema();
  const auto field = std::ranges::find(fields, key, &machine::Field::key);
  if (field == fields.end()) return;  // a price
  const machine::Bounds& bounds = field->bounds;
  if (value >= bounds.low && value <= bounds.high) return;
  const std::string_view unit = canonical_unit(field->dimension);
  throw base::InputError({"machine.override",
                          fmt::format("{} is {} to {} {}", key, bounds.low, bounds.high, unit),
                          "settings", setting, "set a value in that range"});
}

}  // namespace

Sheet::Sheet(const machine::Accelerator& accelerator, const economics::Prices& prices)
    : machine_(accelerator.name), title_(accelerator.title), chip_(accelerator.prices) {
  const auto add = [&](const std::string& key, const machine::Interval& amount, std::string unit,
                       const machine::Figure& figure) {
    inputs_.emplace(
        key, Input{amount, std::move(unit), figure.kind, figure.source, figure.date, figure.place});
  };
  for (const machine::Field& field : machine::accelerator_schema()) {
    if (const machine::Quantity* found = accelerator.find(field.key))
      add(field.key, found->amount, std::string(canonical_unit(field.dimension)), found->figure);
  }
  for (const auto& [key, price] : prices.entries) {
    if (concerns(key, chip_)) add(key, price.amount, price.figure.unit, price.figure);
  }
  if (accelerator.system.empty()) return;
  const auto cores = static_cast<std::int64_t>(at("chip.logical_cores"));
  schedules_ = std::make_shared<Schedules>(accelerator.system, cores);
  inputs_.emplace(link_ends_key,
                  Input{{.low = 0, .value = 1, .high = 2},
                        "",
                        machine::Kind::assumed,
                        fmt::format("machines/systems/{}.toml: all its unpublished figures at "
                                    "their fast ends (0), as they are (1), at their slow ends (2)",
                                    accelerator.system),
                        "",
                        ""});
}

std::optional<double> Sheet::find(std::string_view key) const {
  const auto found = inputs_.find(key);
  if (found == inputs_.end()) return std::nullopt;
  return found->second.amount.value;
}

double Sheet::at(std::string_view key) const {
  const auto value = find(key);
  base::check(value.has_value(), key);
  return *value;
}

void Sheet::set(std::string_view key, double value) {
  const auto found = inputs_.find(key);
  base::check(found != inputs_.end(), key);
  found->second.amount.value = value;
}

Sheet Sheet::with(std::string_view key, double value) const {
  Sheet result = *this;
  result.set(key, value);
  return result;
}

Sheet Sheet::without_software() const {
  Sheet result = *this;
  std::erase_if(result.inputs_,
                [](const auto& entry) { return entry.first.starts_with("software."); });
  return result;
}

Sheet Sheet::with_settings(std::span<const std::string> settings) const {
  Sheet result = *this;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    const std::string key = setting.substr(0, equals);
    double value = 0;
    const char* begin = setting.data() + std::min(setting.size(), equals + 1);
    const char* end = setting.data() + setting.size();
    const auto [rest, error] = std::from_chars(begin, end, value);
    if (equals == std::string::npos || error != std::errc{} || rest != end || !(value >= 0)) {
      throw base::InputError({"machine.override", "a setting is KEY=NUMBER", "settings", setting,
                              "write for example power.all_in=1500"});
    }
    const auto found = result.inputs_.find(key);
    if (found == result.inputs_.end()) {
      throw base::InputError(
          {"machine.unknown_key", fmt::format("{} has the figure", machine_), "settings", key,
           fmt::format("did you mean {}?",
                       machine::nearest_key(key, machine::accelerator_schema()))});
    }
    check_bounds(key, value, setting);
    found->second.amount = {value, value, value};
    found->second.kind = machine::Kind::assumed;
    found->second.source = fmt::format("set by hand: {}", setting);
    if (is_of_links(key) && result.schedules_) {  // the system file says something else
      result.schedules_.reset();
      result.inputs_.erase(std::string(link_ends_key));
    }
  }
  return result;
}

}  // namespace trainyard::planner
