// The explicit list of everything a machine file must say: dotted key, the member it fills, what it
// means, its dimension and bounds. Reader, overrides, provenance, hash and docs are all derived
// from this list.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "machine/machine.h"

namespace trainyard::machine {

enum class Dimension : std::uint8_t {
  frequency,  // GHz MHz
  time,       // ps ns us ms s
  cycles,     // cycles of the clock of the engine the key belongs to
  bytes,      // B KiB MiB GiB TiB kB MB GB
  bandwidth,  // B/s MB/s GB/s TB/s B/ns Gb/s GiB/s
  rate,       // elements/cycle; 4, 0.5 or "3/13"
  count,      // whole number
  flag,       // true or false
  choice,     // one of a list of words
  energy,     // pJ fJ nJ
  power,      // W mW kW
  fraction,   // fraction, %
  teraflops,  // TFLOPS
};
[[nodiscard]] std::string_view name(Dimension dimension);
[[nodiscard]] std::string_view canonical_unit(Dimension dimension);

// What changes first in the answers about a kernel when a figure changes.
enum class Effect : std::uint8_t {
  timing,      // how long it takes
  values,      // the bits it computes
  rule,        // what it may do, where its tensors lie, which program is made of it
  energy,      // the joules it draws
  cost,        // the dollars it costs
  host,        // what launches and copies of tensor programs add on the host's side
  comparison,  // only what a report sets it beside: peaks, the speed of light
  none,        // nothing yet: the figure is kept and shown, and no model reads it
};
[[nodiscard]] std::string_view name(Effect effect);
// For people: "how long a kernel takes".
[[nodiscard]] std::string_view describe(Effect effect);

// A value in the base unit of its dimension. Whole numbers (ticks per cycle, ticks, cycles, bytes,
// bytes per second, counts, flags, choice indices, rates as a fraction) are in `exact`; energies,
// powers and shares in `real`.
struct Value {
  std::int64_t exact = 0;
  std::int64_t denominator = 1;
  double real = 0;
  friend bool operator==(const Value&, const Value&) = default;
};

// Bounds of a value in the canonical unit of its dimension.
struct Bounds {
  double low = 0;
  double high = 0;
};

struct Field {
  std::string key;
  std::string_view meaning;
  Dimension dimension;
  Bounds bounds;
  std::span<const std::string_view> choices;  // of a Dimension::choice, in enumerator order
  void (*store)(Machine&, const Value&);
  Value (*fetch)(const Machine&);
  Effect effect = Effect::timing;

  // The same field with another mark.
  [[nodiscard]] Field with(Effect other) && {
    effect = other;
    return std::move(*this);
  }
};

// All fields in the order of the reference: features, engines, memories, DMA, chip, system.
[[nodiscard]] std::span<const Field> schema();
[[nodiscard]] const Field* find_field(std::string_view key);
// The known key closest to a mistyped one, for the "did you mean" of an error.
[[nodiscard]] std::string_view nearest_key(std::string_view key,
                                           std::span<const Field> fields = schema());

// `value` in the canonical unit, for people: "2.4 GHz", "3/13 elements/cycle", "keep".
[[nodiscard]] std::string text(const Field& field, const Value& value);
// `value` as a number in the canonical unit (a choice as its index).
[[nodiscard]] double canonical_number(Dimension dimension, const Value& value);

void add_core_fields(std::vector<Field>& list);
void add_memory_fields(std::vector<Field>& list);
void add_system_fields(std::vector<Field>& list);

}  // namespace trainyard::machine
