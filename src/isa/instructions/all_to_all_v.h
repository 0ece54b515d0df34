// all_to_all_v: every rank sends a chunk to each of them; the lengths are known at run time.
#pragma once

#include "isa/core/definition.h"
#include "isa/rules/fixes.h"
#include "isa/semantics/collective.h"

namespace trainyard::isa {

struct AllToAllV {
  Tile src{}, dst{};
  Tile sends{}, recv_counts{}, recv_displs{};  // rows of the metadata tensor
  RankGroups groups{};
  std::int32_t priority = no_integer;  // None: the machine's default
  std::int32_t stream = 0;
};

template <>
struct Definition<AllToAllV> : collective::DefinitionOf<AllToAllV> {
  static constexpr std::string_view mnemonic = "all_to_all_v";
  static constexpr std::string_view summary =
      "the chunks of src that the metadata tensor names go to the ranks of the group";
  static constexpr auto operands = std::tuple{
      reads_some("src", &AllToAllV::src, "HBM tensor that chunks are taken from"),
      writes_some("dst", &AllToAllV::dst, "HBM tensor that chunks arrive in"),
      deciding(reads("sends", &AllToAllV::sends,
                     "uint32 [2, ranks]: counts and displacements in elements")),
      writes("recv_counts", &AllToAllV::recv_counts,
             "uint32 [1, ranks]: gets the number of elements received; None if not needed", "None"),
      deciding(reads("recv_displs", &AllToAllV::recv_displs,
                     "uint32 [1, ranks]: where chunks are put; none: each in a slot of its own",
                     "None")),
      collective::groups_of<AllToAllV>(),
      collective::priority_of<AllToAllV>(),
      collective::stream_of<AllToAllV>(),
  };
  static constexpr auto constraints = std::to_array<Constraint<AllToAllV>>({
      collective::needs_hbm<AllToAllV>("all_to_all_v.c1"),
      collective::needs_one_dtype<AllToAllV>("all_to_all_v.c2"),
      {"all_to_all_v.c3",
       "the metadata tensor holds uint32 rows with a column a rank, in HBM or in one partition of "
       "SBUF",
       [](const auto& op, const auto&, const Site& site) {
         return collective::holds_of_group(op, site, [&](std::int64_t ranks) {
           return collective::is_metadata(op.sends, op.recv_counts, op.recv_displs, ranks);
         });
       },
       fixes::metadata},
      {"all_to_all_v.c4",
       "dst has a slot of the same size for each rank, or displacements are given",
       [](const auto& op, const auto&, const Site& site) {
         return collective::holds_of_group(op, site, [&](std::int64_t ranks) {
           return op.recv_displs || op.dst.elements() % ranks == 0;
         });
       },
       "declare dst with a multiple of the ranks as its number of elements, or give displacements"},
      collective::needs_group<AllToAllV>("all_to_all_v.c5"),
      collective::needs_fixed_addresses<AllToAllV>("all_to_all_v.c6"),
      collective::needs_priority<AllToAllV>("all_to_all_v.c7"),
      collective::needs_stream<AllToAllV>("all_to_all_v.c8"),
      {"all_to_all_v.c9",
       "behind a NeuronSwitch a group is all ranks of two or more neighbouring chips at LNC 2; "
       "elsewhere displacements are for ranks with the same place on other nodes",
       [](const auto& op, const auto&, const Site& site) {
         return collective::may_exchange_chunks(op.groups, bool{op.recv_displs}, site);
       },
       fixes::padded},
  });
  static constexpr Source source = {"nki.collectives.all_to_all_v, NKI 0.6"};

  static Meeting meeting(const AllToAllV& op) {
    return {.encounter = Encounter::collective,
            .channel = collective_queue(op.stream),
            .kind = CollectiveKind::all_to_all,
            .groups = op.groups,
            .bytes = {op.dst.bytes()}};
  }
  static std::string mismatch(const AllToAllV& mine, const AllToAllV& other) {
    return mine.src.dtype == other.src.dtype ? "" : "they have different dtypes";
  }
  static collective::Payload outgoing(const AllToAllV& op, Execution& e) {
    const std::vector<std::uint32_t> sends = collective::words(op.sends, e);
    std::vector<collective::Chunk> chunks(collective::size(op.groups, e));
    for (std::size_t k = 0; k < chunks.size(); ++k)
      chunks[k] = {sends[chunks.size() + k], sends[k]};
    return collective::packed(op.src, chunks, e);
  }
  static void execute(const AllToAllV& op, Execution& e) {
    const std::size_t me = collective::position(op.groups, e);
    collective::receive_chunks(op.dst, op.recv_counts, op.recv_displs, op.groups, me, e);
  }

  static constexpr Traits<AllToAllV> traits{
      .kind = Kind::dma,
      .interface = Interface::collectives,
      .hidden = HiddenState::peer,
      .meeting = meeting,
      .outgoing = outgoing,
      .mismatch = mismatch,
  };
};

}  // namespace trainyard::isa
