// reduce_scatter: every rank gets its part of the sum (minimum, maximum) of what all of them have.
#pragma once

#include "isa/core/definition.h"
#include "isa/rules/fixes.h"
#include "isa/semantics/collective.h"

namespace trainyard::isa {

struct ReduceScatter {
  Tile src{}, dst{};
  RankGroups groups{};
  std::int32_t collective_dim = 0;
  numerics::AluOp op = numerics::AluOp::add;
  std::int32_t priority = no_integer;  // None: the machine's default
  bool follows = false;
  std::int32_t stream = 0;
};

template <>
struct Definition<ReduceScatter> : collective::DefinitionOf<ReduceScatter> {
  static constexpr std::string_view mnemonic = "reduce_scatter";
  static constexpr std::string_view summary =
      "dst of the i-th rank = the i-th part of op over the src of all ranks of the group";
  static constexpr auto operands = std::tuple{
      reads("src", &ReduceScatter::src, "HBM or SBUF tensor"),
      writes("dst", &ReduceScatter::dst, "tensor in the same memory with the size of one part"),
      collective::groups_of<ReduceScatter>(),
      immediate("collective_dim", &ReduceScatter::collective_dim, "0"),
      immediate("op", &ReduceScatter::op, "add, minimum or maximum"),
      collective::priority_of<ReduceScatter>(),
      collective::follows_of<ReduceScatter>(),
      collective::stream_of<ReduceScatter>(),
  };
  static constexpr auto constraints = std::to_array<Constraint<ReduceScatter>>({
      collective::needs_one_memory<ReduceScatter>("reduce_scatter.c1"),
      collective::needs_one_dtype<ReduceScatter>("reduce_scatter.c2"),
      {"reduce_scatter.c3", "src is dst along collective_dim once for each rank of the group",
       [](const auto& op, const auto&, const Site& site) {
         return collective::holds_of_group(op, site, [&](std::int64_t ranks) {
           return collective::grows(op.src, op.dst, ranks, 0);
         });
       },
       "declare src with dst's shape, times the number of ranks along collective_dim"},
      {"reduce_scatter.c4", "collective_dim is 0",
       [](const auto& op, const auto&) { return op.collective_dim == 0; }, fixes::parts_along_0},
      {"reduce_scatter.c5", "op is add, minimum or maximum",
       [](const auto& op, const auto&) { return collective::is_reduction(op.op); },
       fixes::operators},
      {"reduce_scatter.c6", "packed and 64-bit dtypes are not reduced",
       [](const auto& op, const auto&) { return collective::is_reducible(op.src); },
       "unpack or cast first"},
      collective::needs_group<ReduceScatter>("reduce_scatter.c7"),
      collective::needs_flat_tiles<ReduceScatter>("reduce_scatter.c8"),
      collective::needs_fixed_addresses<ReduceScatter>("reduce_scatter.c9"),
      collective::needs_priority<ReduceScatter>("reduce_scatter.c10"),
      collective::needs_stream<ReduceScatter>("reduce_scatter.c11"),
      collective::needs_hbm_to_follow<ReduceScatter>("reduce_scatter.c12"),
  });
  static constexpr Source source = {"nki.collectives.reduce_scatter, NKI 0.6"};

  static Meeting meeting(const ReduceScatter& op) {
    return collective::meeting(op, CollectiveKind::scatter);
  }
  static std::string mismatch(const ReduceScatter& mine, const ReduceScatter& other) {
    if (mine.op != other.op) return "they reduce with different operators";
    return collective::tile_mismatch(mine, other);
  }
  static collective::Payload outgoing(const ReduceScatter& op, Execution& e) {
    return collective::content(op.src, e);
  }
  static void execute(const ReduceScatter& op, Execution& e) {
    const auto bytes = static_cast<std::size_t>(op.dst.bytes());
    const std::size_t begin = collective::position(op.groups, e) * bytes;
    collective::fill(op.dst, collective::reduced(op.groups, op.op, op.src.dtype, begin, bytes, e),
                     e);
  }

  static constexpr Traits<ReduceScatter> traits{
      .kind = Kind::dma,
      .interface = Interface::collectives,
      .hidden = HiddenState::peer,
      .meeting = meeting,
      .outgoing = outgoing,
      .mismatch = mismatch,
  };
};

}  // namespace trainyard::isa
