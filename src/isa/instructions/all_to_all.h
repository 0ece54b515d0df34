// all_to_all: every rank gets its part of what each of them has.
#pragma once

#include "isa/core/definition.h"
#include "isa/rules/fixes.h"
#include "isa/semantics/collective.h"

namespace trainyard::isa {

struct AllToAll {
  Tile src{}, dst{};
  RankGroups groups{};
  std::int32_t collective_dim = 0;
  std::int32_t priority = no_integer;  // None: the machine's default
  bool follows = false;
  std::int32_t stream = 0;
};

template <>
struct Definition<AllToAll> : collective::DefinitionOf<AllToAll> {
  static constexpr std::string_view mnemonic = "all_to_all";
  static constexpr std::string_view summary =
      "dst of the i-th rank = the i-th parts of the src of all ranks of the group, side by side";
  static constexpr auto operands = std::tuple{
      reads("src", &AllToAll::src, "HBM tensor with a part for each rank"),
      writes("dst", &AllToAll::dst, "HBM tensor of the same shape"),
      collective::groups_of<AllToAll>(),
      immediate("collective_dim", &AllToAll::collective_dim, "0"),
      collective::priority_of<AllToAll>(),
      collective::follows_of<AllToAll>(),
      collective::stream_of<AllToAll>(),
  };
  static constexpr auto constraints = std::to_array<Constraint<AllToAll>>({
      collective::needs_hbm<AllToAll>("all_to_all.c1"),
      collective::needs_one_dtype<AllToAll>("all_to_all.c2"),
      {"all_to_all.c3",
       "src and dst have the same shape, with a part for each rank along dimension 0",
       [](const auto& op, const auto&, const Site& site) {
         return collective::holds_of_group(op, site, [&](std::int64_t ranks) {
           return collective::grows(op.dst, op.src, 1, 0) && op.src.rank > 0 &&
                  op.src.dims[0].count % ranks == 0;
         });
       },
       "declare them with the same shape, dimension 0 a multiple of the ranks"},
      {"all_to_all.c4", "collective_dim is 0",
       [](const auto& op, const auto&) { return op.collective_dim == 0; }, fixes::parts_along_0},
      collective::needs_group<AllToAll>("all_to_all.c5"),
      collective::needs_fixed_addresses<AllToAll>("all_to_all.c6"),
      collective::needs_priority<AllToAll>("all_to_all.c7"),
      collective::needs_stream<AllToAll>("all_to_all.c8"),
  });
  static constexpr Source source = {"nki.collectives.all_to_all, NKI 0.6"};

  static Meeting meeting(const AllToAll& op) {
    return collective::meeting(op, CollectiveKind::all_to_all);
  }
  static std::string mismatch(const AllToAll& mine, const AllToAll& other) {
    if (mine.collective_dim != other.collective_dim) return "they name different dimensions";
    return collective::tile_mismatch(mine, other);
  }
  static collective::Payload outgoing(const AllToAll& op, Execution& e) {
    return collective::content(op.src, e);
  }
  static void execute(const AllToAll& op, Execution& e) {
    const std::size_t ranks = collective::size(op.groups, e);
    const std::size_t part = static_cast<std::size_t>(op.dst.bytes()) / ranks;
    const std::size_t begin = collective::position(op.groups, e) * part;
    collective::Payload result;
    for (std::size_t k = 0; k < ranks; ++k) {
      const auto from =
          collective::sent_by(k, ranks, e).begin() + static_cast<std::ptrdiff_t>(begin);
      result.insert(result.end(), from, from + static_cast<std::ptrdiff_t>(part));
    }
    collective::fill(op.dst, result, e);
  }

  static constexpr Traits<AllToAll> traits{
      .kind = Kind::dma,
      .interface = Interface::collectives,
      .hidden = HiddenState::peer,
      .meeting = meeting,
      .outgoing = outgoing,
      .mismatch = mismatch,
  };
};

}  // namespace trainyard::isa
