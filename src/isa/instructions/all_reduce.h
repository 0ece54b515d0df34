// all_reduce: every rank gets the sum (minimum, maximum) of what all of them have.
#pragma once

#include "isa/core/definition.h"
#include "isa/rules/fixes.h"
#include "isa/semantics/collective.h"

namespace trainyard::isa {

struct AllReduce {
  Tile src{}, dst{};
  RankGroups groups{};
  numerics::AluOp op = numerics::AluOp::add;
  std::int32_t priority = no_integer;  // None: the machine's default
  bool follows = false;
  std::int32_t stream = 0;
};

template <>
struct Definition<AllReduce> : collective::DefinitionOf<AllReduce> {
  static constexpr std::string_view mnemonic = "all_reduce";
  static constexpr std::string_view summary =
      "dst of every rank = op over the src of all ranks of the group";
  static constexpr auto operands = std::tuple{
      reads("src", &AllReduce::src, "HBM or SBUF tensor"),
      writes("dst", &AllReduce::dst, "tensor of the same shape in the same memory"),
      collective::groups_of<AllReduce>(),
      immediate("op", &AllReduce::op, "add, minimum or maximum"),
      collective::priority_of<AllReduce>(),
      collective::follows_of<AllReduce>(),
      collective::stream_of<AllReduce>(),
  };
  static constexpr auto constraints = std::to_array<Constraint<AllReduce>>({
      collective::needs_one_memory<AllReduce>("all_reduce.c1"),
      collective::needs_one_dtype<AllReduce>("all_reduce.c2"),
      {"all_reduce.c3", "src and dst have the same shape",
       [](const auto& op, const auto&) { return collective::grows(op.dst, op.src, 1, 0); },
       fixes::same_shapes},
      {"all_reduce.c4", "op is add, minimum or maximum",
       [](const auto& op, const auto&) { return collective::is_reduction(op.op); },
       fixes::operators},
      {"all_reduce.c5", "packed and 64-bit dtypes are not reduced",
       [](const auto& op, const auto&) { return collective::is_reducible(op.src); },
       "unpack or cast first"},
      collective::needs_group<AllReduce>("all_reduce.c6"),
      collective::needs_flat_tiles<AllReduce>("all_reduce.c7"),
      collective::needs_fixed_addresses<AllReduce>("all_reduce.c8"),
      collective::needs_priority<AllReduce>("all_reduce.c9"),
      collective::needs_stream<AllReduce>("all_reduce.c10"),
      collective::needs_hbm_to_follow<AllReduce>("all_reduce.c11"),
  });
  static constexpr Source source = {"nki.collectives.all_reduce, NKI 0.6"};

  static Meeting meeting(const AllReduce& op) {
    return collective::meeting(op, CollectiveKind::reduce);
  }
  static std::string mismatch(const AllReduce& mine, const AllReduce& other) {
    if (mine.op != other.op) return "they reduce with different operators";
    return collective::tile_mismatch(mine, other);
  }
  static collective::Payload outgoing(const AllReduce& op, Execution& e) {
    return collective::content(op.src, e);
  }
  static void execute(const AllReduce& op, Execution& e) {
    const auto bytes = static_cast<std::size_t>(op.dst.bytes());
    collective::fill(op.dst, collective::reduced(op.groups, op.op, op.src.dtype, 0, bytes, e), e);
  }

  static constexpr Traits<AllReduce> traits{
      .kind = Kind::dma,
      .interface = Interface::collectives,
      .hidden = HiddenState::peer,
      .meeting = meeting,
      .outgoing = outgoing,
      .mismatch = mismatch,
  };
};

}  // namespace trainyard::isa
