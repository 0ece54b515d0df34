#include "machine/figure_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace trainyard::machine {

namespace {

using Violations = std::vector<base::Violation>;

// Unit, kind and source are there.
bool complete(const Entry& entry, const Field& field, Violations& violations) {
  const std::size_t before = violations.size();
  const std::string where = place(entry.file, entry.line, field.key);
  const auto reported = [&](std::string_view attribute) {
    return std::ranges::find(entry.malformed, attribute) != entry.malformed.end();
  };
  if (entry.unit.empty() && !reported("unit")) {
    violations.push_back({"machine.unit", "every figure has a unit", where, "no unit",
                          fmt::format("write unit = \"{}\"", canonical_unit(field.dimension))});
  }
  if (!kind_from_name(entry.kind) && !reported("kind")) {
    violations.push_back(
        {"machine.kind", "every figure has a kind: published, derived, estimated or assumed", where,
         entry.kind.empty() ? "no kind" : entry.kind, "write how sure the number is"});
  }
  if (entry.source.empty() && !reported("source")) {
    violations.push_back({"machine.source", "every figure has a source", where, "no source",
                          "name the document, or why it is assumed"});
  }
  return entry.value && entry.malformed.empty() && violations.size() == before;
}

void report_problem(const Problem& problem, const Entry& entry, const std::string& key,
                    std::string found, Violations& violations) {
  violations.push_back({std::string(problem.label), problem.rule,
                        place(entry.file, entry.line, key), std::move(found), problem.fix});
}

// low <= value <= high, all in the figure's unit; the amount with both ends, or nothing.
std::optional<Interval> read_range(const Field& field, const Entry& entry, const Value& value,
                                   Violations& violations) {
  const double middle = canonical_number(field.dimension, value);
  if (!entry.low && !entry.high) return Interval{middle, middle, middle};
  const bool ordered = field.dimension != Dimension::flag && field.dimension != Dimension::choice;
  double bounds[2] = {middle, middle};
  int index = 0;
  for (const auto* end : {&entry.low, &entry.high}) {
    if (*end) {
      const auto parsed = parse(field, **end, entry.unit);
      if (const auto* problem = std::get_if<Problem>(&parsed)) {
        report_problem(*problem, entry, field.key, describe(**end), violations);
        return std::nullopt;
      }
      bounds[index] = canonical_number(field.dimension, std::get<Value>(parsed));
    }
    ++index;
  }
  if (entry.low && entry.high && (!ordered || (bounds[0] <= middle && middle <= bounds[1])))
    return Interval{bounds[0], middle, bounds[1]};
  violations.push_back(
      {"machine.uncertainty", "low and high come together and enclose the value",
       place(entry.file, entry.line, field.key),
       fmt::format("low {}, value {}, high {}", entry.low ? describe(*entry.low) : "missing",
                   describe(*entry.value), entry.high ? describe(*entry.high) : "missing"),
       "correct the range"});
  return std::nullopt;
}

}  // namespace

std::optional<Reading> read_figure(const Field& field, const Entry& entry, Violations& violations) {
  if (!complete(entry, field, violations)) return std::nullopt;
  const auto parsed = parse(field, *entry.value, entry.unit);
  if (const auto* problem = std::get_if<Problem>(&parsed)) {
    report_problem(*problem, entry, field.key,
                   fmt::format("{} {}", describe(*entry.value), entry.unit), violations);
    return std::nullopt;
  }
  const Value value = std::get<Value>(parsed);
  const auto amount = read_range(field, entry, value, violations);
  if (!amount) return std::nullopt;
  Figure figure{.key = field.key,
                .value = describe(*entry.value),
                .unit = entry.unit,
                .kind = *kind_from_name(entry.kind),
                .source = entry.source,
                .place = fmt::format("{}:{}", entry.file, entry.line),
                .date = entry.date};
  if (entry.low && entry.high) figure.range = Range{describe(*entry.low), describe(*entry.high)};
  return Reading{value, *amount, std::move(figure)};
}

std::string example(const Field& field) {
  return fmt::format("add {} = {{ value = ..., unit = \"{}\", kind = ..., source = ... }}  # {}",
                     field.key, canonical_unit(field.dimension), field.meaning);
}

}  // namespace trainyard::machine
