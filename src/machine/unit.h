// Turns a written value and unit ("2.4", "GHz") into the base unit of a field's dimension, or says
// what is wrong.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "machine/schema.h"

namespace trainyard::machine {

// A value as it stands in a file or an override.
using Written = std::variant<std::int64_t, double, bool, std::string>;
[[nodiscard]] std::string describe(const Written& written);

// Why a written value cannot be used: the label of the broken rule, the rule, what to do.
struct Problem {
  std::string_view label;  // "machine.unit", "machine.type", "machine.clock", "machine.whole",
                           // "machine.range", "machine.choice"
  std::string rule;
  std::string fix;
};

// The units a field accepts, for messages: "GHz MHz".
[[nodiscard]] std::string accepted_units(const Field& field);

// Converts and checks type, unit, exactness and bounds. A time is rounded to the nearest tick of
// 1/168 ns.
[[nodiscard]] std::variant<Value, Problem> parse(const Field& field, const Written& written,
                                                 std::string_view unit);

// The written text of an override's value split into number or word and unit: "6TB/s" -> {6,
// "TB/s"}.
struct Split {
  Written written;
  std::string unit;
};
[[nodiscard]] Split split(std::string_view text);

}  // namespace trainyard::machine
