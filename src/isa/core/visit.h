// Calls a function with an operand's value as its own type: the one place that maps OperandType to
// C++ types at run time. Text, binary form and comparison of records are written on it.
#pragma once

#include <utility>

#include "base/error.h"
#include "isa/core/definition.h"

namespace trainyard::isa {

// f(value) with a reference to the operand in `record` (const void* or void*).
template <typename RecordPointer, typename F>
decltype(auto) visit_operand(const OperandInfo& operand, RecordPointer record, F&& f) {
  switch (operand.type) {
    case OperandType::tile: return f(operand.in<Tile>(record));
    case OperandType::scalar: return f(operand.in<Scalar>(record));
    case OperandType::boolean: return f(operand.in<bool>(record));
    case OperandType::int32: return f(operand.in<std::int32_t>(record));
    case OperandType::int64: return f(operand.in<std::int64_t>(record));
    case OperandType::float64: return f(operand.in<double>(record));
    case OperandType::alu_op: return f(operand.in<numerics::AluOp>(record));
    case OperandType::activation_function:
      return f(operand.in<numerics::ActivationFunction>(record));
    case OperandType::reduce_cmd: return f(operand.in<ReduceCmd>(record));
    case OperandType::dge_mode: return f(operand.in<DgeMode>(record));
    case OperandType::oob_mode: return f(operand.in<OobMode>(record));
    case OperandType::matmul_perf_mode: return f(operand.in<MatmulPerfMode>(record));
    case OperandType::accumulate: return f(operand.in<Accumulate>(record));
    case OperandType::engine: return f(operand.in<Engine>(record));
    case OperandType::register_: return f(operand.in<Register>(record));
    case OperandType::register_or_int: return f(operand.in<RegisterOrInt>(record));
    case OperandType::pattern: return f(operand.in<Pattern>(record));
    case OperandType::int_list: return f(operand.in<IntList>(record));
    case OperandType::int_pair: return f(operand.in<IntPair>(record));
    case OperandType::float_list: return f(operand.in<FloatList>(record));
    case OperandType::tile_list: return f(operand.in<TileList>(record));
    case OperandType::loop_kind: return f(operand.in<LoopKind>(record));
    case OperandType::dma_path: return f(operand.in<DmaPath>(record));
    case OperandType::rank_list: return f(operand.in<RankList>(record));
  }
  base::fail("an operand has a type that visit_operand() does not list");
}

}  // namespace trainyard::isa
