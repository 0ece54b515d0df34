#include "machine/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard::machine {

namespace {

std::vector<Field> build_schema() {
  std::vector<Field> list;
  add_core_fields(list);
  add_memory_fields(list);
  add_system_fields(list);
  return list;
}

// Levenshtein distance: how many letters a typist got wrong.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::string_view name(Dimension dimension) {
  switch (dimension) {
    case Dimension::frequency: return "frequency";
    case Dimension::time: return "time";
    case Dimension::cycles: return "cycles";
    case Dimension::bytes: return "bytes";
    case Dimension::bandwidth: return "bandwidth";
    case Dimension::rate: return "rate";
    case Dimension::count: return "count";
    case Dimension::flag: return "flag";
    case Dimension::choice: return "choice";
    case Dimension::energy: return "energy";
    case Dimension::power: return "power";
    case Dimension::fraction: return "fraction";
    case Dimension::teraflops: return "teraflops";
  }
  base::fail("unknown dimension");
}

std::string_view name(Effect effect) {
  switch (effect) {
    case Effect::timing: return "timing";
    case Effect::values: return "values";
    case Effect::rule: return "rule";
    case Effect::energy: return "energy";
    case Effect::cost: return "cost";
    case Effect::host: return "host";
    case Effect::comparison: return "comparison";
    case Effect::none: return "none";
  }
  base::fail("unknown effect");
}

std::string_view describe(Effect effect) {
  switch (effect) {
    case Effect::timing: return "how long a kernel takes";
    case Effect::values: return "the bits that a kernel computes";
    case Effect::rule: return "what a kernel may do and how it is compiled";
    case Effect::energy: return "the energy of a run";
    case Effect::cost: return "the dollars of a run";
    case Effect::host: return "the time of launches and copies of JAX programs";
    case Effect::comparison: return "only the peaks that a run is compared with";
    case Effect::none: return "nothing yet: no model reads it";
  }
  base::fail("unknown effect");
}

std::string_view canonical_unit(Dimension dimension) {
  switch (dimension) {
    case Dimension::frequency: return "GHz";
    case Dimension::time: return "ns";
    case Dimension::cycles: return "cycles";
    case Dimension::bytes: return "B";
    case Dimension::bandwidth: return "GB/s";
    case Dimension::rate: return "elements/cycle";
    case Dimension::count: return "count";
    case Dimension::flag: return "flag";
    case Dimension::choice: return "choice";
    case Dimension::energy: return "pJ";
    case Dimension::power: return "W";
    case Dimension::fraction: return "fraction";
    case Dimension::teraflops: return "TFLOPS";
  }
  base::fail("unknown dimension");
}

std::span<const Field> schema() {
  static const std::vector<Field> fields = build_schema();
  return fields;
}

const Field* find_field(std::string_view key) {
  const auto fields = schema();
  const auto found = std::ranges::find(fields, key, &Field::key);
  return found == fields.end() ? nullptr : &*found;
}

std::string_view nearest_key(std::string_view key, std::span<const Field> fields) {
  // A key longer than any real one would only cost time.
  const std::string_view head = key.substr(0, 100);
  return std::ranges::min_element(fields, {}, [&](const Field& f) { return edits(head, f.key); })
      ->key;
}

double canonical_number(Dimension dimension, const Value& value) {
  const auto exact = static_cast<double>(value.exact);
  switch (dimension) {
    case Dimension::frequency: return static_cast<double>(base::ticks_per_nanosecond) / exact;
    case Dimension::time: return exact / static_cast<double>(base::ticks_per_nanosecond);
    case Dimension::bandwidth: return exact / 1e9;
    case Dimension::rate: return exact / static_cast<double>(value.denominator);
    case Dimension::cycles:
    case Dimension::bytes:
    case Dimension::count:
    case Dimension::flag:
    case Dimension::choice: return exact;
    case Dimension::energy:
    case Dimension::power:
    case Dimension::fraction:
    case Dimension::teraflops: return value.real;
  }
  base::fail("unknown dimension");
}

std::string text(const Field& field, const Value& value) {
  switch (field.dimension) {
    case Dimension::flag: return value.exact != 0 ? "true" : "false";
    case Dimension::choice:
      return std::string(field.choices[static_cast<std::size_t>(value.exact)]);
    case Dimension::count: return fmt::format("{}", value.exact);
    case Dimension::cycles:
    case Dimension::bytes:
      return fmt::format("{} {}", value.exact, canonical_unit(field.dimension));
    case Dimension::rate:
      if (value.denominator != 1)
        return fmt::format("{}/{} elements/cycle", value.exact, value.denominator);
      return fmt::format("{} elements/cycle", value.exact);
    default:
      return fmt::format("{:.10g} {}", canonical_number(field.dimension, value),
                         canonical_unit(field.dimension));
  }
}

}  // namespace trainyard::machine
