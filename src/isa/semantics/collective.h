// What the collectives share: their rules, what a rank sends, and how its result is made of what
// all of them sent. Elements count in row-major order, partitions first on chip. Who waits for whom
// is the runners' affair, and how long it takes that of fabric/.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "isa/core/definition.h"
#include "isa/core/program.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/dma.h"
#include "isa/semantics/execution.h"
#include "isa/semantics/meeting.h"

namespace trainyard::isa::collective {

using Payload = std::vector<std::byte>;

// What the Definition of every collective has. An engine triggers it and goes on; GpSimd, so that
// the queues of ordinary loads and stores are not held up (assumed).
template <typename Op>
struct DefinitionOf {
  static constexpr EngineSet engines{Engine::sync, Engine::gpsimd};
  static constexpr Engine engine = Engine::gpsimd;

  static Activity activity(const Op&) { return {}; }
};

// --- Rules ---

// No rank is there twice, and, as far as is known, all of them run and the one that runs the
// program is among them.
[[nodiscard]] bool are_groups(RankGroups groups, const Site& site);
// Each is a source and a target of one of the groups; no rank is a source twice, or a target twice.
[[nodiscard]] bool are_pairs(RankGroups pairs, RankGroups groups, const Site& site);
// Whether a rule holds of how many ranks take part: those in the group of the rank that runs the
// program or, where it is not known, in one of the groups. What are_groups() refuses it does not
// judge.
template <typename Op, typename F>
[[nodiscard]] bool holds_of_group(const Op& op, const Site& site, F&& holds) {
  const auto of = [&](std::span<const std::int32_t> group) {
    return holds(static_cast<std::int64_t>(group.size()));
  };
  const auto groups = site.program.groups(op.groups);
  if (!site.runner) return groups.empty() || std::ranges::any_of(groups, of);
  const auto own = site.program.group_with(op.groups, site.runner->rank);
  return own.empty() || of(own);
}
// The operators that collectives reduce with, and the formats that they can be applied to.
[[nodiscard]] bool is_reduction(numerics::AluOp op);
[[nodiscard]] bool is_reducible(const Tile& tile);
// The streams that the collective cores of a rank run: two a core. Source: CCOVL.
[[nodiscard]] std::int32_t streams(const Site& site);
// The channels of a permute: four in a group of all ranks, else two.
[[nodiscard]] std::int32_t channels(RankGroups groups, const Site& site);
// What AWS documents of chunks whose lengths are known at run time, where the run is known: whether
// the ranks of the group may gather them, or send each other such with or without displacements.
[[nodiscard]] bool may_gather_chunks(RankGroups groups, const Site& site);
[[nodiscard]] bool may_exchange_chunks(RankGroups groups, bool displaced, const Site& site);
// dst has the shape of src, `times` over along dimension `dim`, counted from 0.
[[nodiscard]] bool grows(const Tile& dst, const Tile& src, std::int64_t times, std::int32_t dim);

// The rules that most of them have, under a label.
template <typename Op>
[[nodiscard]] constexpr Constraint<Op> needs_one_memory(std::string_view label) {
  return {label, "src and dst are both in HBM, or both in SBUF",
          [](const Op& op, const machine::Core&) {
            return dma::reachable(op.src) && op.src.space == op.dst.space;
          },
          "copy one of them to the other memory first"};
}
template <typename Op>
[[nodiscard]] constexpr Constraint<Op> needs_hbm(std::string_view label) {
  return {label, "src and dst are in HBM",
          [](const Op& op, const machine::Core&) {
            return op.src.space == Space::hbm && op.dst.space == Space::hbm;
          },
          "copy the data to an HBM tensor first"};
}
template <typename Op>
[[nodiscard]] constexpr Constraint<Op> needs_one_dtype(std::string_view label) {
  return {label, "src and dst have the same dtype",
          [](const Op& op, const machine::Core&) { return op.src.dtype == op.dst.dtype; },
          "cast with dma_copy or tensor_copy first"};
}
template <typename Op>
[[nodiscard]] constexpr Constraint<Op> needs_group(std::string_view label) {
  return {label, "groups name ranks that run, none twice, and the rank that runs it once",
          [](const Op& op, const machine::Core&, const Site& site) {
            return are_groups(op.groups, site);
          },
          fixes::once_a_rank};
}
// The queues of collective cores take several tensors at once, the engines' streams do not.
template <typename Op>
[[nodiscard]] constexpr Constraint<Op> needs_hbm_to_follow(std::string_view label) {
  return {
      label, "several tensors in one collective are in HBM",
      [](const Op& op, const machine::Core&) { return !op.follows || op.src.space == Space::hbm; },
      "call the collective once for each"};
}
// SBUF collectives work on two dimensions: partitions and one free dimension.
template <typename Op>
[[nodiscard]] constexpr Constraint<Op> needs_flat_tiles(std::string_view label) {
  return {label, "in SBUF, src and dst have one free dimension",
          [](const Op& op, const machine::Core&) {
            const auto flat = [](const Tile& tile) {
              return !tile.on_chip() || rules::dimensions_at_most(tile, 1);
            };
            return flat(op.src) && flat(op.dst);
          },
          "reshape them to [partitions, elements]"};
}
// The DMA rings of collectives are built when a program is loaded.
template <typename Op>
[[nodiscard]] constexpr Constraint<Op> needs_fixed_addresses(std::string_view label) {
  return {label, "addresses are known when compiled",
          [](const Op& op, const machine::Core&) {
            bool fixed = op.src.dynamic == 0 && op.dst.dynamic == 0;
            if constexpr (requires { op.src1; }) fixed = fixed && op.src1.dynamic == 0;
            if constexpr (requires { op.sends.dynamic; }) fixed = fixed && op.sends.dynamic == 0;
            return fixed;
          },
          "copy the region with dma_copy first"};
}
template <typename Op>
[[nodiscard]] constexpr Constraint<Op> needs_priority(std::string_view label) {
  return {label, "priority is None, or 0 to 3 on NeuronCore-v4",
          [](const Op& op, const machine::Core& core) {
            return !dma::has_priority(op.priority) ||
                   (core.features.dma_priority && dma::is_priority(op.priority, core));
          },
          "leave priority out"};
}

template <typename Op>
[[nodiscard]] constexpr Constraint<Op> needs_stream(std::string_view label) {
  return {label, "stream is one of the two that each core of the rank has",
          [](const Op& op, const machine::Core&, const Site& site) {
            return op.stream >= 0 && op.stream < streams(site);
          },
          "use streams 0 and 1; kernel[2] has 0 to 3"};
}

// --- Operands that most of them have ---

template <typename Op>
[[nodiscard]] constexpr auto groups_of() {
  return immediate("groups", &Op::groups,
                   "groups of ranks, in their order; each rank meets those of its own");
}
template <typename Op>
[[nodiscard]] constexpr auto priority_of() {
  return as(Role::priority,
            immediate("priority", &Op::priority, "traffic class: 0 (highest) to 3", "None"));
}
template <typename Op>
[[nodiscard]] constexpr auto follows_of() {
  return immediate("follows", &Op::follows, "a further tensor of the collective before it",
                   "False");
}

template <typename Op>
[[nodiscard]] constexpr auto stream_of() {
  return immediate("stream", &Op::stream,
                   "collectives of one stream follow one another; streams do not wait for each "
                   "other",
                   "0");
}

// --- Meeting ---

// What two ranks of a group must have alike; empty when they do.
template <typename Op>
[[nodiscard]] std::string tile_mismatch(const Op& mine, const Op& other) {
  if (mine.src.dtype != other.src.dtype) return "they have different dtypes";
  if (mine.src.space != other.src.space) return "they work on different memories";
  if (mine.src.elements() != other.src.elements()) return "they give different numbers of elements";
  return {};
}
template <typename Op>
[[nodiscard]] Meeting meeting(const Op& op, CollectiveKind kind) {
  return {.encounter = Encounter::collective,
          .channel = collective_queue(op.stream),
          .kind = kind,
          .groups = op.groups,
          .bytes = {std::max(op.src.bytes(), op.dst.bytes())},
          .follows = op.follows};
}

// --- Values ---

// The group of the rank that runs the program, and where it or another one of them stands in it.
[[nodiscard]] inline std::span<const std::int32_t> group(RankGroups groups,
                                                         const Execution& execution) {
  return execution.program.group_with(groups, execution.rank);
}
[[nodiscard]] inline std::size_t size(RankGroups groups, const Execution& execution) {
  return group(groups, execution).size();
}
[[nodiscard]] std::size_t position(RankGroups groups, std::int32_t rank,
                                   const Execution& execution);
[[nodiscard]] inline std::size_t position(RankGroups groups, const Execution& execution) {
  return position(groups, execution.rank, execution);
}
// What the rank at a position, of so many, sent. The cores of a logical core that share the data
// send it alike.
[[nodiscard]] const Payload& sent_by(std::size_t position, std::size_t ranks,
                                     const Execution& execution);
[[nodiscard]] Payload content(const Tile& tile, Execution& execution);
void fill(const Tile& tile, const Payload& content, Execution& execution);

// The bytes [begin, begin + size) of what all ranks sent, combined in the order of the group: in
// fp32 with one cast at the end, 32-bit integers as such.
[[nodiscard]] Payload reduced(RankGroups groups, numerics::AluOp op, DType dtype, std::size_t begin,
                              std::size_t bytes, Execution& execution);
// a op b by the same arithmetic.
[[nodiscard]] Payload combined(const Payload& a, const Payload& b, numerics::AluOp op, DType dtype,
                               Execution& execution);
// Everybody's tile, side by side along dimension 0 or 1.
[[nodiscard]] Payload gathered(RankGroups groups, const Tile& dst, std::int32_t dim,
                               Execution& execution);

// --- Chunks whose lengths are known at run time ---

// A metadata tensor's rows as the instruction names them; recv_counts and recv_displs may be
// absent.
[[nodiscard]] bool is_metadata(const Tile& sends, const Tile& recv_counts, const Tile& recv_displs,
                               std::int64_t ranks);
[[nodiscard]] std::vector<std::uint32_t> words(const Tile& tile, Execution& execution);
// Element i of a metadata tensor as a tile.
[[nodiscard]] Tile word(const Tile& tile, std::int64_t i);

// [offset, offset + count) elements.
struct Chunk {
  std::int64_t offset = 0, count = 0;
};
// The chunks of src, each behind its length. Throws Fault "collective.bounds" for one outside.
[[nodiscard]] Payload packed(const Tile& src, std::span<const Chunk> chunks, Execution& execution);
// The k-th of them.
[[nodiscard]] std::span<const std::byte> unpacked(const Payload& sent, std::size_t k);
// Puts the `which`-th chunk that each rank sent into dst: at its displacement, or in a slot of its
// own; tells the lengths where somebody wants to know. Throws Fault "collective.bounds".
void receive_chunks(const Tile& dst, const Tile& counts, const Tile& displacements,
                    RankGroups groups, std::size_t which, Execution& execution);

}  // namespace trainyard::isa::collective
