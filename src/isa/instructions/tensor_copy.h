// tensor_copy: a tile moved within the on-chip memories, cast on the way when the dtypes differ.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/elementwise.h"

namespace trainyard::isa {

struct TensorCopy {
  Tile dst, src;
};

template <>
struct Definition<TensorCopy> {
  static constexpr std::string_view mnemonic = "tensor_copy";
  static constexpr std::string_view summary =
      "dst = src, bit for bit when the dtypes agree, else cast through fp32";
  static constexpr EngineSet engines{Engine::vector, Engine::scalar, Engine::gpsimd};
  static constexpr Engine engine = Engine::vector;
  static constexpr auto operands = std::tuple{
      indirectable(writes("dst", &TensorCopy::dst, "SBUF or PSUM tile, [P, F]")),
      indirectable(reads("src", &TensorCopy::src,
                         "SBUF or PSUM tile with as many partitions and elements as dst")),
  };
  static constexpr auto constraints = std::to_array<Constraint<TensorCopy>>({
      {"tensor_copy.c1", "dst and src are on chip",
       [](const auto& op, const auto&) { return rules::on_chip(op.dst, op.src); },
       "use dma_copy to reach HBM"},
      {"tensor_copy.c2", "dst and src have the same number of partitions",
       [](const auto& op, const auto&) { return rules::same_partitions(op.dst, op.src); },
       fixes::same_sizes},
      {"tensor_copy.c3", "dst and src have the same number of elements per partition",
       [](const auto& op, const auto&) { return rules::same_elements(op.dst, op.src); },
       fixes::same_sizes},
      {"tensor_copy.c4", "packed MX dtypes are copied, not cast",
       [](const auto& op, const auto&) {
         return op.dst.dtype == op.src.dtype || rules::computable(op.dst, op.src);
       },
       "give dst the dtype of src, or view both as an integer dtype"},
      {"tensor_copy.c5", "the Scalar engine of gen2 has no tensor_copy",
       [](const auto&, const auto& core, const Site& site) {
         return site.engine != Engine::scalar || core.features.scalar_copy;
       },
       "use activation with op=copy, or the Vector engine"},
      {"tensor_copy.c6", "GpSimd does not gather or scatter in tensor_copy",
       [](const auto& op, const auto&, const Site& site) {
         return site.engine != Engine::gpsimd ||
                !(rules::indirect(op.dst, site) || rules::indirect(op.src, site));
       },
       "use the Vector or Scalar engine, or nc_n_gather"},
  });
  static constexpr Source source = {"nki.isa.tensor_copy, NKI 0.6"};

  static Spread spread(const TensorCopy& op) {
    return op.dst.dtype == op.src.dtype ? Spread::moves : Spread::lanes;
  }
  static Timing cycles(const TensorCopy& op, Engine engine, const machine::Core& core) {
    return cost::copy(op.dst, op.src, engine, core);
  }
  static Activity activity(const TensorCopy& op) { return {.elements = op.dst.elements()}; }
  static void execute(const TensorCopy& op, Execution& e) {
    if (op.dst.dtype == op.src.dtype) return elementwise::copy_bits(op.dst, op.src, e);
    const SourceRows in(op.src, e, e.rows[0]);
    ResultRows out(op.dst, e, e.rows[2], {&op.src});
    if (in.in_place()) return out.store(0, op.dst.partitions, in[0], in.stride());
    for (int p = 0; p < op.dst.partitions; ++p) out.store(p, in[p]);
  }

  static constexpr Traits<TensorCopy> traits{
      .spread = spread,
      .moves_values = true,
      .any_partitions = true,
      .looks_up_addresses = true,
  };
};

}  // namespace trainyard::isa
