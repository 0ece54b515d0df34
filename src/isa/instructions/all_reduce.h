// all_reduce: every rank gets the sum (minimum, maximum) of what all of them have.
#pragma once

#include "isa/collective.h"
#include "isa/definition.h"

namespace trainyard::isa {

struct AllReduce {
  Tile src{}, dst{};
  RankList group{};
  std::int32_t rank = 0;
  numerics::AluOp op = numerics::AluOp::add;
  std::int32_t priority = no_integer;  // None: the machine's default
  bool follows = false;
};

template <>
struct Definition<AllReduce> : collective::DefinitionDefaults {
  static constexpr std::string_view mnemonic = "all_reduce";
  static constexpr std::string_view summary =
      "dst of every rank = op over the src of all ranks of the group";
  static constexpr auto operands = std::tuple{
      reads("src", &AllReduce::src, "HBM or SBUF tensor"),
      writes("dst", &AllReduce::dst, "tensor of the same shape in the same memory"),
      immediate("group", &AllReduce::group, "the ranks that take part, in their order"),
      immediate("rank", &AllReduce::rank, "the rank that runs it, one of them"),
      immediate("op", &AllReduce::op, "add, minimum or maximum"),
      immediate("priority", &AllReduce::priority, "traffic class: 0 (highest) to 3", "None"),
      immediate("follows", &AllReduce::follows, "a further tensor of the collective before it",
                "False"),
  };
  static constexpr auto constraints = std::to_array<Constraint<AllReduce>>({
      {"all_reduce.c1", "src and dst are both in HBM, or both in SBUF",
       [](const auto& op, const auto&) { return collective::in_one_memory(op); },
       "copy one of them to the other memory first"},
      {"all_reduce.c2", "src and dst have the same dtype",
       [](const auto& op, const auto&) { return op.src.dtype == op.dst.dtype; },
       "cast with dma_copy or tensor_copy first"},
      {"all_reduce.c3", "src and dst have the same shape",
       [](const auto& op, const auto&) { return collective::grows(op.dst, op.src, 1, 0); }},
      {"all_reduce.c4", "op is add, minimum or maximum",
       [](const auto& op, const auto&) { return collective::is_reduction(op.op); }},
      {"all_reduce.c5", "packed and 64-bit dtypes are not reduced",
       [](const auto& op, const auto&) { return collective::is_reducible(op.src); },
       "unpack or cast first"},
      {"all_reduce.c6", "group names no rank twice, and this rank",
       [](const auto& op, const auto&) { return collective::is_group(op.group, op.rank); }},
      {"all_reduce.c7", "in SBUF, src and dst have one free dimension",
       [](const auto& op, const auto&) { return collective::is_flat(op); },
       "reshape them to [partitions, elements]"},
      {"all_reduce.c8", "addresses are known when compiled",
       [](const auto& op, const auto&) { return collective::has_fixed_addresses(op); },
       "copy the region with dma_copy first"},
      {"all_reduce.c9", "priority is None, or 0 to 3 on NeuronCore-v4",
       [](const auto& op, const auto& core) { return collective::has_priority(op, core); },
       "leave priority out"},
  });
  static constexpr Source source = {"nki.collectives.all_reduce, NKI 0.6"};

  static Meeting meeting(const AllReduce& op) {
    return collective::meeting(op, CollectiveKind::reduce);
  }
  static std::string mismatch(const AllReduce& mine, const AllReduce& other) {
    if (mine.op != other.op) return "they reduce with different operators";
    return collective::tile_mismatch(mine, other);
  }
  static collective::Bytes outgoing(const AllReduce& op, Execution& e) {
    return collective::content(op.src, e);
  }
  static void execute(const AllReduce& op, Execution& e) {
    const auto bytes = static_cast<std::size_t>(op.dst.bytes());
    collective::fill(op.dst, collective::reduced(op.group, op.op, op.src.dtype, 0, bytes, e), e);
  }
};

}  // namespace trainyard::isa
