// How a member of Machine becomes a schema field: its type decides the dimension, the usual bounds
// and the conversion. Only the schema_*.cpp files include this.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "machine/schema.h"

namespace trainyard::machine {

// What several of the schema files name.
inline constexpr auto core = &Machine::core;
inline constexpr Bounds positive{1, 1e9};
inline constexpr Bounds some_bytes{1, 1e15};

// The words of a choice, in enumerator order.
template <typename Enum>
inline constexpr auto choice_words = std::array<std::string_view, 0>{};
template <>
inline constexpr auto choice_words<Generation> = std::to_array<std::string_view>({"gen2", "gen3",
                                                                                  "gen4"});
template <>
inline constexpr auto choice_words<Denormals> = std::to_array<std::string_view>({"keep", "flush"});
template <>
inline constexpr auto choice_words<Saturation> = std::to_array<std::string_view>({"saturate",
                                                                                  "infinity"});
template <>
inline constexpr auto choice_words<MxScaleRule> = std::to_array<std::string_view>({"nki_0_5",
                                                                                   "ocp"});
template <>
inline constexpr auto choice_words<Rounding> = std::to_array<std::string_view>({"nearest_even",
                                                                                "stochastic"});
template <>
inline constexpr auto choice_words<IntegerRounding> =
    std::to_array<std::string_view>({"nearest_even", "toward_zero"});
template <>
inline constexpr auto choice_words<SearchRule> = std::to_array<std::string_view>({"nki_0_6",
                                                                                  "nki_0_5"});
template <>
inline constexpr auto choice_words<DmaArbitration> =
    std::to_array<std::string_view>({"round_robin", "strict_priority", "weighted"});
template <>
inline constexpr auto choice_words<Unwritten> = std::to_array<std::string_view>({"stale", "zero"});
template <>
inline constexpr auto choice_words<LowPrecision> = std::to_array<std::string_view>({"stored",
                                                                                    "float32"});
template <>
inline constexpr auto choice_words<PsumCollision> = std::to_array<std::string_view>({"serialise",
                                                                                     "fault"});
template <>
inline constexpr auto choice_words<ActivationAccuracy> =
    std::to_array<std::string_view>({"exact", "documented_tables"});

template <typename Member>
constexpr Dimension dimension_of() {
  using std::is_same_v;
  if constexpr (is_same_v<Member, base::Clock>)
    return Dimension::frequency;
  else if constexpr (is_same_v<Member, base::Ticks>)
    return Dimension::time;
  else if constexpr (is_same_v<Member, base::Cycles>)
    return Dimension::cycles;
  else if constexpr (is_same_v<Member, base::Bytes>)
    return Dimension::bytes;
  else if constexpr (is_same_v<Member, Bandwidth>)
    return Dimension::bandwidth;
  else if constexpr (is_same_v<Member, Rate>)
    return Dimension::rate;
  else if constexpr (is_same_v<Member, Energy>)
    return Dimension::energy;
  else if constexpr (is_same_v<Member, Power>)
    return Dimension::power;
  else if constexpr (is_same_v<Member, Fraction>)
    return Dimension::fraction;
  else if constexpr (is_same_v<Member, Teraflops>)
    return Dimension::teraflops;
  else if constexpr (is_same_v<Member, bool>)
    return Dimension::flag;
  else if constexpr (is_same_v<Member, std::int64_t>)
    return Dimension::count;
  else {
    static_assert(std::is_enum_v<Member>, "a machine member of a type the schema does not know");
    return Dimension::choice;
  }
}

// Wide enough for any accelerator, narrow enough that a slipped unit is noticed.
constexpr Bounds usual_bounds(Dimension dimension) {
  switch (dimension) {
    case Dimension::frequency: return {0.1, 10};
    case Dimension::time: return {0, 1e9};
    case Dimension::cycles: return {0, 100'000};
    case Dimension::bytes: return {0, 1e15};
    case Dimension::bandwidth: return {1e-3, 1e6};
    case Dimension::rate: return {1e-3, 1024};
    case Dimension::count: return {0, 1e9};
    case Dimension::flag: return {0, 1};
    case Dimension::choice: return {0, 255};
    case Dimension::energy: return {0, 1e6};
    case Dimension::power: return {0, 1e5};
    case Dimension::fraction: return {0, 1};
    case Dimension::teraflops: return {0, 1e6};
  }
  return {};
}

template <typename Member>
void store_member(Member& member, const Value& value) {
  if constexpr (std::is_same_v<Member, base::Clock>)
    member.ticks_per_cycle = value.exact;
  else if constexpr (std::is_same_v<Member, Bandwidth>)
    member.bytes_per_second = value.exact;
  else if constexpr (std::is_same_v<Member, Rate>)
    member = {value.exact, value.denominator};
  else if constexpr (std::is_same_v<Member, Energy>)
    member.picojoules = value.real;
  else if constexpr (std::is_same_v<Member, Power>)
    member.watts = value.real;
  else if constexpr (std::is_same_v<Member, Fraction> || std::is_same_v<Member, Teraflops>)
    member.value = value.real;
  else if constexpr (std::is_same_v<Member, bool>)
    member = value.exact != 0;
  else if constexpr (std::is_same_v<Member, std::int64_t>)
    member = value.exact;
  else if constexpr (std::is_enum_v<Member>)
    member = static_cast<Member>(value.exact);
  else
    member.value = value.exact;
}

template <typename Member>
Value fetch_member(const Member& member) {
  if constexpr (std::is_same_v<Member, base::Clock>)
    return {.exact = member.ticks_per_cycle};
  else if constexpr (std::is_same_v<Member, Bandwidth>)
    return {.exact = member.bytes_per_second};
  else if constexpr (std::is_same_v<Member, Rate>)
    return {.exact = member.elements, .denominator = member.cycles};
  else if constexpr (std::is_same_v<Member, Energy>)
    return {.real = member.picojoules};
  else if constexpr (std::is_same_v<Member, Power>)
    return {.real = member.watts};
  else if constexpr (std::is_same_v<Member, Fraction> || std::is_same_v<Member, Teraflops>)
    return {.real = member.value};
  else if constexpr (std::is_same_v<Member, bool>)
    return {.exact = member ? 1 : 0};
  else if constexpr (std::is_same_v<Member, std::int64_t>)
    return {.exact = member};
  else if constexpr (std::is_enum_v<Member>)
    return {.exact = static_cast<std::int64_t>(member)};
  else
    return {.exact = member.value};
}

// The field of the member reached by a chain of member pointers:
// field<&Machine::core, &Core::tensor, &EngineTimes::clock>("tensor.clock", "...").
template <auto... path>
Field field(std::string key, std::string_view meaning, std::optional<Bounds> bounds = {}) {
  using Member = std::remove_cvref_t<decltype((std::declval<Machine&>().*....*path))>;
  constexpr Dimension dimension = dimension_of<Member>();
  return {.key = std::move(key),
          .meaning = meaning,
          .dimension = dimension,
          .bounds = bounds.value_or(usual_bounds(dimension)),
          .choices = choice_words<Member>,
          .store = [](Machine& machine,
                      const Value& value) { store_member((machine.*....*path), value); },
          .fetch = [](const Machine& machine) { return fetch_member((machine.*....*path)); }};
}

}  // namespace trainyard::machine
