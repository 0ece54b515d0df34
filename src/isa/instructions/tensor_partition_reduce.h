// tensor_partition_reduce: an operator across the partitions of a tile.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/elementwise.h"

namespace trainyard::isa {

struct TensorPartitionReduce {
  Tile dst;
  numerics::AluOp op = numerics::AluOp::add;
  Tile data;
};

template <>
struct Definition<TensorPartitionReduce> {
  using AluOp = numerics::AluOp;
  static constexpr std::string_view mnemonic = "tensor_partition_reduce";
  static constexpr std::string_view summary =
      "dst = data reduced by op across its partitions, in fp32 or on bit patterns";
  static constexpr EngineSet engines{Engine::gpsimd};
  static constexpr Engine engine = Engine::gpsimd;
  static constexpr Traits<TensorPartitionReduce> traits{
      .spread = Spread::columns,
  };
  static constexpr auto operands = std::tuple{
      writes("dst", &TensorPartitionReduce::dst, "SBUF tile, [1, F]"),
      immediate("op", &TensorPartitionReduce::op,
                "add, average, maximum, bitwise_or or bitwise_and"),
      reads("data", &TensorPartitionReduce::data, "SBUF tile, [P, F]"),
  };
  static constexpr auto constraints = std::to_array<Constraint<TensorPartitionReduce>>({
      {"tensor_partition_reduce.c1", "dst and data are in SBUF",
       [](const auto& op, const auto&) { return rules::in_sbuf(op.dst, op.data); },
       "copy PSUM data to SBUF with tensor_copy first"},
      {"tensor_partition_reduce.c2", "dst has one partition",
       [](const auto& op, const auto&) { return op.dst.partitions == 1; }, fixes::one_partition},
      {"tensor_partition_reduce.c3", "dst has as many elements per partition as data",
       [](const auto& op, const auto&) { return rules::same_elements(op.dst, op.data); },
       fixes::one_partition},
      {"tensor_partition_reduce.c4", "op is add, average, maximum, bitwise_or or bitwise_and",
       [](const auto& op, const auto&) {
         return rules::one_of(op.op, {AluOp::add, AluOp::average, AluOp::maximum, AluOp::bitwise_or,
                                      AluOp::bitwise_and});
       },
       "transpose with nc_transpose, then use tensor_reduce"},
      {"tensor_partition_reduce.c5", "a bitwise operator has integer dst and data",
       [](const auto& op, const auto&) {
         return !numerics::is_bitwise(op.op) || rules::integers(op.dst, op.data);
       },
       "view the tiles as an integer dtype"},
      {"tensor_partition_reduce.c6", "dst and data have dtypes that engines compute on",
       [](const auto& op, const auto&) { return rules::computable(op.dst, op.data); },
       fixes::computable},
  });
  static constexpr Source source = {
      "nki.isa.tensor_partition_reduce, NKI 0.6; order of the partitions: assumed",
      Fidelity::assumed};

  static Timing cycles(const TensorPartitionReduce& op, Engine, const machine::Core& core) {
    return cost::gpsimd(op.dst, op.data, core.gpsimd_rates.partition_reduce, core);
  }
  static Activity activity(const TensorPartitionReduce& op) {
    return {.elements = op.data.elements()};
  }
  static void execute(const TensorPartitionReduce& op, Execution& e) {
    const auto n = static_cast<std::size_t>(op.data.free_elements());
    if (numerics::is_bitwise(op.op)) {
      std::uint32_t* sum = elementwise::pattern_row(e.raw[0], n);
      std::uint32_t* row = elementwise::pattern_row(e.raw[1], n);
      load_patterns(op.data, e, 0, sum);
      for (int p = 1; p < op.data.partitions; ++p) {
        load_patterns(op.data, e, p, row);
        numerics::apply_bits(op.op, sum, row, sum, n);
      }
      return store_patterns(op.dst, e, 0, sum);
    }
    const AluOp step = op.op == AluOp::average ? AluOp::add : op.op;
    const SourceRows in(op.data, e, e.rows[0]);
    std::vector<float>& sum = e.rows[1];
    sum.assign(in[0], in[0] + n);
    for (int p = 1; p < op.data.partitions; ++p)
      numerics::apply(step, sum.data(), in[p], sum.data(), n);
    if (op.op == AluOp::average)
      numerics::apply_scalar(AluOp::divide, sum.data(), static_cast<float>(op.data.partitions),
                             false, sum.data(), n);
    store_floats(op.dst, e, 0, sum.data());
  }
};

}  // namespace trainyard::isa
