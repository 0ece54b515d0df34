#include "machine/unit.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>

namespace trainyard::machine {

namespace {

struct Unit {
  std::string_view name;
  Dimension dimension;
  double scale;  // to the canonical unit of the dimension
};

constexpr auto units = std::to_array<Unit>({
    {"GHz", Dimension::frequency, 1},
    {"MHz", Dimension::frequency, 1e-3},
    {"ns", Dimension::time, 1},
    {"ps", Dimension::time, 1e-3},
    {"us", Dimension::time, 1e3},
    {"ms", Dimension::time, 1e6},
    {"s", Dimension::time, 1e9},
    {"cycles", Dimension::cycles, 1},
    {"B", Dimension::bytes, 1},
    {"KiB", Dimension::bytes, 1024.0},
    {"MiB", Dimension::bytes, 1048576.0},
    {"GiB", Dimension::bytes, 1073741824.0},
    {"TiB", Dimension::bytes, 1099511627776.0},
    {"kB", Dimension::bytes, 1e3},
    {"MB", Dimension::bytes, 1e6},
    {"GB", Dimension::bytes, 1e9},
    {"GB/s", Dimension::bandwidth, 1},
    {"B/ns", Dimension::bandwidth, 1},
    {"TB/s", Dimension::bandwidth, 1e3},
    {"MB/s", Dimension::bandwidth, 1e-3},
    {"Gb/s", Dimension::bandwidth, 0.125},
    {"GiB/s", Dimension::bandwidth, 1.073741824},
    {"elements/cycle", Dimension::rate, 1},
    {"count", Dimension::count, 1},
    {"flag", Dimension::flag, 1},
    {"choice", Dimension::choice, 1},
    {"pJ", Dimension::energy, 1},
    {"fJ", Dimension::energy, 1e-3},
    {"nJ", Dimension::energy, 1e3},
    {"W", Dimension::power, 1},
    {"mW", Dimension::power, 1e-3},
    {"kW", Dimension::power, 1e3},
    {"fraction", Dimension::fraction, 1},
    {"%", Dimension::fraction, 1e-2},
    {"TFLOPS", Dimension::teraflops, 1},
});

const Unit* find_unit(Dimension dimension, std::string_view name) {
  for (const Unit& unit : units) {
    if (unit.dimension == dimension && unit.name == name) return &unit;
  }
  return nullptr;
}

std::string join(std::span<const std::string_view> words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

std::optional<double> number(const Written& written) {
  if (const auto* whole = std::get_if<std::int64_t>(&written)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&written)) return *real;
  return std::nullopt;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t result = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return result;
}

Problem wrong_type(const Field& field, std::string_view expected) {
  return {"machine.type", fmt::format("{} is {}", field.key, expected),
          fmt::format("write {}", expected)};
}

Problem out_of_range(const Field& field) {
  const std::string range = fmt::format("{:.10g} .. {:.10g} {}", field.bounds.low,
                                        field.bounds.high, canonical_unit(field.dimension));
  return {"machine.range", fmt::format("{} is in {}", field.key, range),
          "check the value and its unit"};
}

Problem not_whole(const Field& field, std::string_view what) {
  return {"machine.whole", fmt::format("{} is a whole number of {}", field.key, what),
          "write a value that converts without a remainder"};
}

bool in_bounds(const Field& field, double canonical) {
  return canonical >= field.bounds.low && canonical <= field.bounds.high;  // false for NaN
}

bool nearly_whole(double value) {
  return std::abs(value - std::round(value)) <= 1e-9 * std::max(1.0, std::abs(value));
}

std::variant<Value, Problem> parse_flag(const Field& field, const Written& written) {
  const auto* flag = std::get_if<bool>(&written);
  if (flag == nullptr) return wrong_type(field, "true or false");
  return Value{.exact = *flag ? 1 : 0};
}

std::variant<Value, Problem> parse_choice(const Field& field, const Written& written) {
  const auto* word = std::get_if<std::string>(&written);
  for (std::size_t i = 0; word != nullptr && i < field.choices.size(); ++i) {
    if (field.choices[i] == *word) return Value{.exact = static_cast<std::int64_t>(i)};
  }
  return Problem{"machine.choice", fmt::format("{} is one of {}", field.key, join(field.choices)),
                 fmt::format("write one of {}", join(field.choices))};
}

std::variant<Value, Problem> parse_count(const Field& field, const Written& written) {
  const auto* whole = std::get_if<std::int64_t>(&written);
  if (whole == nullptr) return wrong_type(field, "a whole number");
  if (!in_bounds(field, static_cast<double>(*whole))) return out_of_range(field);
  return Value{.exact = *whole};
}

// A rate is a number of at most six decimals, or a fraction in a string: "3/13".
std::variant<Value, Problem> parse_rate(const Field& field, const Written& written) {
  constexpr std::int64_t scale = 1'000'000;
  constexpr auto expected = "a number, or a fraction such as \"3/13\"";
  std::int64_t above = 0;
  std::int64_t below = 1;
  if (const auto* fraction = std::get_if<std::string>(&written)) {
    const std::size_t slash = fraction->find('/');
    if (slash == std::string::npos) return wrong_type(field, expected);
    const auto top = whole_number(std::string_view(*fraction).substr(0, slash));
    const auto bottom = whole_number(std::string_view(*fraction).substr(slash + 1));
    if (!top || !bottom) return wrong_type(field, expected);
    if (*top < 1 || *bottom < 1 || *top > scale || *bottom > scale) return out_of_range(field);
    above = *top;
    below = *bottom;
  } else {
    const auto value = number(written);
    if (!value) return wrong_type(field, expected);
    if (!in_bounds(field, *value)) return out_of_range(field);
    if (!nearly_whole(*value * static_cast<double>(scale))) return not_whole(field, "millionths");
    above = std::llround(*value * static_cast<double>(scale));
    below = scale;
  }
  const std::int64_t common = std::gcd(above, below);
  const Value result{.exact = above / common, .denominator = below / common};
  if (!in_bounds(field, canonical_number(Dimension::rate, result))) return out_of_range(field);
  return result;
}

// A period is accepted within 1e-5, so that a clock may be written with six digits: 2.47059 GHz is
// 168/68 GHz.
std::variant<Value, Problem> parse_clock(const Field& field, double gigahertz) {
  const auto ticks_per_ns = static_cast<double>(base::ticks_per_nanosecond);
  const double ticks = ticks_per_ns / gigahertz;
  if (std::abs(ticks - std::round(ticks)) <= 1e-5 * ticks)
    return Value{.exact = std::llround(ticks)};
  return Problem{"machine.clock",
                 fmt::format("a cycle of {} is a whole number of ticks of 1/168 ns", field.key),
                 fmt::format("the nearest clocks are {:.6g} and {:.6g} GHz",
                             ticks_per_ns / std::ceil(ticks), ticks_per_ns / std::floor(ticks))};
}

// Dimensions that are a number times a unit.
std::variant<Value, Problem> parse_quantity(const Field& field, const Written& written,
                                            double scale) {
  const auto value = number(written);
  if (!value) return wrong_type(field, "a number");
  const double canonical = *value * scale;
  if (!in_bounds(field, canonical)) return out_of_range(field);
  switch (field.dimension) {
    case Dimension::frequency: return parse_clock(field, canonical);
    case Dimension::time:
      return Value{.exact =
                       std::llround(canonical * static_cast<double>(base::ticks_per_nanosecond))};
    case Dimension::cycles:
    case Dimension::bytes:
      if (!nearly_whole(canonical)) return not_whole(field, canonical_unit(field.dimension));
      return Value{.exact = std::llround(canonical)};
    case Dimension::bandwidth: return Value{.exact = std::llround(canonical * 1e9)};
    default: return Value{.real = canonical};
  }
}

}  // namespace

std::string describe(const Written& written) {
  if (const auto* word = std::get_if<std::string>(&written)) return *word;
  if (const auto* flag = std::get_if<bool>(&written)) return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&written)) return fmt::format("{}", *whole);
  return fmt::format("{}", std::get<double>(written));
}

std::string accepted_units(const Field& field) {
  std::vector<std::string_view> names;
  for (const Unit& unit : units) {
    if (unit.dimension == field.dimension) names.push_back(unit.name);
  }
  return join(names);
}

std::variant<Value, Problem> parse(const Field& field, const Written& written,
                                   std::string_view unit) {
  const Unit* known = find_unit(field.dimension, unit);
  if (known == nullptr) {
    return Problem{"machine.unit",
                   fmt::format("the unit of {} is one of {}", field.key, accepted_units(field)),
                   fmt::format("write unit = \"{}\"", canonical_unit(field.dimension))};
  }
  switch (field.dimension) {
    case Dimension::flag: return parse_flag(field, written);
    case Dimension::choice: return parse_choice(field, written);
    case Dimension::count: return parse_count(field, written);
    case Dimension::rate: return parse_rate(field, written);
    default: return parse_quantity(field, written, known->scale);
  }
}

Split split(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (text == "true" || text == "false") return {text == "true", ""};
  double real = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), real);
  if (error != std::errc{} || (end != text.data() + text.size() && *end == '/'))
    return {std::string(text), ""};
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  const auto whole = whole_number(text.substr(0, static_cast<std::size_t>(end - text.data())));
  if (whole) return {*whole, std::string(unit)};
  return {real, std::string(unit)};
}

}  // namespace trainyard::machine
