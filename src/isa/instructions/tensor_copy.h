// tensor_copy: a tile moved within the on-chip memories, cast on the way when the dtypes differ.
#pragma once

#include "isa/cost.h"
#include "isa/definition.h"
#include "isa/execution.h"
#include "isa/rules.h"

namespace trainyard::isa {

struct TensorCopy {
  Tile dst, src;
};

template <>
struct Definition<TensorCopy> : DefinitionDefaults {
  static constexpr std::string_view mnemonic = "tensor_copy";
  static constexpr std::string_view summary =
      "dst = src, bit for bit when the dtypes agree, else cast through fp32";
  static constexpr EngineSet engines{Engine::vector, Engine::scalar, Engine::gpsimd};
  static constexpr Engine engine = Engine::vector;
  static constexpr auto operands =
      std::tuple{writes("dst", &TensorCopy::dst, "SBUF or PSUM tile, [P, F]"),
                 reads("src", &TensorCopy::src,
                       "SBUF or PSUM tile with as many partitions and elements as dst")};
  static constexpr auto constraints = std::to_array<Constraint<TensorCopy>>({
      {"tensor_copy.c1", "dst and src are on chip",
       [](const auto& op, const auto&) { return op.dst.on_chip() && op.src.on_chip(); },
       "use dma_copy to reach HBM"},
      {"tensor_copy.c2", "dst and src have the same number of partitions",
       [](const auto& op, const auto&) { return op.dst.partitions == op.src.partitions; }},
      {"tensor_copy.c3", "dst and src have the same number of elements per partition",
       [](const auto& op, const auto&) { return rules::same_elements(op.dst, op.src); }},
  });
  static constexpr Source source = {"nki.isa.tensor_copy, NKI 0.6"};

  static Timing cycles(const TensorCopy& op, Engine engine, const machine::Core& core) {
    return cost::copy(op.dst, op.src, engine, core);
  }
  static Activity activity(const TensorCopy& op) { return {.elements = op.dst.elements()}; }
  static void execute(const TensorCopy& op, Execution& e) {
    for (int p = 0; p < op.dst.partitions; ++p) {
      if (op.dst.dtype == op.src.dtype) {
        store_bits(op.dst, e, p, bits(op.src, e, p, e.raw[0]));
      } else {
        store_floats(op.dst, e, p, floats(op.src, e, p, e.rows[0]));
      }
    }
  }
};

}  // namespace trainyard::isa
