// tensor_reduce: an operator along the last free dimensions of a tile.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/reduce.h"

namespace trainyard::isa {

struct TensorReduce {
  Tile dst;
  numerics::AluOp op = numerics::AluOp::add;
  Tile data;
  IntList axis;  // dimensions of data, partitions = 0; ascending, ending with the last
  bool negate = false, keepdims = false;
};

template <>
struct Definition<TensorReduce> {
  static constexpr std::string_view mnemonic = "tensor_reduce";
  static constexpr std::string_view summary =
      "dst = data reduced by op along its last free dimensions, in fp32 or on bit patterns";
  static constexpr EngineSet engines{Engine::vector};
  static constexpr Engine engine = Engine::vector;
  static constexpr auto operands = std::tuple{
      indirectable(writes("dst", &TensorReduce::dst, "SBUF or PSUM tile, [P, rest]")),
      immediate("op", &TensorReduce::op, "reduction operator"),
      indirectable(reads("data", &TensorReduce::data, "SBUF or PSUM tile, [P, ...]")),
      axes_of(&TensorReduce::data, immediate("axis", &TensorReduce::axis,
                                             "the dimensions to reduce: the last ones of data")),
      immediate("negate", &TensorReduce::negate, "multiply the result by -1", "False"),
      immediate("keepdims", &TensorReduce::keepdims, "dst keeps the reduced dimensions, of size 1",
                "False"),
  };

 private:
  static bool ends_with_last(const TensorReduce& op) {
    const auto axes = op.axis.span();
    if (axes.empty() || axes.size() > op.data.rank) return false;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      if (axes[i] != static_cast<std::int32_t>(op.data.rank + 1 + i - axes.size())) return false;
    }
    return true;
  }
  static std::int64_t reduced_elements(const TensorReduce& op) {
    std::int64_t n = 1;
    for (const std::int32_t axis : op.axis.span())
      n *= op.data.dims.at(static_cast<std::size_t>(axis) - 1).count;
    return n;
  }

 public:
  static constexpr auto constraints = std::to_array<Constraint<TensorReduce>>({
      {"tensor_reduce.c1", "dst and data are on chip",
       [](const auto& op, const auto&) { return rules::on_chip(op.dst, op.data); },
       "load HBM data with dma_copy first"},
      {"tensor_reduce.c2", "axis names the last dimensions of data, without the partitions",
       [](const auto& op, const auto&) { return ends_with_last(op); },
       "reduce along partitions with nc_matmul or nc_transpose; permute the view for others"},
      {"tensor_reduce.c3", "dst has as many partitions as data",
       [](const auto& op, const auto&) { return rules::same_partitions(op.dst, op.data); },
       "declare dst with data's partitions"},
      {"tensor_reduce.c4", "dst has one element per partition for each reduced group",
       [](const auto& op, const auto&) {
         return !ends_with_last(op) ||
                op.dst.free_elements() * reduced_elements(op) == op.data.free_elements();
       },
       "declare dst with an element per partition for each reduced group"},
      {"tensor_reduce.c5",
       "op is add, subtract, multiply, maximum, minimum, or a logical or bitwise and, or, xor",
       [](const auto& op, const auto&) {
         return rules::arithmetic_reduction(op.op) || rules::bitwise_reduction(op.op);
       },
       fixes::operators},
      {"tensor_reduce.c6", "a bitwise operator has integer dst and data",
       [](const auto& op, const auto&) {
         return !numerics::is_bitwise(op.op) || rules::integers(op.dst, op.data);
       },
       "view the tiles as an integer dtype"},
      {"tensor_reduce.c7", "only arithmetic results are negated",
       [](const auto& op, const auto&) { return !op.negate || !numerics::is_bitwise(op.op); },
       "leave negate out, or reduce with an arithmetic operator"},
      {"tensor_reduce.c8", "dst and data have dtypes that engines compute on",
       [](const auto& op, const auto&) { return rules::computable(op.dst, op.data); },
       fixes::computable},
  });
  static constexpr Source source = {"nki.isa.tensor_reduce, NKI 0.6"};

  static Spread spread(const TensorReduce& op) {
    return numerics::is_bitwise(op.op) ? Spread::moves : Spread::groups;
  }
  static Timing cycles(const TensorReduce& op, Engine, const machine::Core& core) {
    return cost::tensor_reduce(op.dst, op.data, op.op, core);
  }
  static Activity activity(const TensorReduce& op) { return {.elements = op.data.elements()}; }
  static void execute(const TensorReduce& op, Execution& e) {
    const std::int64_t group = reduced_elements(op);
    if (numerics::is_bitwise(op.op)) return reduce::bits(op.dst, op.data, op.op, group, e);
    reduce::floats(op.dst, op.data, op.op, group, op.negate, e);
  }

  static constexpr Traits<TensorReduce> traits{
      .spread = spread,
      .any_partitions = true,
  };
};

}  // namespace trainyard::isa
