// collective_permute: ranks pass tensors on, each to one other.
#pragma once

#include "isa/core/definition.h"
#include "isa/rules/fixes.h"
#include "isa/semantics/collective.h"

namespace trainyard::isa {

struct CollectivePermute {
  Tile src{}, src1{}, dst{};  // src1: none where nothing is reduced
  RankGroups groups{};
  RankGroups pairs{};  // none: each rank and the next one of its group
  bool sends = true, receives = true;
  numerics::AluOp op = numerics::AluOp::add;
  std::int32_t channel = 0, channels = 1;
  std::int32_t priority = no_integer;  // None: the machine's default
};

template <>
struct Definition<CollectivePermute> : collective::DefinitionOf<CollectivePermute> {
  static constexpr std::string_view mnemonic = "collective_permute";
  static constexpr std::string_view summary =
      "sends src (or src op src1) to the dst of the rank that a pair names, and fills dst likewise";
  static constexpr auto operands = std::tuple{
      reads("src", &CollectivePermute::src, "HBM or SBUF tensor"),
      reads("src1", &CollectivePermute::src1, "src op src1 is sent; none: src is", "None"),
      writes("dst", &CollectivePermute::dst, "tensor of the same size in the same memory"),
      collective::groups_of<CollectivePermute>(),
      immediate("pairs", &CollectivePermute::pairs,
                "[source, target] each; None: each rank sends to the next one of its group, the "
                "last to the first",
                "None"),
      immediate("sends", &CollectivePermute::sends, "the rank that runs it is a source", "True"),
      immediate("receives", &CollectivePermute::receives,
                "it is a target; if not, dst stays as it is", "True"),
      immediate("op", &CollectivePermute::op, "add, minimum or maximum", "None"),
      immediate("channel", &CollectivePermute::channel,
                "permutes of one channel meet in order; channels do not wait for each other", "0"),
      immediate("channels", &CollectivePermute::channels, "channels that move at once", "1"),
      collective::priority_of<CollectivePermute>(),
  };
  static constexpr auto constraints = std::to_array<Constraint<CollectivePermute>>({
      collective::needs_one_memory<CollectivePermute>("collective_permute.c1"),
      {"collective_permute.c2", "src, src1 and dst have the same dtype",
       [](const auto& op, const auto&) {
         return op.src.dtype == op.dst.dtype && (!op.src1 || op.src1.dtype == op.src.dtype);
       },
       "cast with dma_copy or tensor_copy first"},
      {"collective_permute.c3", "src, src1 and dst have the same shape",
       [](const auto& op, const auto&) {
         return collective::grows(op.dst, op.src, 1, 0) &&
                (!op.src1 ||
                 (op.src1.space == op.src.space && collective::grows(op.src1, op.src, 1, 0)));
       },
       fixes::same_shapes},
      {"collective_permute.c4", "op is add, minimum or maximum",
       [](const auto& op, const auto&) { return collective::is_reduction(op.op); },
       fixes::operators},
      {"collective_permute.c5", "packed and 64-bit dtypes are not reduced",
       [](const auto& op, const auto&) { return !op.src1 || collective::is_reducible(op.src); },
       "unpack or cast first"},
      collective::needs_group<CollectivePermute>("collective_permute.c6"),
      {"collective_permute.c7",
       "pairs name a source and a target of one group; a rank is a source at most once, and a "
       "target at most once",
       [](const auto& op, const auto&, const Site& site) {
         return collective::are_pairs(op.pairs, op.groups, site);
       },
       "permute once for each target of a source"},
      {"collective_permute.c8",
       "channel is one of channels, of which there are 1 to 4 in a group of all ranks, else 1 or 2",
       [](const auto& op, const auto&, const Site& site) {
         return op.channels >= 1 && op.channels <= collective::channels(op.groups, site) &&
                op.channel >= 0 && op.channel < op.channels;
       },
       "use fewer channels, and number them from 0 on"},
      collective::needs_flat_tiles<CollectivePermute>("collective_permute.c9"),
      collective::needs_fixed_addresses<CollectivePermute>("collective_permute.c10"),
      collective::needs_priority<CollectivePermute>("collective_permute.c11"),
      {"collective_permute.c12", "sends and receives say what the pairs say of the rank",
       [](const auto& op, const auto&, const Site& site) {
         if (!site.runner) return true;
         const Edges edges = edges_of(site.program, op.groups, op.pairs, site.runner->rank);
         return op.sends == (edges.to >= 0) && op.receives == (edges.from >= 0);
       },
       "run each program on a rank that it was made for"},
      {"collective_permute.c13", "where pairs are given, src and dst are in HBM",
       [](const auto& op, const auto&, const Site& site) {
         const bool in_hbm = op.src.space == Space::hbm && op.dst.space == Space::hbm;
         return in_hbm || site.program.groups(op.pairs).empty();
       },
       "use collective_permute_implicit, or copy the data to HBM first"},
  });
  static constexpr Source source = {"nki.collectives.collective_permute, NKI 0.6"};

  static Meeting meeting(const CollectivePermute& op) {
    return {.encounter = Encounter::collective,
            .channel = collective_queue(op.channel),
            .kind = CollectiveKind::permute,
            .groups = op.groups,
            .pairs = op.pairs,
            .bytes = {op.src.bytes()},
            .channels = op.channels};
  }
  static std::string mismatch(const CollectivePermute& mine, const CollectivePermute& other) {
    return collective::tile_mismatch(mine, other);
  }
  static collective::Payload outgoing(const CollectivePermute& op, Execution& e) {
    collective::Payload sent = collective::content(op.src, e);
    if (!op.src1) return sent;
    return collective::combined(sent, collective::content(op.src1, e), op.op, op.src.dtype, e);
  }
  static Access access(const CollectivePermute& op, std::size_t operand) {
    if (operand == 2) return op.receives ? Access::write : Access::none;
    return operand < 2 && op.sends ? Access::read : Access::none;
  }
  static void execute(const CollectivePermute& op, Execution& e) {
    if (!op.receives) return;
    const Edges edges = edges_of(e.program, op.groups, op.pairs, e.rank);
    const std::size_t from = collective::position(op.groups, edges.from, e);
    collective::fill(op.dst, collective::sent_by(from, collective::size(op.groups, e), e), e);
  }

  static constexpr Traits<CollectivePermute> traits{
      .kind = Kind::dma,
      .interface = Interface::collectives,
      .hidden = HiddenState::peer,
      .access = access,
      .meeting = meeting,
      .outgoing = outgoing,
      .mismatch = mismatch,
  };
};

}  // namespace trainyard::isa
