// select_reduce: one of two values by a mask, with a running maximum along each row.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/accumulator.h"

namespace trainyard::isa {

struct SelectReduce {
  Tile dst, predicate, on_true;
  Scalar on_false;
  Tile reduce_res;
  ReduceCmd reduce_cmd = ReduceCmd::idle;
  numerics::AluOp reduce_op = numerics::AluOp::maximum;
  bool reverse_pred = false;
};

template <>
struct Definition<SelectReduce> {
  static constexpr std::string_view mnemonic = "select_reduce";
  static constexpr std::string_view summary =
      "dst = on_true where predicate is not 0 (is 0 when reversed), else on_false; reduce_res = "
      "the running maximum along each row";
  static constexpr EngineSet engines{Engine::vector};
  static constexpr Engine engine = Engine::vector;
  static constexpr Traits<SelectReduce> traits{
      .hidden = HiddenState::vector_accumulator,
      .spread = Spread::moves,
      .moves_values = true,
  };
  static constexpr auto operands = std::tuple{
      writes("dst", &SelectReduce::dst, "SBUF or PSUM tile, [P, F]"),
      reads("predicate", &SelectReduce::predicate, "int8, uint8, int16 or uint16 tile, [P, F]"),
      as(Role::data, reads("on_true", &SelectReduce::on_true, "SBUF or PSUM tile, [P, F]")),
      reads("on_false", &SelectReduce::on_false, "number or [P, 1] tile"),
      as(Role::reduction_result, writes("reduce_res", &SelectReduce::reduce_res,
                                        "[P, 1] tile that receives the accumulators", "None")),
      immediate("reduce_cmd", &SelectReduce::reduce_cmd, "what the accumulators start from",
                "reduce_cmd.idle"),
      immediate("reduce_op", &SelectReduce::reduce_op, "maximum", "maximum"),
      immediate("reverse_pred", &SelectReduce::reverse_pred, "on_true where predicate is 0",
                "False"),
  };
  static constexpr auto constraints = std::to_array<Constraint<SelectReduce>>({
      {"select_reduce.c1", "dst, predicate and on_true are on chip",
       [](const auto& op, const auto&) { return rules::on_chip(op.dst, op.predicate, op.on_true); },
       "load HBM data with dma_copy first"},
      {"select_reduce.c2",
       "dst, predicate and on_true have the same number of partitions and elements per partition",
       [](const auto& op, const auto&) {
         return rules::same_shape(op.dst, op.on_true) && rules::same_shape(op.dst, op.predicate);
       },
       fixes::same_sizes},
      {"select_reduce.c3", "on_false is a number or a [P, 1] on-chip tile",
       [](const auto& op, const auto&) {
         return rules::scalar_or_column(op.on_false, op.on_true.partitions);
       },
       fixes::number_or_column},
      {"select_reduce.c4", "predicate is int8, uint8, int16 or uint16",
       [](const auto& op, const auto&) {
         return rules::dtype_in(
             op.predicate, {DType::bool_, DType::int8, DType::uint8, DType::int16, DType::uint16});
       },
       "write the mask into a tile with one of these dtypes"},
      {"select_reduce.c5", "on_true is not tfloat32, int32 or uint32",
       [](const auto& op, const auto&) {
         return op.on_true.dtype != DType::tfloat32 && !rules::words(op.on_true);
       },
       "use tensor_copy_predicated, which copies bits"},
      {"select_reduce.c6", "on_true and predicate are not both in PSUM",
       [](const auto& op, const auto&) { return !rules::both_psum(op.on_true, op.predicate); },
       "copy one of them to SBUF first"},
      {"select_reduce.c7", "reduce_res is a [P, 1] on-chip tile of a float dtype",
       [](const auto& op, const auto&) {
         return rules::column(op.reduce_res, op.on_true.partitions) && rules::floats(op.reduce_res);
       },
       fixes::float_column},
      {"select_reduce.c8", "the reduction is maximum",
       [](const auto& op, const auto&) { return op.reduce_op == numerics::AluOp::maximum; },
       fixes::maximum},
      {"select_reduce.c9", "reduce_cmd is idle, reset_reduce or reduce",
       [](const auto& op, const auto&) {
         return rules::one_of(op.reduce_cmd,
                              {ReduceCmd::idle, ReduceCmd::reset_reduce, ReduceCmd::reduce});
       },
       fixes::commands},
      {"select_reduce.c10", "reduce_res comes with a reduce_cmd that reduces",
       [](const auto& op, const auto&) {
         return !op.reduce_res || op.reduce_cmd != ReduceCmd::idle;
       },
       "pass reduce_cmd=reset_reduce: idle leaves the accumulators undefined"},
      {"select_reduce.c11", "dst, on_true and on_false have dtypes that engines compute on",
       [](const auto& op, const auto&) {
         return rules::computable(op.dst, op.on_true, op.on_false.tile);
       },
       fixes::computable},
  });
  static constexpr Source source = {"nki.isa.select_reduce, NKI 0.6"};

  static Timing cycles(const SelectReduce& op, Engine, const machine::Core& core) {
    return cost::vector(op.dst, op.on_true, core.vector_rates.other, core);
  }
  static Activity activity(const SelectReduce& op) { return {.elements = op.dst.elements()}; }
  static void execute(const SelectReduce& op, Execution& e) {
    const elementwise::Reduction reduction =
        accumulator::start(op.reduce_cmd, op.reduce_op, Scalar{}, op.on_true, e);
    const auto size = static_cast<std::size_t>(op.dst.free_elements());
    std::uint32_t* mask = elementwise::pattern_row(e.raw[0], size);
    elementwise::map(
        op.dst, op.on_true, e, reduction, [&](int p, const float* in, float* out, std::size_t n) {
          load_patterns(op.predicate, e, p, mask);
          elementwise::select(mask, op.reverse_pred, in, value(op.on_false, e, p), out, n);
        });
    if (op.reduce_res) store_column(op.reduce_res, e, reduction.lanes);
  }
};

}  // namespace trainyard::isa
