// Single numbers of every element type on the host: patterns to values and back, and how a Literal
// holds them. Rounding is to nearest even. Sources: StableHLO specification, "Types"; OCP FP8 and
// MX for the narrow formats; the FNUZ formats as LLVM's APFloat describes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "graph/attribute.h"
#include "graph/type.h"

namespace trainyard::graph {

// The value of a floating-point pattern. All formats but complex ones.
[[nodiscard]] double float_value(ElementType format, std::uint64_t pattern);

// The pattern nearest to a value. Beyond the largest number: infinity, or NaN where the format has
// no infinity, or the largest number where it has neither.
[[nodiscard]] std::uint64_t float_pattern(ElementType format, double value);

// That number on every element.
[[nodiscard]] Literal filled(Type type, double number);

// Whether every element is 0; of numbers with a sign, +0.
[[nodiscard]] bool is_all_zero(const Literal& literal);

// Integers under a byte as a Literal holds them: signed ones extended to the byte, others with
// zeros above. Other types are left alone.
void normalise_small_integers(ElementType type, std::span<std::byte> content);

}  // namespace trainyard::graph
