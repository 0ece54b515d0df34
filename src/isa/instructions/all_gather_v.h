// all_gather_v: every rank gets a chunk of each of them; its length is known at run time.
#pragma once

#include "isa/core/definition.h"
#include "isa/rules/fixes.h"
#include "isa/semantics/collective.h"

namespace trainyard::isa {

struct AllGatherV {
  Tile src{}, dst{};
  Tile sends{}, recv_counts{};  // rows of the metadata tensor
  RankGroups groups{};
  std::int32_t priority = no_integer;  // None: the machine's default
  std::int32_t stream = 0;
};

template <>
struct Definition<AllGatherV> : collective::DefinitionOf<AllGatherV> {
  static constexpr std::string_view mnemonic = "all_gather_v";
  static constexpr std::string_view summary =
      "a chunk of the src of every rank of the group, each in a slot of its own of dst";
  static constexpr auto operands = std::tuple{
      reads_some("src", &AllGatherV::src, "HBM tensor that chunks are taken from"),
      writes_some("dst", &AllGatherV::dst, "HBM tensor that chunks arrive in"),
      deciding(reads("sends", &AllGatherV::sends,
                     "uint32 [2, ranks]: counts and displacements in elements")),
      writes("recv_counts", &AllGatherV::recv_counts,
             "uint32 [1, ranks]: gets the number of elements received; None if not needed", "None"),
      collective::groups_of<AllGatherV>(),
      collective::priority_of<AllGatherV>(),
      collective::stream_of<AllGatherV>(),
  };
  static constexpr auto constraints = std::to_array<Constraint<AllGatherV>>({
      collective::needs_hbm<AllGatherV>("all_gather_v.c1"),
      collective::needs_one_dtype<AllGatherV>("all_gather_v.c2"),
      {"all_gather_v.c3",
       "the metadata tensor holds uint32 rows with a column a rank, in HBM or in one partition of "
       "SBUF",
       [](const auto& op, const auto&, const Site& site) {
         return collective::holds_of_group(op, site, [&](std::int64_t ranks) {
           return collective::is_metadata(op.sends, op.recv_counts, Tile{}, ranks);
         });
       },
       fixes::metadata},
      {"all_gather_v.c4", "dst has a slot of the same size for each rank",
       [](const auto& op, const auto&, const Site& site) {
         return collective::holds_of_group(
             op, site, [&](std::int64_t ranks) { return op.dst.elements() % ranks == 0; });
       },
       "declare dst with a multiple of the ranks as its number of elements"},
      collective::needs_group<AllGatherV>("all_gather_v.c5"),
      collective::needs_fixed_addresses<AllGatherV>("all_gather_v.c6"),
      collective::needs_priority<AllGatherV>("all_gather_v.c7"),
      collective::needs_stream<AllGatherV>("all_gather_v.c8"),
      {"all_gather_v.c9", "a group is four ranks of one chip at LNC 2",
       [](const auto& op, const auto&, const Site& site) {
         return collective::may_gather_chunks(op.groups, site);
       },
       fixes::padded},
  });
  static constexpr Source source = {"nki.collectives.all_gather_v, NKI 0.6"};

  static Meeting meeting(const AllGatherV& op) {
    return {.encounter = Encounter::collective,
            .channel = collective_queue(op.stream),
            .kind = CollectiveKind::gather,
            .groups = op.groups,
            .bytes = {op.dst.bytes()}};
  }
  static std::string mismatch(const AllGatherV& mine, const AllGatherV& other) {
    return mine.src.dtype == other.src.dtype ? "" : "they have different dtypes";
  }
  // Of each row of `sends` only the first column counts.
  static int parts(const AllGatherV& op, std::size_t operand, std::span<Tile, parts_max> out) {
    if (operand != 2) return 0;
    out[0] = collective::word(op.sends, 0);
    out[1] = collective::word(op.sends, op.sends.elements() / 2);
    return 2;
  }
  static collective::Payload outgoing(const AllGatherV& op, Execution& e) {
    const auto first_of = [&](std::int64_t row) {
      return collective::words(collective::word(op.sends, row * op.sends.elements() / 2), e)[0];
    };
    const std::uint32_t count = first_of(0), begin = first_of(1);
    const collective::Chunk chunk{begin, count};
    return collective::packed(op.src, {&chunk, 1}, e);
  }
  static void execute(const AllGatherV& op, Execution& e) {
    collective::receive_chunks(op.dst, op.recv_counts, Tile{}, op.groups, 0, e);
  }

  static constexpr Traits<AllGatherV> traits{
      .kind = Kind::dma,
      .interface = Interface::collectives,
      .hidden = HiddenState::peer,
      .parts = parts,
      .meeting = meeting,
      .outgoing = outgoing,
      .mismatch = mismatch,
  };
};

}  // namespace trainyard::isa
