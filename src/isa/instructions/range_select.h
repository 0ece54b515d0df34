// range_select: a tile where the position lies between two bounds, else the lowest float32, with a
// running maximum along each row.
#pragma once

#include <limits>

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/accumulator.h"
#include "isa/semantics/range.h"

namespace trainyard::isa {

struct RangeSelect {
  Tile dst, on_true_tile;
  numerics::AluOp comp_op0 = numerics::AluOp::greater_equal, comp_op1 = numerics::AluOp::less;
  Tile bound0, bound1;
  ReduceCmd reduce_cmd = ReduceCmd::reset_reduce;
  Tile reduce_res;
  numerics::AluOp reduce_op = numerics::AluOp::maximum;
  std::int32_t range_start = 0;
  double on_false_value = std::numeric_limits<float>::lowest();
};

template <>
struct Definition<RangeSelect> {
  static constexpr std::string_view mnemonic = "range_select";
  static constexpr std::string_view summary =
      "dst[p, i] = on_true_tile where (range_start + i) passes both bounds, else the lowest "
      "float32; reduce_res = the running maximum along each row";
  static constexpr EngineSet engines{Engine::vector};
  static constexpr Engine engine = Engine::vector;
  static constexpr Traits<RangeSelect> traits{
      .hidden = HiddenState::vector_accumulator,
      .spread = Spread::moves,
      .moves_values = true,
  };
  static constexpr auto operands = std::tuple{
      writes("dst", &RangeSelect::dst,
             "SBUF or PSUM tile, [P, F]; below 32 bits the value of "
             "masked elements becomes -inf"),
      as(Role::data,
         reads("on_true_tile", &RangeSelect::on_true_tile, "SBUF or PSUM tile of a float dtype")),
      immediate("comp_op0", &RangeSelect::comp_op0, "comparison of the position with bound0"),
      immediate("comp_op1", &RangeSelect::comp_op1, "comparison of the position with bound1"),
      reads("bound0", &RangeSelect::bound0, "[P, 1] fp32 tile"),
      reads("bound1", &RangeSelect::bound1, "[P, 1] fp32 tile"),
      immediate("reduce_cmd", &RangeSelect::reduce_cmd, "what the accumulators start from",
                "reduce_cmd.reset_reduce"),
      as(Role::reduction_result, writes("reduce_res", &RangeSelect::reduce_res,
                                        "[P, 1] tile that receives the accumulators", "None")),
      immediate("reduce_op", &RangeSelect::reduce_op, "maximum", "maximum"),
      immediate("range_start", &RangeSelect::range_start, "the position of the first element", "0"),
      immediate("on_false_value", &RangeSelect::on_false_value, "the lowest float32",
                "-3.4028234663852886e+38"),
  };
  static constexpr auto constraints = std::to_array<Constraint<RangeSelect>>({
      {"range_select.c1", "the machine has range_select",
       [](const auto&, const auto& core) { return core.features.range_select; },
       "use affine_select, or iota with tensor_scalar, before gen3"},
      {"range_select.c2", "all tiles are on chip",
       [](const auto& op, const auto&) {
         return rules::on_chip(op.dst, op.on_true_tile, op.bound0, op.bound1, op.reduce_res);
       },
       "load HBM data with dma_copy first"},
      {"range_select.c3",
       "dst and on_true_tile have the same number of partitions and elements per partition",
       [](const auto& op, const auto&) { return rules::same_shape(op.dst, op.on_true_tile); },
       fixes::same_sizes},
      {"range_select.c4", "bound0 and bound1 are [P, 1] float32 tiles",
       [](const auto& op, const auto&) {
         return op.bound0 && op.bound1 && rules::column(op.bound0, op.on_true_tile.partitions) &&
                rules::column(op.bound1, op.on_true_tile.partitions) &&
                rules::float32(op.bound0, op.bound1);
       },
       "pass one column of a float32 tile: t[:, 0:1]"},
      {"range_select.c5", "on_true_tile has a float dtype",
       [](const auto& op, const auto&) { return rules::floats(op.on_true_tile); },
       "cast with tensor_copy first"},
      {"range_select.c6",
       "comp_op0 and comp_op1 are equal, less, less_equal, greater or greater_equal",
       [](const auto& op, const auto&) {
         return range::is_interval(op.comp_op0) && range::is_interval(op.comp_op1);
       },
       "pass one of these comparisons"},
      {"range_select.c7", "the reduction is maximum",
       [](const auto& op, const auto&) { return op.reduce_op == numerics::AluOp::maximum; },
       fixes::maximum},
      {"range_select.c8", "on_false_value is the lowest float32, -3.4028235e+38",
       [](const auto& op, const auto&) {
         return static_cast<float>(op.on_false_value) == std::numeric_limits<float>::lowest();
       },
       "leave it out, or use select_reduce"},
      {"range_select.c9", "reduce_res is a [P, 1] on-chip tile",
       [](const auto& op, const auto&) {
         return rules::column(op.reduce_res, op.on_true_tile.partitions);
       },
       fixes::column},
      {"range_select.c10", "reduce_cmd is not load_reduce",
       [](const auto& op, const auto&) { return op.reduce_cmd != ReduceCmd::load_reduce; },
       "pass another command, such as reduce_cmd.reset_reduce"},
      {"range_select.c11", "reduce_res comes with a reduce_cmd other than idle",
       [](const auto& op, const auto&) {
         return !op.reduce_res || op.reduce_cmd != ReduceCmd::idle;
       },
       "idle leaves the accumulators undefined"},
      {"range_select.c12", "positions stay below 2^24, where float32 still counts by one",
       [](const auto& op, const auto&) {
         return op.range_start >= -(std::int64_t{1} << 24) &&
                op.range_start + op.dst.free_elements() <= (std::int64_t{1} << 24);
       },
       "subtract the same amount from range_start and the bounds"},
      {"range_select.c13", "dst and reduce_res have dtypes that engines compute on",
       [](const auto& op, const auto&) { return rules::computable(op.dst, op.reduce_res); },
       fixes::computable},
  });
  static constexpr Source source = {"nki.isa.range_select, NKI 0.6"};

  static Timing cycles(const RangeSelect& op, Engine, const machine::Core& core) {
    return cost::vector(op.dst, op.on_true_tile, core.vector_rates.other, core);
  }
  static Activity activity(const RangeSelect& op) { return {.elements = op.dst.elements()}; }
  static void execute(const RangeSelect& op, Execution& e) {
    const elementwise::Reduction reduction =
        accumulator::start(op.reduce_cmd, op.reduce_op, Scalar{}, op.on_true_tile, e);
    const auto other = static_cast<float>(op.on_false_value);
    elementwise::map(
        op.dst, op.on_true_tile, e, reduction,
        [&](int p, const float* in, float* out, std::size_t n) {
          const range::Interval inside = range::intersection(
              range::where(op.comp_op0, value({.tile = op.bound0}, e, p), op.range_start, n),
              range::where(op.comp_op1, value({.tile = op.bound1}, e, p), op.range_start, n));
          std::copy(in + inside.begin, in + inside.end, out + inside.begin);
          elementwise::fill(other, out, inside.begin);
          elementwise::fill(other, out + inside.end, n - inside.end);
        });
    if (op.reduce_res) store_column(op.reduce_res, e, reduction.lanes);
  }
};

}  // namespace trainyard::isa
