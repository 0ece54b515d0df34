#include "machine/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/hash.h"
#include "machine/consistency.h"
#include "machine/schema.h"
#include "machine/unit.h"

namespace trainyard::machine {

namespace {

std::uint64_t hash_text(std::string_view text, std::uint64_t hash) {
  return base::hash_bytes(std::as_bytes(std::span(text)), base::hash_combine(hash, text.size()));
}

struct Known {
  const Field& field;
  const Figure& figure;
};

Known entry(const Machine& machine, std::string_view key) {
  const Field* field = find_field(key);
  const Figure* known = machine.figure(key);
  if (field == nullptr || known == nullptr) {
    throw base::InputError({"machine.unknown_key", "every key is in the schema", machine.name,
                            std::string(key), fmt::format("did you mean {}?", nearest_key(key))});
  }
  return {*field, *known};
}

}  // namespace

const Figure* Machine::figure(std::string_view key) const {
  const auto found = std::ranges::find(figures, key, &Figure::key);
  return found == figures.end() ? nullptr : &*found;
}

std::vector<const Figure*> Machine::assumed(std::span<const std::string_view> prefixes) const {
  std::vector<const Figure*> result;
  for (const Figure& figure : figures) {
    if (figure.kind != Kind::assumed && figure.kind != Kind::estimated) continue;
    const auto matches = [&](std::string_view prefix) { return figure.key.starts_with(prefix); };
    if (std::ranges::any_of(prefixes, matches)) result.push_back(&figure);
  }
  return result;
}

Interval Machine::interval(std::string_view key) const {
  const auto [field, known] = entry(*this, key);
  const double value = canonical_number(field.dimension, field.fetch(*this));
  Interval result{value, value, value};
  if (!known.range) return result;
  const auto end = [&field = field, &known = known](const std::string& written) {
    // The reader has accepted both ends with this very unit.
    return canonical_number(field.dimension,
                            std::get<Value>(parse(field, split(written).written, known.unit)));
  };
  result.low = end(known.range->low);
  result.high = end(known.range->high);
  return result;
}

std::optional<Machine> at_end(const Machine& machine, std::string_view key, End end) {
  const auto [field, known] = entry(machine, key);
  const bool high = end == End::high;
  Machine result = machine;
  if (known.range) {
    const Split written = split(high ? known.range->high : known.range->low);
    field.store(result, std::get<Value>(parse(field, written.written, known.unit)));
  } else if (field.dimension == Dimension::flag) {
    field.store(result, {.exact = high ? 1 : 0});
  } else {
    return std::nullopt;
  }
  // The end of one range may not go with what another figure is now.
  if (!inconsistencies(result, Strictness::override).empty()) return std::nullopt;
  return result;
}

std::string Machine::explain(std::string_view key) const {
  const auto [field, known] = entry(*this, key);
  std::string result = fmt::format("{} = {} {} ({})\n  meaning: {}\n", key, known.value, known.unit,
                                   machine::name(known.kind), field.meaning);
  if (known.range) {
    result +=
        fmt::format("  range: {} .. {} {}\n", known.range->low, known.range->high, known.unit);
  }
  return result + fmt::format("  source: {}\n  at: {}\n  changes: {}\n", known.source, known.place,
                              describe(field.effect));
}

std::uint64_t Machine::hash() const {
  std::uint64_t result = hash_text(name, base::hash_seed);
  for (const Field& field : schema()) {
    const Value value = field.fetch(*this);
    result = hash_text(field.key, result);
    result = base::hash_combine(result, static_cast<std::uint64_t>(value.exact));
    result = base::hash_combine(result, static_cast<std::uint64_t>(value.denominator));
    result = base::hash_combine(result, std::bit_cast<std::uint64_t>(value.real));
  }
  return result;
}

double Machine::peak_teraflops(Rate macs) const {
  const double elements = static_cast<double>(core.array.rows * core.array.columns);
  return core.tensor.clock.gigahertz() * elements * macs.value() * 2 / 1000;
}

}  // namespace trainyard::machine
