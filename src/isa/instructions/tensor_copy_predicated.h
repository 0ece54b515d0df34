// tensor_copy_predicated: elements copied where a mask says so; the others stay as they are.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/constant.h"
#include "isa/semantics/elementwise.h"
#include "isa/semantics/predicated.h"

namespace trainyard::isa {

struct TensorCopyPredicated {
  Tile dst;
  Scalar src;  // a number, or a tile as large as dst
  Tile predicate;
  bool reverse_pred = false;
};

template <>
struct Definition<TensorCopyPredicated> {
  static constexpr std::string_view mnemonic = "tensor_copy_predicated";
  static constexpr std::string_view summary =
      "dst = src where predicate is not 0 (is 0 when reversed), else unchanged";
  static constexpr EngineSet engines{Engine::vector};
  static constexpr Engine engine = Engine::vector;
  static constexpr Traits<TensorCopyPredicated> traits{
      .spread = Spread::moves,
      .moves_values = true,
  };
  static constexpr auto operands = std::tuple{
      indirectable(writes_some("dst", &TensorCopyPredicated::dst, "SBUF or PSUM tile, [P, F]")),
      reads("src", &TensorCopyPredicated::src, "number, or tile of dst's dtype and size"),
      indirectable(reads("predicate", &TensorCopyPredicated::predicate,
                         "uint8, uint16 or uint32 tile as large as dst")),
      immediate("reverse_pred", &TensorCopyPredicated::reverse_pred, "copy where predicate is 0",
                "False"),
  };
  static constexpr auto constraints = std::to_array<Constraint<TensorCopyPredicated>>({
      {"tensor_copy_predicated.c1", "dst, src and predicate are on chip",
       [](const auto& op, const auto&) {
         return rules::on_chip(op.dst, op.src.tile, op.predicate);
       },
       "load HBM data with dma_copy first"},
      {"tensor_copy_predicated.c2",
       "dst, src and predicate have the same number of partitions and elements per partition",
       [](const auto& op, const auto&) {
         return rules::same_shape(op.dst, op.predicate) &&
                (!op.src.is_tile() || rules::same_shape(op.dst, op.src.tile));
       },
       fixes::same_sizes},
      {"tensor_copy_predicated.c3", "predicate is uint8, uint16 or uint32",
       [](const auto& op, const auto&) {
         return rules::dtype_in(op.predicate,
                                {DType::bool_, DType::uint8, DType::uint16, DType::uint32});
       },
       "write the mask into an unsigned integer tile"},
      {"tensor_copy_predicated.c4", "src and dst have the same dtype",
       [](const auto& op, const auto&) {
         return !op.src.is_tile() || op.src.tile.dtype == op.dst.dtype;
       },
       "cast src with tensor_copy first"},
      {"tensor_copy_predicated.c5", "src and predicate are not both in PSUM",
       [](const auto& op, const auto&) { return !rules::both_psum(op.src.tile, op.predicate); },
       "copy one of them to SBUF first"},
      {"tensor_copy_predicated.c6", "a number goes into a dst that is not packed",
       [](const auto& op, const auto&) {
         return op.src.is_tile() || rules::computable(op.dst) || op.src.constant == 0;
       },
       "pass a tile of dst's dtype, or the number 0"},
  });
  static constexpr Source source = {"nki.isa.tensor_copy_predicated, NKI 0.6"};

  static Timing cycles(const TensorCopyPredicated& op, Engine, const machine::Core& core) {
    return cost::copy_predicated(op.dst, op.src.tile, op.predicate, core);
  }
  static Activity activity(const TensorCopyPredicated& op) {
    return {.elements = op.dst.elements()};
  }
  static void execute(const TensorCopyPredicated& op, Execution& e) {
    if (op.src.is_tile() &&
        predicated::copy_rows(op.dst, op.src.tile, op.predicate, op.reverse_pred, e))
      return;
    const auto n = static_cast<std::size_t>(op.dst.free_elements());
    std::uint32_t* mask = elementwise::pattern_row(e.raw[0], n);
    std::uint32_t* to = elementwise::pattern_row(e.raw[1], n);
    std::uint32_t* from = elementwise::pattern_row(e.raw[4], n);
    if (!op.src.is_tile()) std::fill(from, from + n, constant_bits(op.dst.dtype, op.src.constant));
    for (int p = 0; p < op.dst.partitions; ++p) {
      load_patterns(op.predicate, e, p, mask);
      if (op.src.is_tile()) load_patterns(op.src.tile, e, p, from);
      load_patterns(op.dst, e, p, to);
      numerics::select_words(mask, op.reverse_pred ? to : from, op.reverse_pred ? from : to, 1, to,
                             n);
      store_patterns(op.dst, e, p, to);
    }
  }
};

}  // namespace trainyard::isa
