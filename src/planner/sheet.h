// Every figure that an answer may lean on: of a compared machine and of the price list, by key,
// with its range. Answers are functions of a sheet, so that each figure can be moved by itself.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "economics/prices.h"
#include "machine/accelerator.h"
#include "planner/schedules.h"

namespace trainyard::planner {

// One figure, in the unit that `unit` names.
struct Input {
  machine::Interval amount;
  std::string unit;
  machine::Kind kind = machine::Kind::published;
  std::string source, date, place;
};

// Of sheets with schedules: where unpublished figures of the links are in their ranges, as
// Schedules::seconds() has it.
inline constexpr std::string_view link_ends_key = "links.unpublished";

class Sheet {
 public:
  Sheet(const machine::Accelerator& accelerator, const economics::Prices& prices);

  [[nodiscard]] const std::string& machine() const { return machine_; }
  [[nodiscard]] const std::string& title() const { return title_; }
  // Its name in the price list, and in keys such as "capex.trn3".
  [[nodiscard]] const std::string& chip() const { return chip_; }
  // The links as schedules see them; nothing where no system file describes them.
  [[nodiscard]] const std::shared_ptr<Schedules>& schedules() const { return schedules_; }
  [[nodiscard]] const std::map<std::string, Input, std::less<>>& inputs() const { return inputs_; }
  // The value, or nothing where nobody has published or bracketed the figure.
  [[nodiscard]] std::optional<double> find(std::string_view key) const;
  // The value of a figure that every machine file has.
  [[nodiscard]] double at(std::string_view key) const;
  // One figure is at `value` from now on; its range is kept.
  void set(std::string_view key, double value);
  // The sheet with one figure at `value`.
  [[nodiscard]] Sheet with(std::string_view key, double value) const;
  // The same machine without what its software takes besides (software.*): what it would do.
  [[nodiscard]] Sheet without_software() const;
  // The sheet with figures changed by "key=value" in the figure's unit. Throws InputError
  // "machine.override" or "machine.unknown_key".
  [[nodiscard]] Sheet with_settings(std::span<const std::string> settings) const;

 private:
  std::string machine_, title_, chip_;
  std::map<std::string, Input, std::less<>> inputs_;
  std::shared_ptr<Schedules> schedules_;  // copies of a sheet ask the same ones
};

}  // namespace trainyard::planner
