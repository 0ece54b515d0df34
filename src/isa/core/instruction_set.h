// The list of every instruction. Adding one: its header in isa/instructions/, one name here, its
// test vectors.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "isa/core/definition.h"

namespace trainyard::isa {

// Tensor engine
struct NcMatmul;
struct NcTranspose;
struct NcMatmulMx;
struct NcMatmulSparse;
struct PsumZero;
// Vector, Scalar and GpSimd engines
struct Activate2;
struct Activation;
struct ActivationReduce;
struct AffineSelect;
struct BnAggr;
struct BnStats;
struct Dropout;
struct Exponential;
struct Iota;
struct LocalGather;
struct Max8;
struct Memset;
struct NcFindIndex8;
struct NcMatchReplace8;
struct NcNGather;
struct NcStreamShuffle;
struct NonzeroWithCount;
struct QuantizeMx;
struct Rand2;
struct RandGetState;
struct RandSetState;
struct RangeSelect;
struct Reciprocal;
struct Rng;
struct ScalarTensorTensor;
struct SelectReduce;
struct SequenceBounds;
struct SetRngSeed;
struct TensorCopy;
struct TensorCopyPredicated;
struct TensorPartitionReduce;
struct TensorReduce;
struct TensorScalar;
struct TensorScalarCumulative;
struct TensorScalarReduce;
struct TensorTensor;
struct TensorTensorScan;
struct Topk;
struct CoreBarrier;
// DMA
struct DmaCopy;
struct DmaTranspose;
struct DmaCompute;
struct Sendrecv;
struct DmaReadAddWrite;
// Collectives
struct AllReduce;
struct AllGather;
struct ReduceScatter;
struct AllToAll;
struct CollectivePermute;
struct AllGatherV;
struct AllToAllV;
// Control
struct Drain;
struct Nop;
struct Notify;
struct RegisterMove;
struct RegisterAlu;
struct RegisterLoad;
struct RegisterStore;
struct LoopBegin;
struct LoopEnd;
struct Branch;

template <typename... Records>
struct InstructionList {
  static constexpr std::size_t size = sizeof...(Records);
  template <typename Record>
  static consteval std::uint16_t index_of() {
    std::uint16_t index = 0;
    bool found = false;
    ((found = found || std::is_same_v<Record, Records>,
      index = static_cast<std::uint16_t>(index + (found ? 0 : 1))),
     ...);
    if (!found) throw "the record is not in InstructionSet";
    return index;
  }
};

// The order is the opcode of the binary form: append, never reorder.
using InstructionSet = InstructionList<
    Activation, TensorCopy, TensorTensor, DmaCopy, Drain, NcMatmul, NcTranspose, NcMatmulMx,
    QuantizeMx, RegisterMove, RegisterAlu, RegisterLoad, RegisterStore, LoopBegin, LoopEnd, Branch,
    DmaTranspose, DmaCompute, Activate2, ActivationReduce, AffineSelect, BnAggr, BnStats, Dropout,
    Exponential, Iota, LocalGather, Max8, Memset, NcFindIndex8, NcMatchReplace8, NcNGather,
    NcStreamShuffle, NonzeroWithCount, Rand2, RandGetState, RandSetState, RangeSelect, Reciprocal,
    Rng, ScalarTensorTensor, SelectReduce, SequenceBounds, SetRngSeed, TensorCopyPredicated,
    TensorPartitionReduce, TensorReduce, TensorScalar, TensorScalarCumulative, TensorScalarReduce,
    TensorTensorScan, Topk, PsumZero, CoreBarrier, Sendrecv, NcMatmulSparse, DmaReadAddWrite,
    AllReduce, AllGather, ReduceScatter, AllToAll, CollectivePermute, AllGatherV, AllToAllV, Notify,
    Nop>;

using Opcode = std::uint16_t;
inline constexpr Opcode opcode_count = InstructionSet::size;

template <typename Record>
inline constexpr Opcode opcode_of = InstructionSet::index_of<Record>();

// Of all instructions, by opcode.
[[nodiscard]] const std::array<const InstructionInfo*, opcode_count>& infos();
[[nodiscard]] inline const InstructionInfo& info(Opcode opcode) {
  static const auto& all = infos();
  return *all.at(opcode);
}
[[nodiscard]] std::optional<Opcode> opcode_from_mnemonic(std::string_view mnemonic);

// Defined by the instruction's own translation unit (cmake/instruction_unit.cpp.in).
template <typename Record>
[[nodiscard]] const InstructionInfo& info_of();

}  // namespace trainyard::isa
