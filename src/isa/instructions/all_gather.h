// all_gather: every rank gets what all of them have, side by side.
#pragma once

#include "isa/core/definition.h"
#include "isa/semantics/collective.h"

namespace trainyard::isa {

struct AllGather {
  Tile src{}, dst{};
  RankGroups groups{};
  std::int32_t collective_dim = 0;
  std::int32_t priority = no_integer;  // None: the machine's default
  bool follows = false;
  std::int32_t stream = 0;
};

template <>
struct Definition<AllGather> : collective::DefinitionOf<AllGather> {
  static constexpr std::string_view mnemonic = "all_gather";
  static constexpr std::string_view summary =
      "dst of every rank = the src of all ranks of the group, side by side along a dimension";
  static constexpr auto operands = std::tuple{
      reads("src", &AllGather::src, "HBM or SBUF tensor"),
      writes("dst", &AllGather::dst, "tensor in the same memory with the size of all of them"),
      collective::groups_of<AllGather>(),
      immediate("collective_dim", &AllGather::collective_dim, "0; in SBUF also 1"),
      collective::priority_of<AllGather>(),
      collective::follows_of<AllGather>(),
      collective::stream_of<AllGather>(),
  };
  static constexpr bool is_dimension(const AllGather& op) {
    return op.collective_dim == 0 || (op.collective_dim == 1 && op.dst.on_chip());
  }
  static constexpr auto constraints = std::to_array<Constraint<AllGather>>({
      collective::needs_one_memory<AllGather>("all_gather.c1"),
      collective::needs_one_dtype<AllGather>("all_gather.c2"),
      {"all_gather.c3", "dst is src along collective_dim once for each rank of the group",
       [](const auto& op, const auto&, const Site& site) {
         return collective::holds_of_group(op, site, [&](std::int64_t ranks) {
           return !is_dimension(op) || collective::grows(op.dst, op.src, ranks, op.collective_dim);
         });
       },
       "declare dst with src's shape, times the number of ranks along collective_dim"},
      {"all_gather.c4", "collective_dim is 0, or 1 in SBUF",
       [](const auto& op, const auto&) { return is_dimension(op); },
       "pass collective_dim=0, or gather tiles in SBUF"},
      collective::needs_group<AllGather>("all_gather.c5"),
      collective::needs_flat_tiles<AllGather>("all_gather.c6"),
      collective::needs_fixed_addresses<AllGather>("all_gather.c7"),
      collective::needs_priority<AllGather>("all_gather.c8"),
      collective::needs_stream<AllGather>("all_gather.c9"),
      collective::needs_hbm_to_follow<AllGather>("all_gather.c10"),
  });
  static constexpr Source source = {"nki.collectives.all_gather, NKI 0.6"};

  static Meeting meeting(const AllGather& op) {
    return collective::meeting(op, CollectiveKind::gather);
  }
  static std::string mismatch(const AllGather& mine, const AllGather& other) {
    if (mine.collective_dim != other.collective_dim) return "they name different dimensions";
    return collective::tile_mismatch(mine, other);
  }
  static collective::Payload outgoing(const AllGather& op, Execution& e) {
    return collective::content(op.src, e);
  }
  static void execute(const AllGather& op, Execution& e) {
    collective::fill(op.dst, collective::gathered(op.groups, op.dst, op.collective_dim, e), e);
  }

  static constexpr Traits<AllGather> traits{
      .kind = Kind::dma,
      .interface = Interface::collectives,
      .hidden = HiddenState::peer,
      .meeting = meeting,
      .outgoing = outgoing,
      .mismatch = mismatch,
  };
};

}  // namespace trainyard::isa
