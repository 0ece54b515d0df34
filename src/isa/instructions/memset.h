// memset: one constant into every element of a tile.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/constant.h"
#include "isa/semantics/execution.h"

namespace trainyard::isa {

struct Memset {
  Tile dst;
  double value = 0;
};

template <>
struct Definition<Memset> {
  static constexpr std::string_view mnemonic = "memset";
  static constexpr std::string_view summary = "dst = value";
  static constexpr EngineSet engines{Engine::vector, Engine::gpsimd};
  static constexpr Engine engine = Engine::vector;
  static constexpr Traits<Memset> traits{
      .moves_values = true,
      .any_partitions = true,
      .fills = [](const Memset& op) { return std::optional(op.value); },
  };
  static constexpr auto operands = std::tuple{
      writes("dst", &Memset::dst, "SBUF or PSUM tile"),
      of_kind(&Memset::dst, immediate("value", &Memset::value, "number")),
  };
  static constexpr auto constraints = std::to_array<Constraint<Memset>>({
      {"memset.c1", "dst is on chip, in elements of 1, 2 or 4 bytes",
       [](const auto& op, const auto&) {
         return rules::on_chip(op.dst) && op.dst.element_bytes() <= 4;
       },
       "write HBM with dma_copy, and 8 bytes as two uint32"},
      {"memset.c2", "an integer dst takes an integer that its dtype holds",
       [](const auto& op, const auto&) {
         return !rules::integers(op.dst) || op.dst.element_bytes() > 4 ||
                holds_integer(op.dst.dtype, op.value);
       },
       "pass an integer in range, or give dst a float dtype"},
      {"memset.c3", "a dst of a packed MX dtype takes only 0",
       [](const auto& op, const auto&) {
         return !numerics::is_packed(op.dst.dtype) || op.value == 0;
       },
       "load prepared data with dma_copy"},
  });
  static constexpr Source source = {"nki.isa.memset, NKI 0.6; strict types: release notes 0.3.0"};

  static Timing cycles(const Memset& op, Engine engine, const machine::Core& core) {
    return cost::memset(op.dst, op.value == 0, engine, core);
  }
  static Activity activity(const Memset& op) { return {.elements = op.dst.elements()}; }
  static void execute(const Memset& op, Execution& e) {
    fill_row(op.dst.dtype, constant_bits(op.dst.dtype, op.value),
             static_cast<std::size_t>(op.dst.free_elements()), e.raw[0]);
    for (int p = 0; p < op.dst.partitions; ++p) store_bits(op.dst, e, p, e.raw[0].data());
  }
};

}  // namespace trainyard::isa
